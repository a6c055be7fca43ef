//! `--diff OLD_OTP_ROOT`: what callbacks may return now, and could not before.

use std::collections::BTreeSet;
use std::path::Path;

use otp_codegen::changes::changes;
use otp_specs::types::Module;

use crate::args::GenTypes;
use crate::error::{Error, Result};
use crate::sources::Library;
use crate::tree::Tree;
use crate::ui::Ui;

pub(super) fn execute(options: &GenTypes, old: &Path, ui: &Ui) -> Result<()> {
    let old = Library::of_tree(Tree::at(old)?);
    let new = Library::open(&options.places)?;
    let names = match options.modules.as_slice() {
        [] => every_behaviour(&old, &new),
        named => named.iter().cloned().collect(),
    };
    let mut differ = false;
    for name in &names {
        differ |= compare(name, &old, &new, ui)?;
    }
    if !differ {
        let (old, new) = (old.release, new.release);
        ui.note(&format!(
            "no callback differs between OTP {old} and OTP {new}"
        ));
    }
    Ok(())
}

/// Prints how a module differs; gives whether it does.
fn compare(name: &str, old: &Library, new: &Library, ui: &Ui) -> Result<bool> {
    let releases = format!("OTP {} to OTP {}", old.release, new.release);
    let (before, after) = (modules(name, old), modules(name, new));
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) => (before, after),
        (None, Some(_)) => {
            ui.output(&format!("{name}, {releases}:\n{name} is new\n\n"));
            return Ok(true);
        }
        (Some(_), None) => {
            ui.output(&format!("{name}, {releases}:\n{name} is gone\n\n"));
            return Ok(true);
        }
        // Neither has it: the error has the names that are near.
        (None, None) => {
            return new.modules.find(name).and_then(|source| {
                Err(Error::user(format!("`{name}` cannot be read")).at(source.path.display()))
            });
        }
    };
    let found = changes(&before, &after, name);
    if found.is_empty() {
        return Ok(false);
    }
    let mut text = format!("{name}, {releases}:\n");
    for change in &found {
        text.push_str(&format!("{change}\n"));
    }
    ui.output(&(text + "\n"));
    Ok(true)
}

/// A module, and those whose types it names.
fn modules(name: &str, library: &Library) -> Option<Vec<Module>> {
    let first = read(name, library)?;
    let others = otp_codegen::references(&first);
    let others = others.iter().filter(|other| **other != first.name);
    let others: Vec<Module> = others.filter_map(|other| read(other, library)).collect();
    Some([vec![first], others].concat())
}

/// What is wrong in one module of OTP costs only itself.
fn read(name: &str, library: &Library) -> Option<Module> {
    let source = library.modules.find(name).ok()?;
    library.read(&source, &|_| Ok(()), &|_| ()).ok()
}

/// Modules of both that have callbacks in one of them.
fn every_behaviour(old: &Library, new: &Library) -> BTreeSet<String> {
    let names: BTreeSet<&str> = old.modules.names().chain(new.modules.names()).collect();
    let has_callbacks = |name: &&str| [old, new].iter().any(|library| library.has_callbacks(name));
    let found = names.into_iter().filter(has_callbacks);
    found.map(str::to_owned).collect()
}
