//! The state of a process. It stays at one address for as long as the process lives.
#![allow(unsafe_code)]

use std::alloc::Layout;
use std::any::{Any, TypeId};
use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use crate::DecodeError;
use crate::nif::{ProcessWord, VmHeap, VmTerm};
use crate::runtime::registry::{Module, holders};

/// The size limit of a state in bytes. `init` builds the state on the stack of a scheduler thread,
/// see [`super::future_slot::MAX_FUTURE`].
const MAX_STATE: usize = 16 * 1024;

/// Returns whether a state would not fit on a scheduler's stack.
pub const fn is_large_state(size: usize) -> bool {
    size > MAX_STATE
}

/// The result of replacing a state. `None` if its type is not a term.
type Replacement = Option<Result<(), DecodeError>>;

/// The functions of a state whose type has been erased.
pub(crate) struct StateType {
    id: TypeId,
    drop: unsafe fn(NonNull<u8>),
    describe: unsafe fn(NonNull<u8>, &mut dyn fmt::Write) -> fmt::Result,
    encode: for<'a> unsafe fn(NonNull<u8>, VmHeap<'a>) -> Option<VmTerm<'a>>,
    replace: unsafe fn(NonNull<u8>, VmTerm<'_>, ProcessWord) -> Replacement,
    accept: unsafe fn(NonNull<u8>, Box<dyn Any + Send>) -> bool,
    form: fn() -> Option<String>,
    text: unsafe fn(NonNull<u8>, usize, usize) -> Option<String>,
    is_secret: bool,
    name: fn() -> &'static str,
    listed: fn() -> Option<&'static str>,
    module: &'static str,
}

struct Of<T>(PhantomData<T>);

impl<T: Module> Of<T> {
    const TYPE: &'static StateType = &StateType {
        id: TypeId::of::<T>(),
        // SAFETY: `StateSlot` calls this and the functions below only with the address of a live
        // `T`.
        drop: |address| unsafe { address.cast::<T>().drop_in_place() },
        // SAFETY: as above.
        describe: |address, out| unsafe { address.cast::<T>().as_ref() }.describe_state(out),
        encode: |address, heap| {
            let codec = T::state_codec()?;
            // SAFETY: as above.
            Some((codec.encode)(
                unsafe { address.cast::<T>().as_ref() },
                heap,
            ))
        },
        replace: |address, term, process| {
            let codec = T::state_codec()?;
            Some((codec.decode)(term, process).map(|state| {
                // SAFETY: as above, and the slot is borrowed mutably.
                unsafe { *address.cast::<T>().as_mut() = state };
            }))
        },
        accept: |address, state| {
            let Ok(state) = state.downcast::<T>() else {
                return false;
            };
            let state = Box::into_raw(state);
            // SAFETY: the address is one for a `T`, and no value is there. The state is moved
            // there, and then only the box's memory is freed. The state does not pass through the
            // stack, which may be small.
            unsafe {
                address
                    .cast::<T>()
                    .as_ptr()
                    .copy_from_nonoverlapping(state, 1);
                drop(Box::from_raw(state.cast::<MaybeUninit<T>>()));
            }
            true
        },
        form: || T::state_codec().map(|codec| (codec.form)()),
        text: |address, parts, characters| {
            let codec = T::state_codec()?;
            // SAFETY: as above.
            let state = unsafe { address.cast::<T>().as_ref() };
            (codec.text)(state, parts, characters)
        },
        is_secret: T::IS_SECRET,
        name: std::any::type_name::<T>,
        listed: holders::listed::<T>,
        module: T::NAME,
    };
}

/// The type of a slot without a state. No value is ever at the address of such a slot, so only
/// `accept` can be called.
static NO_STATE: StateType = StateType {
    id: TypeId::of::<NoState>(),
    drop: |_| {},
    describe: |_, _| Ok(()),
    encode: |_, _| None,
    replace: |_, _, _| None,
    accept: |_, _| false,
    form: || None,
    text: |_, _, _| None,
    is_secret: false,
    name: || "",
    listed: || None,
    module: "",
};

enum NoState {}

/// The memory of a process's state.
pub(crate) struct StateSlot {
    address: NonNull<u8>,
    of: &'static StateType,
    is_held: bool,
}

impl StateSlot {
    /// Creates the slot of a state of type `T`, which will be written to `address`.
    ///
    /// # Safety
    /// `address` must be aligned for `T`, the memory behind it must be large enough, and it must
    /// belong to the slot.
    pub(crate) unsafe fn new<T: Module>(address: NonNull<u8>) -> Self {
        StateSlot {
            address,
            of: Of::<T>::TYPE,
            is_held: false,
        }
    }

