//! Starting processes of the application's own modules.

mod arguments;
mod error;
mod named;
mod options;

use std::fmt;
use std::marker::PhantomData;

pub(crate) use arguments::StartParts;
pub(super) use arguments::{StartArguments, check_options};
pub use error::StartError;
pub use named::NamedStart;
pub use options::{DebugOption, SpawnOption, StartOptions};

use crate::process::CallbackContext;
use crate::process::{Name, RegisteredName, apply};
use crate::runtime::{Await, Cx, Failure, Operation, Started};
use crate::term::Reader;
use crate::{Atom, FromTerm, Heap, Pid, ToTerm, View, atoms};

/// Methods of [`Cx`] that start a process of a module. Usually a supervisor does that.
pub trait Start: CallbackContext {
    /// Starts a process of the module `T`, linked to this one: `T:start_link(Args)`. Before you
    /// await it, you can give it a name and start options:
    ///
    /// ```
    /// # use otp_bridge::gen_server::prelude::*;
    /// # use otp_bridge_novm as _;
    /// # use otp_bridge::start::StartOptions;
    /// # use otp_bridge::{Name, atoms::ok};
    /// # use std::time::Duration;
    /// # #[derive(Debug)]
    /// # struct Counter;
    /// # #[gen_server]
    /// # impl GenServer for Counter {
    /// #     type Args = u64;
    /// #     fn init(_: u64) -> impl InitReturn<Self> {
    /// #         (ok, Counter)
    /// #     }
    /// # }
    /// async fn two(cx: &Cx<'_>) -> Result<(Server<Counter>, Server<Counter>)> {
    ///     let one = cx.start_link::<Counter>(0).await?;
    ///     let options = StartOptions::new().timeout(Duration::from_secs(1));
    ///     let other = cx.start_link::<Counter>(0).registered(Name::global("other")).options(options);
    ///     Ok((one, other.await?))
    /// }
    /// ```
    ///
    /// # Errors
    /// An exit with the reason of its `init/1`, or with `ignore`; with a name
    /// `{already_started, Pid}` if another process has it.
    #[track_caller]
    fn start_link<T: Started>(
        &self,
        arguments: T::Arguments,
    ) -> Await<'_, T::Reference, StartLink<T>> {
        let arguments = StartArguments::new(T::argument(&arguments));
        Await::new(
            self.cx(),
            StartLink {
                arguments,
                refused: None,
                module: PhantomData,
            },
        )
    }

    /// Like [`Cx::start_link`], and registers the process under the name of its module on this
    /// node.
    ///
    /// # Errors
    /// Like [`Cx::start_link`].
    #[track_caller]
    fn start_link_registered<T: Started>(
        &self,
        arguments: T::Arguments,
    ) -> Await<'_, T::Reference, StartLink<T>> {
        self.cx()
            .start_link::<T>(arguments)
            .registered(T::atom().clone())
    }
}

impl Start for Cx<'_> {}

impl<T: Started> Await<'_, T::Reference, StartLink<T>> {
    /// Registers the process under this name. If it has a name already, awaiting it fails with
    /// `badarg`.
    pub fn registered(mut self, name: impl RegisteredName) -> Self {
        let start = self.operation();
        let done = named(name, T::atom()).and_then(|name| start.arguments.register(&name));
        start.refuse(done);
        self
    }

    /// Starts the process with these options. If its behaviour has no start options, awaiting it
    /// fails with `badarg`.
    pub fn options(mut self, options: impl Into<StartOptions>) -> Self {
        let start = self.operation();
        let options = options.into();
        let done = start.arguments.set_options(T::BEHAVIOUR, &options);
        start.refuse(done);
        self
    }
}

/// Returns the name for a process of this module.
///
/// # Errors
/// The name belongs to another module's process, or is invalid.
pub(super) fn named(name: impl RegisteredName, module: &Atom) -> Result<Name, String> {
    if let Some(other) = name.module().filter(|other| *other != module) {
        return Err(format!(
            "cannot be registered by a reference to a process of `{other}`"
        ));
    }
    name.name()
}

/// A call of `Module:start_link(Arguments...)`.
pub struct StartLink<T> {
    arguments: StartArguments,
    refused: Option<String>,
    module: PhantomData<fn(T)>,
}

impl<T: Started> StartLink<T> {
    fn refuse(&mut self, done: Result<(), String>) {
        let error = done.err();
        let error = error.map(|error| format!("a process of `{}` {error}", T::NAME));
        self.refused = self.refused.take().or(error);
    }
}

impl<T> fmt::Debug for StartLink<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StartLink").field(&self.arguments).finish()
    }
}

impl<T: Started> Operation for StartLink<T> {
    type Output = T::Reference;

    fn refused(&self) -> Option<String> {
        self.refused.clone()
    }

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let module = heap.dynamic_atom(T::atom());
        let arguments = self.arguments.list(T::BEHAVIOUR);
        apply(heap, module, atoms::start_link.to_term(heap), &arguments)
    }

    fn answer<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<T::Reference, Failure> {
        started(value).map(Into::into)
    }
}

/// Reads `{ok, Pid} | {error, Reason} | ignore`.
fn started<'a, V: View<'a>>(value: V) -> Result<Pid, Failure> {
    match value.tuple::<2>() {
        Some([tag, pid]) if tag.is_atom(atoms::ok.atom()) => Ok(Pid::from_term(pid)?),
        Some([tag, reason]) if tag.is_atom(atoms::error.atom()) => {
            Err(Failure::Exit(reason.to_owned()?))
        }
        _ => Err(Failure::Exit(value.to_owned()?)),
    }
}
