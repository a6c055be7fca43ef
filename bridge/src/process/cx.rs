//! Basic methods of the context: the process itself, and calls of any Erlang function.

use std::marker::PhantomData;

use super::{Apply, Arguments, Sender};
use crate::nif::VmEnv;
use crate::runtime::{Await, Cx, Here};
use crate::{Atom, FromTerm, Pid, ToTerm};

impl Cx<'_> {
    /// Returns the pid of the calling process: `self()`.
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
    /// The function runs in this process if no other operation is running. Otherwise it runs in a
    /// separate process that is linked to this one, so that the other operations need not wait for
    /// it. So if a function works on the calling process (`erlang:link/1`,
    /// `gen_tcp:controlling_process/2`), await it alone.
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
    /// The exception of the function; `undef` if the function does not exist; a decode error if its
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

    /// Returns whether a process of this node is alive. Processes of other nodes are assumed to be
    /// alive.
    pub(crate) fn is_alive(&self, pid: &Pid) -> bool {
        match self.here_if_alive() {
            Some(Here::Vm(_, env)) => VmEnv::local(pid).is_none_or(|process| env.is_alive(process)),
            _ => true,
        }
    }

    /// Returns a handle that sends messages of type `M` to this process from any thread.
    #[must_use]
    pub fn sender<M: ToTerm>(&self) -> Sender<M> {
        // This call panics on another thread.
        let _ = self.here_if_alive();
        Sender::new(self.process())
    }
}

/// The context of a callback, implemented by [`Cx`] alone. It is the supertrait of the traits with
/// further methods of [`Cx`].
pub trait CallbackContext: private::Sealed {
    /// Returns the context.
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
