//! The page: a small server of HTTP/1.1, and events for the browsers that look at it.

mod http;

use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::Arc;
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::net::{TcpListener, TcpStream};
use otp_bridge::task::{Broadcast, LocalCell, Tasks};
use serde_json::{Value as Json, json};

use crate::controller::CONTROLLER;
use crate::frame::Eoj;
use crate::messages::{Changed, Device, Devices, PropertyName, Subscribe, Write};
use crate::objects::{self, Value};
use http::HttpRequest;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// So many browsers look at once.
const CONNECTIONS: usize = 100;
/// How long a browser may take for a request, and how often one that only looks is told that all is
/// well.
const PATIENCE: Duration = Duration::from_secs(15);
/// So many changes a browser may be behind.
const BEHIND: usize = 1000;

type Changes = Arc<Broadcast<Arc<str>>>;

/// Serves the page.
pub struct Web {
    changes: Changes,
}

impl std::fmt::Debug for Web {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Web").finish_non_exhaustive()
    }
}

#[gen_server]
impl GenServer for Web {
    /// The port at 127.0.0.1.
    type Args = u16;

    async fn init(port: u16, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let listener = TcpListener::bind(cx, SocketAddrV4::new(Ipv4Addr::LOCALHOST, port))?;
        cx.call(&CONTROLLER, Subscribe(cx.pid())).await?;
        println!("http://{}", listener.local_addr()?);
        let changes: Changes = Arc::new(cx.broadcast(BEHIND));
        let of_clients = Arc::clone(&changes);
        cx.spawn_task::<(), _>(async move |cx| accept(cx, &listener, of_clients).await)
            .linked();
        Ok((ok, Web { changes }))
    }

    fn handle_info(&mut self, Changed(device): Changed) -> HandleInfo {
        self.changes.send(&Arc::from(shown(&device).to_string()));
        noreply()
    }
}

async fn accept(cx: &Cx<'_>, listener: &TcpListener, changes: Changes) -> Result<()> {
    let clients: LocalCell<usize> = cx.local(0);
    let port = listener.local_addr()?.port();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            cx.sleep(Duration::from_millis(50)).await?;
            continue;
        };
        if clients.with(|count| *count >= CONNECTIONS) {
            continue;
        }
        clients.with(|count| *count += 1);
        let (clients, changes) = (clients.clone(), Arc::clone(&changes));
        cx.spawn_task(async move |cx| {
            // A browser that has gone is not an error of the server's.
            let _gone = serve(cx, &stream, port, &changes).await;
            clients.with(|count| *count -= 1);
            Ok(())
        });
    }
}

/// One request; each has a connection of its own.
async fn serve(cx: &Cx<'_>, stream: &TcpStream, port: u16, changes: &Changes) -> Result<()> {
    let Some(asked) = cx.timeout(PATIENCE, http::read(stream)).await.ok() else {
        return Ok(());
    };
    let asked = match asked? {
        Some(asked) if asked.is_for(port) => asked,
        Some(_) => {
            return Ok(http::answer(stream, 403, "text/plain", "this page is at 127.0.0.1").await?);
        }
        None => return Ok(http::answer(stream, 400, "text/plain", "not a request").await?),
    };
    match (asked.method.as_str(), asked.path.as_str()) {
        ("GET", "/") => http::answer(stream, 200, "text/html; charset=utf-8", PAGE).await?,
        ("GET", "/page.css") => http::answer(stream, 200, "text/css", STYLE).await?,
        ("GET", "/page.js") => http::answer(stream, 200, "text/javascript", SCRIPT).await?,
        ("GET", "/events") => events(cx, stream, changes).await?,
        ("POST", "/set") => {
            let (status, text) = set(cx, &asked).await?;
            http::answer(stream, status, "text/plain; charset=utf-8", text).await?;
        }
        _ => http::answer(stream, 404, "text/plain", "not found").await?,
    }
    Ok(())
}

/// All devices, then those that change, until the browser has gone.
async fn events(cx: &Cx<'_>, stream: &TcpStream, changes: &Changes) -> Result<()> {
    let mut receiver = changes.subscribe(cx);
    http::begin_events(stream).await?;
    for device in cx.call(&CONTROLLER, Devices).await? {
        http::event(stream, &shown(&device).to_string()).await?;
    }
    loop {
        match cx.timeout(PATIENCE, receiver.receive()).await {
            Ok(Some(device)) => http::event(stream, &device).await?,
            Ok(None) => return Ok(()),
            Err(_) => stream.write_all(b":\n\n").await?,
        }
    }
}

/// Sets what the browser says, and tells what became of it.
async fn set(cx: &Cx<'_>, asked: &HttpRequest) -> Result<(u16, &'static str)> {
    let Some(write) = requested(asked) else {
        return Ok((400, "not a value"));
    };
    use crate::station::Failure;
    Ok(match cx.call(&CONTROLLER, write).await? {
        Ok(()) => (200, "set"),
        Err(Failure::Timeout) => (504, "the device does not answer"),
        Err(Failure::Busy) => (503, "too many requests wait"),
        Err(Failure::Refused) => (409, "the device refuses it"),
        Err(Failure::Unknown) => (404, "there is no such property"),
        Err(Failure::NotAValue) => (400, "not a value of this property"),
    })
}

/// What a request of the page says. Other pages cannot send this type without asking first.
fn requested(asked: &HttpRequest) -> Option<Write> {
    if asked.content_type != "application/json" {
        return None;
    }
    let json: Json = serde_json::from_slice(&asked.body).ok()?;
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
fn shown(device: &Device) -> Json {
    let class = Eoj::parse(&device.object).map_or(0, Eoj::class);
    let property = |it: &crate::messages::SeenProperty| {
        let known = objects::property(class, it.epc).map(|it| objects::schema(&it.data));
        json!({ "epc": it.epc, "name": it.name, "value": it.value.json(), "settable": it.settable, "schema": known })
    };
    json!({
        "address": device.address,
        "object": device.object,
        "class": device.class,
        "properties": device.properties.iter().map(property).collect::<Vec<_>>(),
    })
}
