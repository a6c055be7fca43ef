//! A test around a single process: it plays everything else.

use super::super::sent::Sent;
use crate::runtime::Result;
use crate::{Exit, Pid, Term};

/// Performs a request on behalf of the test.
pub(in crate::testing) type PerformRequest = Box<dyn FnMut(Term) -> Result<Term>>;

/// The part of a test that the process sees.
pub(in crate::testing) struct Outside {
    /// The process that has started the process of the node, and calls it.
    pub(in crate::testing) pid: Pid,
    /// The outcome of the start.
    pub(in crate::testing) started: Option<Result<()>>,
    pub(in crate::testing) sent: Sent,
    /// Replies to calls of the test: the caller, and the outcome of its call.
    pub(in crate::testing) replies: Vec<(Term, Result<Term>)>,
    /// Taken while it runs, because it may use another process of the test.
    pub(in crate::testing) answer: Option<PerformRequest>,
}

impl Outside {
    pub(in crate::testing) fn new(pid: Pid, answer: PerformRequest) -> Self {
        Outside {
            pid,
            started: None,
            sent: Sent::default(),
            replies: Vec::new(),
            answer: Some(answer),
        }
    }
}

/// Returns the default for tests without an `answer`: a request that only a VM could perform is
/// then a mistake of the test.
pub(in crate::testing) fn unanswered() -> PerformRequest {
    Box::new(|request| -> Result<Term, Exit> {
        panic!(
            "the server requests {request}, and the test has no answer for it: call `server.answer(|request| …)`"
        )
    })
}
