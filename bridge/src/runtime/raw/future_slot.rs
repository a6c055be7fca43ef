//! The future of the callback that runs or waits. Its memory is reused for the next one.
#![allow(unsafe_code)]

use std::alloc::{self, Layout};
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::ptr::NonNull;
use std::task::{Context, Poll};

use crate::runtime::raw::outcome::Outcome;

/// The size limit of a callback's future in bytes. The future is built on the stack of a scheduler
/// thread (1 MiB for a normal one, 320 KiB for a dirty one) before it is moved into the slot. Code
/// that is not optimised makes several copies of it.
pub(crate) const MAX_FUTURE: usize = 16 * 1024;

/// The size of the largest block that is kept for the next future.
const RETAINED: usize = 1024;

/// The memory of a process's future. While the future is polled, the slot does not have it, so that
/// no other code reaches it.
pub(crate) struct FutureSlot {
    block: Cell<NonNull<u8>>,
    layout: Cell<Layout>,
    future: Cell<Option<NonNull<StoredFuture>>>,
    is_polled: Cell<bool>,
}

type StoredFuture = dyn Future<Output = Outcome> + Send;

impl FutureSlot {
    pub(crate) const fn new() -> Self {
        FutureSlot {
            block: Cell::new(NonNull::dangling()),
            layout: Cell::new(Layout::new::<()>()),
            future: Cell::new(None),
            is_polled: Cell::new(false),
        }
    }

    /// Returns whether there is a future that has not completed.
    pub(crate) fn is_occupied(&self) -> bool {
        self.is_polled.get() || self.future.get().is_some()
    }

    /// Puts a future into the slot. An earlier one is dropped.
    ///
    /// # Safety
    /// The data that the future borrows must outlive it: they may be dropped only after the slot
    /// has been cleared.
    ///
    /// # Panics
    /// If the earlier future is being polled.
    pub(crate) unsafe fn put<F: Future<Output = Outcome> + Send>(&self, future: F) {
        const {
            assert!(
                size_of::<F>() <= MAX_FUTURE,
                "the future of a callback, with all variables that live across an `.await`, is larger than 16 KiB: \
                 put large variables behind a `Box`, or the whole future: `Box::pin(future).await`"
            );
        }
        self.clear();
        assert!(
            !self.is_occupied(),
            "a future is put into the slot of one that is polled"
        );
        let pointer = self.memory_for::<F>();
        // SAFETY: `pointer` is aligned, its memory is large enough and holds no value.
        unsafe { pointer.write(future) };
        let future: NonNull<dyn Future<Output = Outcome> + Send + '_> = pointer;
        // SAFETY: only the lifetime differs, and the contract above covers it.
        self.future.set(Some(unsafe {
            std::mem::transmute::<
                NonNull<dyn Future<Output = Outcome> + Send + '_>,
                NonNull<StoredFuture>,
            >(future)
        }));
    }

    /// Polls the future once and drops it when it has completed. Returns `None` if there is no
    /// future, or it is being polled.
    pub(crate) fn poll(&self, context: &mut Context<'_>) -> Option<Poll<Outcome>> {
        let mut polled = PolledFuture::of(self)?;
        // SAFETY: the future is in the block, which is neither moved nor reused before the future
        // is dropped: so it is pinned. This is the only reference, because the slot does not have
        // the future now.
        let outcome = unsafe { Pin::new_unchecked(polled.future.as_mut()) }.poll(context);
        drop(polled);
        if outcome.is_ready() {
            self.clear();
        }
        Some(outcome)
    }

    /// Drops the future, if there is one and it is not being polled.
    pub(crate) fn clear(&self) {
        if let Some(pointer) = self.future.take() {
            // SAFETY: `future` pointed to a live value. It was taken first, so that no other code
            // reaches it, and a panic in its destructor cannot lead to a second drop.
            unsafe { pointer.drop_in_place() };
            if self.layout.get().size() > RETAINED {
                self.release();
            }
        }
    }

    /// Returns memory for a value of type `F` in the empty block.
    fn memory_for<F>(&self) -> NonNull<F> {
        let (needed, layout) = (Layout::new::<F>(), self.layout.get());
        if needed.size() > layout.size() || needed.align() > layout.align() {
            self.release();
            let layout = at_least_one(needed);
            // SAFETY: the size is not zero.
            let block = unsafe { alloc::alloc(layout) };
            let block = NonNull::new(block).unwrap_or_else(|| alloc::handle_alloc_error(layout));
            self.block.set(block);
            self.layout.set(layout);
        }
        self.block.get().cast()
    }

    fn release(&self) {
        let layout = self.layout.replace(Layout::new::<()>());
        let block = self.block.replace(NonNull::dangling());
        if layout.size() > 0 {
            // SAFETY: the block came from `alloc` with this layout.
            unsafe { alloc::dealloc(block.as_ptr(), layout) };
        }
    }
}

/// A future that is being polled. Afterwards, it is in its slot again, even if it has panicked.
struct PolledFuture<'s> {
    slot: &'s FutureSlot,
    future: NonNull<StoredFuture>,
}

impl<'s> PolledFuture<'s> {
    fn of(slot: &'s FutureSlot) -> Option<Self> {
        let future = slot.future.take()?;
        slot.is_polled.set(true);
        Some(PolledFuture { slot, future })
    }
}

impl Drop for PolledFuture<'_> {
    fn drop(&mut self) {
        self.slot.is_polled.set(false);
        self.slot.future.set(Some(self.future));
    }
}

/// Returns a layout with a size of at least 1, because `alloc` must not be called with the size 0.
fn at_least_one(layout: Layout) -> Layout {
    Layout::from_size_align(layout.size().max(1), layout.align()).unwrap_or(layout)
}

impl Drop for FutureSlot {
    fn drop(&mut self) {
        self.clear();
        self.release();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::task::Waker;

    use super::*;
    use crate::Exit;

    fn put(slot: &FutureSlot, future: impl Future<Output = Outcome> + Send + 'static) {
        // SAFETY: it borrows nothing.
        unsafe { slot.put(future) }
    }

    #[test]
    fn a_future_is_dropped_when_it_ends_and_when_it_is_left() {
        let mut context = Context::from_waker(Waker::noop());
        let alive = Arc::new(());
        let slot = FutureSlot::new();
        assert!(slot.poll(&mut context).is_none());
        let held = alive.clone();
        put(&slot, async move {
            let _held = held;
            std::future::pending::<Outcome>().await
        });
        assert!(matches!(slot.poll(&mut context), Some(Poll::Pending)));
        assert_eq!(Arc::strong_count(&alive), 2);
        let held = alive.clone();
        put(&slot, async move {
            drop(held);
            Err(Exit::error("over"))
        });
        assert_eq!(
            Arc::strong_count(&alive),
            2,
            "the future that waited was dropped"
        );
        assert!(matches!(slot.poll(&mut context), Some(Poll::Ready(Err(_)))));
        assert!(slot.poll(&mut context).is_none());
        assert_eq!(Arc::strong_count(&alive), 1);
    }
}
