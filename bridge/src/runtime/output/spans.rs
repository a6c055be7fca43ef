//! Spans of `tracing` that travel with tasks, and with the requests that a process sends.
//!
//! A task takes the span along in which it was started. A request carries the names and fields of
//! its spans, and `otp_rs_spans` passes them on to the process that receives it.

#[cfg(feature = "tracing")]
use std::sync::OnceLock;

#[cfg(feature = "tracing")]
use tracing::Span;
#[cfg(feature = "tracing")]
use tracing::instrument::Instrument;
#[cfg(feature = "tracing")]
use tracing::level_filters::LevelFilter;

use crate::Term;

/// Reads the spans around the running code, outermost first: `[{Name, Fields}]`.
#[cfg(feature = "tracing")]
static READER: OnceLock<fn() -> Option<Term>> = OnceLock::new();

/// Registers the function that reads the spans around the running code.
#[cfg(feature = "tracing")]
pub(crate) fn spans_by(reader: fn() -> Option<Term>) {
    let _ = READER.set(reader);
}

/// Returns the spans around the running code, if there are any: `[{Name, Fields}]`.
#[cfg(feature = "tracing")]
pub(crate) fn spans() -> Option<Term> {
    READER.get().and_then(|read| read())
}

#[cfg(not(feature = "tracing"))]
#[inline]
pub(crate) fn spans() -> Option<Term> {
    None
}

/// Returns whether the process may have spans, of its own code or of the message that it handles.
/// Native code cannot read the token of the latter, and does not pass it on when it sends.
#[cfg(feature = "tracing")]
pub(crate) fn spans_may_travel() -> bool {
    LevelFilter::current() >= LevelFilter::INFO && READER.get().is_some()
}

#[cfg(not(feature = "tracing"))]
#[inline]
pub(crate) fn spans_may_travel() -> bool {
    false
}

/// The span of the code that starts something.
pub(crate) struct CurrentSpan(#[cfg(feature = "tracing")] Span);

impl CurrentSpan {
    pub(crate) fn get() -> Self {
        CurrentSpan(
            #[cfg(feature = "tracing")]
            Span::current(),
        )
    }

    /// Returns the future, whose polls are in the span.
    pub(crate) fn around<F: Future>(self, future: F) -> impl Future<Output = F::Output> {
        #[cfg(feature = "tracing")]
        let future = future.instrument(self.0);
        future
    }
}
