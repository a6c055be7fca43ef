//! Starting processes of the application's own modules.

use std::panic::Location;

use crate::runtime::{Class, Cx, Exit, Module, Result, StartFunction, Started};
use crate::{Atom, FromTerm, Pid, Term, atoms};

impl Cx<'_> {
    /// Starts a process of the module `T`, linked to this one: `T:start_link(Args)`.
    ///
    /// # Errors
    /// An exit with what its `init/1` gave as reason, or with `ignore`.
    #[track_caller]
    pub fn start_link<T: Started>(&self, arguments: T::Args) -> impl Future<Output = Result<Pid>> {
        start(self, T::NAME, start_arguments::<T>(&arguments))
    }

    /// The same, registered on this node under the name of its module.
    ///
    /// # Errors
    /// As [`Cx::start_link`]; `{already_started, Pid}` where there is one.
    #[track_caller]
    pub fn start_link_registered<T: Started>(
        &self,
        arguments: T::Args,
    ) -> impl Future<Output = Result<Pid>> {
        let mut arguments = start_arguments::<T>(&arguments);
        arguments.insert(0, local_name(T::atom()));
        start(self, T::NAME, arguments)
    }
}

/// `{local, Name}`
pub(super) fn local_name(name: impl Into<Atom>) -> Term {
    Term::of(&(atoms::local, name.into()))
}

#[track_caller]
fn start(cx: &Cx<'_>, module: &str, arguments: Vec<Term>) -> impl Future<Output = Result<Pid>> {
    let location = Location::caller();
    let returned = cx.apply::<Term, _>(module, "start_link", arguments);
    async move { started(returned.await?, location) }
}

/// Reads `{ok, Pid} | {error, Reason} | ignore`.
fn started(returned: Term, location: &'static Location<'static>) -> Result<Pid> {
    if let Term::Tuple(elements) = &returned
        && let [tag, value] = elements.as_slice()
    {
        if *tag == Term::of(&atoms::ok) {
            return Pid::from_term(value).map_err(|error| Exit::bad_term(error, location));
        }
        if *tag == Term::of(&atoms::error) {
            return Err(Exit::raised_at(Class::Exit, value.clone(), location));
        }
    }
    Err(Exit::raised_at(Class::Exit, returned, location))
}

/// What `start_link` of the generated module takes when the process has no name: its start
/// argument, and `[]` for the options that some behaviours have.
pub(super) fn start_arguments<T: Module>(arguments: &T::Args) -> Vec<Term> {
    let unnamed = |start: &&StartFunction| {
        start.name == "start_link" && start.arguments.first() == Some(&"Module")
    };
    let options = match T::BEHAVIOUR.start.iter().find(unnamed) {
        Some(start) => start.arguments.len().saturating_sub(2),
        None => 0,
    };
    let mut list = vec![Term::of(arguments)];
    list.resize(1 + options, Term::List(Vec::new()));
    list
}
