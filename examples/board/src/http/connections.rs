//! Connections: how many there are, and how long each may take.

use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderValue, Method, Request, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;

use super::body::{Reply, With};
use super::clock::Clock;
use super::foreign::check;
use super::pages::{page, refused};
use super::places::{Place, Places};
use super::rendered::Which;
use super::request::Refusal;
use super::{App, api, router};
use crate::limits;

/// Serves until it is told to stop, and no request is under way any more.
pub(super) async fn serve(
    listener: TcpListener,
    app: Arc<App>,
    mut stops: watch::Receiver<bool>,
) -> io::Result<()> {
    let router = router(app.clone());
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let (places, ended) = (Arc::<Places>::default(), Arc::new(()));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stops.wait_for(|stops| *stops) => break,
        };
        let Ok((stream, peer)) = accepted else {
            // No more files can be open, or the client is gone.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        // All connections are served: it is closed, and may come again.
        let place = places.take(peer.ip(), limits::OF_ADDRESS, limits::CONNECTIONS);
        let Some(place) = place else { continue };
        let ends = ended.clone();
        let (app, router, stops) = (app.clone(), router.clone(), stops.clone());
        tokio::spawn(async move {
            // A client that has gone is not an error of the server's.
            let _gone = connection(stream, &place, app, router, stops).await;
            drop(ends);
        });
    }
    drop(listener);
    while Arc::strong_count(&ended) > 1 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(())
}

/// A refusal as a page, or in JSON if the request is one to the API.
fn refused_as(request: &Request<Incoming>, why: Refusal) -> Response {
    match request.uri().path().starts_with("/api/") {
        true => api::Reply(Err(why)).into_response(),
        false => refused(why),
    }
}

/// How long a connection is kept when the server stops. One that is closed at once would lose a
/// request that is on its way. So it has one more, whose reply says that it is the last.
fn last_request(has_asked: bool) -> Duration {
    if has_asked {
        limits::LINGER
    } else {
        limits::FIRST
    }
}

async fn connection(
    stream: TcpStream,
    place: &Place,
    app: Arc<App>,
    router: Router,
    mut stops: watch::Receiver<bool>,
) -> hyper::Result<()> {
    // What it does not read for so long ends the connection.
    let limited = SockRef::from(&stream).set_tcp_user_timeout(Some(limits::PATIENCE));
    let nodelay = stream.set_nodelay(true);
    drop((limited, nodelay));
    let mut builder = Builder::new();
    builder.timer(Clock).header_read_timeout(limits::PATIENCE);
    builder.max_buf_size(64 * 1024);
    let (router, has_asked) = (TowerToHyperService::new(router), AtomicBool::new(false));
    let service = service_fn(|request: Request<Incoming>| {
        has_asked.store(true, Ordering::Relaxed);
        let under_way = place.begin();
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let reply = match (check(&request), Which::of(request.uri())) {
            (Err(why), _) => Ok(refused_as(&request, why).map(Reply::Routed)),
            (Ok(()), Some(which)) if is_read => {
                Ok(page(&app, which, request.into_parts().0.headers))
            }
            (Ok(()), _) => Err(router.call(request)),
        };
        let ending = &app.stops;
        async move {
            let mut reply = match reply {
                Ok(page) => page,
                Err(routed) => routed.await?.map(Reply::Routed),
            };
            if *ending.borrow() {
                let headers = reply.headers_mut();
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(reply.map(|body| With(body, under_way)))
        }
    });
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    while !*stops.borrow_and_update() {
        tokio::select! {
            biased;
            ended = connection.as_mut() => return ended,
            () = place.closes() => return Ok(()),
            // It also wakes the connection, for its clock.
            changed = stops.changed() => if changed.is_err() { break },
        }
    }
    let limit = last_request(has_asked.load(Ordering::Relaxed));
    if let Ok(ended) = timeout(limit, connection.as_mut()).await {
        return ended;
    }
    connection.as_mut().graceful_shutdown();
    connection.await
}
