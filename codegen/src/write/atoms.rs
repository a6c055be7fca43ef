//! The file of atoms.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::head;
use crate::atoms::SHARED;
use crate::complete::Complete;
use crate::names::{Taken, atom_identifier};
use crate::options::{Options, Place};

/// Atoms in one invocation of the macro, which expands one after the other: the compiler's
/// recursion limit is 128.
const GROUP: usize = 40;

/// Every atom that the modules name. In `otp-bridge` also the shared ones, elsewhere without
/// those that `otp-bridge` has.
pub(crate) fn atoms(modules: &[Complete<'_>], options: &Options) -> String {
    let mut atoms: BTreeSet<&str> = modules
        .iter()
        .flat_map(|module| &module.atoms)
        .map(String::as_str)
        .collect();
    let mut text = head(&options.head, None);
    text.push_str("//! Atoms, each the type and the value of its name.\n\n");
    match &options.place {
        Place::Bridge => {
            atoms.extend(SHARED);
            text.push_str("use crate::__private as rt;\n\n");
        }
        Place::Outside(_) => {
            atoms.retain(|atom| !options.known_atoms.contains(*atom));
            text.push_str("#[allow(unused_imports)]\npub use ::otp_bridge::atoms::*;\n");
            if atoms.is_empty() {
                return text;
            }
            text.push_str("\nuse ::otp_bridge::__private as rt;\n\n");
        }
    }
    let mut taken = Taken::default();
    // Only atoms of odd characters can meet in one name; the first has it.
    let named = atoms.into_iter().map(|atom| (atom, atom_identifier(atom)));
    let named: Vec<(&str, String)> = named
        .filter(|(_, name)| taken.claim(name) == *name)
        .collect();
    for group in named.chunks(GROUP) {
        text.push_str("rt::atoms! {\n");
        for (atom, name) in group {
            // Writing to a string does not fail.
            _ = if name == atom {
                writeln!(text, "    {name},")
            } else {
                writeln!(text, "    {atom:?} => {name},")
            };
        }
        text.push_str("}\n");
    }
    text
}
