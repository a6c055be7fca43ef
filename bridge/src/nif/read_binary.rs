//! The large binary that a call has read last.
//!
//! If the call writes bytes of this binary before it ends, it writes the same binary again, or a
//! part of it, and does not create another owner of the bytes.
#![allow(unsafe_code)]

use rustler::sys::{ErlNifEnv, ErlNifTerm};

use super::{VmHeap, VmTerm, atom};
use crate::stack::{self, ThreadMemory};

unsafe extern "C" {
    /// As in `erl_nif.h`.
    fn enif_make_sub_binary(
        env: *mut ErlNifEnv,
        binary: ErlNifTerm,
        position: usize,
        size: usize,
    ) -> ErlNifTerm;
}

/// Runs a call from the VM. During the call, binaries that are read from its environment may be
/// written there again.
///
/// # Safety
/// `env` must be the environment of that call. It is not used after `call`, which must not unwind.
#[inline]
pub(crate) unsafe fn in_call<T>(
    kept: &ThreadMemory,
    env: *mut ErlNifEnv,
    call: impl FnOnce() -> T,
) -> T {
    kept.binary_size.set(0);
    kept.environment.set(env.addr());
    let result = call();
    kept.environment.set(0);
    result
}

/// Remembers the binary with these bytes until the end of the call.
pub(super) fn remember(term: VmTerm<'_>, bytes: &[u8]) {
    stack::keeping(|kept| {
        if kept.environment.get() == term.env().addr() {
            kept.binary_at.set(bytes.as_ptr().addr());
            kept.binary_size.set(bytes.len());
            kept.binary.set(atom::word(term.raw()));
        }
    });
}

/// Returns the binary of these bytes, if they are the whole or a part of the one that this call has
/// read last.
pub(super) fn again<'a>(heap: VmHeap<'a>, bytes: &[u8]) -> Option<VmTerm<'a>> {
    stack::keeping(|kept| {
        if kept.environment.get() != heap.env().addr() {
            return None;
        }
        let size = kept.binary_size.get();
        let position = bytes.as_ptr().addr().checked_sub(kept.binary_at.get())?;
        if size.checked_sub(position)? < bytes.len() {
            return None;
        }
        // SAFETY: the term was read in this environment, which is that of the running call, so it
        // still lives, and its bytes have not moved. They do not change: bytes at the same address
        // are the same ones, whoever owns them.
        unsafe {
            let all = atom::term(kept.binary.get());
            let is_all = (position, bytes.len()) == (0, size);
            Some(heap.term(if is_all {
                all
            } else {
                enif_make_sub_binary(heap.env(), all, position, bytes.len())
            }))
        }
    })
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    /// Returns a fake environment, which is never dereferenced.
    fn environment(number: usize) -> *mut ErlNifEnv {
        ptr::without_provenance_mut(number)
    }

    #[test]
    fn a_binary_is_written_again_in_its_own_call_only() {
        let bytes = [7; 600];
        // SAFETY: the VM is not called: the binary is written as a whole, in an environment that is
        // only compared.
        let written = |env, bytes: &[u8]| unsafe {
            again(VmHeap::new(environment(env)), bytes).map(|term| atom::word(term.raw()))
        };
        // SAFETY: as above.
        let read = |env| unsafe {
            remember(VmTerm::new(environment(env), atom::term(42)), &bytes);
        };
        read(64);
        assert_eq!(written(64, &bytes), None);
        stack::keeping(|kept| {
            // SAFETY: as above.
            unsafe {
                in_call(kept, environment(64), || {
                    read(128);
                    assert_eq!(written(64, &bytes), None);
                    read(64);
                    assert_eq!(written(64, &bytes), Some(42));
                    assert_eq!(written(128, &bytes), None);
                    assert_eq!(written(64, &[7; 600]), None);
                    assert_eq!(written(64, &[7; 601]), None);
                });
            }
            assert_eq!(written(64, &bytes), None);
            // SAFETY: as above.
            let later = unsafe { in_call(kept, environment(64), || written(64, &bytes)) };
            assert_eq!(later, None);
        });
    }
}
