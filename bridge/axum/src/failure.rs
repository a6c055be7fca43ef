//! Errors of calls as replies.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use otp_bridge::Exit;
use otp_bridge::process::ExitKind;
use otp_bridge::shared::Unavailable;

/// The failure of a handler's call. The status of the reply depends on
/// [`Exit::kind`](otp_bridge::Exit::kind), and the reason is logged. `?` converts an [`Exit`] into
/// a failure.
///
/// | kind | status |
/// |---|---|
/// | `NoProcess`, `NoConnection`, `Overload`, `Unavailable` | 503, with `retry-after: 1` |
/// | `Timeout` | 504 |
/// | `Panic`, `Other` | 500 |
#[derive(Debug)]
pub struct Failure(pub Exit);

impl From<Exit> for Failure {
    fn from(exit: Exit) -> Self {
        Failure(exit)
    }
}

/// A shared resource that is not open.
impl From<Unavailable> for Failure {
    #[track_caller]
    fn from(unavailable: Unavailable) -> Self {
        Failure(unavailable.into())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let Failure(exit) = self;
        let place = exit.location();
        let at = format!("{}:{}", place.file(), place.line());
        match exit.kind() {
            ExitKind::NoProcess
            | ExitKind::NoConnection
            | ExitKind::Overload
            | ExitKind::Unavailable => {
                tracing::warn!(reason = %exit.reason(), at, "a call has failed");
                busy("the service cannot answer now, try again")
            }
            ExitKind::Timeout => {
                tracing::warn!(reason = %exit.reason(), at, "a call has failed");
                (StatusCode::GATEWAY_TIMEOUT, "no answer came in time").into_response()
            }
            _ => {
                tracing::error!(reason = %exit.reason(), at, "a call has failed");
                (StatusCode::INTERNAL_SERVER_ERROR, "the service has failed").into_response()
            }
        }
    }
}

/// Returns a 503, with the time after which the client should retry.
pub(crate) fn busy(why: &'static str) -> Response {
    let again = (header::RETRY_AFTER, HeaderValue::from_static("1"));
    (StatusCode::SERVICE_UNAVAILABLE, [again], why).into_response()
}
