//! Starting processes of the application's own modules.

use crate::runtime::{Cx, Exit, Module, Result, StartFunction, Started};
use crate::{Atom, DecodeError, FromTerm, Pid, Term, atoms};

impl Cx<'_> {
    /// Starts a process of the module `T`, linked to this one: `T:start_link(Args)`.
    ///
    /// # Errors
    /// An exit with what its `init/1` gave as reason, or with `ignore`.
    pub async fn start_link<T: Started>(&self, arguments: T::Args) -> Result<Pid> {
        let arguments = start_arguments::<T>(&arguments);
        start(self, T::NAME, arguments).await
    }

    /// The same, registered on this node under the name of its module.
    ///
    /// # Errors
    /// As [`Cx::start_link`]; `{already_started, Pid}` where there is one.
    pub async fn start_link_registered<T: Started>(&self, arguments: T::Args) -> Result<Pid> {
        let mut arguments = start_arguments::<T>(&arguments);
        arguments.insert(0, local_name(T::atom()));
        start(self, T::NAME, arguments).await
    }
}

/// `{local, Name}`
pub(super) fn local_name(name: impl Into<Atom>) -> Term {
    Term::of(&(atoms::local, name.into()))
}

async fn start(cx: &Cx<'_>, module: &str, arguments: Vec<Term>) -> Result<Pid> {
    let returned: Term = cx.apply(module, "start_link", arguments).await?;
    if let Term::Tuple(elements) = &returned
        && let [tag, value] = elements.as_slice()
    {
        if *tag == Term::of(&atoms::ok) {
            return pid(value).map_err(Exit::from);
        }
        if *tag == Term::of(&atoms::error) {
            return Err(Exit::new(value.clone()));
        }
    }
    Err(Exit::new(returned))
}

fn pid(term: &Term) -> std::result::Result<Pid, DecodeError> {
    Pid::from_term(term)
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
