//! The HTTP server: pages, forms and the API, served by axum.

mod api;
mod body;
mod cookies;
mod delete;
mod events;
mod gzip;
mod openapi;
mod pages;
mod rendered;
mod request;
mod show;
mod site;
mod writer;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{self, get, post};
use otp_bridge::Cx;
use otp_bridge::task::Tasks;
use otp_bridge_axum::{Listen, Serve};
use tokio::sync::Semaphore;

use crate::limits;
use crate::store::Store;
use cookies::Tokens;
use rendered::Rendered;
use site::Site;
use writer::Writer;

otp_bridge_axum::server! {
    /// The process that serves the pages and the API.
    pub Http = site
}

/// Listens at a port of 127.0.0.1.
pub(crate) fn listen(port: u16) -> Listen {
    Listen::port(port)
        .announced()
        .connections(limits::CONNECTIONS)
        .connections_of_address(limits::OF_ADDRESS)
        .body(limits::BODY)
        .patience(limits::PATIENCE)
}

fn site(cx: &Cx<'_>) -> Serve<Site> {
    let app = Arc::new(App {
        store: Store::shared(),
        writer: Writer::start(&cx.tokio_handle(), cx.client(limits::CALLS)),
        tokens: Tokens::new(),
        rendered: Rendered::default(),
        viewers: Arc::new(Semaphore::new(limits::VIEWERS)),
    });
    Serve(Site::new(app.clone(), router(app)))
}

/// State that the handlers share.
struct App {
    store: Arc<Store>,
    writer: Writer,
    tokens: Tokens,
    rendered: Rendered,
    viewers: Arc<Semaphore>,
}

type State = axum::extract::State<Arc<App>>;

fn router(app: Arc<App>) -> Router {
    Router::new()
        // `Site` answers requests for pages before this router sees them.
        .route("/", get(pages::not_found).post(pages::create_board))
        .route(
            "/boards/{board}",
            get(pages::not_found).post(pages::create_message),
        )
        .route("/boards/{board}/delete", post(delete::board))
        .route("/boards/{board}/events", get(events::of_board))
        .route(
            "/boards/{board}/{message}",
            get(pages::not_found).post(pages::edit_message),
        )
        .route("/boards/{board}/{message}/delete", post(delete::message))
        .route("/api/boards", get(api::boards).post(api::create_board))
        .route("/api/boards/{board}", routing::delete(api::delete_board))
        .route(
            "/api/boards/{board}/messages",
            get(api::messages).post(api::create_message),
        )
        .route(
            "/api/boards/{board}/messages/{message}",
            get(api::message)
                .put(api::edit_message)
                .delete(api::delete_message),
        )
        .route("/api/openapi.json", get(openapi::document))
        .route(
            "/style.css",
            get(|| file("text/css", include_str!("../../assets/style.css"))),
        )
        .route(
            "/live.js",
            get(|| file("text/javascript", include_str!("../../assets/live.js"))),
        )
        .route(
            "/icon.svg",
            get(|| file("image/svg+xml", include_str!("../../assets/icon.svg"))),
        )
        .route("/api", routing::any(api::not_found))
        .route("/api/{*rest}", routing::any(api::not_found))
        .fallback(pages::not_found)
        .with_state(app)
}

async fn file(kind: &'static str, text: &'static str) -> impl IntoResponse {
    let cached = HeaderValue::from_static("max-age=3600");
    (
        [
            (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
            (header::CACHE_CONTROL, cached),
        ],
        text,
    )
}

/// Headers of every page: the browser may load only the site's own files, and no site may embed the
/// page in a frame.
const POLICY: [(HeaderName, HeaderValue); 5] = [
    (
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    ),
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        ),
    ),
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    ),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

fn html(status: StatusCode, page: impl IntoResponse) -> Response {
    (status, POLICY, page).into_response()
}
