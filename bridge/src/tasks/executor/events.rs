//! Events of the operating system that tasks wait for, such as sockets that are ready.

use std::any::Any;
use std::sync::Arc;

use super::local::Local;
use crate::nif::contained;

/// What knows of such events. A process has at most one, which its executor asks between the turns
/// of tasks.
pub(crate) trait Events: Any + Send + Sync {
    /// Wakes who waits for what has happened. It does not wait.
    fn turn(&self, local: &Local);

    /// None of the process's tasks can go on: from now on the process gets a message when something
    /// happens. Returns false if that cannot be: then the process has to come back by itself.
    fn rest(&self) -> bool;

    /// The same value, to be found again by its type.
    #[cfg(feature = "net")]
    fn any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

impl Local {
    #[cfg(feature = "net")]
    /// What the process knows events by, which is made when it is first needed.
    ///
    /// # Errors
    /// What `new` says.
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

    /// Wakes who waits for events that have happened.
    #[inline]
    pub(super) fn turn_of_events(&self) {
        if self.has_events.get()
            && let Some(events) = self.known_events()
        {
            events.turn(self);
        }
    }

    /// Whether the process is told of events while it rests. It is if it waits for none.
    pub(super) fn rest_of_events(&self) -> bool {
        !self.has_events.get() || self.known_events().is_none_or(|events| events.rest())
    }

    fn known_events(&self) -> Option<Arc<dyn Events>> {
        self.events.borrow().clone()
    }

    /// The process ends: nobody waits any more.
    pub(super) fn end_events(&self) {
        self.has_events.set(false);
        // The destructor of a waker is the user's code.
        let events = self.events.borrow_mut().take();
        contained(|| drop(events));
    }
}
