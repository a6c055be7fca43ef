//! Pages, which work without a script.

use askama::Template;
use axum::body::Body;
use axum::extract::{Path, Request, State as Extract};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::cookies::is_own;
use super::rendered::{Which, render};
use super::request::{Fields, Refusal, before, body};
use super::{App, State, html};
use crate::limits;
use crate::messages::{Board, Change, Edit, Message, MessagePage, NewMessage};
use crate::store;

type Page = Result<Response, Refusal>;

#[derive(Template)]
#[template(path = "boards.html")]
struct BoardsPage<'p> {
    boards: Vec<Board>,
    token: &'p str,
    error: &'p str,
    name: &'p str,
}

#[derive(Template)]
#[template(path = "board.html")]
struct BoardPage<'p> {
    page: MessagePage,
    is_newest: bool,
    token: &'p str,
    error: &'p str,
    author: &'p str,
    text: &'p str,
}

#[derive(Template)]
#[template(path = "message.html")]
struct SingleMessage<'p> {
    board: Board,
    message: Message,
    token: &'p str,
    error: &'p str,
    /// What the field has instead of the message's text.
    refused: Option<&'p str>,
}

impl SingleMessage<'_> {
    fn text(&self) -> &str {
        self.refused.unwrap_or(&self.message.text)
    }
}

#[derive(Template)]
#[template(path = "refused.html")]
struct RefusedPage<'p> {
    status: StatusCode,
    why: &'p str,
}

/// An error that has no better page.
pub(super) fn refused(Refusal(status, why): Refusal) -> Response {
    html(status, render(&RefusedPage { status, why: &why }))
}

pub(super) async fn not_found() -> Response {
    refused(Refusal(
        StatusCode::NOT_FOUND,
        "there is no such page".to_owned(),
    ))
}

/// `showBoard`, of all boards.
pub(super) async fn boards(Extract(app): State, request: Request) -> Response {
    let page = || -> Page {
        let root = app.store.root()?;
        let page = |token: &str| {
            app.rendered
                .page(Which::Boards, &root, token, |token| BoardsPage {
                    boards: store::boards(&root),
                    token,
                    error: "",
                    name: "",
                })
        };
        Ok(with_token(&app, request.headers(), StatusCode::OK, page))
    };
    page().unwrap_or_else(refused)
}

/// `showBoard`
pub(super) async fn board(Extract(app): State, Path(id): Path<u64>, request: Request) -> Response {
    let page = || -> Page {
        let (root, before) = (app.store.root()?, before(request.uri().query()));
        let node = store::board(&root, id)?;
        let page = |token: &str| {
            app.rendered
                .page(Which::Board(id, before), node, token, |token| BoardPage {
                    page: store::page(id, node, before),
                    is_newest: before.is_none(),
                    token,
                    error: "",
                    author: "",
                    text: "",
                })
        };
        Ok(with_token(&app, request.headers(), StatusCode::OK, page))
    };
    page().unwrap_or_else(refused)
}

/// `showBoardMessage`
pub(super) async fn message(
    Extract(app): State,
    Path((id, number)): Path<(u64, u64)>,
    request: Request,
) -> Response {
    let page = || -> Page {
        let root = app.store.root()?;
        let node = store::board(&root, id)?;
        let message = store::message(node, number)?;
        let of_message = node.child(number).unwrap_or(node);
        let page = |token: &str| {
            app.rendered
                .page(Which::Message(id, number), of_message, token, |token| {
                    SingleMessage {
                        board: store::board_at(id, node),
                        message,
                        token,
                        error: "",
                        refused: None,
                    }
                })
        };
        Ok(with_token(&app, request.headers(), StatusCode::OK, page))
    };
    page().unwrap_or_else(refused)
}

/// `createBoard`
pub(super) async fn create_board(Extract(app): State, headers: HeaderMap, form: Body) -> Response {
    let page = async {
        let fields = own_form(&headers, form).await?;
        let name = fields.text("name");
        match app.writer.change(Change::CreateBoard(name.clone())).await? {
            Ok(id) => Ok(see(&format!("/boards/{id}"))),
            Err(error) => {
                let (root, Refusal(status, why)) = (app.store.root()?, error.into());
                let boards = store::boards(&root);
                let (error, name) = (why.as_str(), name.as_str());
                let page = |token: &str| {
                    render(&BoardsPage {
                        boards,
                        token,
                        error,
                        name,
                    })
                };
                Ok(with_token(&app, &headers, status, page))
            }
        }
    };
    page.await.unwrap_or_else(refused)
}

