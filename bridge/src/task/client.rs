//! Work of a process for any thread of Rust.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use crate::nif::{ProcessWord, Thread as ThreadKind};
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
/// /// `next`: a number that nobody else gets.
/// #[derive(Debug, Term)]
/// #[reply(u64)]
/// pub struct Next;
///
/// /// Starts a thread that asks another process.
/// #[derive(Debug)]
/// pub struct Importer;
///
/// #[gen_server]
/// impl GenServer for Importer {
///     /// Who gives numbers.
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
    /// The process that calls. `None` without a VM.
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
    /// Runs an async closure or function in a task of the process, and is a future of its value.
    /// The task begins at once, and ends when this is dropped. It is awaited on any run time, or by
    /// [`ClientCall::wait`].
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
    /// That of the body, `{panic, …}` if it panics; `{overload, Capacity}` if too many calls are
    /// under way; `client_down` if the process that the client is of has ended, or runs another
    /// build since an upgrade.
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
        self.send(move |cx: &Cx<'_>| {
            if order.is_dropped.load(Ordering::Relaxed) {
                return;
            }
            let body = async move |cx: &Cx<'_>| {
                let result = Guarded(body(cx)).await;
                drop(permit);
                answer.give(result);
                Ok(())
            };
            if let Some(id) = cx.spawn_at(body, location).id() {
                // There is no other one.
                let _ = order.task.set(id);
            }
        });
        call
    }

    /// The same, but nobody waits for it.
    ///
    /// # Errors
    /// `{overload, Capacity}` if too many calls are under way.
    #[track_caller]
    pub(crate) fn start<B>(&self, body: B) -> Result<()>
    where
        B: AsyncFnOnce(&Cx<'_>) -> Result<()> + for<'a> Body<'a, ()> + Send + 'static,
    {
        let location = Location::caller();
        let permit = self.permit(location)?;
        self.send(move |cx: &Cx<'_>| {
            let body = async move |cx: &Cx<'_>| {
                let _permit = permit;
                body(cx).await
            };
            cx.spawn_at(body, location);
        });
        Ok(())
    }

    /// How many calls are under way.
    #[must_use]
    pub fn outstanding(&self) -> usize {
        self.outstanding.load(Ordering::Relaxed)
    }

    /// Has something done in the process. It is dropped if that has ended.
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

/// A call is under way, until this is dropped.
struct Permit(Arc<AtomicUsize>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What a call and its task both know.
#[derive(Default)]
struct Order {
    /// Nobody awaits the reply any more.
    is_dropped: AtomicBool,
    /// Set by the process when it begins the call.
    task: OnceLock<TaskId>,
}

/// Where the result of a call is put, for another thread.
struct Slot<T>(Mutex<State<T>>);

enum State<T> {
    Waiting(Option<Waker>),
    /// `None`: the task has ended without a result.
    Done(Option<Result<T>>),
}

impl<T> Slot<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // A panic under the lock leaves nothing half-done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, result: Option<Result<T>>) {
        let before = std::mem::replace(&mut *self.lock(), State::Done(result));
        if let State::Waiting(Some(waker)) = before {
            waker.wake();
        }
    }
}

/// Gives the result of a call. If it is dropped before, there is none.
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

/// A reply that is to come: see [`Client::run`].
#[must_use = "nobody sees the reply if this is dropped: `.await`, or `.wait()` in a thread without a run time"]
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

    /// A call that has failed before it has begun.
    fn refused(exit: Exit) -> Self {
        let refused = Self::new(None, exit.location());
        refused.slot.set(Some(Err(exit)));
        refused
    }

    /// Holds the thread until the reply has come.
    ///
    /// # Errors
    /// As [`Client::run`]; `badarg` on a scheduler of the VM, which must not be held: in a callback
    /// there is [`Cx::call`].
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
        // A waker's code is the user's, and runs without the lock.
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
    /// The process does not wait any more either.
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
