//! Logging and printing, and the process `otp_rs`, which handles the output that a call cannot pass
//! to its own process.
//!
//! Its callers are the code that starts and ends calls of the VM, and `logging`. It knows clauses
//! by their names, but not how they run.

#[cfg(not(feature = "output"))]
mod absent;
#[cfg(feature = "output")]
#[cfg_attr(
    not(any(feature = "log", feature = "tracing")),
    expect(
        dead_code,
        reason = "without the two, texts are printed and nothing is logged"
    )
)]
mod collected;
#[cfg(feature = "output")]
#[cfg_attr(
    not(any(feature = "log", feature = "tracing")),
    expect(
        dead_code,
        reason = "without the two, texts are printed and nothing is logged"
    )
)]
mod entry;
pub(super) mod helper;
#[cfg(all(feature = "tokio", feature = "tracing"))]
mod inherited;
pub(super) mod level;
#[cfg(feature = "output")]
mod sent;
mod spans;

#[cfg(not(feature = "output"))]
use absent as implementation;
#[cfg(feature = "output")]
use collected as implementation;

#[cfg(not(feature = "output"))]
pub(super) use absent::taken;
#[cfg(any(feature = "log", feature = "tracing"))]
pub(crate) use collected::log;
#[cfg(feature = "output")]
pub(crate) use collected::print;
#[cfg(any(feature = "log", feature = "tracing"))]
pub(crate) use entry::{Level, LogEvent};
pub(crate) use implementation::on_behalf_of;
pub(super) use implementation::{clause, enter, leave};
#[cfg(all(feature = "tokio", feature = "tracing"))]
pub(crate) use inherited::InheritedSpans;
#[cfg(all(feature = "tokio", feature = "tracing"))]
pub(super) use inherited::inherit;
#[cfg(feature = "output")]
pub(super) use sent::taken;
#[cfg(feature = "tracing")]
pub(crate) use spans::spans_by;
pub(crate) use spans::{CurrentSpan, spans, spans_may_travel};

/// No future inherits spans.
#[cfg(not(all(feature = "tokio", feature = "tracing")))]
pub(super) fn inherit(_: crate::nif::VmTerm<'_>, _: crate::nif::VmTerm<'_>) {}
