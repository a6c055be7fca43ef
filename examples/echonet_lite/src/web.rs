//! The page, and events for the browsers that look at it.

use std::convert::Infallible;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::Router;
use axum::extract::{Json, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::{Stream, stream};
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::{Client, Tasks};
use otp_bridge_axum::Listen;
use serde_json::{Value as JsonValue, json};
use tokio::sync::broadcast::{self, error::RecvError};

use crate::controller::CONTROLLER;
use crate::frame::Eoj;
use crate::messages::{
    Changed, Device, Devices, Forgotten, IsKnown, PropertyName, Subscribe, Write,
};
use crate::objects::{self, Value};
use crate::station::Failure;

const PAGE: &str = include_str!("web/page.html");
const STYLE: &str = include_str!("web/page.css");
const SCRIPT: &str = include_str!("web/page.js");
/// So many calls of browsers to the controller are under way at once.
const CALLS: usize = 100;
/// The longest request to set something.
const REQUEST: u64 = 16 << 10;
/// Browsers that look at the page at once, and other connections.
const CONNECTIONS: u32 = 100;
/// So many changes a browser may be behind. One that is further behind gets all devices again.
const BEHIND: usize = 1000;
/// How often a browser is told that the page is still live.
const ALIVE: Duration = Duration::from_secs(15);

/// Events for the browsers.
static CHANGES: LazyLock<broadcast::Sender<Arc<str>>> =
    LazyLock::new(|| broadcast::Sender::new(BEHIND));

otp_bridge_axum::server! {
    /// Serves the page.
    pub Http = router
}

/// At a port of 127.0.0.1.
pub(crate) fn listen(port: u16) -> Listen {
    Listen::port(port)
        .announced()
        .connections(CONNECTIONS)
        .body(REQUEST)
}

/// Passes the controller's changes to the browsers.
#[derive(Debug, Term)]
pub struct Changes;

/// What answers requests.
#[derive(Clone)]
struct App(Client);

#[gen_server(module = "page_changes")]
impl GenServer for Changes {
    type Args = ();

    async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        cx.call(&CONTROLLER, Subscribe(cx.pid())).await?;
        Ok((ok, Changes))
    }

    fn handle_info(&mut self, Changed(device): Changed) -> HandleInfo {
        tell(&shown(&device));
        noreply()
    }

    fn handle_info(&mut self, Forgotten(address, object): Forgotten) -> HandleInfo {
        tell(&json!({ "address": address, "object": object, "forgotten": true }));
        noreply()
    }
}

/// Sends an event to each browser with the page open. There may be none.
fn tell(event: &JsonValue) {
    let _nobody = CHANGES.send(Arc::from(event.to_string()));
}

fn router(cx: &Cx<'_>) -> Router {
    let file = |kind, text| get(async move || ([(header::CONTENT_TYPE, kind)], text));
    Router::new()
        .route("/", file("text/html; charset=utf-8", PAGE))
        .route("/page.css", file("text/css", STYLE))
        .route("/page.js", file("text/javascript", SCRIPT))
        .route("/events", get(events))
        .route("/set", post(set))
        .with_state(App(cx.client(CALLS)))
}

/// All devices in pieces, then those that change, until the browser has gone.
async fn events(State(app): State<App>) -> impl IntoResponse {
    let changes = CHANGES.subscribe();
    let all = Events {
        app,
        changes,
        piece: Vec::new().into_iter(),
        last: None,
        is_listed: false,
    };
    Sse::new(all.stream()).keep_alive(KeepAlive::new().interval(ALIVE))
}

/// The events that a browser has not had yet.
struct Events {
    app: App,
    changes: broadcast::Receiver<Arc<str>>,
    piece: std::vec::IntoIter<Device>,
    /// The last device of the list that was sent.
    last: Option<(String, String)>,
    is_listed: bool,
}

impl Events {
    fn stream(self) -> impl Stream<Item = Result<Event, Infallible>> {
        stream::unfold(self, async |mut events| {
            let event = events.next().await?;
            Some((Ok(event), events))
        })
    }

    async fn next(&mut self) -> Option<Event> {
        while !self.is_listed {
            if let Some(device) = self.piece.next() {
                self.last = Some((device.address.clone(), device.object.clone()));
                return Some(Event::default().data(shown(&device).to_string()));
            }
            let next = Devices(self.last.clone());
            // Without the controller the page has nothing to show: the browser comes again.
            let piece: Vec<Device> = self.app.0.call(&CONTROLLER, next).await.ok()?;
            if piece.is_empty() {
                self.is_listed = true;
                return Some(Event::default().event("listed").data("all"));
            }
            self.piece = piece.into_iter();
        }
        match self.changes.recv().await {
            Ok(device) => Some(Event::default().data(&*device)),
            Err(RecvError::Lagged(_) | RecvError::Closed) => None,
        }
    }
}

/// Sets what the browser says, and tells what became of it. Only devices that were found can be
/// set: the controller sends nothing to any other address.
async fn set(State(app): State<App>, Json(asked): Json<JsonValue>) -> Response {
    let Some(write) = requested(&asked) else {
        return (StatusCode::BAD_REQUEST, "not a value").into_response();
    };
    let known = IsKnown(write.0.clone(), write.1.clone());
    let known = app.0.call(&CONTROLLER, known).await;
    let written = match known {
        Ok(true) => app.0.call(&CONTROLLER, write).await,
        Ok(false) => Ok(Err(Failure::Unknown)),
        Err(exit) => Err(exit),
    };
    let (status, text) = match written {
        Ok(Ok(())) => (StatusCode::OK, "set"),
        Ok(Err(failure)) => told(failure),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the controller is away"),
    };
    (status, text).into_response()
}

fn told(failure: Failure) -> (StatusCode, &'static str) {
    match failure {
        Failure::Timeout => (StatusCode::GATEWAY_TIMEOUT, "the device does not answer"),
        Failure::Busy => (StatusCode::SERVICE_UNAVAILABLE, "too many requests wait"),
        Failure::Refused => (StatusCode::CONFLICT, "the device refuses it"),
        Failure::Unknown => (StatusCode::NOT_FOUND, "there is no such device or property"),
        Failure::NotAValue | Failure::NoProperty | Failure::TooLong => {
            (StatusCode::BAD_REQUEST, "not a value of this property")
        }
    }
}

/// What a request of the page says.
fn requested(json: &JsonValue) -> Option<Write> {
    let text = |name: &str| json[name].as_str().map(str::to_owned);
    let epc = u8::try_from(json["epc"].as_u64()?).ok()?;
    Some(Write(
        text("address")?,
        text("object")?,
        PropertyName::Code(epc),
        Value::of_json(&json["value"])?,
    ))
}

/// A device for the page, with the schemas of what can be set.
fn shown(device: &Device) -> JsonValue {
    let class = Eoj::parse(&device.object).map_or(0, Eoj::class);
    let property = |it: &crate::messages::SeenProperty| {
        let known = objects::property(class, it.epc).map(|it| objects::schema(&it.data));
        json!({
            "epc": it.epc, "name": it.name, "value": it.value.json(), "settable": it.settable,
            "seen": it.seen, "schema": known,
        })
    };
    json!({
        "address": device.address,
        "object": device.object,
        "class": device.class,
        "answers": device.answers,
        "problem": device.problem,
        "properties": device.properties.iter().map(property).collect::<Vec<_>>(),
    })
}
