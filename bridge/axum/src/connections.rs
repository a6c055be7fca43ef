//! Connections: their number, and their time limits.

use std::io;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use socket2::SockRef;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::clock::Clock;
use crate::handler;
use crate::listen::Listen;
use crate::phase::Phase;
use crate::places::{Place, Places};
use crate::routes::Answers;
use crate::shutdown::{OF_CONNECTION, Shutdown};
use crate::websocket::Connection;

/// The pause after a connection that could not be accepted, for example because too many files are
/// open.
const PAUSE: Duration = Duration::from_millis(20);
/// How long a connection is kept when the server stops, for a request that may be on its way, and
/// for its first request.
const LINGER: Duration = Duration::from_millis(300);
const FIRST: Duration = Duration::from_secs(2);

/// Serves until the server stops, and all outstanding requests have ended. If this is dropped, all
/// connections are dropped as well.
pub(crate) async fn serve<S: Answers>(
    listener: TcpListener,
    service: S,
    listen: Arc<Listen>,
    shutdown: Shutdown,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::<Places>::default();
    let count = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
    let of_address = count(listen.connections_of_address);
    let of_all = count(listen.connections);
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shutdown.begins() => break,
        };
        while connections.try_join_next().is_some() {}
        let Ok((stream, peer)) = accepted else {
            // Too many files are open, or the client has disconnected.
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // All connections are busy: this one is closed, and the client may retry.
        let Some(place) = places.take(peer.ip(), of_address, of_all) else {
            continue;
        };
        let connection = connection(stream, place, service.clone(), listen.clone());
        connections.spawn(OF_CONNECTION.scope(shutdown.of_connection(), connection));
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
    // WebSockets have left their connections, so wait for them here.
    shutdown.alone().await;
    Ok(())
}

/// Returns how long a connection is kept when the server stops. Closing it at once would lose a
/// request that is on its way. So the connection gets one more request, whose reply announces that
/// it is the last.
fn last_request(has_asked: bool) -> Duration {
    if has_asked { LINGER } else { FIRST }
}

async fn connection<S: Answers>(stream: TcpStream, place: Place, service: S, listen: Arc<Listen>) {
    let patience = listen.patience_time();
    // The system closes a connection whose client does not read for this time.
    let limited = SockRef::from(&stream).set_tcp_user_timeout(Some(patience));
    let nodelay = stream.set_nodelay(true);
    drop((limited, nodelay));
    let mut builder = Builder::new();
    builder.timer(Clock).header_read_timeout(patience);
    builder.max_buf_size(64 * 1024);
    let shutdown = OF_CONNECTION.with(Clone::clone);
    let has_asked = AtomicBool::new(false);
    let place = Arc::new(place);
    let (asks, at, limits, ends) = (&has_asked, &*place, &*listen, &shutdown);
    // The closure owns the service, which need not be `Sync`.
    let answering = service_fn(move |request: Request<Incoming>| {
        asks.store(true, Ordering::Relaxed);
        handler::answer(request, &service, at, limits, ends)
    });
    let stream = Connection::new(stream, place.clone(), shutdown.socket().clone());
    let served = builder.serve_connection(TokioIo::new(stream), answering);
    let mut connection = pin!(served.with_upgrades());
    // A client that disconnects is not an error of the server.
    let mut stops = shutdown.watched();
    while *stops.borrow_and_update() == Phase::Serves {
        tokio::select! {
            biased;
            _gone = connection.as_mut() => return,
            () = place.closes() => return,
            // This also wakes the connection regularly, for its clock.
            changed = stops.changed() => if changed.is_err() { break },
        }
    }
    let limit = last_request(has_asked.load(Ordering::Relaxed));
    if timeout(limit, connection.as_mut()).await.is_ok() {
        return;
    }
    connection.as_mut().graceful_shutdown();
    let _gone = connection.await;
}
