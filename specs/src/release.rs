//! What depends on the OTP release that the input is written for.

/// An OTP release, e.g. 25.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(pub u32);

impl Default for Release {
    /// The oldest release that is supported.
    fn default() -> Self {
        Release(25)
    }
}

/// `erl_internal:is_type/2`: names with the arities that are predefined, sorted.
const BUILTIN_TYPES: &[(&str, &[usize])] = &[
    ("any", &[0]),
    ("arity", &[0]),
    ("atom", &[0]),
    ("binary", &[0]),
    ("bitstring", &[0]),
    ("bool", &[0]),
    ("boolean", &[0]),
    ("byte", &[0]),
    ("char", &[0]),
    ("float", &[0]),
    ("function", &[0]),
    ("identifier", &[0]),
    ("integer", &[0]),
    ("iodata", &[0]),
    ("iolist", &[0]),
    ("list", &[0, 1]),
    ("map", &[0]),
    ("maybe_improper_list", &[0, 2]),
    ("mfa", &[0]),
    ("module", &[0]),
    ("neg_integer", &[0]),
    ("nil", &[0]),
    ("no_return", &[0]),
    ("node", &[0]),
    ("non_neg_integer", &[0]),
    ("none", &[0]),
    ("nonempty_binary", &[0]),
    ("nonempty_bitstring", &[0]),
    ("nonempty_improper_list", &[2]),
    ("nonempty_list", &[0, 1]),
    ("nonempty_maybe_improper_list", &[0, 2]),
    ("nonempty_string", &[0]),
    ("number", &[0]),
    ("pid", &[0]),
    ("port", &[0]),
    ("pos_integer", &[0]),
    ("reference", &[0]),
    ("string", &[0]),
    ("term", &[0]),
    ("timeout", &[0]),
    ("tuple", &[0]),
];

/// `erl_internal:guard_bif/2` of the oldest release: names with the arities that guards may call, sorted.
const GUARD_FUNCTIONS: &[(&str, &[usize])] = &[
    ("abs", &[1]),
    ("binary_part", &[2, 3]),
    ("bit_size", &[1]),
    ("byte_size", &[1]),
    ("ceil", &[1]),
    ("element", &[2]),
    ("float", &[1]),
    ("floor", &[1]),
    ("hd", &[1]),
    ("is_atom", &[1]),
    ("is_binary", &[1]),
    ("is_bitstring", &[1]),
    ("is_boolean", &[1]),
    ("is_float", &[1]),
    ("is_function", &[1, 2]),
    ("is_integer", &[1]),
    ("is_list", &[1]),
    ("is_map", &[1]),
    ("is_map_key", &[2]),
    ("is_number", &[1]),
    ("is_pid", &[1]),
    ("is_port", &[1]),
    ("is_record", &[2, 3]),
    ("is_reference", &[1]),
    ("is_tuple", &[1]),
    ("length", &[1]),
    ("map_get", &[2]),
    ("map_size", &[1]),
    ("node", &[0, 1]),
    ("round", &[1]),
    ("self", &[0]),
    ("size", &[1]),
    ("tl", &[1]),
    ("trunc", &[1]),
    ("tuple_size", &[1]),
];

/// Whether a table of names has this one with this arity.
fn holds(table: &[(&str, &[usize])], name: &str, arity: usize) -> bool {
    let found = table.binary_search_by_key(&name, |(name, _)| name);
    found.is_ok_and(|index| table[index].1.contains(&arity))
}

impl Release {
    /// Whether the language predefines this type.
    #[must_use]
    pub fn is_builtin_type(self, name: &str, arity: usize) -> bool {
        holds(BUILTIN_TYPES, name, arity)
            || match (name, arity) {
                ("dynamic", 0) => self.0 >= 26,
                ("record", 0) => self.has_native_records(),
                _ => false,
            }
    }

    /// Whether guards may call this function.
    #[must_use]
    pub fn is_guard_function(self, name: &str, arity: usize) -> bool {
        holds(GUARD_FUNCTIONS, name, arity)
            || match (name, arity) {
                ("max" | "min", 2) => self.0 >= 26,
                ("is_integer", 3) => self.0 >= 29,
                ("is_record", 1) => self.has_native_records(),
                _ => false,
            }
    }

    /// Whether `-if` and `-elif` refuse a call of anything but a guard function. Before, such a call
    /// only made the condition false.
    #[must_use]
    pub fn has_strict_conditions(self) -> bool {
        self.0 >= 27
    }

    /// `-nominal` (EEP 69).
    #[must_use]
    pub fn has_nominal(self) -> bool {
        self.0 >= 28
    }

    /// `-record #name{…}` and `#module:name{}` (EEP 79).
    #[must_use]
    pub fn has_native_records(self) -> bool {
        self.0 >= 29
    }

    /// `-doc` and `-moduledoc` (EEP 59): their metadata may hold calls.
    #[must_use]
    pub fn has_doc_attributes(self) -> bool {
        self.0 >= 27
    }

    /// Whether `maybe` is a keyword without `-feature`.
    #[must_use]
    pub fn has_maybe(self) -> bool {
        self.0 >= 27
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_as_the_search_needs() {
        for table in [BUILTIN_TYPES, GUARD_FUNCTIONS] {
            assert!(table.windows(2).all(|pair| pair[0].0 < pair[1].0));
        }
    }

    #[test]
    fn newer_releases_have_more() {
        for (release, name, arity, has) in [
            (25, "max", 2, false),
            (26, "max", 2, true),
            (28, "is_integer", 3, false),
            (29, "is_integer", 3, true),
            (29, "spawn", 1, false),
        ] {
            let found = Release(release).is_guard_function(name, arity);
            assert_eq!(found, has, "{name}/{arity} in {release}");
        }
        assert!(!Release(25).is_builtin_type("dynamic", 0));
        assert!(Release(26).is_builtin_type("dynamic", 0));
        assert!(!Release(26).is_builtin_type("dynamic", 1));
    }
}
