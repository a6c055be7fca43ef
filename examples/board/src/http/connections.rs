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
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

use super::body::Reply;
use super::clock::Clock;
use super::pages::page;
use super::rendered::Which;
use super::{App, router};
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
    let places = Arc::new(Semaphore::new(limits::CONNECTIONS));
    loop {
        // Whoever comes when there is no place waits in the operating system's queue.
        let accepted = async {
            let place = places.clone().acquire_owned().await;
            (listener.accept().await, place)
        };
        let (accepted, place) = tokio::select! {
            accepted = accepted => accepted,
            _ = stops.wait_for(|stops| *stops) => break,
        };
        let (Ok((stream, _)), Ok(place)) = (accepted, place) else {
            // No more files can be open, or the client is gone.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let (app, router, stops) = (app.clone(), router.clone(), stops.clone());
        tokio::spawn(async move {
            // A client that has gone is not an error of the server's.
            let _gone = connection(stream, app, router, stops).await;
            drop(place);
        });
    }
    drop(listener);
    let all = u32::try_from(limits::CONNECTIONS).unwrap_or(u32::MAX);
    let _all_have_ended = places.acquire_many(all).await;
    Ok(())
}

async fn connection(
    stream: TcpStream,
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
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let reply = match Which::of(request.uri()).filter(|_| is_read) {
            Some(which) => Ok(page(&app, which, request.into_parts().0.headers)),
            None => Err(router.call(request)),
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
            Ok::<_, Infallible>(reply)
        }
    });
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    while !*stops.borrow_and_update() {
        tokio::select! {
            biased;
            ended = connection.as_mut() => return ended,
            // It also wakes the connection, for its clock.
            changed = stops.changed() => if changed.is_err() { break },
        }
    }
    // One that is closed at once would lose a request that is on its way. So it has one more, whose
    // reply says that it is the last.
    let limit = if has_asked.load(Ordering::Relaxed) {
        limits::LINGER
    } else {
        limits::FIRST
    };
    if let Ok(ended) = timeout(limit, connection.as_mut()).await {
        return ended;
    }
    connection.as_mut().graceful_shutdown();
    connection.await
}
