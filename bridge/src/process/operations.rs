//! Operations that are available in any process.

use std::marker::PhantomData;
use std::time::Duration;

use otp_contract::library::Request;

use super::Arguments;
use crate::runtime::protocol::{self, shape};
use crate::runtime::{Failure, Operation};
use crate::term::Reader;
use crate::{Atom, AtomTooLong, FromTerm, Heap, ToTerm, View};

/// `erlang:apply/3`, whose result is read as `T`.
#[derive(Debug)]
pub struct Apply<A, T> {
    /// Module and function. An error in them is raised when the operation is awaited.
    pub(crate) function: Result<(Atom, Atom), AtomTooLong>,
    pub(crate) arguments: A,
    pub(crate) result: PhantomData<fn() -> T>,
}

/// `{apply, Module, Function, Arguments}`
pub(crate) fn apply<H: Heap>(
    heap: H,
    module: H::Term,
    function: H::Term,
    arguments: &impl Arguments,
) -> H::Term {
    let arguments = arguments.to_list(heap);
    protocol::apply(heap, module, function, arguments)
}

impl<A: Arguments, T: FromTerm> Operation for Apply<A, T> {
    type Output = T;

    fn refused(&self) -> Option<String> {
        Some(self.function.as_ref().err()?.to_string())
    }

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let Ok((module, function)) = &self.function else {
            // The operation fails before Erlang is called, so the term is a placeholder.
            return protocol::error.to_term(heap);
        };
        let (module, function) = (heap.dynamic_atom(module), heap.dynamic_atom(function));
        apply(heap, module, function, &self.arguments)
    }

    fn answer<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<T, Failure> {
        Ok(T::__read(value, reader)?)
    }
}

/// `receive after Milliseconds -> ok end`
#[derive(Debug)]
pub(crate) struct SleepOperation(pub(crate) Duration);

impl Operation for SleepOperation {
    type Output = ();

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let milliseconds = milliseconds(self.0);
        shape!(heap, Request::Sleep, milliseconds.to_term(heap))
    }

    fn answer<'a, V: View<'a>>(_: V, _: Reader<'_>) -> Result<(), Failure> {
        Ok(())
    }
}

/// Converts a time for Erlang's timers: rounded up to milliseconds, at most 2^32 - 1 of them, which
/// is 49 days.
pub(crate) fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(u32::MAX)
}
