//! Clients: calls and casts that a process makes for any thread of Rust.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use crate::nif::{ProcessWord, Thread as ThreadKind};
use crate::runtime::output::CurrentSpan;
use crate::runtime::{Body, Cx, Guarded, Result, protocol, send_deferred_from_any_thread};
use crate::tasks::TaskId;
use crate::{Exit, atom};

/// Calls and casts to processes from any thread of Rust: threads that the application has started,
/// the workers of Tokio or of an HTTP server. See [`Tasks::client`](super::Tasks::client).
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::atoms::ok;
/// use otp_bridge::gen_server::prelude::*;
/// use otp_bridge::task::Client;
///
/// /// `next`: a number that no other caller gets.
/// #[derive(Debug, Term)]
/// #[reply(u64)]
/// pub struct Next;
///
/// /// Starts a thread that calls another process.
/// #[derive(Debug)]
/// pub struct Importer;
///
/// #[gen_server]
/// impl GenServer for Importer {
///     /// The process that returns numbers.
///     type Args = Pid;
///
///     fn init(numbers: Pid, cx: &Cx<'_>) -> impl InitReturn<Self> {
///         let client = cx.client(100);
///         std::thread::spawn(move || import(&client, &numbers));
///         (ok, Importer)
///     }
/// }
///
/// fn import(client: &Client, numbers: &Pid) -> Result<()> {
///     for line in std::io::stdin().lines().map_while(Result::ok) {
///         let number = client.call(numbers, Next).wait()?;     // in an async function: `.await?`
///         println!("{number} {line}");
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone)]
pub struct Client {
    /// The process that makes the calls. `None` without a VM.
    process: Option<ProcessWord>,
    outstanding: Arc<AtomicUsize>,
    capacity: usize,
}

impl Client {
    pub(super) fn new(cx: &Cx<'_>, capacity: usize) -> Self {
        cx.accepts_tasks();
        Client {
            process: cx.process(),
            outstanding: Arc::default(),
            capacity,
        }
    }
}

impl Client {
    /// Runs an async closure or function in a task of the process, and returns a future of its
    /// value. The task starts at once, and is aborted if you drop the future. Await the future on
    /// any run time, or block on it with [`ClientCall::wait`].
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::task::Client;
    /// use otp_bridge::{Atom, Result};
    ///
    /// async fn nodes(client: &Client) -> Result<Vec<Atom>> {
    ///     client.run(async |cx| cx.apply("erlang", "nodes", ()).await).await
    /// }
    /// ```
    ///
    /// # Errors
    /// The error of the body, `{panic, …}` if it panics; `{overload, Capacity}` if too many calls
    /// are outstanding; `client_down` if the client's process has ended, or has been upgraded to
    /// another build.
    #[track_caller]
    pub fn run<T, B>(&self, body: B) -> ClientCall<T>
    where
        T: Send + 'static,
        B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
    {
        let location = Location::caller();
        let permit = match self.permit(location) {
            Ok(permit) => permit,
            Err(exit) => return ClientCall::refused(exit),
        };
        let call = ClientCall::new(self.process, location);
        let (answer, order) = (Answer(call.slot.clone()), call.order.clone());
        let span = CurrentSpan::get();
        self.send(move |cx: &Cx<'_>| {
            if order.is_dropped.load(Ordering::Relaxed) {
                return;
            }
            let body = async move |cx: &Cx<'_>| {
                let result = Guarded(span.around(body(cx))).await;
                drop(permit);
                answer.give(result);
                Ok(())
            };
            if let Some(id) = cx.spawn_at(body, location).id() {
                // This is the only place that sets it.
                let _ = order.task.set(id);
            }
        });
        call
    }

    /// Like [`Client::run`], without waiting for a result.
    ///
    /// # Errors
    /// `{overload, Capacity}` if too many calls are outstanding.
    #[track_caller]
    pub(crate) fn start<B>(&self, body: B) -> Result<()>
    where
        B: AsyncFnOnce(&Cx<'_>) -> Result<()> + for<'a> Body<'a, ()> + Send + 'static,
    {
        let location = Location::caller();
        let permit = self.permit(location)?;
        let span = CurrentSpan::get();
        self.send(move |cx: &Cx<'_>| {
            let body = async move |cx: &Cx<'_>| {
                let _permit = permit;
                span.around(body(cx)).await
            };
            cx.spawn_at(body, location);
        });
        Ok(())
    }

    /// Returns the number of outstanding calls.
    #[must_use]
    pub fn outstanding(&self) -> usize {
        self.outstanding.load(Ordering::Relaxed)
    }

    /// Runs a closure in the process. The closure is dropped if the process has ended.
    fn send(&self, deferred: impl FnOnce(&Cx<'_>) + Send + 'static) {
        if let Some(process) = self.process {
            send_deferred_from_any_thread(process, deferred);
        }
    }

    fn permit(&self, location: &'static Location<'static>) -> Result<Permit> {
        let more = |count: usize| (count < self.capacity).then_some(count + 1);
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        match self.outstanding.fetch_update(set, get, more) {
            Ok(_) => Ok(Permit(self.outstanding.clone())),
            Err(_) => {
                let capacity = u64::try_from(self.capacity).unwrap_or(u64::MAX);
                Err(Exit::new((atom!("overload"), capacity)).begun_at(location))
            }
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Client({} of {})", self.outstanding(), self.capacity)
    }
}

/// Counts one outstanding call until it is dropped.
struct Permit(Arc<AtomicUsize>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The state that a call and its task share.
#[derive(Default)]
struct Order {
    /// Whether the future of the reply was dropped.
    is_dropped: AtomicBool,
    /// Set by the process when it starts the task.
    task: OnceLock<TaskId>,
}

/// The result of a call, on its way to another thread.
struct Slot<T>(Mutex<State<T>>);

enum State<T> {
    Waiting(Option<Waker>),
    /// `None` if the task has ended without a result.
    Done(Option<Result<T>>),
}

impl<T> Slot<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No code panics while the data are in an inconsistent state.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, result: Option<Result<T>>) {
        let before = std::mem::replace(&mut *self.lock(), State::Done(result));
        if let State::Waiting(Some(waker)) = before {
            waker.wake();
        }
    }
}

