//! Child specs, built step by step.

use super::names::register;
use super::{ChildSpec, ChildSpecMap, Mfargs, Restart, Shutdown, Worker};
use crate::behaviour::start::start_arguments;
use crate::runtime::Started;
use crate::{Atom, Term, ToTerm, atoms};

impl ChildSpec {
    /// The child spec of a child of type `T`, which is started with `arguments`. A child that is a
    /// supervisor itself gets the type `supervisor`.
    pub fn of<T: Started>(id: impl ToTerm, arguments: T::Args) -> Self {
        let list = start_arguments::<T>(&arguments);
        let start = Mfargs::from((T::atom(), atoms::start_link, Some(list)));
        let spec = ChildSpecMap::new(Term::of(&id), start);
        ChildSpec::Map(match T::BEHAVIOUR.name {
            "supervisor" | "supervisor_bridge" => spec.r#type(Worker::Supervisor),
            _ => spec,
        })
    }

    /// The child registers itself under this name: `{local, Name}`.
    ///
    /// # Panics
    /// If the child has a name already, or its behaviour starts no processes with a name.
    #[must_use]
    #[track_caller]
    pub fn registered(self, name: impl Into<Atom>) -> Self {
        let mut map = self.into_map();
        if let Err(refusal) = register(&mut map.start, name.into()) {
            panic!("the child `{}` {refusal}", map.id);
        }
        ChildSpec::Map(map)
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
        ChildSpec::Map(set(self.into_map()))
    }

    fn into_map(self) -> ChildSpecMap {
        match self {
            ChildSpec::Map(map) => map,
            // The tuple is OTP's older notation of the same.
            ChildSpec::Tuple {
                id,
                start_func,
                restart,
                shutdown,
                r#type,
                modules,
            } => ChildSpecMap::new(id, start_func)
                .restart(restart)
                .shutdown(shutdown)
                .r#type(r#type)
                .modules(modules),
        }
    }
}
