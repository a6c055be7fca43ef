//! `--diff OLD_OTP_ROOT`: shows how callbacks differ from those of an older OTP.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use otp_codegen::changes::changes;
use otp_specs::types::Module;

use crate::args::GenTypes;
use crate::installation::Applications;
use crate::report::{Result, Ui, Unit, catalog};
use crate::sources::{Library, Panicked, Reporter, in_order};

pub(super) fn execute(options: &GenTypes, old: &Path, ui: &Ui) -> Result<()> {
    let old = Side::of(Library::of(Applications::at(old)?));
    let new = Side::of(Library::open(&options.code_path)?);
    let names = match options.modules.as_slice() {
        [] => every_behaviour(&old, &new)?,
        named => named.to_vec(),
    };
    let mut differ = false;
    ui.counting(
        "Comparing",
        "behaviours",
        Unit::Things("modules"),
        |progress| {
            progress.begin(names.len() as u64);
            let take = |text: Option<String>| {
                progress.step();
                differ |= text.is_some();
                text.iter().for_each(|text| ui.output(text));
            };
            each(&names, |name| compare(name, &old, &new), take)
        },
    )?;
    if !differ {
        let (old, new) = (old.library.release, new.library.release);
        ui.note(&format!(
            "no callback differs between OTP {old} and OTP {new}"
        ));
    }
    Ok(())
}

/// Works on all names in parallel, one for each core. `take` receives the results in order, and the
/// first failure ends the work.
fn each<T: Send>(
    names: &[String],
    work: impl Fn(&str) -> Result<T> + Sync,
    mut take: impl FnMut(T),
) -> Result<()> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut failure = None;
    let one = |index: usize| work(&names[index]);
    in_order(names.len(), threads, one, |result| {
        match result {
            Ok(Ok(done)) => take(done),
            Ok(Err(error)) => failure = Some(error),
            Err(Panicked) => {
                failure = Some(catalog::INTERNAL.with(&[&"a comparison ended by a panic"]))
            }
        }
        match failure {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    });
    failure.map_or(Ok(()), Err)
}

/// The old or the new OTP, with its resolved modules, because behaviours share types.
struct Side {
    library: Library,
    resolved: Mutex<BTreeMap<String, Option<Arc<Module>>>>,
}

impl Side {
    fn of(library: Library) -> Self {
        Self {
            library,
            resolved: Mutex::default(),
        }
    }

    /// Returns a module, and the modules whose types it refers to.
    fn modules(&self, name: &str) -> Option<Vec<Arc<Module>>> {
        let first = self.read(name)?;
        let others = otp_codegen::references(&first);
        let others = others.iter().filter_map(|other| self.read(other));
        Some(std::iter::once(first).chain(others).collect())
    }

    /// Returns the resolved module, or `None` if it cannot be read, so that the others can still be
    /// compared.
    fn read(&self, name: &str) -> Option<Arc<Module>> {
        let lock = || self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(name) {
            return known.clone();
        }
        let source = self.library.modules.find(name).ok();
        let module = source.and_then(|source| {
            let module = self.library.read(&source, &Reporter::silent());
            module.ok().map(Arc::new)
        });
        lock().insert(name.to_owned(), module.clone());
        module
    }
}

/// Describes how a module differs; `None` if it does not.
fn compare(name: &str, old: &Side, new: &Side) -> Result<Option<String>> {
    let releases = format!("OTP {} to OTP {}", old.library.release, new.library.release);
    let (before, after) = match (old.modules(name), new.modules(name)) {
        (Some(before), Some(after)) => (before, after),
        (None, Some(_)) => return Ok(Some(format!("{name}, {releases}:\n{name} is new\n\n"))),
        (Some(_), None) => return Ok(Some(format!("{name}, {releases}:\n{name} is gone\n\n"))),
        // Neither OTP has it: the error suggests names.
        (None, None) => {
            return new.library.modules.find(name).and_then(|source| {
                Err(catalog::UNREADABLE_MODULE
                    .with(&[&name])
                    .at(source.path.display()))
            });
        }
    };
    let [before, after] = [&before, &after].map(|modules| modules.iter().map(|one| &**one));
    let found = changes(before, after, name);
    if found.is_empty() {
        return Ok(None);
    }
    let mut text = format!("{name}, {releases}:\n");
    for change in &found {
        text.push_str(&format!("{change}\n"));
    }
    Ok(Some(text + "\n"))
}

/// Returns the modules of either OTP that have callbacks in one of them.
fn every_behaviour(old: &Side, new: &Side) -> Result<Vec<String>> {
    let names = old
        .library
        .modules
        .names()
        .chain(new.library.modules.names());
    let names: BTreeSet<String> = names.map(str::to_owned).collect();
    let names: Vec<String> = names.into_iter().collect();
    let mut found = Vec::new();
    let has_callbacks = |name: &str| {
        let has = [old, new]
            .iter()
            .any(|side| side.library.has_callbacks(name));
        Ok(has.then(|| name.to_owned()))
    };
    each(&names, has_callbacks, |name| found.extend(name))?;
    Ok(found)
}
