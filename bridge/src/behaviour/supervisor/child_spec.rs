//! Child specs, built step by step.

use super::child_start::{module_of, register, set_options};
use super::{ChildSpec, ChildSpecMap, Mfargs, Modules, Restart, Shutdown, Worker};
use crate::behaviour::start::{StartArguments, StartOptions, named};
use crate::process::{Arguments, RegisteredName};
use crate::runtime::Started;
use crate::term::OwnedHeap;
use crate::{Atom, FromTerm, Term, ToTerm, atoms};

impl ChildSpec {
    /// Returns the child spec of a child of type `T`, started with `arguments`. Its id is the name
    /// of its module, such as `counter`. If the child is a supervisor, its type is `supervisor`.
    pub fn of<T: Started>(arguments: T::Arguments) -> Self {
        let arguments = StartArguments::new(T::argument(&arguments));
        Self::started::<T>(arguments.list(T::BEHAVIOUR))
    }

    /// Returns the child spec from which a supervisor with the strategy `simple_one_for_one` starts
    /// all its children, processes of type `T`. Each gets the arguments that are passed to
    /// [`cx.start_child`](crate::supervisor::ChildRequests::start_child).
    #[must_use]
    pub fn template<T: Started>() -> Self {
        Self::started::<T>(Vec::new())
    }

    /// Returns the child spec of a child that an Erlang function starts:
    /// `{Module, Function, Arguments}`. The arguments are a tuple. The id is the module.
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

    /// Returns the child spec of the root supervisor of an application from
    /// `[application] included_applications` in otp.toml. OTP loads such an application but does
    /// not start it. The arguments are those of that supervisor, mostly a command line. The id is
    /// the application's name.
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
    /// If the name is longer than the limit of an atom.
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

    /// Sets the id of the child in its supervisor, instead of the name of its module. No two
    /// children of a supervisor may have the same id.
    #[must_use]
    pub fn id(self, id: impl ToTerm) -> Self {
        let id = Term::of(&id);
        self.change(|map| ChildSpecMap { id, ..map })
    }

    /// Sets the child's `type` to `supervisor`. A child of a Rust type that is a supervisor has
    /// this type already.
    #[must_use]
    pub fn supervisor(self) -> Self {
        self.change(|map| map.r#type(Worker::Supervisor))
    }

    /// Registers the child under this name: an atom, a [`Name`](crate::Name), or the static
    /// reference that others use to call it, such as `&LEDGER` of `static LEDGER: Server<Ledger>`.
    ///
    /// # Panics
    /// If the child has a name already, if it is a template, if it is not of a Rust type, or if the
    /// reference is to a process of another type.
    #[must_use]
    #[track_caller]
    pub fn registered(self, name: impl RegisteredName) -> Self {
        self.change_start(|start| {
            let name = named(name, &module_of(start))?;
            register(start, &name)
        })
    }

    /// Sets the start options of the child.
    ///
    /// # Panics
    /// If processes of its behaviour have no start options, like those of `supervisor`, or if it is
    /// not of a Rust type.
    #[must_use]
    #[track_caller]
    pub fn options(self, options: impl Into<StartOptions>) -> Self {
        let options = options.into();
        self.change_start(|start| set_options(start, &options))
    }

    /// Sets when the child is restarted; OTP's default is `permanent`.
    #[must_use]
    pub fn restart(self, restart: impl Into<Restart>) -> Self {
        self.change(|map| map.restart(restart))
    }

    /// Sets whether the end of the child counts for the supervisor's automatic shutdown; OTP's
    /// default is `false`.
    #[must_use]
    pub fn significant(self, significant: bool) -> Self {
        self.change(|map| map.significant(significant))
    }

    /// Sets how the child is stopped; OTP's default is 5,000 ms for a worker, `infinity` for a
    /// supervisor.
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
        // Without a list of modules, OTP uses the module of the start function, which may now be
        // another one.
        if map.start.m != module && map.modules.is_none() {
            map.modules = Some(Modules::ModuleList(vec![module]));
        }
        ChildSpec::Map(map)
    }

    fn change(self, set: impl FnOnce(ChildSpecMap) -> ChildSpecMap) -> Self {
        ChildSpec::Map(set(self.into_map()))
    }

    pub(crate) fn into_map(self) -> ChildSpecMap {
        match self {
            ChildSpec::Map(map) => map,
            // The tuple is OTP's older notation for the same child spec.
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