    /// Creates the slot of a process without a state.
    pub(crate) fn none() -> Self {
        StateSlot {
            address: NonNull::dangling(),
            of: &NO_STATE,
            is_held: false,
        }
    }

    /// Returns the size and alignment of the memory that a state needs behind the cell's header.
    pub(crate) fn layout<T: Module>() -> Layout {
        const { assert!(!is_large_state(size_of::<T>())) }
        Layout::new::<T>()
    }

    /// Returns the state. `None` if there is none or it has another type.
    #[inline]
    pub(crate) fn get<T: Module>(&mut self) -> Option<&mut T> {
        if !self.is_held || !self.is_of::<T>() {
            return None;
        }
        // SAFETY: a live `T` is at the address, and it is borrowed together with the slot.
        Some(unsafe { self.address.cast::<T>().as_mut() })
    }

    #[inline]
    fn is_of<T: Module>(&self) -> bool {
        // The linker may produce two statics that describe the same type.
        std::ptr::eq(self.of, Of::<T>::TYPE) || self.of.id == TypeId::of::<T>()
    }

    #[inline]
    pub(crate) fn is_held(&self) -> bool {
        self.is_held
    }

    /// Stores a state if there is none. If there is one, or if the slot is for another type,
    /// returns the new state.
    #[inline]
    pub(crate) fn begin_with<T: Module>(&mut self, state: T::Moved) -> Option<T::Moved> {
        if self.is_held || self.of.id != TypeId::of::<T::Moved>() {
            return Some(state);
        }
        // SAFETY: the address is one for a value of this type, and there is none.
        unsafe { self.address.cast::<T::Moved>().write(state) };
        self.is_held = true;
        None
    }

    /// Writes the `Debug` text of the state, or nothing when there is no state.
    ///
    /// # Errors
    /// The writer's errors, or those of a hand-written `Debug`.
    pub(crate) fn describe(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        if self.is_held {
            // SAFETY: `is_held` says that a live value of this type is at the address.
            unsafe { (self.of.describe)(self.address, out)? }
        }
        Ok(())
    }

    /// Encodes the state as a term, if its type is a term.
    pub(crate) fn encode<'a>(&self, heap: VmHeap<'a>) -> Option<VmTerm<'a>> {
        if !self.is_held {
            return None;
        }
        // SAFETY: as above.
        unsafe { (self.of.encode)(self.address, heap) }
    }

    /// Returns the Erlang text of the state, cut to `characters`, if its type is a term and its
    /// term has at most `parts` parts.
    pub(crate) fn text(&self, parts: usize, characters: usize) -> Option<String> {
        if !self.is_held {
            return None;
        }
        // SAFETY: as above.
        unsafe { (self.of.text)(self.address, parts, characters) }
    }

    /// Returns whether the state is visible to its callbacks only.
    pub(crate) fn is_secret(&self) -> bool {
        self.of.is_secret
    }

    /// Returns the Erlang type of the state, with all types in it expanded, if its type is a term.
    pub(crate) fn form(&self) -> Option<String> {
        (self.of.form)()
    }

    /// Returns the Rust type of the state.
    pub(crate) fn type_name(&self) -> &'static str {
        (self.of.name)()
    }

    /// Returns the name of its module; empty if there is no state.
    pub(crate) fn module(&self) -> &'static str {
        self.of.module
    }

    /// Returns the name of its module, if processes with such a state are listed ([`holders`]).
    pub(crate) fn listed(&self) -> Option<&'static str> {
        (self.of.listed)()
    }

    /// Replaces the state by that in `term`. Returns `None` if there is no state or its type is not
    /// a term.
    pub(crate) fn replace(&mut self, term: VmTerm<'_>, process: ProcessWord) -> Replacement {
        if !self.is_held {
            return None;
        }
        // SAFETY: as above.
        unsafe { (self.of.replace)(self.address, term, process) }
    }

    /// Stores a state that a callback has created and drops the previous one.
    pub(crate) fn accept(&mut self, state: Box<dyn Any + Send>) {
        self.clear();
        // SAFETY: no value is at the address.
        self.is_held = unsafe { (self.of.accept)(self.address, state) };
    }

    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.is_held) {
            // SAFETY: the value was live, and `is_held` is false by now, so that it is dropped
            // once.
            unsafe { (self.of.drop)(self.address) };
        }
    }
}
