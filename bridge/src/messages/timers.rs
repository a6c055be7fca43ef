//! Messages of timers and time limits.

use crate::{Reference, Term};

/// `timeout`: no message has arrived for the time that a callback of `gen_server` has returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub struct Timeout;

/// `{timeout, Timer, Message}`: a timer of `erlang:start_timer/3` has ended.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record, tag = "timeout")]
pub struct TimerTimeout<Message = Term> {
    /// The timer.
    pub timer: Reference,
    /// The message that was passed to it.
    pub message: Message,
}
