//! What a callback can ask of its process.

use std::marker::PhantomData;
use std::time::Duration;

use super::sleep::Sleep;
use super::{Apply, Arguments, Sender, Within};
use crate::runtime::{Await, Cx, Here};
use crate::{Atom, FromTerm, Pid, ToTerm};

impl Cx<'_> {
    /// The calling process: `self()`.
    #[must_use]
    pub fn pid(&self) -> Pid {
        match (self.here_if_alive(), self.process()) {
            (Some(Here::Owned(call)), _) => call.process.clone(),
            (_, Some(process)) => process.identifier(),
            (_, None) => unreachable!("without a VM the context is an owned one"),
        }
    }

    /// Waits, as `receive after Time -> ok end` does. Other processes run meanwhile. The time is
    /// rounded up to milliseconds and is at most 49 days.
    ///
    /// # Errors
    /// None of its own.
    pub fn sleep(&self, time: Duration) -> Sleep<'_> {
        Sleep::new(self, time)
    }

    /// Awaits `future` for at most this long, rounded up to milliseconds. Then the future is
    /// dropped, which cancels its operations.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use std::time::Duration;
    /// use otp_bridge::{Atom, Cx, Result};
    ///
    /// async fn ask(cx: &Cx<'_>) -> Result<Option<Atom>> {
    ///     let slow = cx.apply("net_adm", "ping", (otp_bridge::atom!("far@away"),));
    ///     match cx.timeout(Duration::from_millis(500), slow).await {
    ///         Ok(answer) => Ok(Some(answer?)),
    ///         Err(_elapsed) => Ok(None),
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Elapsed`](crate::Elapsed) if the time was over first, which `?` makes `exit(timeout)`. What the
    /// future itself evaluates to is in the `Ok`, so `.await??` passes on both.
    #[track_caller]
    pub fn timeout<F: Future>(&self, time: Duration, future: F) -> Within<'_, F> {
        Within::new(self.sleep(time), future)
    }

    /// Calls any Erlang function and reads its result as `T`.
    ///
    /// The function runs in this process. If other operations have begun and not ended, it runs in
    /// a separate process that is linked to this one, so that they need not wait for it. So await a
    /// function that works on the calling process (`erlang:link/1`,
    /// `gen_tcp:controlling_process/2`) alone.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::{Atom, Cx, Result};
    ///
    /// async fn ask(cx: &Cx<'_>) -> Result<(Atom, u64)> {
    ///     let node = cx.apply("erlang", "node", ()).await?;
    ///     let sum = cx.apply("lists", "sum", (vec![1, 2, 3],)).await?;
    ///     Ok((node, sum))
    /// }
    /// ```
    ///
    /// # Errors
    /// Whatever the function raises; `undef` if there is no such function; a decode error if its
    /// result is not a `T`.
    #[track_caller]
    pub fn apply<T: FromTerm, A: Arguments>(
        &self,
        module: &str,
        function: &str,
        arguments: A,
    ) -> Await<'_, T, Apply<A, T>> {
        let function = Atom::new(module).and_then(|module| Ok((module, Atom::new(function)?)));
        Await::new(
            self,
            Apply {
                function,
                arguments,
                result: PhantomData,
            },
        )
    }

    /// A handle by which any thread can send messages of type `M` to this process.
    #[must_use]
    pub fn sender<M: ToTerm>(&self) -> Sender<M> {
        // This call panics on another thread.
        let _ = self.here_if_alive();
        Sender::new(self.process())
    }
}
