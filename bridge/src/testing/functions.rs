//! The functions of a test for a process of any behaviour.

use std::cell::Cell;
use std::marker::PhantomData;

use crate::Term;

/// A call that the test has made and that may get its reply later: `send_request` of
/// [`Server`](super::Server) and [`Machine`](super::Machine).
#[derive(Debug, Clone)]
pub struct PendingCall<R> {
    pub(super) client: Term,
    pub(super) request: Term,
    pub(super) kind: PhantomData<fn() -> R>,
}

thread_local! {
    /// The number of processes of this thread's test. It makes the first process of each test have
    /// the same pid.
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

/// Returns the number in the pid of the next process.
pub(super) fn next_number() -> u32 {
    100 + PROCESSES.get()
}

/// Defines the functions of a process of any behaviour, for a struct with a `TestedProcess` and a
/// module of the behaviour.
macro_rules! functions {
    ($process:ident, $behaviour:ident) => {
        impl<T: $behaviour + Module> $process<T> {
            /// Starts the process; a state machine enters its first state. If that needs a request
            /// that only a VM can perform, use [`start_with`](Self::start_with).
            ///
            /// # Errors
            /// The reason why `init`, or the first enter call, ends the process; an exception that
            /// it raises; `ignore` if `init` returns that.
            pub fn start(args: <T as Module>::Args) -> Result<Self> {
                Self::boot(&args, unanswered())
            }

            /// Like [`start`](Self::start), with a function that [`answer`](Self::answer) would
            /// set.
            ///
            /// # Errors
            /// Like [`start`](Self::start).
            pub fn start_with(
                args: <T as Module>::Args,
                answer: impl FnMut(Term) -> Result<Term> + 'static,
            ) -> Result<Self> {
                Self::boot(&args, Box::new(answer))
            }

            fn boot(args: &<T as Module>::Args, answer: PerformRequest) -> Result<Self> {
                let module = LibraryModules::get().module_of::<T>();
                let module =
                    module.unwrap_or_else(|| unreachable!("its attribute has registered it"));
                let surroundings = (next_number(), answer);
                Ok($process {
                    running: TestedProcess::start(module, T::argument(args), surroundings)?,
                    module: PhantomData,
                    _counted: ProcessCount::new(),
                })
            }
        }

        impl<T> $process<T> {
            /// Makes `answer` play everything outside of this process: it gets each request that
            /// only a VM can perform, as the generated module would get it
            /// (`{call, Server, Request, Timeout}`, `{apply, Module, Function, Arguments}`), and
            /// returns the result or the exception. It can call another process of the test with
            /// [`call_term`](Self::call_term).
            pub fn answer(&mut self, answer: impl FnMut(Term) -> Result<Term> + 'static) {
                self.running.answer(Box::new(answer));
            }

            /// Sends any request and waits up to five seconds of the process's time for the reply.
            ///
            /// # Errors
            /// Like `call`.
            pub fn call_term(&mut self, request: Term) -> Result<Term> {
                self.running.call(&request)
            }

            /// Returns the reply to a request, or `None` if it has not arrived yet.
            pub fn reply<R: Request>(&mut self, call: &PendingCall<R>) -> Option<Result<R::Reply>> {
                let outcome = self.running.outcome(&call.client, &call.request)?;
                let read = |reply: Term| Ok(R::Reply::read_term(&reply)?);
                Some(outcome.and_then(read))
            }

            /// Sends any term: `Process ! Message`. If the term is one of OTP's messages for calls
            /// and casts, such as `{'$gen_cast', Message}`, it is handled as such.
            pub fn send(&mut self, message: impl ToTerm) {
                self.running.deliver(Term::of(&message));
            }

            /// Ends the process that a monitor of this one refers to, so that a
            /// [`Down`](crate::messages::Down) arrives.
            ///
            /// # Panics
            /// If the process does not have this monitor (any more).
            #[track_caller]
            pub fn down(&mut self, monitor: &Monitor, reason: impl ToTerm) {
                let is_there = self.running.down(monitor.reference(), Term::of(&reason));
                assert!(is_there, "the process does not have this monitor");
            }

            /// Sends an exit signal, as from a linked process or from `exit(Pid, Reason)`. The
            /// process ends with the reason, unless that is `normal`. If it traps exits, it gets an
            /// [`ExitSignal`](crate::messages::ExitSignal), or ends through `terminate` if the
            /// signal comes from its [`parent`](Self::parent). The reason `kill` ends it in any
            /// case.
            pub fn exit(&mut self, from: &Pid, reason: impl ToTerm) {
                self.running.exit(from, Term::of(&reason));
            }

            /// Ends the process as its supervisor does: [`exit`](Self::exit) from its parent with
            /// the reason `shutdown`.
            pub fn shutdown(&mut self) {
                self.exit(&parent(), atom!("shutdown"));
            }

            /// Ends the process through `terminate`: `gen_server:stop/3`, `gen_statem:stop/3`.
            pub fn stop(&mut self, reason: impl ToTerm) {
                self.running.stop(Term::of(&reason));
            }

            /// Advances the time. Timers and timeouts that become due fire in their order, each at
            /// its time.
            pub fn advance(&mut self, time: Duration) {
                let end = self.now().saturating_add(time);
                self.running.advance(end, |_| false);
            }

            /// Returns the process's time: how much of it has passed since the process was started.
            #[must_use]
            pub fn now(&self) -> Duration {
                self.running.now()
            }

            /// Returns the messages that the process has sent since the last call of this function,
            /// in order. They include messages to itself, but not replies to the test's own calls.
            #[must_use = "the messages are not shown again"]
            pub fn sent(&mut self) -> Sent {
                self.running.sent()
            }

            /// Returns how the process has ended, or `None` if it still runs: `exit: Reason` after
            /// a `stop`, an exit or a signal; `error: Reason` after a panic (`{panic, …}`) or
            /// another error, without the stacktrace.
            #[must_use]
            pub fn ended(&self) -> Option<&Exit> {
                self.running.ended()
            }

            /// Returns the pid of the process.
            #[must_use]
            pub fn pid(&self) -> Pid {
                self.running.pid()
            }

            /// Returns the pid of the process that has started this one. It is also the caller of
            /// the test's calls.
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
