//! The server: a process that owns a listening socket and a run time of Tokio. When it ends, so
//! does the server; when the server ends, so does it.

mod api;
mod body;
mod clock;
mod connections;
mod cookies;
mod delete;
mod events;
mod foreign;
mod gzip;
mod listening;
mod openapi;
mod pages;
mod places;
mod rendered;
mod request;
mod running;
mod show;
mod writer;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{self, get, post};
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{ExitSignal, Upgrade};
use otp_bridge::term::{BuildLocal, Port};
use tokio::sync::{Semaphore, watch};

use crate::store::Store;
use cookies::Tokens;
use rendered::Rendered;
use running::Running;
use writer::Writer;

/// Serves the pages and the API. The socket is one of the VM, which goes over at an upgrade: who
/// comes while no build serves waits in the operating system's queue.
#[derive(Debug, Term)]
pub struct Http {
    socket: Port,
    /// `None` while there is an upgrade.
    running: BuildLocal<Running>,
}

/// `{ended, Why}`: the server does not serve any more.
#[derive(Debug, Term)]
pub struct Ended(pub String);

#[gen_server]
impl GenServer for Http {
    /// The port at 127.0.0.1. A server that is started again has the same one. 0 is any free one.
    type Args = u16;

    async fn init(port: u16, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        cx.trap_exit(true);
        let socket = listening::listen(cx, port).await?;
        let mut http = Http {
            socket,
            running: BuildLocal::empty(),
        };
        let port = http.serve(cx).await?;
        println!("http://127.0.0.1:{port}");
        Ok((ok, http))
    }

    fn handle_info(&mut self, Ended(why): Ended) -> Result<HandleInfo> {
        Err(Exit::new(why))
    }

    fn handle_info(&mut self, exit: ExitSignal) -> Result<HandleInfo> {
        Err(Exit::new(exit.reason))
    }

    /// Tokio's threads are of the old build, so they end before it leaves.
    async fn handle_info(&mut self, upgrade: Upgrade, cx: &Cx<'_>) -> Result<HandleInfo> {
        match upgrade {
            Upgrade::Begins => self.stop(cx).await,
            Upgrade::Ended => drop(self.serve(cx).await?),
        }
        noreply()
    }

    async fn terminate(&mut self, _: &Term, cx: &Cx<'_>) {
        self.stop(cx).await;
    }
}

impl Http {
    /// Serves, if it does not already. Returns the port.
    async fn serve(&mut self, cx: &Cx<'_>) -> Result<u16> {
        let listener = cx.tcp_listener(&self.socket).await?;
        let port = listener.local_addr()?.port();
        listening::remember(port);
        if self.running.is_none() {
            self.running = BuildLocal::new(Running::start(listener, cx)?);
        }
        Ok(port)
    }

    async fn stop(&mut self, cx: &Cx<'_>) {
        if let Some(running) = self.running.take() {
            running.stop(cx).await;
        }
    }
}

/// What the handlers share.
struct App {
    store: Arc<Store>,
    writer: Writer,
    tokens: Tokens,
    rendered: Rendered,
    viewers: Arc<Semaphore>,
    stops: watch::Receiver<bool>,
}

type State = axum::extract::State<Arc<App>>;

fn router(app: Arc<App>) -> Router {
    Router::new()
        // Pages are sent before a route is looked for.
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

/// What every page says to the browser: only its own files count, and nobody frames it.
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
