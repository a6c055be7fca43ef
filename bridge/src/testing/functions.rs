//! What a test does with a process of any behaviour.

use std::cell::Cell;
use std::marker::PhantomData;

use super::world::pid;
use crate::{Pid, Term};

/// A call that the test has made and that may be replied to later: `send_request` of
/// [`Server`](super::Server) and [`Machine`](super::Machine).
#[derive(Debug, Clone)]
pub struct PendingCall<R> {
    pub(super) client: Term,
    pub(super) request: Term,
    pub(super) kind: PhantomData<fn() -> R>,
}

thread_local! {
    /// How many processes this thread's test has. So the first one of each test has the same pid.
    static PROCESSES: Cell<u32> = const { Cell::new(0) };
}

/// One of the processes of this thread's test.
#[derive(Debug)]
pub(super) struct ProcessCount;

impl ProcessCount {
    pub(super) fn new() -> Self {
        PROCESSES.set(PROCESSES.get() + 1);
        ProcessCount
    }
}

impl Drop for ProcessCount {
    fn drop(&mut self) {
        PROCESSES.set(PROCESSES.get().saturating_sub(1));
    }
}

pub(super) fn next_pid() -> Pid {
    pid(100 + PROCESSES.get())
}

/// The functions of a process of any behaviour, for a struct with a `Loop` and a module of the
/// behaviour.
macro_rules! functions {
    ($process:ident, $behaviour:ident, $looping:ident) => {
        impl<T: $behaviour + Module> $process<T> {
            /// Starts it; a state machine enters its first state. If that asks for something that
            /// only a VM can do, use [`start_with`](Self::start_with).
            ///
            /// # Errors
            /// The reason for which `init`, or the first enter call, ends it; what it raises;
            /// `ignore` if `init` returns that.
            pub fn start(args: <T as Module>::Args) -> Result<Self> {
                Self::boot(&args, World::new(next_pid(), unanswered()))
            }

            /// The same, with what [`answer`](Self::answer) would be given.
            ///
            /// # Errors
            /// As [`start`](Self::start).
            pub fn start_with(
                args: <T as Module>::Args,
                answer: impl FnMut(Term) -> Result<Term> + 'static,
            ) -> Result<Self> {
                Self::boot(&args, World::new(next_pid(), Box::new(answer)))
            }

            fn boot(args: &<T as Module>::Args, world: World) -> Result<Self> {
                let module = LibraryModules::get().module_of::<T>();
                let module =
                    module.unwrap_or_else(|| unreachable!("its attribute has registered it"));
                Ok($process {
                    running: $looping::start(module, T::argument(args), world)?,
                    module: PhantomData,
                    _counted: ProcessCount::new(),
                })
            }
        }

        impl<T> $process<T> {
            /// From now on, `answer` plays whatever is not in this process: it gets each request
            /// that only a VM can perform, as the generated module would get it
            /// (`{call, Server, Request, Timeout}`, `{apply, Module, Function, Arguments}`), and
            /// returns its result or what it raises. It can call another process of the test by
            /// [`call_term`](Self::call_term).
            pub fn answer(&mut self, answer: impl FnMut(Term) -> Result<Term> + 'static) {
                self.running.process_mut().world.answer = Box::new(answer);
            }

            /// Sends any request and waits for the reply, at most five seconds of the process's
            /// time.
            ///
            /// # Errors
            /// As `call`.
            pub fn call_term(&mut self, request: Term) -> Result<Term> {
                self.running.call(&request)
            }

            /// The reply to a request, once it has come. `None`: not yet.
            pub fn reply<R: Request>(&mut self, call: &PendingCall<R>) -> Option<Result<R::Reply>> {
                let outcome = self.running.outcome(&call.client, &call.request)?;
                let read = |reply: Term| Ok(R::Reply::read_term(&reply)?);
                Some(outcome.and_then(read))
            }

            /// Sends any term: `Process ! Message`. It is a call or a cast if it is one of OTP's
            /// messages for that, `{'$gen_cast', Message}`.
            pub fn send(&mut self, message: impl ToTerm) {
                self.running.deliver(Term::of(&message));
            }

            /// The process that a monitor of this one is for has ended: a
            /// [`Down`](crate::messages::Down) comes.
            ///
            /// # Panics
            /// If the process does not have this monitor (any more).
            #[track_caller]
            pub fn down(&mut self, monitor: &Monitor, reason: impl ToTerm) {
                let is_there = self.running.down(monitor.reference(), &reason);
                assert!(is_there, "the process does not have this monitor");
            }

            /// An exit signal of a linked process, or of `exit(Pid, Reason)`. The process ends with
            /// the reason, unless that is `normal`. If it traps exits, it gets an
            /// [`ExitSignal`](crate::messages::ExitSignal), or ends through `terminate` if the
            /// signal is its [`parent`](Self::parent)'s. The reason `kill` ends it in any case.
            pub fn exit(&mut self, from: &Pid, reason: impl ToTerm) {
                self.running.exit(from, Term::of(&reason));
            }

            /// Ends it as its supervisor does: [`exit`](Self::exit) of its parent with the reason
            /// `shutdown`.
            pub fn shutdown(&mut self) {
                self.exit(&parent(), atom!("shutdown"));
            }

            /// Ends it through `terminate`: `gen_server:stop/3`, `gen_statem:stop/3`.
            pub fn stop(&mut self, reason: impl ToTerm) {
                if self.ended().is_none() {
                    self.running.end(Exit::new(reason));
                }
            }

            /// Lets this much time go by. Timers and timeouts that are due meanwhile come in their
            /// order, each at its time.
            pub fn advance(&mut self, time: Duration) {
                let end = self.now().saturating_add(time);
                self.running.advance(end, |_| false);
            }

            /// The process's time: how much of it has gone by since it was started.
            #[must_use]
            pub fn now(&self) -> Duration {
                self.running.process().world.timers.now()
            }

            /// What it has sent since this was last called, in order. Replies to the test's own
            /// calls are not among it, but messages to itself are.
            #[must_use = "the messages are not shown again"]
            pub fn sent(&mut self) -> Sent {
                std::mem::take(&mut self.running.process_mut().world.sent)
            }

            /// How it has ended. `None`: it has not. `exit: Reason` after a `stop`, an exit or a
            /// signal; `error: Reason` after a panic (`{panic, …}`) or another error, whose
            /// stacktrace is left out.
            #[must_use]
            pub fn ended(&self) -> Option<&Exit> {
                self.running.process().ended.as_ref()
            }

            /// Its pid.
            #[must_use]
            pub fn pid(&self) -> Pid {
                self.running.process().world.pid.clone()
            }

            /// The pid of the process that has started it. It is also the one that calls it.
            #[must_use]
            pub fn parent(&self) -> Pid {
                parent()
            }

            fn pending<R>(&mut self, request: Term) -> PendingCall<R> {
                let (client, _) = self.running.request(&request);
                PendingCall {
                    client,
                    request,
                    kind: PhantomData,
                }
            }
        }

        impl<T> fmt::Debug for $process<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($process))
                    .field("pid", &self.pid())
                    .field("ended", &self.ended())
                    .finish_non_exhaustive()
            }
        }
    };
}

pub(super) use functions;
