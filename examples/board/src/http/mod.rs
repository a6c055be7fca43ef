//! The server: a process that owns a run time of Tokio. When it ends, so does the server; when the
//! server ends, so does it.

mod api;
mod connections;
mod cookies;
mod events;
mod openapi;
mod pages;
mod rendered;
mod request;
mod writer;

use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::ExitSignal;
use otp_bridge::task::Client;
use otp_bridge::term::Shared;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, watch};

use crate::limits;
use crate::store::Store;
use cookies::Tokens;
use rendered::Rendered;
use writer::Writer;

/// Serves the pages and the API.
pub struct Http {
    running: Running,
    port: u16,
}

impl std::fmt::Debug for Http {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "http://127.0.0.1:{}", self.port)
    }
}

/// `{ended, Why}`: the server does not serve any more.
#[derive(Debug, Term)]
pub struct Ended(pub String);

#[gen_server]
impl GenServer for Http {
    /// What it reads, and the port at 127.0.0.1.
    type Args = (Shared<Store>, u16);

    async fn init(
        (store, port): (Shared<Store>, u16),
        cx: &Cx<'_>,
    ) -> Result<impl InitReturn<Self>> {
        cx.trap_exit(true);
        let bound = cx.blocking(|| bind(port)).await;
        let listener = bound.map_err(|error| Exit::new(format!("127.0.0.1:{port}: {error}")))?;
        let running = Running::start(listener, store, cx.client(limits::CALLS), cx.sender())?;
        println!("http://127.0.0.1:{port}");
        Ok((ok, Http { running, port }))
    }

    fn handle_info(&mut self, Ended(why): Ended) -> Result<HandleInfo> {
        Err(Exit::new(why))
    }

    fn handle_info(&mut self, exit: ExitSignal) -> Result<HandleInfo> {
        Err(Exit::new(exit.reason))
    }

    async fn terminate(&mut self, _: &Term, cx: &Cx<'_>) {
        let running = &mut self.running;
        cx.blocking(|| running.drain()).await;
    }
}

/// The port of a process that was killed is free a little later.
fn bind(port: u16) -> std::io::Result<TcpListener> {
    let begun = Instant::now();
    loop {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Err(_) if begun.elapsed() < Duration::from_secs(2) => {
                std::thread::sleep(Duration::from_millis(20));
            }
            bound => return bound,
        }
    }
}

/// The server's threads. They end when this is dropped.
struct Running {
    /// `None` only while it is dropped.
    run_time: Option<Runtime>,
    stop: watch::Sender<bool>,
    /// Ends when no request is under way any more.
    drained: Mutex<mpsc::Receiver<()>>,
}

impl Running {
    fn start(
        listener: TcpListener,
        store: Shared<Store>,
        client: Client,
        tells: Sender<Ended>,
    ) -> Result<Self> {
        let threads = available_parallelism().map_or(1, |threads| threads.get());
        let mut builder = Builder::new_multi_thread();
        let builder = builder.worker_threads(threads).thread_name("board http");
        let run_time = builder.enable_all().build()?;
        let (stop, stops) = watch::channel(false);
        let (ends, drained) = mpsc::channel();
        let app = Arc::new(App {
            store,
            writer: Writer::start(&run_time, client),
            tokens: Tokens::new(),
            rendered: Rendered::default(),
            viewers: Arc::new(Semaphore::new(limits::VIEWERS)),
            stops: stops.clone(),
        });
        let serving = run_time.spawn(connections::serve(listener, router(app), stops));
        run_time.spawn(async move {
            let why = match serving.await {
                Ok(Ok(())) => return drop(ends),
                Ok(Err(error)) => error.to_string(),
                Err(error) => error.to_string(),
            };
            tells.send(Ended(why));
        });
        let drained = Mutex::new(drained);
        Ok(Running {
            run_time: Some(run_time),
            stop,
            drained,
        })
    }

    /// No new requests; those under way have some seconds.
    fn drain(&mut self) {
        let _ = self.stop.send(true);
        // It is an error when the other side is gone, which is what this waits for.
        let drained = self
            .drained
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        let _ = drained.recv_timeout(limits::DRAIN);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
        if let Some(run_time) = self.run_time.take() {
            run_time.shutdown_background();
        }
    }
}

/// What the handlers share.
struct App {
    store: Shared<Store>,
    writer: Writer,
    tokens: Tokens,
    rendered: Rendered,
    viewers: Arc<Semaphore>,
    stops: watch::Receiver<bool>,
}

type State = axum::extract::State<Arc<App>>;

fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(pages::boards).post(pages::create_board))
        .route(
            "/boards/{board}",
            get(pages::board).post(pages::create_message),
        )
        .route("/boards/{board}/events", get(events::of_board))
        .route(
            "/boards/{board}/{message}",
            get(pages::message).post(pages::edit_message),
        )
        .route("/api/boards", get(api::boards).post(api::create_board))
        .route(
            "/api/boards/{board}/messages",
            get(api::messages).post(api::create_message),
        )
        .route(
            "/api/boards/{board}/messages/{message}",
            get(api::message).put(api::edit_message),
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
