//! Erlang functions that return immediately, and so can be called in the process itself.

use std::marker::PhantomData;

use super::Arguments;
use super::functions::{Function, FunctionResult};
use crate::runtime::{Cx, Failure, Ongoing, Operation, WhenDropped, protocol};
use crate::term::Reader;
use crate::{Heap, View};

/// A call of a function that returns at once. The call happens whether or not its result is
/// awaited.
#[derive(Debug)]
pub struct AtOnce<A, R> {
    function: &'static Function,
    arguments: A,
    result: PhantomData<fn() -> R>,
}

impl<A, R> AtOnce<A, R> {
    pub(crate) fn new(function: &'static Function, arguments: A) -> Self {
        AtOnce {
            function,
            arguments,
            result: PhantomData,
        }
    }
}

impl<A: Arguments, R: FunctionResult> Operation for AtOnce<A, R> {
    type Output = R::Output;

    const WHEN_DROPPED: WhenDropped = WhenDropped::GoesOn;

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let [module, name] = self.function.name(heap);
        protocol::here(heap, module, name, self.arguments.to_list(heap))
    }

    fn answer<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<R::Output, Failure> {
        Ok(R::read(value, reader)?)
    }
}

/// Calls a function that returns at once.
#[track_caller]
pub(crate) fn at_once<'a, A: Arguments, R: FunctionResult>(
    cx: &'a Cx<'a>,
    function: &'static Function,
    arguments: A,
) -> Ongoing<'a, R::Output, AtOnce<A, R>> {
    Ongoing::new(cx, AtOnce::new(function, arguments))
}
