//! Binaries that the VM and Rust own together.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::mem;

use bytes::Bytes;
use rustler::sys::ErlNifEnv;

use super::binary_reference::BinaryReference;
use super::resource::StableBytes;
use super::{NifResource, NifResourceType, VmEnv, VmHeap, VmTerm, contained, read_binary};
use crate::term::{LARGE_BINARY, View};

/// Rust's bytes, owned by a binary of the VM.
struct OwnedByVm(Bytes);

// SAFETY: `Bytes` is `Send` and `Sync`, and the destructor contains the panics of the user's
// owners.
unsafe impl NifResource for OwnedByVm {}

// SAFETY: `Bytes` does not move or change the bytes while a `Bytes` refers to them.
unsafe impl StableBytes for OwnedByVm {
    fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for OwnedByVm {
    fn drop(&mut self) {
        drop_in_turn(mem::take(&mut self.0));
    }
}

static OWNED_BY_VM: NifResourceType<OwnedByVm> = NifResourceType::new();

/// Registers the type. Returns false if the VM refuses.
///
/// # Safety
/// `env` is the environment of the library's load.
pub(super) unsafe fn open(env: *mut ErlNifEnv) -> bool {
    // SAFETY: by the contract above.
    unsafe { OWNED_BY_VM.open(env, c"otp_rs_bytes", None, None) }
}

thread_local! {
    /// Bytes to drop after those that are being dropped.
    static IN_TURN: RefCell<Option<Vec<Bytes>>> = const { RefCell::new(None) };
}

/// Drops the bytes. They may be a part of a binary of the VM, which may be a part of Rust's bytes,
/// and so on, without limit. To avoid recursion, the inner bytes wait until the outer ones are
/// dropped.
fn drop_in_turn(bytes: Bytes) {
    let mut first = Some(bytes);
    // While the thread ends there is no such list. Then they are dropped at once.
    let begins = IN_TURN.try_with(|waiting| match &mut *waiting.borrow_mut() {
        Some(waiting) => {
            waiting.extend(first.take());
            false
        }
        none => {
            *none = Some(Vec::new());
            true
        }
    });
    contained(|| drop(first));
    if begins != Ok(true) {
        return;
    }
    while let Some(next) = IN_TURN.with_borrow_mut(|waiting| waiting.as_mut().and_then(Vec::pop)) {
        contained(|| drop(next));
    }
    IN_TURN.set(None);
}

/// Creates a binary that owns the bytes. `None` if the bytes should be copied, because they are few
/// or the type is not open.
pub(super) fn write<'a>(heap: VmHeap<'a>, bytes: &Bytes) -> Option<VmTerm<'a>> {
    if bytes.len() < LARGE_BINARY {
        return None;
    }
    if let Some(term) = read_binary::again(heap, bytes) {
        return Some(term);
    }
    // SAFETY: the environment is valid and of this thread, see `VmHeap::new`. The term belongs to
    // it.
    unsafe {
        let term = OWNED_BY_VM.binary(heap.env(), OwnedByVm(bytes.clone()))?;
        Some(VmTerm::new(heap.env(), term))
    }
}

/// Returns the bytes of a binary. The bytes of a large one are not copied.
pub(super) fn read(term: VmTerm<'_>) -> Option<Bytes> {
    let bytes = term.binary()?;
    if bytes.len() < LARGE_BINARY {
        return Some(Bytes::copy_from_slice(bytes));
    }
    read_binary::remember(term, bytes);
    Some(returned(term, bytes).unwrap_or_else(|| owned(term, bytes)))
}

/// Returns Rust's own bytes, if the binary consists of them.
fn returned(term: VmTerm<'_>, bytes: &[u8]) -> Option<Bytes> {
    // SAFETY: the environment is valid, and the term belongs to it, see `VmTerm::new`.
    let OwnedByVm(all) = unsafe { OWNED_BY_VM.get(VmEnv::new(term.env()), term.raw()) }?;
    let within = all.as_ptr_range();
    let part = bytes.as_ptr_range();
    (within.start <= part.start && part.end <= within.end).then(|| all.slice_ref(bytes))
}

fn owned(term: VmTerm<'_>, bytes: &[u8]) -> Bytes {
    // A binary that starts within a byte, or is larger than the limit of a vector's part, is
    // copied.
    let reference = BinaryReference::new(term).filter(|it| it.as_ref().len() == bytes.len());
    reference.map_or_else(|| Bytes::copy_from_slice(bytes), Bytes::from_owner)
}
