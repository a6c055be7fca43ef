//! Messages from threads that do not belong to the VM.

use std::fmt;

use crate::ToTerm;
use crate::nif::{ProcessWord, send_from_any_thread};

/// Sends messages of type `M` to a process from any thread. See [`crate::Cx::sender`].
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::{Cx, Term};
///
/// /// `{line, Text}`, for which the process has a clause of `handle_info`.
/// #[derive(Debug, Term)]
/// struct Line(String);
///
/// fn read_lines(cx: &Cx<'_>) {
///     let sender = cx.sender::<Line>();
///     std::thread::spawn(move || {
///         for line in std::io::stdin().lines().map_while(Result::ok) {
///             sender.send(Line(line));
///         }
///     });
/// }
/// ```
pub struct Sender<M> {
    /// `None` without a VM.
    process: Option<ProcessWord>,
    /// Sends a message. The function is chosen where the sender is created, because `M`'s encoding
    /// is known there.
    send: fn(ProcessWord, &M),
}

impl<M> Sender<M> {
    pub(super) fn new(process: Option<ProcessWord>) -> Self
    where
        M: ToTerm,
    {
        Sender {
            process,
            send: send_from_any_thread,
        }
    }

    /// Sends a message: `Pid ! Message`. Like `!`, it cannot fail: a message to a process that has
    /// ended is lost.
    ///
    /// Messages of one thread arrive in the order in which they were sent.
    pub fn send(&self, message: M) {
        if let Some(process) = self.process {
            (self.send)(process, &message);
        }
    }
}

impl<M> Clone for Sender<M> {
    fn clone(&self) -> Self {
        Sender {
            process: self.process,
            send: self.send,
        }
    }
}

impl<M> fmt::Debug for Sender<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sender<{}>", std::any::type_name::<M>())
    }
}