/// `createBoardMessage`
pub(super) async fn create_message(
    Extract(app): State,
    Path(id): Path<u64>,
    headers: HeaderMap,
    form: Body,
) -> Response {
    let page = async {
        let fields = own_form(&headers, form).await?;
        let new = NewMessage {
            author: fields.text("author"),
            text: fields.text("text"),
        };
        let change = Change::CreateMessage(id, new.clone());
        match app.writer.change(change).await? {
            Ok(_) => Ok(see(&format!("/boards/{id}"))),
            Err(error) => {
                let (root, Refusal(status, why)) = (app.store.root()?, error.into());
                let page = store::page(id, store::board(&root, id)?, None);
                let page = |token: &str| {
                    let (author, text) = (new.author.as_str(), new.text.as_str());
                    render(&BoardPage {
                        page,
                        is_newest: true,
                        token,
                        error: &why,
                        author,
                        text,
                    })
                };
                Ok(with_token(&app, &headers, status, page))
            }
        }
    };
    page.await.unwrap_or_else(refused)
}

/// `editMessage`
pub(super) async fn edit_message(
    Extract(app): State,
    Path((id, number)): Path<(u64, u64)>,
    headers: HeaderMap,
    form: Body,
) -> Response {
    let page = async {
        let fields = own_form(&headers, form).await?;
        let edit = Edit {
            text: fields.text("text"),
            version: fields.number("version").unwrap_or(0),
        };
        let change = Change::EditMessage(id, number, edit.clone());
        match app.writer.change(change).await? {
            Ok(_) => Ok(see(&format!("/boards/{id}#m{number}"))),
            Err(error) => {
                let (root, Refusal(status, why)) = (app.store.root()?, error.into());
                let node = store::board(&root, id)?;
                let (board, message) = (store::board_at(id, node), store::message(node, number)?);
                let (error, refused) = (why.as_str(), Some(edit.text.as_str()));
                let page = |token: &str| {
                    render(&SingleMessage {
                        board,
                        message,
                        token,
                        error,
                        refused,
                    })
                };
                Ok(with_token(&app, &headers, status, page))
            }
        }
    };
    page.await.unwrap_or_else(refused)
}

/// The fields of a form of a page that this browser was given.
async fn own_form(headers: &HeaderMap, form: Body) -> Result<Fields, Refusal> {
    let fields = Fields::read(&body(form).await?);
    match is_own(headers, fields.get("token")) {
        true => Ok(fields),
        false => {
            let why = "the form is not of a page that was opened here: open it again";
            Err(Refusal(StatusCode::FORBIDDEN, why.to_owned()))
        }
    }
}

/// A page with the browser's token, and a cookie if it has none yet.
fn with_token(
    app: &App,
    headers: &HeaderMap,
    status: StatusCode,
    page: impl FnOnce(&str) -> String,
) -> Response {
    let (token, cookie) = app.tokens.of(headers);
    let mut response = html(status, page(&token));
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// The browser opens another page, and may open it again without sending the form again.
fn see(path: &str) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, path.to_owned())]).into_response()
}

/// What templates write.
mod show {
    /// A day and a time in UTC: `2026-11-24 19:34`.
    pub(super) fn time(milliseconds: u64) -> String {
        let (minutes, days) = (milliseconds / 60_000 % 1_440, milliseconds / 86_400_000);
        let (year, month, day) = date(days);
        let (hour, minute) = (minutes / 60, minutes % 60);
        format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}")
    }

    /// The date of a day since 1970, in years that begin in March, so that the leap day is the last
    /// one.
    fn date(days: u64) -> (u64, u64, u64) {
        let days = days + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        (era * 400 + year + u64::from(month <= 2), month, day)
    }

    /// One of eight colours for a name.
    pub(super) fn colour(name: &str) -> u32 {
        name.bytes().fold(7, |sum: u32, byte| {
            sum.wrapping_mul(31).wrapping_add(byte.into())
        }) % 8
    }

    /// The first letter of a name.
    pub(super) fn initial(name: &str) -> String {
        name.chars().take(1).flat_map(char::to_uppercase).collect()
    }

    #[cfg(test)]
    mod tests {
        #[test]
        fn days_have_their_dates() {
            let days = [
                (0, "1970-01-01"),
                (951_782_400, "2000-02-29"),
                (1_735_689_599, "2024-12-31"),
            ];
            for (seconds, date) in days {
                assert!(super::time(seconds * 1000).starts_with(date), "{seconds}");
            }
        }
    }
}
