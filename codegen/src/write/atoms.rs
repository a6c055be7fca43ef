//! The file of atoms.

use std::collections::{BTreeMap, BTreeSet};

use super::{Features, head};
use crate::atoms::SHARED;
use crate::complete::Complete;
use crate::names::atom_identifier;
use crate::options::{Destination, Options};

/// Number of atoms in one invocation of the macro, which expands one after the other: the
/// compiler's recursion limit is 128.
const GROUP: usize = 40;

/// Returns every atom that the modules use. In `otp-bridge`, these include the shared ones;
/// elsewhere, those that `otp-bridge` has are left out.
pub(crate) fn atoms(modules: &[Complete<'_>], features: &Features, options: &Options) -> String {
    let mut atoms: BTreeSet<&str> = modules
        .iter()
        .flat_map(|module| &module.atoms)
        .map(String::as_str)
        .collect();
    let mut text = head(&options.head, None);
    text.push_str("//! Atoms, each the type and the value of its name.\n\n");
    // The macro has its whole path: any name that this file imports can be an atom, too.
    let run_time = match &options.destination {
        Destination::Bridge => {
            atoms.extend(SHARED);
            "crate::__private"
        }
        Destination::Outside(_) => {
            atoms.retain(|atom| !options.known_atoms.contains(*atom));
            text.push_str("pub use ::otp_bridge::atoms::*;\n");
            if atoms.is_empty() {
                return text;
            }
            text.push('\n');
            "::otp_bridge::__private"
        }
    };
    let named = atoms.into_iter().map(|atom| (atom, atom_identifier(atom)));
    let mut conditions: BTreeMap<Option<String>, Vec<(&str, String)>> = BTreeMap::new();
    for (atom, name) in named {
        let of_it = conditions.entry(features.of_atom(atom)).or_default();
        of_it.push((atom, name));
    }
    for (condition, named) in conditions {
        for group in named.chunks(GROUP) {
            if let Some(condition) = &condition {
                let blank = if text.ends_with("\n\n") { "" } else { "\n" };
                text.push_str(&format!("{blank}#[cfg({condition})]\n"));
            }
            push_group(&mut text, run_time, group);
        }
    }
    text
}

/// The longest line of an invocation.
const WIDTH: usize = 120;

fn push_group(text: &mut String, run_time: &str, group: &[(&str, String)]) {
    let entry = |(atom, name): &(&str, String)| {
        if name == atom {
            format!("{name},")
        } else {
            format!("{atom:?} => {name},")
        }
    };
    text.push_str(&format!("{run_time}::atoms! {{"));
    let mut width = WIDTH;
    for entry in group.iter().map(entry) {
        width += 1 + entry.len();
        if width > WIDTH {
            text.push_str("\n   ");
            width = 4 + entry.len();
        }
        text.push_str(&format!(" {entry}"));
    }
    text.push_str("\n}\n");
}
