//! Errors of calls as replies.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use otp_bridge::Exit;

/// The call of a handler has failed: a reply with 503, and the reason in the log. `?` makes it of
/// an [`Exit`].
#[derive(Debug)]
pub struct Unavailable(pub Exit);

impl From<Exit> for Unavailable {
    fn from(exit: Exit) -> Self {
        Unavailable(exit)
    }
}

impl IntoResponse for Unavailable {
    fn into_response(self) -> Response {
        tracing::warn!(reason = %self.0, "a call has failed");
        busy("the service cannot answer now, try again")
    }
}

/// 503, with the time after which to try again.
pub(crate) fn busy(why: &'static str) -> Response {
    let again = (header::RETRY_AFTER, HeaderValue::from_static("1"));
    (StatusCode::SERVICE_UNAVAILABLE, [again], why).into_response()
}
