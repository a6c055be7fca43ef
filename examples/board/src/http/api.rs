//! The JSON API: the boards for programs. `/api/openapi.json` describes its requests and replies.

use axum::body::Body;
use axum::extract::{Path, RawQuery, State as Extract};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use otp_bridge::json::Json;

use super::State;
use super::request::{Refusal, body, exact_before, number};
use crate::limits;
use crate::messages::{BoardError, Change, Done, Edit, NewBoard, NewMessage, Refused};
use crate::store;

/// A reply in JSON, or the reason why there is none.
pub(super) struct Reply(pub(super) Result<(StatusCode, String), Refusal>);

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let (status, text) = self.0.unwrap_or_else(|Refusal(status, error)| {
            let text = serde_json::to_string(&Refused { error });
            (status, text.unwrap_or_default())
        });
        let headers = [
            (header::CONTENT_TYPE, "application/json"),
            (header::CACHE_CONTROL, "no-store"),
        ];
        (status, headers, text).into_response()
    }
}

fn json(
    status: StatusCode,
    value: &impl serde::Serialize,
) -> Result<(StatusCode, String), Refusal> {
    let text = serde_json::to_string(value)
        .map_err(|error| Refusal(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok((status, text))
}

/// `GET /api/boards`
pub(super) async fn boards(Extract(app): State) -> Reply {
    let all = app.store.root().map(|root| Json(store::boards(&root)));
    Reply(
        all.map_err(Refusal::from)
            .and_then(|all| json(StatusCode::OK, &all)),
    )
}

/// `GET /api/boards/{board}/messages?before=MESSAGE`
pub(super) async fn messages(
    Extract(app): State,
    Path(board): Path<String>,
    RawQuery(query): RawQuery,
) -> Reply {
    let page = || {
        let id = number("board", &board)?;
        let before = exact_before(query.as_deref())?;
        let root = app.store.root()?;
        let page = store::page(id, store::board(&root, id)?, before);
        json(StatusCode::OK, &page)
    };
    Reply(page())
}

/// `GET /api/boards/{board}/messages/{message}`
pub(super) async fn message(Extract(app): State, Path(path): Path<(String, String)>) -> Reply {
    let message = || {
        let (id, number) = numbers(&path)?;
        let root = app.store.root()?;
        json(
            StatusCode::OK,
            &store::message(store::board(&root, id)?, number)?,
        )
    };
    Reply(message())
}

/// `POST /api/boards`
pub(super) async fn create_board(Extract(app): State, headers: HeaderMap, sent: Body) -> Reply {
    let created = async {
        let NewBoard { name } = read(&headers, sent).await?;
        done(
            StatusCode::CREATED,
            app.writer.change(Change::CreateBoard(name)).await?,
        )
    };
    Reply(created.await)
}

/// `POST /api/boards/{board}/messages`
pub(super) async fn create_message(
    Extract(app): State,
    Path(board): Path<String>,
    headers: HeaderMap,
    sent: Body,
) -> Reply {
    let created = async {
        let id = number("board", &board)?;
        let new: NewMessage = read(&headers, sent).await?;
        limits::within("text", &new.text, limits::TEXT)?;
        done(
            StatusCode::CREATED,
            app.writer.change(Change::CreateMessage(id, new)).await?,
        )
    };
    Reply(created.await)
}

/// `PUT /api/boards/{board}/messages/{message}`
pub(super) async fn edit_message(
    Extract(app): State,
    Path(path): Path<(String, String)>,
    headers: HeaderMap,
    sent: Body,
) -> Reply {
    let edited = async {
        let (id, number) = numbers(&path)?;
        let edit: Edit = read(&headers, sent).await?;
        limits::within("text", &edit.text, limits::TEXT)?;
        done(
            StatusCode::OK,
            app.writer
                .change(Change::EditMessage(id, number, edit))
                .await?,
        )
    };
    Reply(edited.await)
}

/// `DELETE /api/boards/{board}`
pub(super) async fn delete_board(Extract(app): State, Path(board): Path<String>) -> Reply {
    let deleted = async {
        let change = Change::DeleteBoard(number("board", &board)?);
        done(StatusCode::OK, app.writer.change(change).await?)
    };
    Reply(deleted.await)
}

/// `DELETE /api/boards/{board}/messages/{message}`
pub(super) async fn delete_message(
    Extract(app): State,
    Path(path): Path<(String, String)>,
) -> Reply {
    let deleted = async {
        let (board, message) = numbers(&path)?;
        let change = Change::DeleteMessage(board, message);
        done(StatusCode::OK, app.writer.change(change).await?)
    };
    Reply(deleted.await)
}

/// Replies to an address that the API does not have.
pub(super) async fn not_found() -> Reply {
    let why = "there is no such address; `/api/openapi.json` describes all".to_owned();
    Reply(Err(Refusal(StatusCode::NOT_FOUND, why)))
}

/// Parses the numbers of a board and a message in a path.
fn numbers((board, message): &(String, String)) -> Result<(u64, u64), Refusal> {
    Ok((number("board", board)?, number("message", message)?))
}

fn done(
    status: StatusCode,
    done: Result<u64, BoardError>,
) -> Result<(StatusCode, String), Refusal> {
    json(status, &Done { number: done? })
}

/// Reads a body in JSON. Its content type has to be JSON: a form of another site cannot set that
/// type, and the browser does not allow the site's scripts to.
async fn read<T: serde::de::DeserializeOwned>(
    headers: &HeaderMap,
    sent: Body,
) -> Result<T, Refusal> {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).map(str::trim);
    if !kind.is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
        let why = "the content type is not application/json".to_owned();
        return Err(Refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
    }
    let bytes = body(sent).await?;
    let wrong = |error: serde_json::Error| Refusal(StatusCode::BAD_REQUEST, error.to_string());
    serde_json::from_slice(&bytes).map_err(wrong)
}
