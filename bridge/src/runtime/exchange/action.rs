//! What passes between a callback and the Erlang side.

use super::OperationId;
use crate::term::Saved;

/// What becomes of an operation if nobody waits for it any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenDropped {
    /// It is cancelled.
    Cancelled,
    /// It goes on, and nobody sees its result.
    GoesOn,
    /// It is cancelled. If its answer has come, that is a list of messages of the process, which
    /// are sent to it again.
    SentAgain,
}

/// Something for the Erlang side to do. `T` is a term of the backend.
#[derive(Debug, PartialEq)]
pub(crate) enum Action<T> {
    /// A function call whose result nobody waits for: `{apply, Module, Function, Arguments}`.
    Do(T),
    Begin(OperationId, T),
    /// The only operation that the callback itself awaits.
    Perform(OperationId, T),
    /// Nobody waits for the operation any more.
    Cancel(OperationId),
    /// The message that was offered for this request has been taken.
    Take(T),
}

/// An answer that has not been taken yet.
pub(crate) enum Answer<T> {
    /// A term of the call that brought it.
    Here(T),
    /// The same, of a message that is still in the mailbox. It is valid for one poll.
    Offered(T),
    /// Saved for a later poll.
    Saved(Saved),
}

/// What a poll of an operation finds.
pub(crate) enum Found<T> {
    /// Its answer. The operation has ended.
    Answer(Answer<T>),
    /// Nothing yet.
    Nothing,
    /// It was offered a message that nobody took, and has to begin again.
    NotBegun,
}
