//! Memory that outlives the values in it: a process keeps one block for its state and one for the
//! future of the running callback, so that a callback costs no allocation.
#![allow(unsafe_code)]

use std::alloc::{self, Layout};
use std::any::TypeId;
use std::future::Future;
use std::pin::Pin;
use std::ptr::NonNull;
use std::task::{Context, Poll, Waker};

use super::panics::contained;
use crate::process::Outcome;
use crate::registry::Module;

/// A block that only grows.
struct Block {
    start: NonNull<u8>,
    layout: Layout,
}

impl Block {
    const fn new() -> Self {
        Block {
            start: NonNull::dangling(),
            layout: Layout::new::<()>(),
        }
    }

    /// Makes room for a value of type `T` and answers where. The block must be empty: what was in
    /// it is not moved.
    fn room_for<T>(&mut self) -> NonNull<T> {
        let wanted = Layout::new::<T>();
        if wanted.size() > self.layout.size() || wanted.align() > self.layout.align() {
            self.release();
            let layout = at_least_one(wanted);
            // SAFETY: the size is at least one.
            let start = unsafe { alloc::alloc(layout) };
            self.start = NonNull::new(start).unwrap_or_else(|| alloc::handle_alloc_error(layout));
            self.layout = layout;
        }
        self.start.cast()
    }

    fn release(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: `start` came from `alloc` with this layout.
            unsafe { alloc::dealloc(self.start.as_ptr(), self.layout) };
            (self.start, self.layout) = (NonNull::dangling(), Layout::new::<()>());
        }
    }
}

/// `alloc` may not be asked for nothing.
fn at_least_one(layout: Layout) -> Layout {
    Layout::from_size_align(layout.size().max(1), layout.align()).unwrap_or(layout)
}

impl Drop for Block {
    fn drop(&mut self) {
        self.release();
    }
}

/// The future of the callback that runs or waits.
pub(crate) struct FutureSlot {
    block: Block,
    future: Option<NonNull<dyn Future<Output = Outcome> + Send>>,
}

impl FutureSlot {
    pub(crate) const fn new() -> Self {
        FutureSlot {
            block: Block::new(),
            future: None,
        }
    }

    pub(crate) fn put<F: Future<Output = Outcome> + Send + 'static>(&mut self, future: F) {
        self.clear();
        let place = self.block.room_for::<F>();
        // SAFETY: `place` is aligned, large enough and holds no value.
        unsafe { place.write(future) };
        self.future = Some(place);
    }

    /// Polls the future once and drops it when it has ended. `None` when there is none.
    pub(crate) fn poll(&mut self) -> Option<Poll<Outcome>> {
        let mut place = self.future?;
        // SAFETY: the future lives in the block, which neither moves nor is reused before `clear`
        // has dropped it: it is pinned. `&mut self` makes this the only reference.
        let future = unsafe { Pin::new_unchecked(place.as_mut()) };
        let outcome = future.poll(&mut Context::from_waker(Waker::noop()));
        if outcome.is_ready() {
            self.clear();
        }
        Some(outcome)
    }

    pub(crate) fn clear(&mut self) {
        if let Some(place) = self.future.take() {
            // SAFETY: `future` pointed to a live value; it was taken first, so that a panic in
            // its destructor cannot lead to a second drop.
            unsafe { place.drop_in_place() };
        }
    }
}

impl Drop for FutureSlot {
    fn drop(&mut self) {
        self.clear();
    }
}

/// What must be known of a state whose type is forgotten.
struct StateType {
    id: fn() -> TypeId,
    drop: unsafe fn(NonNull<u8>),
    describe: unsafe fn(NonNull<u8>) -> Option<String>,
}

struct Of<T>(std::marker::PhantomData<T>);

impl<T: Module> Of<T> {
    const TYPE: &'static StateType = &StateType {
        id: TypeId::of::<T>,
        // SAFETY (both): called by `StateSlot` only with the place of a live `T`.
        drop: |place| unsafe { place.cast::<T>().drop_in_place() },
        describe: |place| unsafe { place.cast::<T>().as_ref() }.describe_state(),
    };
}

/// The state of a process between two callbacks.
pub(crate) struct StateSlot {
    block: Block,
    held: Option<&'static StateType>,
    /// What the state was like when it was taken for the last time.
    remembered: Option<String>,
}

