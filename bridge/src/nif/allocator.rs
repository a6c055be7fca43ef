//! Rust's memory from the VM's allocator.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicU8, Ordering};

use rustler::sys::{enif_alloc, enif_free, enif_realloc};

/// Takes Rust's memory from the VM's allocator, so that `erlang:memory/0`, `recon_alloc` and the
/// like see it: `erlang:memory(system)` has it. An application says so once, in its `lib.rs`:
///
/// ```no_run
/// # use otp_bridge_novm as _;
/// #[global_allocator]
/// static ALLOCATOR: otp_bridge::VmAllocator = otp_bridge::VmAllocator;
/// ```
///
/// Without a VM, as in `cargo test`, the memory is the operating system's.
#[derive(Debug, Clone, Copy, Default)]
pub struct VmAllocator;

/// Nobody has allocated yet.
const UNDECIDED: u8 = 0;
const OF_SYSTEM: u8 = 1;
const OF_VM: u8 = 2;

/// Who allocates. It is decided once, at the latest by the first allocation, so that memory is
/// freed by who gave it.
static CHOSEN: AtomicU8 = AtomicU8::new(UNDECIDED);

/// From now on the VM allocates, if nobody has allocated yet. Called before anything else, when the
/// VM asks the library for its entry.
pub(crate) fn choose() {
    let _ = CHOSEN.compare_exchange(UNDECIDED, OF_VM, Ordering::Relaxed, Ordering::Relaxed);
}

/// Whether the VM allocates.
#[inline]
fn is_of_vm() -> bool {
    match CHOSEN.load(Ordering::Relaxed) {
        UNDECIDED => decide(),
        chosen => chosen == OF_VM,
    }
}

/// The first allocation comes before the VM has asked for the library's entry: there is no VM.
#[cold]
fn decide() -> bool {
    let found = CHOSEN.compare_exchange(UNDECIDED, OF_SYSTEM, Ordering::Relaxed, Ordering::Relaxed);
    found == Err(OF_VM)
}

/// What the VM aligns all its memory to.
const ALIGNED: usize = 8;

// SAFETY: each function passes on to one allocator, the same one for all of a block's life, because
// `CHOSEN` does not change once it is decided, and `alloc` decides it. What the VM's allocator does
// not align is aligned within a larger block (`aligned`). Neither allocator unwinds.
unsafe impl GlobalAlloc for VmAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller gives a layout whose size is not 0.
        unsafe {
            match is_of_vm() {
                false => System.alloc(layout),
                true if layout.align() <= ALIGNED => enif_alloc(layout.size()).cast(),
                true => aligned(layout),
            }
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller gives a layout whose size is not 0; a block has this size.
        unsafe {
            if !is_of_vm() {
                return System.alloc_zeroed(layout);
            }
            let block = self.alloc(layout);
            if !block.is_null() {
                ptr::write_bytes(block, 0, layout.size());
            }
            block
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller gives a block that `alloc` gave for this layout.
        unsafe {
            match is_of_vm() {
                false => System.dealloc(block, layout),
                true if layout.align() <= ALIGNED => enif_free(block.cast()),
                true => enif_free(begin_of(block).read_unaligned().cast()),
            }
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller gives a block that `alloc` gave for this layout, and a size that is
        // not 0 and does not overflow when it is rounded up to the alignment.
        unsafe {
            match is_of_vm() {
                false => System.realloc(block, layout, size),
                true if layout.align() <= ALIGNED => enif_realloc(block.cast(), size).cast(),
                true => moved(block, layout, size),
            }
        }
    }
}

/// Where an aligned block keeps the address of the VM's block: right before it.
///
/// # Safety
/// `block` is from `aligned`.
unsafe fn begin_of(block: *mut u8) -> *mut *mut u8 {
    // SAFETY: there is room for an address before each such block.
    unsafe { block.sub(size_of::<*mut u8>()).cast() }
}

/// A block whose alignment is larger than the VM's, within a larger block.
///
/// # Safety
/// The size is not 0.
#[cold]
unsafe fn aligned(layout: Layout) -> *mut u8 {
    let before = size_of::<*mut u8>();
    let extra = before + layout.align() - 1;
    let Some(size) = layout.size().checked_add(extra) else {
        return ptr::null_mut();
    };
    // SAFETY: after the room for an address come at least `size + align - 1` bytes, in which an
    // aligned block of the size begins within the first `align` bytes.
    unsafe {
        let begin: *mut u8 = enif_alloc(size).cast();
        if begin.is_null() {
            return begin;
        }
        let room = begin.add(before);
        let block = room.add(room.addr().next_multiple_of(layout.align()) - room.addr());
        begin_of(block).write_unaligned(begin);
        block
    }
}

/// The same for a block of another size.
///
/// # Safety
/// As of `GlobalAlloc::realloc`; the block is from `aligned`.
#[cold]
unsafe fn moved(block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
    // SAFETY: the caller says that the size is not 0 and does not overflow. Both blocks have at
    // least the smaller size, and are different ones.
    unsafe {
        let new = aligned(Layout::from_size_align_unchecked(size, layout.align()));
        if !new.is_null() {
            ptr::copy_nonoverlapping(block, new, layout.size().min(size));
            VmAllocator.dealloc(block, layout);
        }
        new
    }
}
