//! Facts that depend on the OTP release of the input.

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

/// `erl_internal:guard_bif/2` of the oldest release: names with the arities that guards may call,
/// sorted.
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

/// `erl_internal:bif/2` of the oldest release, without the functions that guards may call, sorted.
const AUTO_IMPORTED: &[(&str, &[usize])] = &[
    ("alias", &[0, 1]),
    ("apply", &[2, 3]),
    ("atom_to_binary", &[1, 2]),
    ("atom_to_list", &[1]),
    ("binary_to_atom", &[1, 2]),
    ("binary_to_existing_atom", &[1, 2]),
    ("binary_to_float", &[1]),
    ("binary_to_integer", &[1, 2]),
    ("binary_to_list", &[1, 3]),
    ("binary_to_term", &[1, 2]),
    ("bitstring_to_list", &[1]),
    ("check_old_code", &[1]),
    ("check_process_code", &[2, 3]),
    ("date", &[0]),
    ("delete_module", &[1]),
    ("demonitor", &[1, 2]),
    ("disconnect_node", &[1]),
    ("erase", &[0, 1]),
    ("error", &[1, 2, 3]),
    ("exit", &[1, 2]),
    ("float_to_binary", &[1, 2]),
    ("float_to_list", &[1, 2]),
    ("garbage_collect", &[0, 1, 2]),
    ("get", &[0, 1]),
    ("get_keys", &[0, 1]),
    ("group_leader", &[0, 2]),
    ("halt", &[0, 1, 2]),
    ("integer_to_binary", &[1, 2]),
    ("integer_to_list", &[1, 2]),
    ("iolist_size", &[1]),
    ("iolist_to_binary", &[1]),
    ("is_alive", &[0]),
    ("is_process_alive", &[1]),
    ("link", &[1]),
    ("list_to_atom", &[1]),
    ("list_to_binary", &[1]),
    ("list_to_bitstring", &[1]),
    ("list_to_existing_atom", &[1]),
    ("list_to_float", &[1]),
    ("list_to_integer", &[1, 2]),
    ("list_to_pid", &[1]),
    ("list_to_port", &[1]),
    ("list_to_ref", &[1]),
    ("list_to_tuple", &[1]),
    ("load_module", &[2]),
    ("make_ref", &[0]),
    ("max", &[2]),
    ("min", &[2]),
    ("module_loaded", &[1]),
    ("monitor", &[2, 3]),
    ("monitor_node", &[2]),
    ("nodes", &[0, 1, 2]),
    ("now", &[0]),
    ("open_port", &[2]),
    ("pid_to_list", &[1]),
    ("port_close", &[1]),
    ("port_command", &[2, 3]),
    ("port_connect", &[2]),
    ("port_control", &[3]),
    ("port_to_list", &[1]),
    ("pre_loaded", &[0]),
    ("process_flag", &[2, 3]),
    ("process_info", &[1, 2]),
    ("processes", &[0]),
    ("purge_module", &[1]),
    ("put", &[2]),
    ("ref_to_list", &[1]),
    ("register", &[2]),
    ("registered", &[0]),
    ("setelement", &[3]),
    ("spawn", &[1, 2, 3, 4]),
    ("spawn_link", &[1, 2, 3, 4]),
    ("spawn_monitor", &[1, 2, 3, 4]),
    ("spawn_opt", &[2, 3, 4, 5]),
    ("spawn_request", &[1, 2, 3, 4, 5]),
    ("spawn_request_abandon", &[1]),
    ("split_binary", &[2]),
    ("statistics", &[1]),
    ("term_to_binary", &[1, 2]),
    ("term_to_iovec", &[1, 2]),
    ("throw", &[1]),
    ("time", &[0]),
    ("tuple_to_list", &[1]),
    ("unalias", &[1]),
    ("unlink", &[1]),
    ("unregister", &[1]),
    ("whereis", &[1]),
];

/// Returns whether a table of names has this name with this arity.
fn holds(table: &[(&str, &[usize])], name: &str, arity: usize) -> bool {
    let found = table.binary_search_by_key(&name, |(name, _)| name);
    found.is_ok_and(|index| table[index].1.contains(&arity))
}

impl Release {
    /// Returns whether the language predefines this type.
    #[must_use]
    pub fn is_builtin_type(self, name: &str, arity: usize) -> bool {
        holds(BUILTIN_TYPES, name, arity)
            || match (name, arity) {
                ("dynamic", 0) => self.0 >= 26,
                ("record", 0) => self.has_native_records(),
                _ => false,
            }
    }

    /// Returns whether guards may call this function.
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

    /// Returns whether `-if` and `-elif` may call a function that guards may not call. In old
    /// releases, such a call fails, which makes the condition false. Since OTP 27 it is an error.
    /// In every release, it is an error to call a function of `erlang` that needs no module name.
    #[must_use]
    pub fn allows_in_condition(self, name: &str, arity: usize) -> bool {
        self.0 < 27 && !holds(AUTO_IMPORTED, name, arity)
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

    /// Returns whether `maybe` is a keyword without `-feature`.
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
        for table in [BUILTIN_TYPES, GUARD_FUNCTIONS, AUTO_IMPORTED] {
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
