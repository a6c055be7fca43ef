//! Atoms as values: the unit structs of `atoms`.
//!
//! An atom that is a name in Rust is called so. Keywords, names of Rust's primitive types and of
//! its prelude end in `_`. Every other atom is spelled in words: `'tlsv1.2'` is `tlsv1_2`. Should
//! an atom of that name be there, too, it gets a `_` at its end; and so does an atom that ends in
//! `_` itself, so that the two never meet.

use std::collections::{BTreeMap, BTreeSet};

use super::reserved::{begins_no_name, is_in_prelude, is_reserved};
use super::words::{is_letter, spelled};

/// What the atoms of a run are called.
#[derive(Debug, Default)]
pub(crate) struct AtomNames {
    /// Only of those whose name is not [`atom_identifier`] itself.
    others: BTreeMap<String, String>,
}

impl AtomNames {
    /// Names `atoms`. The `known` ones have their names already.
    pub(crate) fn new<'a>(
        known: &'a BTreeSet<String>,
        atoms: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut taken = BTreeSet::new();
        let mut others = BTreeMap::new();
        let new: BTreeSet<&str> = atoms
            .into_iter()
            .filter(|atom| !known.contains(*atom))
            .collect();
        let of_known: BTreeSet<&str> = known.iter().map(String::as_str).collect();
        for atoms in [of_known, new] {
            let (plain, odd): (Vec<&str>, Vec<&str>) =
                atoms.into_iter().partition(|atom| is_plain(atom));
            for atom in plain.into_iter().chain(odd) {
                let first = atom_identifier(atom);
                let mut name = first.clone();
                while !taken.insert(name.clone()) {
                    name.push('_');
                }
                if name != first {
                    others.insert(atom.to_owned(), name);
                }
            }
        }
        AtomNames { others }
    }

    /// The name of an atom of the run.
    pub(crate) fn of(&self, atom: &str) -> String {
        let other = self.others.get(atom);
        other.cloned().unwrap_or_else(|| atom_identifier(atom))
    }
}

/// Whether the atom is a name in Rust.
fn is_plain(atom: &str) -> bool {
    !atom.is_empty()
        && !atom.starts_with(begins_no_name)
        && atom
            .chars()
            .all(|character| is_letter(character) || character == '_')
}

/// The identifier of an atom, if no other atom has it.
pub(crate) fn atom_identifier(atom: &str) -> String {
    let hides = is_reserved(atom) || is_in_prelude(atom);
    if is_plain(atom) {
        return if hides || atom.ends_with('_') {
            format!("{}_", underscored(atom))
        } else {
            atom.to_owned()
        };
    }
    let mut name = String::new();
    for character in dollar(atom).chars() {
        match character {
            _ if is_letter(character) || character == '_' => name.push(character),
            _ => name.push('_'),
        }
    }
    name = underscored(&name);
    if name.starts_with(begins_no_name) {
        name.insert(0, 'n');
    }
    let hides = is_reserved(&name) || is_in_prelude(&name);
    if hides || name.ends_with('_') {
        format!("{name}_")
    } else {
        name
    }
}

/// The words of an atom, of which a `$` in front is one.
fn dollar(atom: &str) -> String {
    match atom.strip_prefix('$') {
        Some(rest) => format!("dollar_{}", spelled(rest)),
        None => spelled(atom),
    }
}

/// A name that is not only `_`.
fn underscored(name: &str) -> String {
    if name.chars().all(|character| character == '_') {
        format!("underscore{name}")
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_called_as_they_are_or_in_words() {
        let pairs = [
            ("ok", "ok"),
            ("DOWN", "DOWN"),
            ("continue", "continue_"),
            ("Ok", "Ok_"),
            ("char", "char_"),
            ("tlsv1.2", "tlsv1_2"),
            ("id-Ed25519", "id_Ed25519"),
            ("$end_of_table", "dollar_end_of_table"),
            ("=:=", "exactly_equal"),
            ("+", "plus"),
            ("3des_ede_cbc", "n3des_ede_cbc"),
            ("größe", "größe"),
            ("", "underscore"),
            ("_", "underscore__"),
        ];
        for (atom, name) in pairs {
            assert_eq!(atom_identifier(atom), name, "{atom}");
        }
    }

    #[test]
    fn atom_names_do_not_meet() {
        let atoms = [
            "continue",
            "continue_",
            "continue__",
            "a-b",
            "a_b",
            "a.b",
            "a_b_",
            "",
            "_",
            "char",
            "plus",
            "+",
        ];
        let names = AtomNames::new(&BTreeSet::new(), atoms);
        let different: BTreeSet<String> = atoms.iter().map(|atom| names.of(atom)).collect();
        assert_eq!(different.len(), atoms.len(), "{different:?}");
        assert_eq!(names.of("a_b"), "a_b");
        assert_eq!(names.of("plus"), "plus");
        assert_eq!(names.of("continue"), "continue_");
        let known = BTreeSet::from(["+".to_owned()]);
        let names = AtomNames::new(&known, ["plus"]);
        assert_eq!(
            (names.of("+"), names.of("plus")),
            ("plus".to_owned(), "plus_".to_owned())
        );
    }
}
