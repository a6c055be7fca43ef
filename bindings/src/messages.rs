//! Messages of `socket`, as types for clauses of `handle_info` and for `cx.receive()`.
//!
//! A function of `socket` that ends in `nowait` returns at once. If it has nothing yet, it gives a
//! [`SelectInfo`](crate::socket::SelectInfo), and a message with the same handle comes later: call
//! the function again then. Messages of other sockets are in `otp_bridge::messages`.

use otp_bridge::Term;

use crate::atoms;
use crate::socket::{SelectHandle, SelectInfo, Socket};

/// `{'$socket', Socket, select, SelectHandle}`: what a function had nothing for is there now.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record, tag = "$socket")]
pub struct SocketSelect {
    /// The socket.
    pub socket: Socket,
    /// What it is.
    pub select: atoms::select,
    /// The handle of the function's [`SelectInfo`].
    pub handle: SelectHandle,
}

impl SocketSelect {
    /// Whether it is what this function waits for.
    #[must_use]
    pub fn is_of(&self, info: &SelectInfo) -> bool {
        self.handle == info.select_handle
    }
}

/// `{'$socket', Socket, abort, {SelectHandle, Reason}}`: what a function waited for will not come,
/// as the socket was closed.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record, tag = "$socket")]
pub struct SocketAbort {
    /// The socket.
    pub socket: Socket,
    /// What it is.
    pub abort: Abort,
    /// Whose end it is, and why.
    pub info: AbortInfo,
}

/// `abort`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub struct Abort;

/// `{SelectHandle, Reason}`
#[derive(Debug, Clone, PartialEq, Term)]
#[term(tuple)]
pub struct AbortInfo {
    /// The handle of the function's [`SelectInfo`].
    pub handle: SelectHandle,
    /// Mostly `closed`.
    pub reason: Term,
}

/// `{'$socket', Socket, completion, {CompletionHandle, Status}}`: what a function began has ended.
/// It comes instead of [`SocketSelect`] on Windows, since OTP 26.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record, tag = "$socket")]
pub struct SocketCompletion {
    /// The socket.
    pub socket: Socket,
    /// What it is.
    pub completion: Completion,
    /// Whose result it is, and the result.
    pub info: CompletionInfo,
}

/// `completion`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub struct Completion;

/// `{CompletionHandle, Status}`
#[derive(Debug, Clone, PartialEq, Term)]
#[term(tuple)]
pub struct CompletionInfo {
    /// The handle that the function gave.
    pub handle: SelectHandle,
    /// What the function returns otherwise, such as `{ok, Data}`.
    pub status: Term,
}

impl From<&Socket> for Socket {
    fn from(socket: &Socket) -> Self {
        socket.clone()
    }
}
