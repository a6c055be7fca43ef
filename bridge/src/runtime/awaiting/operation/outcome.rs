//! Reads the outcome of an operation, as the Erlang side sends it.

use std::panic::Location;

use super::{Failure, Operation};
use crate::View;
use crate::runtime::failure::builds;
use crate::runtime::failure::exit::{Class, Exit};
use crate::runtime::protocol;
use crate::runtime::protocol::limits;
use crate::term::Reader;

/// Returns how many bytes of an answer are read before the callback moves to a dirty scheduler.
pub(super) fn slice(is_dirty: bool) -> usize {
    if is_dirty {
        usize::MAX
    } else {
        limits::READ_AT_ONCE
    }
}

/// Reads `{ok, Value} | {offer, Value} | {Class, Reason, Stacktrace}`. Returns `None` if that takes
/// more than the slice.
pub(super) fn outcome<'a, O: Operation, V: View<'a>>(
    operation: &O,
    answer: V,
    location: &'static Location<'static>,
    slice: usize,
) -> Option<Result<O::Output, Exit>> {
    if let Some([tag, value]) = answer.tuple::<2>()
        && (tag.is_atom(protocol::ok.atom()) || tag.is_atom(&protocol::OFFER))
    {
        let read = Reader::within(O::limit(), slice, |reader| O::answer(value, reader));
        return Some(match read {
            Ok(value) => Ok(value),
            Err(Failure::BadTerm(error)) if error.gives_way() => return None,
            Err(Failure::BadTerm(error)) => {
                let error = builds::explain(error, &operation.origin());
                Err(Exit::bad_term(error, location))
            }
            Err(Failure::Exit(reason)) => Err(Exit::raised_at(Class::Exit, reason, location)),
        });
    }
    Some(match answer.tuple::<3>() {
        Some(exception) => Err(Exit::caught(exception, location)),
        None => Err(Exit::error(
            "the Erlang side answered neither `{ok, Value}` nor an exception",
        )),
    })
}
