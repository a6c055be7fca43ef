//! What a callback can ask of its process.

use std::marker::PhantomData;

use super::{Apply, Arguments, Sender};
use crate::nif::VmEnv;
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

    /// Whether a process of this node has not ended. The others are taken to live.
    pub(crate) fn is_alive(&self, pid: &Pid) -> bool {
        match self.here_if_alive() {
            Some(Here::Vm(_, env)) => VmEnv::local(pid).is_none_or(|process| env.is_alive(process)),
            _ => true,
        }
    }

    /// A handle by which any thread can send messages of type `M` to this process.
    #[must_use]
    pub fn sender<M: ToTerm>(&self) -> Sender<M> {
        // This call panics on another thread.
        let _ = self.here_if_alive();
        Sender::new(self.process())
    }
}

/// The context of a callback. [`Cx`] alone is one: the traits of its further methods build on this.
pub trait CallbackContext: private::Sealed {
    /// The context.
    #[doc(hidden)]
    fn cx<'a>(&'a self) -> &'a Cx<'a>;
}

impl CallbackContext for Cx<'_> {
    #[inline]
    fn cx<'a>(&'a self) -> &'a Cx<'a> {
        self
    }
}

mod private {
    pub trait Sealed {}

    impl Sealed for super::Cx<'_> {}
}
