//! Processes that run an async function, and values that they return.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::panic::Location;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use otp_contract::library::Request;

use super::CallbackContext;
use super::Monitor;
use crate::runtime::protocol::{self, shape};
use crate::runtime::{Await, Body, Cx, Failure, Ongoing, Operation, Result, WhenDropped, closure};
use crate::term::{Reader, Saved};
use crate::{FromTerm, Heap, Pid, ToTerm, View};

/// Methods of [`Cx`] that spawn a process of one function. For lightweight tasks see `task::Tasks`.
pub trait SpawnProcess: CallbackContext {
    /// Spawns a process that runs an async closure or function: `proc_lib:spawn/1`. It has a
    /// mailbox of its own, which it reads by [`receive`](Cx::receive), and its own context. When
    /// the body returns, the process ends with the reason `normal`. After `?` or a panic it ends as
    /// a server does.
    ///
    /// The body owns the values that it uses (`move`). Await the call to get the new process:
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::process::SpawnProcess;
    /// use otp_bridge::{Cx, Pid, Result, Term};
    ///
    /// /// `{echo, From, Text}`
    /// #[derive(Debug, Term)]
    /// struct Echo(Pid, String);
    ///
    /// async fn start(cx: &Cx<'_>) -> Result<Pid> {
    ///     let limit = 3;
    ///     cx.spawn_process(async move |cx| {
    ///         for _ in 0..limit {
    ///             let Echo(from, text) = cx.receive().await?;
    ///             cx.send(&from, text);
    ///         }
    ///         Ok(())
    ///     })
    ///     .await
    /// }
    /// ```
    ///
    /// # Errors
    /// `system_limit`, if you await it and there are too many processes.
    #[track_caller]
    fn spawn_process<B>(&self, body: B) -> Ongoing<'_, Pid, Spawn<Pid>>
    where
        B: AsyncFnOnce(&Cx<'_>) -> Result<()> + for<'a> Body<'a, ()> + Send + 'static,
    {
        Ongoing::new(self.cx(), Spawn::new(self.cx(), body, With::Nothing))
    }

    /// Like [`Cx::spawn_process`], and links the process to this one: `proc_lib:spawn_link/1`.
    ///
    /// # Errors
    /// Like [`Cx::spawn_process`].
    #[track_caller]
    fn spawn_process_link<B>(&self, body: B) -> Ongoing<'_, Pid, Spawn<Pid>>
    where
        B: AsyncFnOnce(&Cx<'_>) -> Result<()> + for<'a> Body<'a, ()> + Send + 'static,
    {
        Ongoing::new(self.cx(), Spawn::new(self.cx(), body, With::Link))
    }

    /// Like [`Cx::spawn_process`], and monitors the process. This process gets a
    /// [`Down`](crate::messages::Down) when it has ended.
    ///
    /// # Errors
    /// Like [`Cx::spawn_process`].
    #[track_caller]
    fn spawn_process_monitor<B>(
        &self,
        body: B,
    ) -> Ongoing<'_, (Pid, Monitor), Spawn<(Pid, Monitor)>>
    where
        B: AsyncFnOnce(&Cx<'_>) -> Result<()> + for<'a> Body<'a, ()> + Send + 'static,
    {
        Ongoing::new(self.cx(), Spawn::new(self.cx(), body, With::Monitor))
    }

    /// Runs an async closure or function in a process of its own and awaits its value, which need
    /// not be a term. The process is linked to this one. It is killed if you drop this future, or
    /// when this process ends.
    ///
    /// It starts when the future is first polled. Several of them run on several schedulers:
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::process::SpawnProcess;
    /// use otp_bridge::{Cx, Result, try_join};
    ///
    /// async fn both(cx: &Cx<'_>, left: Vec<u64>, right: Vec<u64>) -> Result<u64> {
    ///     let sum = |numbers: Vec<u64>| {
    ///         cx.in_process(async move |cx| {
    ///             let mut sum = 0;
    ///             let mut numbers = cx.yielding(numbers);
    ///             while let Some(number) = numbers.next().await {
    ///                 sum += number;
    ///             }
    ///             Ok(sum)
    ///         })
    ///     };
    ///     let (left, right) = try_join!(sum(left), sum(right)).await?;
    ///     Ok(left + right)
    /// }
    /// ```
    ///
    /// # Errors
    /// The exit of the body; `{panic, …}` if it panics; the exit reason if the process was killed.
    #[track_caller]
    fn in_process<T, B>(&self, body: B) -> InProcess<'_, T>
    where
        T: Send + 'static,
        B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
    {
        let value = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&value);
        let keep = move |ended| *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
        let closure = closure(self.cx(), body, keep, Location::caller());
        InProcess {
            running: Await::new(self.cx(), RunInProcess(closure)),
            value,
        }
    }
}

impl SpawnProcess for Cx<'_> {}

/// The operation that spawns a process with a body.
pub struct Spawn<T> {
    closure: Saved,
    with: With,
    result: PhantomData<fn() -> T>,
}

/// The relation between the two processes.
#[derive(Debug, Clone, Copy)]
enum With {
    Nothing,
    Link,
    Monitor,
}

impl<T> Spawn<T> {
    #[track_caller]
    fn new<B>(cx: &Cx<'_>, body: B, with: With) -> Self
    where
        B: for<'a> Body<'a, ()> + Send + 'static,
    {
        Spawn {
            closure: closure(cx, body, |()| {}, Location::caller()),
            with,
            result: PhantomData,
        }
    }
}

impl<T: FromTerm> Operation for Spawn<T> {
    type Output = T;

    const WHEN_DROPPED: WhenDropped = WhenDropped::GoesOn;

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let with = match self.with {
            With::Nothing => protocol::nothing.to_term(heap),
            With::Link => protocol::link.to_term(heap),
            With::Monitor => protocol::monitor.to_term(heap),
        };
        shape!(heap, Request::Spawn, heap.saved(&self.closure), with)
    }

    fn answer<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> std::result::Result<T, Failure> {
        Ok(T::__read(value, reader)?)
    }
}

impl<T> fmt::Debug for Spawn<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Spawn({:?})", self.with)
    }
}

/// A value that another process computes: see [`Cx::in_process`].
#[must_use = "a process does not start until its value is awaited: `.await`"]
pub struct InProcess<'call, T> {
    running: Await<'call, (), RunInProcess>,
    /// Filled in by the process before it ends.
    value: Arc<Mutex<Option<T>>>,
}

impl<T> Future for InProcess<'_, T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        let Poll::Ready(ended) = Pin::new(&mut self.running).poll(context) else {
            return Poll::Pending;
        };
        let mut value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
        Poll::Ready(ended.and_then(|()| {
            let missing = "another process can only be started in the VM";
            value.take().ok_or_else(|| crate::Exit::error(missing))
        }))
    }
}

impl<T> fmt::Debug for InProcess<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InProcess({:?})", self.running)
    }
}

/// Runs a body in a process of its own.
struct RunInProcess(Saved);

impl Operation for RunInProcess {
    type Output = ();

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        shape!(heap, Request::InProcess, heap.saved(&self.0))
    }

    fn answer<'a, V: View<'a>>(_: V, _: Reader<'_>) -> std::result::Result<(), Failure> {
        Ok(())
    }
}
