//! The connections of the page: so many at a time, each with a limit of time for its requests.
//! They end with the future that serves them.

use std::io;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// Browsers that look at the page at once. The server closes further connections.
const CONNECTIONS: usize = 100;
/// A browser sends the head of a request within this time, and its body too.
pub(super) const PATIENCE: Duration = Duration::from_secs(15);
/// The pause after a connection that could not be accepted, as when too many files are open.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves until it is dropped.
pub(super) async fn serve(listener: std::net::TcpListener, router: Router) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let mut builder = Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE);
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        while connections.try_join_next().is_some() {}
        if connections.len() >= CONNECTIONS {
            continue;
        }
        let service = TowerToHyperService::new(router.clone());
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        connections.spawn(async move {
            // A browser that has gone is not an error of the server's.
            let _gone = connection.await;
        });
    }
}