/// Sets the result of a call. If it is dropped unused, the call has none.
struct Answer<T>(Arc<Slot<T>>);

impl<T> Answer<T> {
    fn give(self, result: Result<T>) {
        self.0.set(Some(result));
    }
}

impl<T> Drop for Answer<T> {
    fn drop(&mut self) {
        if matches!(*self.0.lock(), State::Waiting(_)) {
            self.0.set(None);
        }
    }
}

/// A pending reply: see [`Client::run`].
#[must_use = "the reply is lost if this is dropped: write `.await`, or `.wait()` in a thread without a run time"]
pub struct ClientCall<T> {
    slot: Arc<Slot<T>>,
    order: Arc<Order>,
    process: Option<ProcessWord>,
    location: &'static Location<'static>,
}

impl<T> ClientCall<T> {
    fn new(process: Option<ProcessWord>, location: &'static Location<'static>) -> Self {
        ClientCall {
            slot: Arc::new(Slot(Mutex::new(State::Waiting(None)))),
            order: Arc::default(),
            process,
            location,
        }
    }

    /// Creates a call that has failed before it was sent.
    fn refused(exit: Exit) -> Self {
        let refused = Self::new(None, exit.location());
        refused.slot.set(Some(Err(exit)));
        refused
    }

    /// Blocks the thread until the reply has arrived.
    ///
    /// # Errors
    /// Like [`Client::run`]; `badarg` on a scheduler of the VM, which must not be blocked: in a
    /// callback use [`Cx::call`].
    pub fn wait(self) -> Result<T> {
        if ThreadKind::current().is_normal_scheduler() {
            let why = "a call of a client would hold a scheduler: await it";
            return Err(Exit::error((protocol::badarg, why)).begun_at(self.location));
        }
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        let mut call = pin!(self);
        loop {
            match call.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Ready(result) => return result,
                Poll::Pending => thread::park(),
            }
        }
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

impl<T> Future for ClientCall<T> {
    type Output = Result<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        // A waker's destructor is user code, and must run without the lock.
        let own = context.waker().clone();
        let mut state = self.slot.lock();
        match &mut *state {
            State::Waiting(waker) => {
                let before = waker.replace(own);
                drop(state);
                drop(before);
                Poll::Pending
            }
            State::Done(result) => {
                let down = || Err(Exit::new(atom!("client_down")).begun_at(self.location));
                Poll::Ready(result.take().unwrap_or_else(down))
            }
        }
    }
}

impl<T> Drop for ClientCall<T> {
    /// Aborts the task in the process.
    fn drop(&mut self) {
        self.order.is_dropped.store(true, Ordering::Relaxed);
        let is_under_way = matches!(*self.slot.lock(), State::Waiting(_));
        if let (true, Some(process)) = (is_under_way, self.process) {
            let order = self.order.clone();
            send_deferred_from_any_thread(process, move |cx: &Cx<'_>| {
                let tasks = cx.has_tasks().and_then(|tasks| tasks.here());
                if let (Some(&id), Some(tasks)) = (order.task.get(), tasks) {
                    tasks.abort(id);
                }
            });
        }
    }
}

impl<T> fmt::Debug for ClientCall<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClientCall({})", self.location)
    }
}
