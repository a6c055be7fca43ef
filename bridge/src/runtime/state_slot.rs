//! A process's state, in its place for as long as the process lives.
#![allow(unsafe_code)]

use std::alloc::Layout;
use std::any::{Any, TypeId};
use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use super::registry::Module;
use crate::DecodeError;
use crate::nif::{VmHeap, VmTerm};

/// The most bytes that a state may have: `init` builds it on the stack of a scheduler thread, see
/// [`super::future_slot::MAX_FUTURE`].
const MAX_STATE: usize = 16 * 1024;

/// Refuses a state that would not fit a scheduler's stack; asked at compile time.
pub const fn check_state_size(size: usize) {
    assert!(
        size <= MAX_STATE,
        "a state has at most 16 KiB, since `init` builds it on a scheduler's stack: put its large parts behind a `Box` or into a `Vec`"
    );
}

/// What must be known of a state whose type is forgotten.
pub(crate) struct StateType {
    id: TypeId,
    drop: unsafe fn(NonNull<u8>),
    describe: unsafe fn(NonNull<u8>, &mut dyn fmt::Write) -> fmt::Result,
    encode: for<'a> unsafe fn(NonNull<u8>, VmHeap<'a>) -> Option<VmTerm<'a>>,
    replace: unsafe fn(NonNull<u8>, VmTerm<'_>) -> Option<Result<(), DecodeError>>,
    accept: unsafe fn(NonNull<u8>, Box<dyn Any + Send>) -> bool,
}

/// How states of type `T` become terms and are read from them.
pub struct StateCodec<T> {
    /// The term.
    pub encode: for<'a> fn(&T, VmHeap<'a>) -> VmTerm<'a>,
    /// The state that a term is.
    pub decode: fn(VmTerm<'_>) -> Result<T, DecodeError>,
}

struct Of<T>(PhantomData<T>);

impl<T: Module> Of<T> {
    const TYPE: &'static StateType = &StateType {
        id: TypeId::of::<T>(),
        // SAFETY: `StateSlot` calls this, as all the others, only with the place of a live `T`.
        drop: |place| unsafe { place.cast::<T>().drop_in_place() },
        // SAFETY: as above.
        describe: |place, out| unsafe { place.cast::<T>().as_ref() }.describe_state(out),
        encode: |place, heap| {
            let codec = T::state_codec()?;
            // SAFETY: as above.
            Some((codec.encode)(unsafe { place.cast::<T>().as_ref() }, heap))
        },
        replace: |place, term| {
            let codec = T::state_codec()?;
            Some((codec.decode)(term).map(|state| {
                // SAFETY: as above; the slot is borrowed as mutable.
                unsafe { *place.cast::<T>().as_mut() = state };
            }))
        },
        accept: |place, state| {
            let Ok(state) = state.downcast::<T>() else {
                return false;
            };
            let state = Box::into_raw(state);
            // SAFETY: the place is for a `T` and holds none; the state is moved there, and what is
            // freed of the box is its memory. It does not pass through the stack, which may be small.
            unsafe {
                place
                    .cast::<T>()
                    .as_ptr()
                    .copy_from_nonoverlapping(state, 1);
                drop(Box::from_raw(state.cast::<MaybeUninit<T>>()));
            }
            true
        },
    };
}

/// Where a process's state lies.
pub(crate) struct StateSlot {
    place: NonNull<u8>,
    of: &'static StateType,
    is_held: bool,
}

impl StateSlot {
    /// The slot of a state of type `T`, which will be written to `place`.
    ///
    /// # Safety
    /// `place` is aligned for `T`, has room for it, and belongs to the slot.
    pub(crate) unsafe fn new<T: Module>(place: NonNull<u8>) -> Self {
        StateSlot {
            place,
            of: Of::<T>::TYPE,
            is_held: false,
        }
    }

    /// How much room a state takes behind a header, and where: its size and alignment.
    pub(crate) fn layout<T: Module>() -> Layout {
        const { check_state_size(size_of::<T>()) }
        Layout::new::<T>()
    }

    /// The state; `None` when there is none, or it is of another type.
    #[inline]
    pub(crate) fn get<T: Module>(&mut self) -> Option<&mut T> {
        if !self.is_held || !self.is_of::<T>() {
            return None;
        }
        // SAFETY: the place holds a live `T`, borrowed with the slot.
        Some(unsafe { self.place.cast::<T>().as_mut() })
    }

    #[inline]
    fn is_of<T: Module>(&self) -> bool {
        self.of.id == TypeId::of::<T>()
    }

    /// Writes the state's `Debug` form; nothing when there is no state.
    ///
    /// # Errors
    /// The writer's, or those of a hand-written `Debug`.
    pub(crate) fn describe(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        if self.is_held {
            // SAFETY: `is_held` says that a live value of this type is in the place.
            unsafe { (self.of.describe)(self.place, out)? }
        }
        Ok(())
    }

    /// The state as a term, where its type says how.
    pub(crate) fn encode<'a>(&self, heap: VmHeap<'a>) -> Option<VmTerm<'a>> {
        if !self.is_held {
            return None;
        }
        // SAFETY: as above.
        unsafe { (self.of.encode)(self.place, heap) }
    }

    /// Puts the state that `term` is in the place of the one there is; `None` where its type does
    /// not say how, or there is none.
    pub(crate) fn replace(&mut self, term: VmTerm<'_>) -> Option<Result<(), DecodeError>> {
        if !self.is_held {
            return None;
        }
        // SAFETY: as above.
        unsafe { (self.of.replace)(self.place, term) }
    }

    /// Puts a state that a callback has made into its place, whatever was there before.
    pub(crate) fn accept(&mut self, state: Box<dyn Any + Send>) {
        self.clear();
        // SAFETY: the place is empty.
        self.is_held = unsafe { (self.of.accept)(self.place, state) };
    }

    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.is_held) {
            // SAFETY: there was a live value, and `is_held` no longer says so: dropped once.
            unsafe { (self.of.drop)(self.place) };
        }
    }
}
