//! The HTML pages and their forms. They work without scripts.

use askama::Template;
use axum::body::Body;
use axum::extract::{Path, State as Extract};
use axum::http::{HeaderMap, HeaderValue, Response as HttpResponse, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use jungle_trees::node::Node;

use super::body::Reply;
use super::cookies::{digits, is_own};
use super::rendered::{Page, Shown, Which, render};
use super::request::{Fields, Refusal, before, body};
use super::{App, POLICY, State, gzip, html, show};
use crate::limits;
use crate::messages::{Board, BoardError, Change, Edit, Message, MessagePage, NewMessage};
use crate::store;

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
    board: u64,
    /// The board's name.
    name: &'p str,
    message: Message,
    token: &'p str,
    error: &'p str,
    /// Text for the field instead of the message's own, after an edit was refused.
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

/// Replies with the general error page.
pub(super) fn refused(Refusal(status, why): Refusal) -> Response {
    html(status, render(&RefusedPage { status, why: &why }))
}

pub(super) async fn not_found() -> Response {
    refused(Refusal(
        StatusCode::NOT_FOUND,
        "there is no such page".to_owned(),
    ))
}

impl Which {
    /// Returns the page at an address.
    pub(super) fn of(uri: &Uri) -> Option<Which> {
        let rest = uri.path().strip_prefix('/')?;
        if rest.is_empty() {
            return Some(Which::Boards);
        }
        let rest = rest.strip_prefix("boards/")?;
        Some(match rest.split_once('/') {
            Some((id, number)) => Which::Message(id.parse().ok()?, number.parse().ok()?),
            None => Which::Board(rest.parse().ok()?, before(uri.query())),
        })
    }

    /// Finds everything that the page shows.
    fn shown(self, root: &Node) -> Result<Shown<'_>, BoardError> {
        Ok(match self {
            Which::Boards => (root, None),
            Which::Board(id, _) => (store::board(root, id)?, None),
            Which::Message(id, number) => {
                let board = store::board(root, id)?;
                let message = board.child(number).ok_or(BoardError::NoMessage(number))?;
                (message, store::name(board))
            }
        })
    }

    /// Renders the page from that alone.
    fn text(self, (node, name): Shown<'_>, token: &str) -> String {
        let error = "";
        match self {
            Which::Boards => render(&BoardsPage {
                boards: store::boards(node),
                token,
                error,
                name: "",
            }),
            Which::Board(id, before) => render(&BoardPage {
                page: store::page(id, node, before),
                is_newest: before.is_none(),
                token,
                error,
                author: "",
                text: "",
            }),
            Which::Message(board, number) => render(&SingleMessage {
                board,
                name: &name.map_or("".into(), |name| String::from_utf8_lossy(name)),
                message: store::message_at(number, node),
                token,
                error,
                refused: None,
            }),
        }
    }
}

/// `showBoard` and `showBoardMessage`: replies with a page of the newest version. `headers` are
/// those of the request; the reply reuses their memory.
pub(super) fn page(app: &App, which: Which, headers: HeaderMap) -> HttpResponse<Reply> {
    let page = app.store.read(|root| {
        let shown = which.shown(root)?;
        let text = |mark: &str| which.text(shown, mark);
        Ok(app.rendered.page(which, shown, text))
    });
    match page {
        Ok(page) => sent(app, &page, headers),
        Err(error) => refused(error.into()).map(Reply::Routed),
    }
}

/// The tag depends on everything that differs between visitors, so no `Vary` header is needed.
const ASKS: HeaderValue = HeaderValue::from_static("private, no-cache");

/// Sends a page, or only "not modified" if the browser already has it.
fn sent(app: &App, page: &Page, mut headers: HeaderMap) -> HttpResponse<Reply> {
    let (token, cookie) = app.tokens.of(&headers);
    let tag = |is_zipped| etag(app.rendered.tag(page, token, is_zipped));
    let known = headers.remove(header::IF_NONE_MATCH);
    if let (Some(known), None) = (known, &cookie) {
        let tags = [false, true].into_iter().filter_map(tag);
        if let Some(tag) = tags.into_iter().find(|tag| is_known(&known, tag)) {
            return not_modified(tag);
        }
    }
    let accepted = headers.get(header::ACCEPT_ENCODING);
    let (sent, is_zipped) = page.sent(token, accepted.is_some_and(gzip::is_in));
    headers.clear();
    headers.extend(POLICY);
    if is_zipped {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if let Some(cookie) = cookie {
        headers.insert(header::SET_COOKIE, cookie);
    } else if let Some(tag) = tag(is_zipped) {
        headers.insert(header::CACHE_CONTROL, ASKS);
        headers.insert(header::ETAG, tag);
    }
    let mut reply = HttpResponse::new(Reply::Page(Some(sent)));
    *reply.headers_mut() = headers;
    reply
}

fn not_modified(tag: HeaderValue) -> HttpResponse<Reply> {
    let mut reply = HttpResponse::new(Reply::Page(None));
    *reply.status_mut() = StatusCode::NOT_MODIFIED;
    let headers = reply.headers_mut();
    headers.insert(header::CACHE_CONTROL, ASKS);
    headers.insert(header::ETAG, tag);
    reply
}

fn etag(tag: u64) -> Option<HeaderValue> {
    HeaderValue::from_bytes(&[b"\"", &digits(tag)[..], b"\""].concat()).ok()
}

/// Returns whether the browser already has the page. A proxy may have turned its tag into a weak
/// one.
fn is_known(known: &HeaderValue, tag: &HeaderValue) -> bool {
    let mut tags = known.as_bytes().split(|byte| *byte == b',');
    tags.any(|known| {
        let known = known.trim_ascii();
        known.strip_prefix(b"W/").unwrap_or(known) == tag.as_bytes()
    })
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
                let (board, name) = (board.id, board.name);
                let (error, refused) = (why.as_str(), Some(edit.text.as_str()));
                let page = |token: &str| {
                    render(&SingleMessage {
                        board,
                        name: &name,
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

/// Returns the fields of a form, after checking that it comes from a page that this browser was
/// given.
pub(super) async fn own_form(headers: &HeaderMap, form: Body) -> Result<Fields, Refusal> {
    let fields = Fields::read(&body(form).await?);
    match is_own(headers, fields.get("token")) {
        true => Ok(fields),
        false => {
            let why = "the form is not of a page that was opened here: open it again";
            Err(Refusal(StatusCode::FORBIDDEN, why.to_owned()))
        }
    }
}

/// Replies with a page that contains the browser's token, and sets the cookie if it has none yet.
fn with_token(
    app: &App,
    headers: &HeaderMap,
    status: StatusCode,
    page: impl FnOnce(&str) -> String,
) -> Response {
    let (token, cookie) = app.tokens.of(headers);
    let text = page(&String::from_utf8_lossy(token.text()));
    let mut response = html(status, text);
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// Redirects the browser to another page. Reloading that page does not send the form again.
pub(super) fn see(path: &str) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, path.to_owned())]).into_response()
}
