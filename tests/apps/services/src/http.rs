//! The routes of the servers.
use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Path, State};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::{Stream, stream};
use otp_bridge::Client;
use otp_bridge::prelude::*;
use otp_bridge_axum::{Failure, Shutdown};

use crate::counter::{COUNTER, Counter, Fail, Next};
use crate::metered;
use crate::traced::{Begin, WORK};

otp_bridge_axum::server! {
    /// The server under test.
    pub Http = router
}

otp_bridge_axum::server! {
    /// A server whose routes depend on something that has to be awaited.
    pub Later = async later
}

fn router(cx: &Cx<'_>) -> Router {
    Router::new()
        .route("/health", get(async || "ok"))
        .route("/next", get(next))
        .route("/fails", get(fails))
        .route("/traced", get(traced))
        .route("/greet/{guest}", get(metered::greet))
        .route("/nobody", get(nobody))
        .route("/panics", get(panics))
        .route("/slow/{milliseconds}", get(slow))
        .route("/length", post(async |body: String| body.len().to_string()))
        .route("/events", get(events))
        .route("/socket", get(socket))
        .route(
            "/echo",
            get(async |upgrade: WebSocketUpgrade| upgrade.on_upgrade(echo)),
        )
        .with_state(cx.client(100))
}

async fn later(cx: &Cx<'_>) -> Result<Router> {
    let waits = cx.tokio(tokio::time::sleep(Duration::from_millis(1)));
    waits.await?;
    Ok(Router::new().route("/", get(async || "later")))
}

async fn next(State(client): State<Client>) -> Result<String, Failure> {
    Ok(client.call(&COUNTER, Next).await?.to_string())
}

/// Ends the counter.
async fn fails(State(client): State<Client>) -> Result<(), Failure> {
    Ok(client.cast(&COUNTER, Fail)?)
}

async fn traced(State(client): State<Client>) -> Result<String, Failure> {
    Ok(client.call(&WORK, Begin).await?.to_string())
}

/// Calls a process that does not exist.
async fn nobody(State(client): State<Client>) -> Result<String, Failure> {
    let nobody = Server::<Counter>::local(otp_bridge::atom!("nobody"));
    Ok(client.call(&nobody, Next).await?.to_string())
}

async fn panics() -> String {
    panic!("the handler's own words")
}

async fn slow(Path(milliseconds): Path<u64>) -> &'static str {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    "at last"
}

async fn events() -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let numbers = stream::unfold(0_u64, async |number| {
        tokio::time::sleep(Duration::from_millis(5)).await;
        let event = Event::default().data(number.to_string());
        Some((Ok(event), number + 1))
    });
    Sse::new(numbers)
}

async fn socket(upgrade: WebSocketUpgrade, shutdown: Shutdown) -> Response {
    let echoes = async move |socket| echo_until(socket, shutdown).await;
    upgrade.on_upgrade(echoes).into_response()
}

/// Sends messages back. This handler does not know of the server's end.
async fn echo(mut socket: WebSocket) {
    while let Some(Ok(message @ Message::Text(_))) = socket.recv().await {
        if socket.send(message).await.is_err() {
            return;
        }
    }
}

/// Sends messages back until the client or the server ends.
async fn echo_until(mut socket: WebSocket, shutdown: Shutdown) {
    loop {
        let message = tokio::select! {
            message = socket.recv() => message,
            () = shutdown.begins() => {
                let code = match shutdown.is_upgrade() {
                    true => close_code::RESTART,
                    false => close_code::AWAY,
                };
                let goodbye = CloseFrame { code, reason: "bye".into() };
                let _gone = socket.send(Message::Close(Some(goodbye))).await;
                return;
            }
        };
        let Some(Ok(message @ Message::Text(_))) = message else {
            return;
        };
        if socket.send(message).await.is_err() {
            return;
        }
    }
}
