//! Arguments of callbacks, including those that borrow from the terms of their call.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop, MaybeUninit};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::term::{BorrowTerm, Reader, Shape, Watcher};
use crate::{DecodeError, ErlangType, FromTerm, View};

/// An argument of a clause: a value that the clause owns, or one that borrows from a term.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from an Erlang term",
    label = "add `#[derive(Term)]` to the type, if it is yours",
    note = "a list, tuple, map, `Option` or `Box` can be read if its contents can; use milliseconds instead of a `Duration`, a `Vec` instead of a set, and `Serde<T>` for a type with serde's traits"
)]
pub trait Argument: ErlangType + Sized {
    /// See [`FromTerm::SHAPE`].
    const SHAPE: Shape;

    /// Whether the value borrows from the term.
    const BORROWS: bool;

    /// Reads the value.
    ///
    /// # Errors
    /// The term is not of this type.
    ///
    /// # Safety
    /// If the value borrows, the term must live until the newest `BorrowScope` of this thread ends.
    unsafe fn read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError>;

    /// See [`FromTerm::__watch`].
    fn watch(&mut self, watcher: Watcher<'_>);
}

#[diagnostic::do_not_recommend]
impl<T: FromTerm> Argument for T {
    const SHAPE: Shape = T::SHAPE;
    const BORROWS: bool = false;

    #[inline]
    unsafe fn read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        T::__read(view, reader)
    }

    #[inline]
    fn watch(&mut self, watcher: Watcher<'_>) {
        self.__watch(watcher);
    }
}

thread_local! {
    /// The number of the call whose terms are borrowed on this thread; 0 if there is none.
    static CURRENT: Cell<u64> = const { Cell::new(0) };
    /// The next number of a call on this thread, and the end of the thread's numbers.
    static NEXT: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// How many numbers a thread takes at once. Threads that took each number from a shared counter
/// would slow each other down.
const NUMBERS: u64 = 1 << 20;

/// Returns a number that no other call of any thread has.
fn number() -> u64 {
    static FREE: AtomicU64 = AtomicU64::new(1);
    let (mut next, mut end) = NEXT.get();
    if next == end {
        next = FREE.fetch_add(NUMBERS, Ordering::Relaxed);
        end = next + NUMBERS;
    }
    NEXT.set((next + 1, end));
    next
}

/// A call whose terms are borrowed. When it ends, no borrowed value can be accessed any more.
///
/// Scopes of a thread end in the reverse order of their starts, because each is in an invocation,
/// which is a local variable of the function that makes the call and is never moved elsewhere. In
/// another order, a call that has ended would become the current one. So the program is aborted in
/// that case.
pub(in crate::runtime) struct BorrowScope {
    number: u64,
    outer: u64,
    /// Keeps the scope on its thread.
    thread: PhantomData<*const ()>,
}

impl BorrowScope {
    pub(in crate::runtime) fn begin() -> Self {
        let number = number();
        BorrowScope {
            number,
            outer: CURRENT.replace(number),
            thread: PhantomData,
        }
    }
}

impl Drop for BorrowScope {
    fn drop(&mut self) {
        if CURRENT.replace(self.outer) != self.number {
            std::process::abort();
        }
    }
}

/// A value that borrows from the terms of a call, with its lifetime erased, because the argument
/// types of generated code are `'static`. Only [`BorrowedArgument::with`] accesses it, and only
/// during the call.
pub struct BorrowedArgument<T: BorrowTerm> {
    value: ManuallyDrop<T::Of<'static>>,
    call: u64,
}

// SAFETY: the value is accessed and dropped only while its call is the current one of the thread,
// which is the case only on the thread of that call. Elsewhere `with` panics, and the destructor
// does nothing.
unsafe impl<T: BorrowTerm> Send for BorrowedArgument<T> {}

impl<T: BorrowTerm> BorrowedArgument<T> {
    fn is_current(&self) -> bool {
        CURRENT.try_with(Cell::get) == Ok(self.call)
    }

    /// Calls `body` with the value.
    ///
    /// # Panics
    /// If the call has ended.
    #[inline]
    pub fn with<R>(mut self, body: impl for<'a> FnOnce(T::Of<'a>) -> R) -> R {
        assert!(self.is_current(), "a borrowed term is used after its call");
        // SAFETY: the value is taken once, since `self` is forgotten. It is a `T::Of` of the
        // lifetime of its call, which is still running, see `read`. `body` takes a `T::Of` of any
        // lifetime, so also of that one, and `R` cannot contain that lifetime.
        let value = unsafe { ManuallyDrop::take(&mut self.value) };
        mem::forget(self);
        body(value)
    }
}

impl<T: BorrowTerm> Drop for BorrowedArgument<T> {
    fn drop(&mut self) {
        if self.is_current() {
            // SAFETY: the value is dropped once, here, while the terms from which it borrows live.
            unsafe { ManuallyDrop::drop(&mut self.value) }
        }
    }
}

impl<T: BorrowTerm> ErlangType for BorrowedArgument<T> {
    fn erlang_type() -> String {
        T::erlang_type()
    }
}

impl<T: BorrowTerm> Argument for BorrowedArgument<T> {
    const SHAPE: Shape = T::SHAPE;
    const BORROWS: bool = true;

    #[inline]
    unsafe fn read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        let value = ManuallyDrop::new(T::borrow(view, reader)?);
        let mut erased = MaybeUninit::<T::Of<'static>>::uninit();
        // SAFETY: the two types differ only in a lifetime, so they have the same layout. The value
        // is moved, because the original is never dropped. By the contract above, the data that it
        // borrows live until the end of the newest scope. After that, no code accesses the value.
        let value = unsafe {
            let to = erased.as_mut_ptr().cast::<T::Of<'a>>();
            std::ptr::copy_nonoverlapping(&raw const *value, to, 1);
            ManuallyDrop::new(erased.assume_init())
        };
        Ok(BorrowedArgument {
            value,
            call: CURRENT.get(),
        })
    }

    #[inline]
    fn watch(&mut self, watcher: Watcher<'_>) {
        if self.is_current() {
            T::watch(&mut self.value, watcher);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::env;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;
    use std::thread;

    use super::*;

    /// Tells the test's child process that it is the one that has to abort.
    const ENDS: &str = "OTP_RS_SCOPES_END";

    #[test]
    fn numbers_of_calls_differ_between_threads() {
        let numbers = || -> Vec<u64> { (0..1000).map(|_| number()).collect() };
        let threads: Vec<_> = (0..8).map(|_| thread::spawn(numbers)).collect();
        let threads = threads.into_iter();
        let all: Vec<u64> = threads.flat_map(|it| it.join().expect("numbers")).collect();
        let distinct: BTreeSet<u64> = all.iter().copied().chain([0]).collect();
        assert_eq!(distinct.len(), all.len() + 1, "0 stands for no call");
    }

    #[test]
    fn scopes_that_end_in_another_order_end_the_program() {
        let (first, second) = (BorrowScope::begin(), BorrowScope::begin());
        if env::var_os(ENDS).is_some() {
            drop(first);
            drop(second);
            return;
        }
        drop(second);
        drop(first);
        assert_eq!(CURRENT.get(), 0);
        let name = "runtime::raw::borrowed_argument::tests::scopes_that_end_in_another_order_end_the_program";
        let mut again = Command::new(env::current_exe().expect("this program"));
        again.args(["--exact", name]).env(ENDS, "1");
        let ended = again.output().expect("it runs");
        assert_eq!(ended.status.signal(), Some(6), "{ended:?}");
    }
}
