//! Connections: how many there are, and how long each may take.

use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderValue, header};
use hyper::server::conn::http1::Builder;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

use crate::limits;

/// Serves until it is told to stop, and no request is under way any more.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    mut stops: watch::Receiver<bool>,
) -> io::Result<()> {
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
        let (router, stops) = (router.clone(), stops.clone());
        tokio::spawn(async move {
            // A client that has gone is not an error of the server's.
            let _gone = connection(stream, router, stops).await;
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
    router: Router,
    mut stops: watch::Receiver<bool>,
) -> hyper::Result<()> {
    // What it does not read for so long ends the connection.
    let limited = SockRef::from(&stream).set_tcp_user_timeout(Some(limits::PATIENCE));
    let nodelay = stream.set_nodelay(true);
    drop((limited, nodelay));
    let mut builder = Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits::PATIENCE);
    builder.max_buf_size(64 * 1024);
    let (router, ending) = (TowerToHyperService::new(router), stops.clone());
    let has_asked = AtomicBool::new(false);
    let service = service_fn(|request| {
        has_asked.store(true, Ordering::Relaxed);
        let (reply, ending) = (router.call(request), ending.clone());
        async move {
            let mut reply = reply.await?;
            if *ending.borrow() {
                let headers = reply.headers_mut();
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(reply)
        }
    });
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    tokio::select! {
        ended = connection.as_mut() => return ended,
        _ = stops.wait_for(|stops| *stops) => {}
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
