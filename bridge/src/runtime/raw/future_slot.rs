//! The future of the callback that runs or waits. Its memory is reused for the next one.
#![allow(unsafe_code)]

use std::alloc::{self, Layout};
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

/// The memory of a process's future.
pub(crate) struct FutureSlot {
    block: NonNull<u8>,
    layout: Layout,
    future: Option<NonNull<dyn Future<Output = Outcome> + Send>>,
}

impl FutureSlot {
    pub(crate) const fn new() -> Self {
        FutureSlot {
            block: NonNull::dangling(),
            layout: Layout::new::<()>(),
            future: None,
        }
    }

    /// Returns whether there is a future that has not completed.
    pub(crate) fn is_occupied(&self) -> bool {
        self.future.is_some()
    }

    /// Puts a future into the empty slot.
    ///
    /// # Safety
    /// The data that the future borrows must outlive it: they may be dropped only after the slot
    /// has been cleared.
    pub(crate) unsafe fn put<F: Future<Output = Outcome> + Send>(&mut self, future: F) {
        const {
            assert!(
                size_of::<F>() <= MAX_FUTURE,
                "the future of a callback, with all variables that live across an `.await`, is larger than 16 KiB: \
                 put large variables behind a `Box`, or the whole future: `Box::pin(future).await`"
            );
        }
        self.clear();
        let pointer = self.memory_for::<F>();
        // SAFETY: `pointer` is aligned, its memory is large enough and holds no value.
        unsafe { pointer.write(future) };
        let future: NonNull<dyn Future<Output = Outcome> + Send + '_> = pointer;
        // SAFETY: only the lifetime differs, and the contract above covers it.
        self.future = Some(unsafe {
            std::mem::transmute::<
                NonNull<dyn Future<Output = Outcome> + Send + '_>,
                NonNull<dyn Future<Output = Outcome> + Send>,
            >(future)
        });
    }

    /// Polls the future once and drops it when it has completed. Returns `None` if there is no
    /// future.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Option<Poll<Outcome>> {
        let mut pointer = self.future?;
        // SAFETY: the future is in the block, which is neither moved nor reused before `clear` has
        // dropped the future: so it is pinned. `&mut self` makes this the only reference.
        let future = unsafe { Pin::new_unchecked(pointer.as_mut()) };
        let outcome = future.poll(context);
        if outcome.is_ready() {
            self.clear();
        }
        Some(outcome)
    }

    /// Drops the future, if there is one.
    pub(crate) fn clear(&mut self) {
        if let Some(pointer) = self.future.take() {
            // SAFETY: `future` pointed to a live value. It was taken first, so that a panic in its
            // destructor cannot lead to a second drop.
            unsafe { pointer.drop_in_place() };
            if self.layout.size() > RETAINED {
                self.release();
            }
        }
    }

    /// Returns memory for a value of type `F` in the empty block.
    fn memory_for<F>(&mut self) -> NonNull<F> {
        let needed = Layout::new::<F>();
        if needed.size() > self.layout.size() || needed.align() > self.layout.align() {
            self.release();
            let layout = at_least_one(needed);
            // SAFETY: the size is not zero.
            let block = unsafe { alloc::alloc(layout) };
            self.block = NonNull::new(block).unwrap_or_else(|| alloc::handle_alloc_error(layout));
            self.layout = layout;
        }
        self.block.cast()
    }

    fn release(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: the block came from `alloc` with this layout.
            unsafe { alloc::dealloc(self.block.as_ptr(), self.layout) };
            (self.block, self.layout) = (NonNull::dangling(), Layout::new::<()>());
        }
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

    fn put(slot: &mut FutureSlot, future: impl Future<Output = Outcome> + Send + 'static) {
        // SAFETY: it borrows nothing.
        unsafe { slot.put(future) }
    }

    #[test]
    fn a_future_is_dropped_when_it_ends_and_when_it_is_left() {
        let mut context = Context::from_waker(Waker::noop());
        let alive = Arc::new(());
        let mut slot = FutureSlot::new();
        assert!(slot.poll(&mut context).is_none());
        let held = alive.clone();
        put(&mut slot, async move {
            let _held = held;
            std::future::pending::<Outcome>().await
        });
        assert!(matches!(slot.poll(&mut context), Some(Poll::Pending)));
        assert_eq!(Arc::strong_count(&alive), 2);
        let held = alive.clone();
        put(&mut slot, async move {
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
