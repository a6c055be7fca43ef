//! Waiting until changes are on the disk.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

use super::Shared;
use crate::error::Result;
use crate::publish::Replaced;

/// A batch of records that are written together.
#[derive(Default)]
pub(crate) struct Batch {
    state: Mutex<State>,
    ended: Condvar,
    /// Whether a writer waits for the batch.
    is_wanted: AtomicBool,
    log: Weak<Shared>,
}

#[derive(Default)]
struct State {
    result: Option<Result<()>>,
    wakers: Vec<Waker>,
}

impl Batch {
    pub(crate) fn new(log: Weak<Shared>) -> Arc<Self> {
        Arc::new(Batch {
            log,
            ..Batch::default()
        })
    }

    /// Returns whether a writer waits for the batch.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::Acquire)
    }

    /// Tells the log that a writer waits for the batch.
    fn want(&self) {
        if !self.is_wanted.swap(true, Ordering::AcqRel)
            && let Some(log) = self.log.upgrade()
        {
            log.hurry();
        }
    }

    pub(crate) fn end(&self, result: Result<()>) {
        let mut state = self.lock();
        state.result = Some(result);
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        self.ended.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A change that may not be on the disk yet: a future that completes when it is. If writing fails,
/// the change has not happened.
#[must_use = "a change is acknowledged when this has been waited for"]
pub struct Pending(Wait);

enum Wait {
    /// The outcome is known. `Replaced` holds the nodes that the change has replaced: they are
    /// dropped with this value, after other writers have got the tree.
    Done(Result<()>, Replaced),
    In(Arc<Batch>),
}

impl Pending {
    pub(crate) fn of(batch: Arc<Batch>) -> Self {
        Pending(Wait::In(batch))
    }

    /// Drops the replaced nodes now.
    pub(crate) fn drop_replaced(self) -> Self {
        match self.0 {
            Wait::Done(result, replaced) => {
                drop(replaced);
                Pending(Wait::Done(result, Replaced::default()))
            }
            wait @ Wait::In(_) => Pending(wait),
        }
    }

    /// Returns the batch that is waited for.
    pub(crate) fn batch(&self) -> Option<Arc<Batch>> {
        match &self.0 {
            Wait::Done(..) => None,
            Wait::In(batch) => Some(batch.clone()),
        }
    }

    /// Returns a future that is ready, for trees that are in memory only.
    pub(crate) fn none() -> Self {
        Pending::done(Replaced::default())
    }

    /// Like `none`, for a change that has replaced this.
    pub(crate) fn done(replaced: Replaced) -> Self {
        Pending(Wait::Done(Ok(()), replaced))
    }

    pub(crate) fn failed(error: crate::error::Error) -> Self {
        Pending(Wait::Done(Err(error), Replaced::default()))
    }

    /// Blocks the thread until the change is on the disk.
    ///
    /// # Errors
    /// `Storage`: the change has not happened.
    pub fn wait(self) -> Result<()> {
        let batch = match self.0 {
            Wait::Done(result, replaced) => {
                drop(replaced);
                return result;
            }
            Wait::In(batch) => batch,
        };
        batch.want();
        let mut state = batch.lock();
        loop {
            if let Some(result) = &state.result {
                return result.clone();
            }
            let waited = batch.ended.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Future for Pending {
    type Output = Result<()>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let batch = match &self.0 {
            Wait::Done(result, _) => return Poll::Ready(result.clone()),
            Wait::In(batch) => batch,
        };
        batch.want();
        let mut state = batch.lock();
        if let Some(result) = &state.result {
            return Poll::Ready(result.clone());
        }
        let waker = context.waker();
        if !state.wakers.iter().any(|known| known.will_wake(waker)) {
            state.wakers.push(waker.clone());
        }
        Poll::Pending
    }
}
