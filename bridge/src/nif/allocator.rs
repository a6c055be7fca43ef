//! Rust's memory, allocated by the VM.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicU8, Ordering};

use rustler::sys::{enif_alloc, enif_free, enif_realloc};

/// Allocates Rust's memory with the VM's allocator, so that `erlang:memory/0`, `recon_alloc` and
/// similar tools see it: it is part of `erlang:memory(system)`. An application declares it once, in
/// its `lib.rs`:
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

/// No allocation has happened yet.
const UNDECIDED: u8 = 0;
const OF_SYSTEM: u8 = 1;
const OF_VM: u8 = 2;

/// The allocator in use. It is chosen once, at the latest by the first allocation, so that the
/// allocator that allocated a block also frees it.
static CHOSEN: AtomicU8 = AtomicU8::new(UNDECIDED);

/// Chooses the VM's allocator, unless there has been an allocation already. Called before all other
/// code, when the VM requests the library's entry.
pub(crate) fn choose() {
    let _ = CHOSEN.compare_exchange(UNDECIDED, OF_VM, Ordering::Relaxed, Ordering::Relaxed);
}

/// Returns whether the VM allocates.
#[inline]
fn is_of_vm() -> bool {
    match CHOSEN.load(Ordering::Relaxed) {
        UNDECIDED => decide(),
        chosen => chosen == OF_VM,
    }
}

/// Called if the first allocation precedes the VM's request for the library's entry: then there is
/// no VM.
#[cold]
fn decide() -> bool {
    let found = CHOSEN.compare_exchange(UNDECIDED, OF_SYSTEM, Ordering::Relaxed, Ordering::Relaxed);
    found == Err(OF_VM)
}

/// The alignment of all memory from the VM.
const ALIGNED: usize = 8;

// SAFETY: each function forwards to one allocator, which does not change during the life of a
// block, because `CHOSEN` does not change once it is decided, and `alloc` decides it. If an
// alignment is larger than that of the VM's allocator, the block is aligned within a larger block
// (`aligned`). Neither allocator unwinds.
unsafe impl GlobalAlloc for VmAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller passes a layout whose size is not 0.
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
        // SAFETY: the caller passes a layout whose size is not 0; a block has this size.
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
        // SAFETY: the caller passes a block that `alloc` returned for this layout.
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
        // SAFETY: the caller passes a block that `alloc` returned for this layout, and a size that
        // is not 0 and does not overflow when it is rounded up to the alignment.
        unsafe {
            match is_of_vm() {
                false => System.realloc(block, layout, size),
                true if layout.align() <= ALIGNED => enif_realloc(block.cast(), size).cast(),
                true => moved(block, layout, size),
            }
        }
    }
}

/// Returns the position where an aligned block stores the address of the VM's block: right before
/// the aligned block.
///
/// # Safety
/// `block` must come from `aligned`.
unsafe fn begin_of(block: *mut u8) -> *mut *mut u8 {
    // SAFETY: there is space for an address before each such block.
    unsafe { block.sub(size_of::<*mut u8>()).cast() }
}

/// Allocates a block with a larger alignment than the VM's, within a larger block.
///
/// # Safety
/// The size must not be 0.
#[cold]
unsafe fn aligned(layout: Layout) -> *mut u8 {
    let before = size_of::<*mut u8>();
    let extra = before + layout.align() - 1;
    let Some(size) = layout.size().checked_add(extra) else {
        return ptr::null_mut();
    };
    // SAFETY: after the space for an address come at least `size + align - 1` bytes, where an
    // aligned block of the size starts within the first `align` bytes.
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

/// Moves such a block to one of another size.
///
/// # Safety
/// Like `GlobalAlloc::realloc`; the block must come from `aligned`.
#[cold]
unsafe fn moved(block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
    // SAFETY: the caller guarantees that the size is not 0 and does not overflow. Both blocks have
    // at least the smaller size, and are different ones.
    unsafe {
        let new = aligned(Layout::from_size_align_unchecked(size, layout.align()));
        if !new.is_null() {
            ptr::copy_nonoverlapping(block, new, layout.size().min(size));
            VmAllocator.dealloc(block, layout);
        }
        new
    }
}
