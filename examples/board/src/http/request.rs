//! Parsing requests: bodies, forms and queries.

use axum::body::{Body, Bytes, to_bytes};
use axum::http::StatusCode;
use http_body_util::LengthLimitError;

use crate::limits;
use crate::messages::BoardError;

/// Refusal of a request: the status, and the reason for the client.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) StatusCode, pub(super) String);

impl From<BoardError> for Refusal {
    fn from(error: BoardError) -> Self {
        let status = match error {
            BoardError::NoBoard(_) | BoardError::NoMessage(_) => StatusCode::NOT_FOUND,
            BoardError::Empty(_) | BoardError::TooLong(..) | BoardError::NotText(_) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            BoardError::TooManyBoards(_) | BoardError::EditedMeanwhile(_) => StatusCode::CONFLICT,
            BoardError::Storage(_) | BoardError::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        };
        Refusal(status, error.to_string())
    }
}

impl Refusal {
    /// Refuses a malformed request.
    pub(super) fn wrong(why: String) -> Self {
        Refusal(StatusCode::BAD_REQUEST, why)
    }

    /// Refuses a request because the process of the boards did not answer: it is down, or has too
    /// many changes.
    pub(super) fn unavailable() -> Self {
        let why = "the boards cannot be changed now, try again";
        Refusal(StatusCode::SERVICE_UNAVAILABLE, why.to_owned())
    }
}

/// Reads the whole body. The server limits its size and the time.
pub(super) async fn body(body: Body) -> Result<Bytes, Refusal> {
    to_bytes(body, usize::MAX).await.map_err(unread)
}

/// Returns the refusal for a body that cannot be read: it is too large, or malformed.
fn unread(error: axum::Error) -> Refusal {
    let error = error.into_inner();
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&*error);
    while let Some(it) = cause {
        if it.is::<LengthLimitError>() {
            let why = format!("a request has at most {} bytes", limits::BODY);
            return Refusal(StatusCode::PAYLOAD_TOO_LARGE, why);
        }
        cause = it.source();
    }
    Refusal(
        StatusCode::BAD_REQUEST,
        format!("the body is malformed: {error}"),
    )
}

/// The fields of a form or a query.
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    pub(super) fn read(bytes: &[u8]) -> Self {
        Fields(
            form_urlencoded::parse(bytes)
                .into_owned()
                .take(16)
                .collect(),
        )
    }

    /// Returns the first field of this name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let mut fields = self.0.iter();
        fields.find_map(|(field, value)| (field == name).then_some(value.as_str()))
    }

    /// Returns the text of a field, or an empty text if the field is missing.
    pub(super) fn text(&self, name: &str) -> String {
        self.get(name).unwrap_or_default().to_owned()
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.get(name)?.parse().ok()
    }
}

/// Returns the number at which a page of messages begins, ignoring malformed numbers.
pub(super) fn before(query: Option<&str>) -> Option<u64> {
    Fields::read(query.unwrap_or_default().as_bytes()).number("before")
}

/// Like `before`, but refuses malformed numbers.
pub(super) fn exact_before(query: Option<&str>) -> Result<Option<u64>, Refusal> {
    let fields = Fields::read(query.unwrap_or_default().as_bytes());
    for (name, value) in &fields.0 {
        if name != "before" {
            return Err(Refusal::wrong(format!("there is no parameter `{name}`")));
        }
        number("before", value)?;
    }
    if fields.0.len() > 1 {
        return Err(Refusal::wrong(
            "`before` is there more than once".to_owned(),
        ));
    }
    Ok(fields.number("before"))
}

/// Parses a number in a path or a query. Only digits are allowed.
pub(super) fn number(name: &str, text: &str) -> Result<u64, Refusal> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_number);
    number.ok_or_else(|| Refusal::wrong(format!("`{name}` is not a number from 0 to {}", u64::MAX)))
}
