//! The start of processes of the program's modules.

use super::core::{ProcessFuture, SharedCore};
use super::own::OwnProcess;
use super::{machine, server, supervisor};
use crate::behaviour::start::StartParts;
use crate::runtime::{LibraryModules, ModuleEntry};
use crate::{Atom, Reference, Term};

/// The first process of a node, which a test drives.
pub(in crate::testing) struct FirstProcess {
    pub(in crate::testing) module: &'static ModuleEntry,
    pub(in crate::testing) argument: Term,
}

impl FirstProcess {
    /// Adds the process to its node.
    pub(super) fn add(self, core: &SharedCore) -> usize {
        let index = core.borrow_mut().add(self.module.name, None);
        let own = OwnProcess::new(core, index);
        let future = behaviour(own, self.module, self.argument);
        let future = future.unwrap_or_else(|| unreachable!("it is one of those with a driver"));
        core.borrow_mut().spawned.push((index, future));
        index
    }
}

/// Returns the future of a process with the callbacks of a module. `None` if its behaviour is not
/// simulated.
fn behaviour(
    own: OwnProcess,
    module: &'static ModuleEntry,
    argument: Term,
) -> Option<ProcessFuture> {
    Some(match module.implements.as_ref()?.behaviour.name {
        "gen_server" => Box::pin(server::serve(own, module, argument)),
        "gen_statem" => Box::pin(machine::run(own, module, argument)),
        "supervisor" => Box::pin(supervisor::supervise(own, module, argument)),
        _ => return None,
    })
}

/// See `StartProcess`.
pub(super) fn linked(
    core: &SharedCore,
    parent: usize,
    module: &Atom,
    arguments: &[Term],
) -> Option<Reference> {
    let own = OwnProcess::new(core, parent);
    let module = LibraryModules::get().module(module.text())?;
    let parts = StartParts::read(module.implements.as_ref()?.behaviour, arguments)?;
    let (name, argument) = (parts.name.cloned(), parts.argument.clone());
    let index = own.with_core(|core| core.add(module.name, Some(parent)));
    let child = OwnProcess::new(core, index);
    let runs = behaviour(child.clone(), module, argument)?;
    let future: ProcessFuture = match name {
        None => runs,
        Some(name) => Box::pin(async move {
            match child.register(&name) {
                Ok(()) => runs.await,
                Err(exit) => exit,
            }
        }),
    };
    own.with_core(|core| core.spawned.push((index, future)));
    Some(own.await_start(index))
}
