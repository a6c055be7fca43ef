//! Atoms as values: the unit structs of `atoms`.
//!
//! An atom that is a valid name in Rust keeps its name. Every other atom is spelled in words, and
//! ends in `_`: `'tlsv1.2'` is `tlsv1_2_`. Keywords and names of Rust's primitive types and of its
//! prelude get a `_` as well, and an atom that ends in `_` itself gets one more. If several atoms
//! have the same spelling, one of them has the plain name, and each of the others gets a number.
//! The name of an atom depends only on the atom: it is the same whatever is generated beside it.

use super::reserved::{begins_no_name, is_in_prelude, is_reserved};
use super::words::{is_letter, spelled, symbols};

/// Returns whether the atom is a valid name in Rust.
fn is_plain(atom: &str) -> bool {
    !is_blank(atom)
        && !atom.starts_with(begins_no_name)
        && atom
            .chars()
            .all(|character| is_letter(character) || character == '_')
}

/// Returns the identifier of an atom. It is unique.
pub(crate) fn atom_identifier(atom: &str) -> String {
    if is_plain(atom) {
        let hides = is_reserved(atom) || is_in_prelude(atom);
        return if hides || atom.ends_with('_') {
            format!("{atom}_")
        } else {
            atom.to_owned()
        };
    }
    let name = in_words(atom);
    if preferred(&name).as_deref() == Some(atom) {
        format!("{name}_")
    } else {
        format!("{name}_{:08x}_", number(atom))
    }
}

/// Returns the spelling of an atom that is not a valid name in Rust.
fn in_words(atom: &str) -> String {
    let letter = |character: char| {
        if is_letter(character) { character } else { '_' }
    };
    let mut name: String = dollar(atom).chars().map(letter).collect();
    name.truncate(name.trim_end_matches('_').len());
    if is_blank(&name) {
        name = "underscore".to_owned();
    }
    if name.starts_with(begins_no_name) {
        name.insert(0, 'n');
    }
    name
}

/// Returns the atom that has the plain name, of all atoms with this spelling that are not valid
/// names in Rust.
fn preferred(name: &str) -> Option<String> {
    let dotted = || {
        let letters: Vec<char> = name.chars().collect();
        let is_digit = |index: usize| letters.get(index).is_some_and(char::is_ascii_digit);
        let between = |(index, letter): (usize, &char)| match letter {
            '_' if index > 0 && is_digit(index - 1) && is_digit(index + 1) => '.',
            '_' => '-',
            letter => *letter,
        };
        letters.iter().enumerate().map(between).collect()
    };
    let of_dollar = || Some(format!("${}", name.strip_prefix("dollar_")?));
    let of_number = || name.strip_prefix('n').map(str::to_owned);
    // Modules and structs of Elixir.
    let of_elixir = name.starts_with("Elixir_").then(|| name.replace('_', "."));
    let candidates = symbols(name).map(str::to_owned).chain(of_elixir);
    let mut candidates = candidates.chain(of_dollar()).chain(of_number()).chain([
        "_".to_owned(),
        dotted(),
        name.replace('_', "-"),
        name.replace('_', " "),
        name.replace('_', "."),
    ]);
    candidates.find(|atom| !is_plain(atom) && in_words(atom) == name)
}

/// Returns a number that distinguishes an atom from others: FNV-1a, 32 bits, equal on every
/// machine.
fn number(atom: &str) -> u32 {
    atom.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// Returns the words of an atom. A `$` in front is a word.
fn dollar(atom: &str) -> String {
    match atom.strip_prefix('$') {
        Some(rest) => format!("dollar_{}", spelled(rest)),
        None => spelled(atom),
    }
}

/// Returns whether an atom consists only of `_`.
fn is_blank(atom: &str) -> bool {
    atom.chars().all(|character| character == '_')
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn atoms_are_called_as_they_are_or_in_words() {
        let pairs = [
            ("ok", "ok"),
            ("DOWN", "DOWN"),
            ("continue", "continue_"),
            ("Ok", "Ok_"),
            ("char", "char_"),
            ("tlsv1.2", "tlsv1_2_"),
            ("id-Ed25519", "id_Ed25519_"),
            ("Content-Type", "Content_Type_"),
            ("Elixir.Shop.Item", "Elixir_Shop_Item_"),
            ("Elixir_Shop_Item", "Elixir_Shop_Item"),
            ("Elixir.Shop-Item", "Elixir_Shop_Item_e9d75e50_"),
            ("not acceptable", "not_acceptable_0dff3542_"),
            ("$end_of_table", "dollar_end_of_table_"),
            ("=:=", "exactly_equal_"),
            ("+", "plus_"),
            ("3des_ede_cbc", "n3des_ede_cbc_"),
            ("größe", "größe"),
            ("_", "underscore_"),
            ("", "underscore_811c9dc5_"),
        ];
        for (atom, name) in pairs {
            assert_eq!(atom_identifier(atom), name, "{atom}");
        }
    }

    #[test]
    fn no_two_atoms_have_one_name() {
        let atoms = concat!(
            "continue,continue_,continue__,a-b,a_b,a.b,a b,a@b,a_b_,,_,__,char,",
            "plus,+,plus_,1.2,n1_2,n1.2,1-2,1_2,$a,dollar_a,dollar-a,$,dollar,(,[,",
            "{,open,=,equals,a-,a,-a,continue?,minus-a,minus_a,underscore,",
            "underscore_,-,minus,exactly-equal,=:=,a?,$$a,n-1,a_b-c,a-b_c",
        );
        let atoms: Vec<&str> = atoms.split(',').collect();
        let different: BTreeSet<String> = atoms.iter().map(|atom| atom_identifier(atom)).collect();
        assert_eq!(different.len(), atoms.len(), "{different:?}");
    }
}
