//! Events of the operating system that tasks wait for, such as sockets that become ready.

use std::any::Any;
use std::sync::Arc;

use super::local::Local;
use crate::nif::contained;

/// A source of such events. A process has at most one. Its executor polls it between the turns of
/// tasks.
pub(crate) trait Events: Any + Send + Sync {
    /// Wakes the waiters of all events that have occurred. It does not block.
    fn turn(&self, local: &Local);

    /// Called when no task of the process is runnable. Arranges that the process gets a message at
    /// the next event. Returns false if this is impossible: then the process has to poll again by
    /// itself.
    fn rest(&self) -> bool;

    /// Returns the source as `Any`, so that it can be downcast.
    #[cfg(feature = "net")]
    fn any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

impl Local {
    #[cfg(feature = "net")]
    /// Returns the process's source of events, and creates it at the first use.
    ///
    /// # Errors
    /// The error of `new`.
    pub(crate) fn events<E: Events, X>(
        &self,
        new: impl FnOnce() -> Result<Arc<E>, X>,
    ) -> Result<Arc<E>, X> {
        let known = self.events.borrow().clone();
        let found = known.and_then(|events| events.any().downcast::<E>().ok());
        if let Some(found) = found {
            return Ok(found);
        }
        let events = new()?;
        *self.events.borrow_mut() = Some(Arc::clone(&events) as Arc<dyn Events>);
        self.has_events.set(true);
        Ok(events)
    }

    /// Wakes the waiters of all events that have occurred.
    #[inline]
    pub(super) fn turn_of_events(&self) {
        if self.has_events.get()
            && let Some(events) = self.known_events()
        {
            events.turn(self);
        }
    }

    /// Returns whether the process gets a message at the next event while it rests. True if it has
    /// no source of events.
    pub(super) fn rest_of_events(&self) -> bool {
        !self.has_events.get() || self.known_events().is_none_or(|events| events.rest())
    }

    fn known_events(&self) -> Option<Arc<dyn Events>> {
        self.events.borrow().clone()
    }

    /// Drops the source of events when the process ends.
    pub(super) fn end_events(&self) {
        self.has_events.set(false);
        // The destructor of a waker is user code.
        let events = self.events.borrow_mut().take();
        contained(|| drop(events));
    }
}