impl StateSlot {
    pub(crate) const fn new() -> Self {
        StateSlot {
            block: Block::new(),
            held: None,
            remembered: None,
        }
    }

    pub(crate) fn put<T: Module>(&mut self, state: T) {
        self.clear();
        let place = self.block.room_for::<T>();
        // SAFETY: `place` is aligned, large enough and holds no value.
        unsafe { place.write(state) };
        self.held = Some(Of::<T>::TYPE);
    }

    /// Moves the state out; `None` when there is none or it is of another type.
    pub(crate) fn take<T: Module>(&mut self) -> Option<T> {
        if (self.held?.id)() != TypeId::of::<T>() {
            return None;
        }
        self.held = None;
        // SAFETY: the block holds a live `T`, and `held` no longer says so: it is moved once.
        Some(unsafe { self.block.start.cast::<T>().read() })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.held.is_none()
    }

    /// The state's `Debug` form, or what was remembered of it.
    pub(crate) fn describe(&self) -> Option<String> {
        match self.held {
            // SAFETY: `held` says that a live value of this type is in the block.
            Some(held) => unsafe { (held.describe)(self.block.start) },
            None => self.remembered.clone(),
        }
    }

    /// Keeps the state's `Debug` form for reports after the state has gone. One that panics must
    /// not keep the process from ending in order.
    pub(crate) fn remember(&mut self) {
        let mut text = None;
        contained(|| text = self.describe());
        self.remembered = text;
    }

    pub(crate) fn clear(&mut self) {
        if let Some(held) = self.held.take() {
            // SAFETY: as in `FutureSlot::clear`.
            unsafe { (held.drop)(self.block.start) };
        }
    }
}

impl Drop for StateSlot {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counted<const SIZE: usize>(
        #[expect(dead_code, reason = "counts")] std::sync::Arc<()>,
        [u8; SIZE],
    );

    impl<const SIZE: usize> Module for Counted<SIZE> {
        type Args = u8;

        fn atom() -> crate::Atom {
            crate::atom!("counted")
        }
        const NAME: &'static str = "counted";
        const BEHAVIOUR: &'static crate::registry::Behaviour = &crate::registry::Behaviour {
            name: "none",
            state: "State",
            callbacks: &[],
            start: &[],
        };

        fn describe_state(&self) -> Option<String> {
            Some(format!("{} bytes, last {:?}", SIZE, self.1.last()))
        }
    }

    #[test]
    fn a_state_comes_back_whole_and_is_dropped_once() {
        let alive = std::sync::Arc::new(());
        let mut slot = StateSlot::new();
        slot.put(Counted(alive.clone(), [1; 8]));
        assert_eq!(slot.describe().as_deref(), Some("8 bytes, last Some(1)"));
        assert!(
            slot.take::<Counted<9>>().is_none(),
            "another type is refused"
        );
        let back = slot.take::<Counted<8>>().map(|state| state.1);
        assert_eq!(back, Some([1; 8]));
        assert!(slot.take::<Counted<8>>().is_none(), "a state is taken once");

        slot.put(Counted(alive.clone(), [2; 4096]));
        slot.put(Counted(alive.clone(), [3; 16]));
        assert_eq!(
            std::sync::Arc::strong_count(&alive),
            2,
            "the larger one is gone"
        );
        drop(slot);
        assert_eq!(std::sync::Arc::strong_count(&alive), 1);
    }

    #[test]
    fn a_future_is_dropped_when_it_ends_and_when_it_is_left() {
        let alive = std::sync::Arc::new(());
        let mut slot = FutureSlot::new();
        assert!(slot.poll().is_none());
        let held = alive.clone();
        slot.put(async move {
            let _held = held;
            std::future::pending::<Outcome>().await
        });
        assert!(matches!(slot.poll(), Some(Poll::Pending)));
        assert_eq!(std::sync::Arc::strong_count(&alive), 2);
        let held = alive.clone();
        slot.put(async move {
            drop(held);
            Err(crate::Exit::error("over"))
        });
        assert_eq!(
            std::sync::Arc::strong_count(&alive),
            2,
            "the one that waited is gone"
        );
        assert!(matches!(slot.poll(), Some(Poll::Ready(Err(_)))));
        assert!(slot.poll().is_none());
        assert_eq!(std::sync::Arc::strong_count(&alive), 1);
    }
}
