//! Futures that need Tokio: its timers, its sockets, and clients built on them.

use std::future::{Future, poll_fn};
use std::panic::Location;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::runtime::output::CurrentSpan;
use crate::runtime::{Cx, Exit, output, protocol, run_time};
#[cfg(feature = "tracing")]
use crate::runtime::{Here, library_module};
#[cfg(feature = "tracing")]
use crate::{Heap, ToTerm};

impl Cx<'_> {
    /// Runs a future on the library's Tokio run time and awaits its output. The run time has a
    /// thread for each core, in addition to the VM's schedulers. If you drop the returned value,
    /// the run time drops the future.
    ///
    /// It needs the feature `tokio`.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use std::time::Duration;
    /// # use otp_bridge::{Cx, Result};
    /// async fn later(cx: &Cx<'_>) -> Result<u64> {
    ///     cx.tokio(async {
    ///         tokio::time::sleep(Duration::from_millis(10)).await;
    ///         42
    ///     })
    ///     .await
    /// }
    /// ```
    ///
    /// # Errors
    /// `{panic, Message}` when the future panics.
    #[track_caller]
    pub fn tokio<F>(&self, future: F) -> OnTokio<F::Output>
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let (process, inherited) = (self.process(), Inherited::ask(self));
        let of_process = async move {
            let mut future = pin!(future);
            poll_fn(|context| {
                let poll = || inherited.around(|| future.as_mut().poll(context));
                output::on_behalf_of(process, poll)
            })
            .await
        };
        OnTokio {
            task: run_time::handle().spawn(CurrentSpan::get().around(of_process)),
            location: Location::caller(),
        }
    }
}

/// The spans of the message that the process handles, for the events of a future.
#[cfg(feature = "tracing")]
struct Inherited(Option<crate::Shared<output::InheritedSpans>>);

#[cfg(feature = "tracing")]
impl Inherited {
    /// Asks the process for them.
    fn ask(cx: &Cx<'_>) -> Self {
        let Some(Here::Vm(call, env)) = cx.here_if_alive().filter(|_| output::spans_may_travel())
        else {
            return Inherited(None);
        };
        let Some(library) = library_module() else {
            return Inherited(None);
        };
        let (spans, heap) = (output::InheritedSpans::new(), env.heap());
        let arguments = heap.list([library.to_term(heap), spans.to_term(heap)]);
        let (module, give) = (heap.atom(&protocol::SPANS), heap.atom(&protocol::GIVE));
        let request = protocol::apply(heap, module, give, arguments);
        call.awaiting().exchange.borrow_mut().ask(request.raw());
        Inherited(Some(spans))
    }

    fn around<T>(&self, poll: impl FnOnce() -> T) -> T {
        output::InheritedSpans::around(self.0.as_ref(), poll)
    }
}

/// No events have spans.
#[cfg(not(feature = "tracing"))]
struct Inherited;

#[cfg(not(feature = "tracing"))]
impl Inherited {
    fn ask(_: &Cx<'_>) -> Self {
        Inherited
    }

    fn around<T>(&self, poll: impl FnOnce() -> T) -> T {
        poll()
    }
}

impl Cx<'_> {
    /// Returns the library's Tokio run time, for a crate that needs a handle or spawns tasks
    /// itself. [`Cx::tokio`] uses the same run time.
    ///
    /// The run time ends with its build: when an upgrade removes the library, the run time drops
    /// its tasks at their current await. Stop the tasks that you have spawned earlier, at
    /// [`Upgrade::Begins`](crate::messages::Upgrade::Begins).
    #[must_use]
    pub fn tokio_handle(&self) -> Handle {
        run_time::handle()
    }
}

/// A future on the Tokio run time: see [`Cx::tokio`].
#[must_use = "it is aborted when this is dropped: await it to get its output"]
#[derive(Debug)]
pub struct OnTokio<T> {
    task: JoinHandle<T>,
    location: &'static Location<'static>,
}

impl<T> Future for OnTokio<T> {
    type Output = Result<T, Exit>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let location = self.location;
        Pin::new(&mut self.task)
            .poll(context)
            .map(|ended| ended.map_err(|error| failed(&error, location)))
    }
}

fn failed(error: &tokio::task::JoinError, location: &'static Location<'static>) -> Exit {
    let reason = crate::Term::of(&(protocol::panic, error.to_string()));
    Exit::raised_at(crate::Class::Error, reason, location)
}

impl<T> Drop for OnTokio<T> {
    fn drop(&mut self) {
        self.task.abort();
    }
}
