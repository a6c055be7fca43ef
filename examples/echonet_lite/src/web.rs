//! The web page, and server-sent events for the browsers that show it.

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
/// Maximum number of concurrent calls of browsers to the controller.
const CALLS: usize = 100;
/// Maximum size of a request to set a property.
const REQUEST: u64 = 16 << 10;
/// Maximum number of browsers that show the page, and of other connections.
const CONNECTIONS: u32 = 100;
/// Number of changes that a browser may fall behind. After that, it gets all devices again.
const BEHIND: usize = 1000;
/// Interval of the events that keep an idle stream alive.
const ALIVE: Duration = Duration::from_secs(15);

/// Channel of events for the browsers.
static CHANGES: LazyLock<broadcast::Sender<Arc<str>>> =
    LazyLock::new(|| broadcast::Sender::new(BEHIND));

otp_bridge_axum::server! {
    /// The process that serves the page.
    pub Http = router
}

/// Listens at a port of 127.0.0.1.
pub(crate) fn listen(port: u16) -> Listen {
    Listen::port(port)
        .announced()
        .connections(CONNECTIONS)
        .body(REQUEST)
}

/// The process that passes the controller's changes to the browsers.
#[derive(Debug, Term)]
pub struct Changes;

/// State of the request handlers.
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

/// Sends an event to all browsers that show the page. There may be none.
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

/// Streams all devices, and then the changes, until the browser has gone.
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

/// Position in a browser's stream of events.
struct Events {
    app: App,
    changes: broadcast::Receiver<Arc<str>>,
    piece: std::vec::IntoIter<Device>,
    /// The last device that was sent from the list.
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
            // Without the controller the page has nothing to show, so the stream ends, and the
            // browser reconnects.
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

/// Sets a property for a browser, and replies with the outcome. Only devices that were found can be
/// set, so that the controller sends nothing to arbitrary addresses.
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

/// Parses a request of the page.
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

/// Returns a device for the page, with the schemas of the properties that can be set.
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
