//! The protocol between a callback and the Erlang side.

use super::OperationId;
use crate::term::Saved;

/// The fate of an operation whose future is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenDropped {
    /// The operation is cancelled.
    Cancelled,
    /// The operation completes, and its result is discarded.
    GoesOn,
    /// The operation is cancelled. Its answer is a list of messages of the process; if the answer
    /// has arrived, they are sent to the process again.
    SentAgain,
}

/// An action for the Erlang side. `T` is a term of the backend.
#[derive(Debug, PartialEq)]
pub(crate) enum Action<T> {
    /// A function call whose result is ignored: `{apply, Module, Function, Arguments}`.
    Do(T),
    Begin(OperationId, T),
    /// The only operation that the callback itself awaits.
    Perform(OperationId, T),
    /// The future of the operation was dropped.
    Cancel(OperationId),
    /// The message that was offered for this request has been taken.
    Take(T),
}

/// An answer that has not been taken yet.
pub(crate) enum Answer<T> {
    /// A term of the call that brought it.
    Here(T),
    /// Like `Here`, from a message that is still in the mailbox. It is valid for one poll.
    Offered(T),
    /// Saved for a later poll.
    Saved(Saved),
}

/// The result of polling an operation.
pub(crate) enum Found<T> {
    /// The answer. The operation has ended.
    Answer(Answer<T>),
    /// There is no answer yet.
    Nothing,
    /// The operation was offered a message that was not taken, and has to be started again.
    NotBegun,
}
