//! Memberships of pools, which workers keep in their states.

use std::fmt;
use std::sync::{Arc, PoisonError};

use super::{PoolEntry, TaskPool, Worker};
use crate::runtime::Arrival;
use crate::term::{Shape, Watcher};
use crate::{DecodeError, ErlangType, FromTerm, Heap, ToTerm, View};

/// Makes a process a worker of a pool: see [`TaskPool::join`].
///
/// It is a term, so an upgrade can hand it over with the state that holds it
/// ([`task_pool!`](macro@crate::task_pool)): when a process receives a state or a message with a
/// membership, it becomes a worker.
pub struct PoolMembership {
    pub(super) pool: &'static TaskPool,
    pub(super) number: u16,
    /// `None` until a process has received it.
    pub(super) worker: Option<Worker>,
}

impl Drop for PoolMembership {
    fn drop(&mut self) {
        let Some(worker) = &self.worker else {
            return;
        };
        let workers = self.pool.workers.write();
        let mut workers = workers.unwrap_or_else(PoisonError::into_inner);
        let is_own = |it: &mut Worker| Arc::ptr_eq(&it.load, &worker.load);
        if let Some(place) = workers.get_mut(usize::from(self.number)) {
            // A restarted worker may have replaced this one.
            place.take_if(is_own);
        }
    }
}

impl ErlangType for PoolMembership {
    fn erlang_type() -> String {
        <(String, u16)>::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for PoolMembership {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        (self.pool.name, self.number).to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for PoolMembership {
    const KIND: Shape = <(String, u16)>::KIND;
    const SHAPE: Shape = <(String, u16)>::SHAPE;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let (name, number) = <(String, u16)>::from_term(view)?;
        let mut pools = inventory::iter::<PoolEntry>().map(|PoolEntry(pool)| *pool);
        match pools.find(|pool| pool.name == name) {
            Some(pool) => Ok(PoolMembership {
                pool,
                number,
                worker: None,
            }),
            None => Err(DecodeError::expected::<Self, V>(view)),
        }
    }

    fn __watch(&mut self, watcher: Watcher<'_>) {
        let mut arrival = Arrival(None);
        watcher(&mut arrival);
        if let (Some(process), None) = (arrival.0, &self.worker) {
            self.worker = Some(self.pool.add(self.number, Some(process)));
        }
    }
}

impl fmt::Debug for PoolMembership {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PoolMembership({})", self.number)
    }
}
