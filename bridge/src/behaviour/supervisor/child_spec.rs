//! Child specifications, built step by step.

use super::{ChildSpec, ChildSpecMap, Mfargs, Restart, Shutdown, Worker};
use crate::registry::{Module, StartFunction};
use crate::{Atom, Term, ToTerm, atoms};

impl ChildSpec {
    /// The specification of a child of type `T`, started with `arguments`. A child that is a
    /// supervisor itself is specified as one.
    pub fn of<T: Module>(id: impl ToTerm, arguments: T::Args) -> Self {
        let list = start_arguments::<T>(&arguments);
        let start = Mfargs(T::atom(), atoms::start_link.into(), Some(list));
        let spec = ChildSpecMap::new(Term::of(&id), start);
        ChildSpec::Map(match T::BEHAVIOUR.name {
            "supervisor" => spec.r#type(Worker::Supervisor),
            _ => spec,
        })
    }

    /// The child registers itself under this name: `{local, Name}`.
    #[must_use]
    pub fn registered(self, name: impl Into<Atom>) -> Self {
        let name = Term::of(&(atoms::local, name.into()));
        self.change(|mut map| {
            if let Some(arguments) = &mut map.start.2 {
                arguments.insert(0, name);
            }
            map
        })
    }

    /// When the child is restarted; OTP's default is `permanent`.
    #[must_use]
    pub fn restart(self, restart: impl Into<Restart>) -> Self {
        self.change(|map| map.restart(restart))
    }

    /// Whether its end counts for the supervisor's automatic shutdown; OTP's default is `false`.
    #[must_use]
    pub fn significant(self, significant: bool) -> Self {
        self.change(|map| map.significant(significant))
    }

    /// How it is stopped; OTP's default is 5,000 ms for a worker, `infinity` for a supervisor.
    #[must_use]
    pub fn shutdown(self, shutdown: impl Into<Shutdown>) -> Self {
        self.change(|map| map.shutdown(shutdown))
    }

    fn change(self, set: impl FnOnce(ChildSpecMap) -> ChildSpecMap) -> Self {
        ChildSpec::Map(set(match self {
            ChildSpec::Map(map) => map,
            // The tuple says the same in OTP's older form.
            ChildSpec::Tuple(id, start, restart, shutdown, worker, modules) => {
                let map = ChildSpecMap::new(id, start)
                    .restart(restart)
                    .shutdown(shutdown);
                map.r#type(worker).modules(modules)
            }
        }))
    }
}

/// What `start_link` of the generated module takes when the process has no name: its start
/// argument, and `[]` for the options that some behaviours have.
fn start_arguments<T: Module>(arguments: &T::Args) -> Vec<Term> {
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
