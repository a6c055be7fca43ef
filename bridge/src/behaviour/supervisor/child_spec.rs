//! Child specs, built step by step.

use super::child_start::{module_of, register, set_options};
use super::{ChildSpec, ChildSpecMap, Mfargs, Modules, Restart, Shutdown, Worker};
use crate::behaviour::start::{StartArguments, StartOptions, named};
use crate::process::{Arguments, RegisteredName};
use crate::runtime::Started;
use crate::term::OwnedHeap;
use crate::{Atom, FromTerm, Term, ToTerm, atoms};

impl ChildSpec {
    /// The child spec of a child of type `T`, which is started with `arguments`. Its id is the name
    /// of its module, such as `counter`. A child that is a supervisor itself gets the type
    /// `supervisor`.
    pub fn of<T: Started>(arguments: T::Arguments) -> Self {
        let arguments = StartArguments::new(T::argument(&arguments));
        Self::started::<T>(arguments.list(T::BEHAVIOUR))
    }

    /// The child spec from which a supervisor with the strategy `simple_one_for_one` starts all its
    /// children, processes of type `T`: each with the arguments that
    /// [`cx.start_child`](crate::supervisor::ChildRequests::start_child) is given.
    #[must_use]
    pub fn template<T: Started>() -> Self {
        Self::started::<T>(Vec::new())
    }

    /// The child spec of a child that an Erlang function starts: `{Module, Function, Arguments}`.
    /// The arguments are a tuple. Its id is the module.
    ///
    /// ```
    /// use otp_bridge::supervisor::ChildSpec;
    /// use otp_bridge::{Term, atom, atoms::start_link};
    /// # use otp_bridge_novm as _;
    ///
    /// let groups = ChildSpec::erlang(atom!("pg"), start_link, (atom!("chat"),)).id(atom!("chat_groups"));
    /// assert_eq!(
    ///     Term::of(&groups).to_string(),
    ///     "#{id => chat_groups,start => {pg,start_link,[chat]}}",
    /// );
    /// ```
    pub fn erlang(
        module: impl Into<Atom>,
        function: impl Into<Atom>,
        arguments: impl Arguments,
    ) -> Self {
        let module = module.into();
        let list = Vec::from_term(&arguments.to_list(OwnedHeap)).ok();
        let start = Mfargs::from((module.clone(), function, list));
        ChildSpec::Map(ChildSpecMap::new(module, start))
    }

    /// The child spec of the root supervisor of an application that
    /// `[application] included_applications` of otp.toml names: OTP loads such an application, and
    /// does not start it. The arguments are those of that supervisor, mostly a command line. Its id
    /// is the application's name.
    ///
    /// ```
    /// use otp_bridge::supervisor::ChildSpec;
    /// use otp_bridge::{Term, atom};
    /// # use otp_bridge_novm as _;
    ///
    /// let ledger = ChildSpec::included(atom!("ledger"), vec!["--dry".to_owned()]);
    /// assert_eq!(
    ///     Term::of(&ledger).to_string(),
    ///     "#{id => ledger,start => {ledger_app,start_link,[[<<\"--dry\">>]]},type => supervisor}",
    /// );
    /// ```
    ///
    /// # Panics
    /// If the name is longer than an atom may be.
    #[track_caller]
    pub fn included(application: impl Into<Atom>, arguments: impl ToTerm) -> Self {
        let application = application.into();
        let module = otp_contract::modules::application(application.text());
        let module = match Atom::new(&module) {
            Ok(module) => module,
            Err(error) => panic!("the application `{application}`: {error}"),
        };
        let start = Mfargs::from((module, atoms::start_link, Some(vec![Term::of(&arguments)])));
        ChildSpec::Map(ChildSpecMap::new(application, start)).supervisor()
    }

    /// The id of the child in its supervisor, instead of the name of its module. No two children
    /// have the same one.
    #[must_use]
    pub fn id(self, id: impl ToTerm) -> Self {
        let id = Term::of(&id);
        self.change(|map| ChildSpecMap { id, ..map })
    }

    /// The child is a supervisor: its `type`. A child of a Rust type that is a supervisor has it
    /// already.
    #[must_use]
    pub fn supervisor(self) -> Self {
        self.change(|map| map.r#type(Worker::Supervisor))
    }

    /// The child registers itself under this name: an atom, a [`Name`](crate::Name), or the static
    /// reference to it by which others call it, such as `&LEDGER` of
    /// `static LEDGER: Server<Ledger>`.
    ///
    /// # Panics
    /// If the child has a name already, if it is a template of many processes, if it is not of a
    /// Rust type, or if the reference is to another type's process.
    #[must_use]
    #[track_caller]
    pub fn registered(self, name: impl RegisteredName) -> Self {
        self.change_start(|start| {
            let name = named(name, &module_of(start))?;
            register(start, &name)
        })
    }

    /// The child is started with these options.
    ///
    /// # Panics
    /// If processes of its behaviour take none, as those of `supervisor`, or if it is not of a Rust
    /// type.
    #[must_use]
    #[track_caller]
    pub fn options(self, options: impl Into<StartOptions>) -> Self {
        let options = options.into();
        self.change_start(|start| set_options(start, &options))
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

    /// `T:start_link(Arguments...)`
    fn started<T: Started>(arguments: Vec<Term>) -> Self {
        let start = Mfargs::from((T::atom().clone(), atoms::start_link, Some(arguments)));
        let spec = ChildSpec::Map(ChildSpecMap::new(T::atom().clone(), start));
        match T::BEHAVIOUR.name {
            "supervisor" | "supervisor_bridge" => spec.supervisor(),
            _ => spec,
        }
    }

    #[track_caller]
    fn change_start(self, change: impl FnOnce(&mut Mfargs) -> Result<(), String>) -> Self {
        let mut map = self.into_map();
        let module = map.start.m.clone();
        if let Err(refusal) = change(&mut map.start) {
            panic!("the child `{}` {refusal}", map.id);
        }
        // OTP takes the module that it calls, which may now be another one.
        if map.start.m != module && map.modules.is_none() {
            map.modules = Some(Modules::ModuleList(vec![module]));
        }
        ChildSpec::Map(map)
    }

    fn change(self, set: impl FnOnce(ChildSpecMap) -> ChildSpecMap) -> Self {
        ChildSpec::Map(set(self.into_map()))
    }

    pub(super) fn into_map(self) -> ChildSpecMap {
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
