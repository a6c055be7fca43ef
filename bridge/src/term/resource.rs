//! Rust values behind references: the values of resource terms, in the VM and without it.
#![allow(unsafe_code)]

use std::any::Any;
use std::fmt;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::static_atom::StaticAtom;
use super::types::{Atom, Reference, ReferenceParts};

/// The contents of a resource.
pub(crate) struct ResourceCell {
    pub(crate) value: Arc<dyn Any + Send + Sync>,
    /// The Rust type of the value, for errors.
    pub(crate) type_name: &'static str,
    /// Data that another layer stores with the resource.
    pub(crate) extension: OnceLock<Box<dyn Any + Send + Sync>>,
    /// Identifies the resource without a VM. 0 in a VM.
    number: u64,
}

/// A kind of memory for resources, which counts the references to each.
///
/// # Safety
/// `keep` and `release` count like an `Arc`: a cell lives as long as it was kept more often than
/// released.
pub(crate) struct Memory {
    /// Counts one reference more.
    pub(crate) keep: unsafe fn(NonNull<ResourceCell>),
    /// Counts one reference less. The last one drops the cell.
    pub(crate) release: unsafe fn(NonNull<ResourceCell>),
    /// Returns the parts of the reference that represents the cell.
    pub(crate) parts: unsafe fn(NonNull<ResourceCell>) -> Option<ReferenceParts>,
    /// The memory of clones, if it is another one: values of this memory are not counted.
    pub(crate) of_clones: Option<&'static Memory>,
}

impl Memory {
    fn of_clones(&'static self) -> &'static Memory {
        self.of_clones.unwrap_or(self)
    }
}

/// A resource with a value of any type.
pub struct AnyResource {
    cell: NonNull<ResourceCell>,
    memory: &'static Memory,
}

// SAFETY: it is a counted pointer to a cell, whose value and extension are `Send` and `Sync`, and
// any thread may count (the contract of `Memory`).
unsafe impl Send for AnyResource {}
// SAFETY: as above.
unsafe impl Sync for AnyResource {}

/// Rust's own memory, for programs without a VM.
static OWNED: Memory = Memory {
    // SAFETY: cells of this memory come from `Arc::into_raw`.
    keep: |cell| unsafe { Arc::increment_strong_count(cell.as_ptr()) },
    // SAFETY: as above.
    release: |cell| unsafe { Arc::decrement_strong_count(cell.as_ptr()) },
    // SAFETY: as above, and the caller has the cell.
    parts: |cell| Some(unsafe { cell.as_ref() }.own_parts()),
    of_clones: None,
};

/// Puts cells into the VM's memory, if there is a VM.
static VM: OnceLock<fn(ResourceCell) -> AnyResource> = OnceLock::new();

/// Makes the VM allocate new resources.
pub(crate) fn allocate_by(vm: fn(ResourceCell) -> AnyResource) {
    let _ = VM.set(vm);
}

impl ResourceCell {
    fn own_parts(&self) -> ReferenceParts {
        static NODE: StaticAtom = StaticAtom::new("nonode@nohost");
        let [_, _, _, _, low @ ..] = self.number.to_be_bytes();
        let high = u32::try_from(self.number >> 32).unwrap_or(0);
        ReferenceParts {
            node: Atom::from(&NODE),
            creation: 0,
            ids: vec![u32::from_be_bytes(low), high, 0],
        }
    }
}

impl AnyResource {
    pub(crate) fn new<T: Send + Sync + 'static>(value: Arc<T>) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        let cell = |number| ResourceCell {
            value,
            type_name: std::any::type_name::<T>(),
            extension: OnceLock::new(),
            number,
        };
        match VM.get() {
            // No number: threads that create resources would write the same memory.
            Some(allocate) => allocate(cell(0)),
            None => {
                let number = COUNT.fetch_add(1, Ordering::Relaxed);
                let cell = Arc::into_raw(Arc::new(cell(number)));
                AnyResource {
                    // SAFETY: an `Arc`'s pointer is not null. Its initial count of one belongs to
                    // this value.
                    cell: unsafe { NonNull::new_unchecked(cell.cast_mut()) },
                    memory: &OWNED,
                }
            }
        }
    }

    /// Wraps a resource of this memory. The count is decreased when the value is dropped.
    ///
    /// # Safety
    /// The cell must be of this memory, and must have been counted for this value.
    pub(crate) unsafe fn counted(cell: NonNull<ResourceCell>, memory: &'static Memory) -> Self {
        AnyResource { cell, memory }
    }

    pub(crate) fn cell_of(&self, memory: &'static Memory) -> Option<NonNull<ResourceCell>> {
        std::ptr::eq(self.memory.of_clones(), memory).then_some(self.cell)
    }

    pub(crate) fn cell(&self) -> &ResourceCell {
        // SAFETY: the cell lives as long as it is counted for `self`, and it is never changed.
        unsafe { self.cell.as_ref() }
    }

    /// Returns the value, if it has this type.
    pub(crate) fn value<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.cell().value.downcast_ref()
    }

    /// Returns the reference that represents the resource. It keeps the resource alive.
    pub(crate) fn reference(&self) -> Reference {
        // SAFETY: the cell is of this memory and alive.
        let parts = unsafe { (self.memory.parts)(self.cell) };
        let parts = parts.unwrap_or_else(|| self.cell().own_parts());
        Reference::of_resource(parts, self.clone())
    }
}

impl Clone for AnyResource {
    fn clone(&self) -> Self {
        let memory = self.memory.of_clones();
        // SAFETY: the cell is of this memory and alive; the new value owns the additional count.
        unsafe { (memory.keep)(self.cell) };
        AnyResource {
            cell: self.cell,
            memory,
        }
    }
}

impl Drop for AnyResource {
    fn drop(&mut self) {
        // SAFETY: the cell was counted for this value, which is not used after this.
        unsafe { (self.memory.release)(self.cell) };
    }
}

impl PartialEq for AnyResource {
    fn eq(&self, other: &Self) -> bool {
        self.cell == other.cell
    }
}

impl fmt::Debug for AnyResource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Resource<{}>", self.cell().type_name)
    }
}
