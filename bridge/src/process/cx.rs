//! The context of a callback.

use std::marker::PhantomData;
use std::time::Duration;

use super::{Apply, Arguments, Await, Send, Sleep, Yield};
use crate::registry::Module;
use crate::vm::{Encoded, StateRef, exchange, messages};
use crate::{Atom, FromTerm, Pid, ToTerm};

/// What a callback can ask of its process.
///
/// Awaiting never blocks a scheduler thread: the process itself waits, in its own mailbox, as it
/// would in Erlang.
#[derive(Debug)]
pub struct Cx {
    /// Only the run time makes one.
    pub(crate) own: PhantomData<()>,
}

impl Cx {
    /// The calling process: `self()`.
    ///
    /// # Panics
    /// When no callback is running.
    #[must_use]
    pub fn pid(&self) -> Pid {
        messages::own_pid()
    }

    /// Waits; other processes run meanwhile. Rounded up to milliseconds, at most 49 days.
    pub fn sleep(&self, time: Duration) -> Await<Sleep> {
        Await::new(Sleep(time))
    }

    /// Lets other processes run: `erlang:yield/0`.
    pub fn yield_now(&self) -> Await<Yield> {
        Await::new(Yield)
    }

    /// Calls any Erlang function and reads its result as `T`.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::{Atom, Cx, Result};
    ///
    /// async fn ask(cx: &Cx) -> Result<(Atom, u64)> {
    ///     let node = cx.apply("erlang", "node", ()).await?;
    ///     let sum = cx.apply("lists", "sum", (vec![1, 2, 3],)).await?;
    ///     Ok((node, sum))
    /// }
    /// ```
    ///
    /// # Errors
    /// Whatever the function raises; `undef` when there is none; a decode error when its result
    /// is no `T`.
    pub fn apply<T: FromTerm, A: Arguments>(
        &self,
        module: &str,
        function: &str,
        arguments: A,
    ) -> Await<Apply<A, T>> {
        let function = Atom::new(module).and_then(|module| Ok((module, Atom::new(function)?)));
        Await::new(Apply {
            function,
            arguments,
            result: PhantomData,
        })
    }

    /// Sends a message: `Pid ! Message`. Like `!`, it cannot fail: a message to a process that
    /// has ended is lost.
    ///
    /// # Errors
    /// None that a running node gives.
    pub fn send<M: ToTerm>(&self, to: &Pid, message: M) -> Await<Send<M>> {
        Await::new(Send {
            to: to.clone(),
            message,
        })
    }

    /// Puts the state back into the process; what stands for it in the returned term.
    #[doc(hidden)]
    pub fn keep<T: Module>(&self, state: T) -> StateRef {
        exchange::keep(state)
    }

    /// Encodes what a callback returned.
    #[doc(hidden)]
    pub fn finish(&self, value: impl ToTerm) -> Encoded {
        exchange::encode(&value)
    }
}
