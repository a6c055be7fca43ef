//! Starting processes of the application's own modules.

use otp_contract::manifest::MODULE_ARGUMENT;

use crate::process::apply;
use crate::runtime::{Await, Cx, Failure, Module, Operation, StartFunction, Started};
use crate::{Atom, FromTerm, Heap, Pid, Term, ToTerm, View, atoms};

impl Cx<'_> {
    /// Starts a process of the module `T`, linked to this one: `T:start_link(Args)`.
    ///
    /// # Errors
    /// An exit with the reason that its `init/1` gave, or with `ignore`.
    #[track_caller]
    pub fn start_link<T: Started>(&self, arguments: T::Arguments) -> Await<'_, Pid, StartLink> {
        let arguments = start_arguments::<T>(&arguments);
        Await::new(self, StartLink(T::atom(), arguments))
    }

    /// The same, but the process registers under the name of its module on this node.
    ///
    /// # Errors
    /// As [`Cx::start_link`]; `{already_started, Pid}` if there is one already.
    #[track_caller]
    pub fn start_link_registered<T: Started>(
        &self,
        arguments: T::Arguments,
    ) -> Await<'_, Pid, StartLink> {
        let mut arguments = start_arguments::<T>(&arguments);
        arguments.insert(0, local_name(T::atom()));
        Await::new(self, StartLink(T::atom(), arguments))
    }
}

/// `{local, Name}`
pub(super) fn local_name(name: impl Into<Atom>) -> Term {
    Term::of(&(atoms::local, name.into()))
}

/// A call of `Module:start_link(Arguments...)`.
#[derive(Debug)]
pub struct StartLink(Atom, Vec<Term>);

impl Operation for StartLink {
    type Output = Pid;

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let StartLink(module, arguments) = self;
        let module = heap.dynamic_atom(module);
        apply(heap, module, atoms::start_link.to_term(heap), arguments)
    }

    /// Reads `{ok, Pid} | {error, Reason} | ignore`.
    fn answer<'a, V: View<'a>>(value: V) -> Result<Pid, Failure> {
        match value.tuple::<2>() {
            Some([tag, pid]) if tag.is_atom(atoms::ok.atom()) => Ok(Pid::from_term(pid)?),
            Some([tag, reason]) if tag.is_atom(atoms::error.atom()) => {
                Err(Failure::Exit(reason.to_owned()?))
            }
            _ => Err(Failure::Exit(value.to_owned()?)),
        }
    }
}

/// The arguments of the generated module's `start_link` when the process has no name: the start
/// argument, and `[]` for behaviours with options.
pub(super) fn start_arguments<T: Module>(arguments: &T::Args) -> Vec<Term> {
    let unnamed = |start: &&StartFunction| {
        start.name == "start_link" && start.arguments.first() == Some(&MODULE_ARGUMENT)
    };
    let options = match T::BEHAVIOUR.start.iter().find(unnamed) {
        Some(start) => start.arguments.len().saturating_sub(2),
        None => 0,
    };
    let mut list = vec![T::argument(arguments)];
    list.resize(1 + options, Term::nil());
    list
}
