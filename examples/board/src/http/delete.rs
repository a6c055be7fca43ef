//! Handlers of the forms that delete a board or a message.

use axum::body::Body;
use axum::extract::{Path, State as Extract};
use axum::http::HeaderMap;
use axum::response::Response;

use super::State;
use super::pages::{own_form, refused, see};
use super::request::Refusal;
use crate::messages::Change;

/// `deleteBoard`
pub(super) async fn board(
    Extract(app): State,
    Path(id): Path<u64>,
    headers: HeaderMap,
    form: Body,
) -> Response {
    let change = Change::DeleteBoard(id);
    let page = change_and_see(&app, &headers, form, change, "/".to_owned());
    page.await.unwrap_or_else(refused)
}

/// `deleteMessage`
pub(super) async fn message(
    Extract(app): State,
    Path((id, number)): Path<(u64, u64)>,
    headers: HeaderMap,
    form: Body,
) -> Response {
    let change = Change::DeleteMessage(id, number);
    let page = change_and_see(&app, &headers, form, change, format!("/boards/{id}"));
    page.await.unwrap_or_else(refused)
}

async fn change_and_see(
    app: &super::App,
    headers: &HeaderMap,
    form: Body,
    change: Change,
    path: String,
) -> Result<Response, Refusal> {
    own_form(headers, form).await?;
    app.writer.change(change).await??;
    Ok(see(&path))
}
