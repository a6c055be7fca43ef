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

impl Release {
    /// Whether the language predefines this type.
    #[must_use]
    pub fn is_builtin_type(self, name: &str, arity: usize) -> bool {
        match BUILTIN_TYPES.binary_search_by_key(&name, |(name, _)| name) {
            Ok(found) => BUILTIN_TYPES[found].1.contains(&arity),
            Err(_) => {
                arity == 0
                    && ((name == "dynamic" && self.0 >= 26)
                        || (name == "record" && self.has_native_records()))
            }
        }
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
    fn the_table_is_sorted_as_the_search_needs() {
        assert!(BUILTIN_TYPES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
