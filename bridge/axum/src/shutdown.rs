//! Handlers that outlast a request, and the end of the server.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tokio::sync::watch;

use crate::phase::{Phase, stops};
use crate::websocket::Socket;

/// The interval at which the server checks whether the last handler has ended.
const LOOKS_FOR_THE_LAST: Duration = Duration::from_millis(5);

/// The shutdown of the server, for a handler that outlives its reply, such as a WebSocket that says
/// goodbye in its own way, or a stream other than `text/event-stream`. It is an extractor.
///
/// The server waits for all handlers that hold a `Shutdown`, within
/// [`Listen::drain`](crate::Listen::drain): await [`Shutdown::begins`] beside the next message,
/// then close your stream and drop the value. The server closes a WebSocket whose handler has no
/// `Shutdown` itself.
#[derive(Debug, Clone)]
pub struct Shutdown {
    phases: watch::Receiver<Phase>,
    /// The server has drained when it holds the only reference.
    under_way: Arc<()>,
    of_connection: Arc<Socket>,
}

impl Shutdown {
    pub(crate) fn new(phases: watch::Receiver<Phase>) -> Self {
        Shutdown {
            phases,
            under_way: Arc::default(),
            of_connection: Arc::default(),
        }
    }

    /// Returns the value for another connection.
    pub(crate) fn of_connection(&self) -> Self {
        Shutdown {
            of_connection: Arc::default(),
            ..self.clone()
        }
    }

    pub(crate) fn socket(&self) -> &Arc<Socket> {
        &self.of_connection
    }

    /// Turns the connection into a WebSocket, which is closed when the server stops.
    pub(crate) fn begins_socket(&self) {
        let under_way = Arc::clone(&self.under_way);
        self.of_connection.begins(self.phases.clone(), under_way);
    }

    /// Waits until the server stops, or hands over to another build.
    pub async fn begins(&self) {
        stops(&mut self.phases.clone()).await;
    }

    /// Returns whether the server is already stopping.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        *self.phases.borrow() != Phase::Serves
    }

    /// Returns whether the server hands over to another build, rather than stop for good.
    #[must_use]
    pub fn is_upgrade(&self) -> bool {
        *self.phases.borrow() == Phase::HandsOver
    }

    pub(crate) fn watched(&self) -> watch::Receiver<Phase> {
        self.phases.clone()
    }

    /// Waits until this is the only value.
    pub(crate) async fn alone(self) {
        while Arc::strong_count(&self.under_way) > 1 {
            tokio::time::sleep(LOOKS_FOR_THE_LAST).await;
        }
    }
}

tokio::task_local! {
    /// The `Shutdown` of the connection that the current task serves. An extension of each request
    /// would cost an allocation.
    pub(crate) static OF_CONNECTION: Shutdown;
}

impl<S: Sync> FromRequestParts<S> for Shutdown {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let found = OF_CONNECTION.try_with(Clone::clone);
        // A router that is tested alone has no server that could stop.
        let shutdown = found.unwrap_or_else(|_| Shutdown::new(watch::channel(Phase::Serves).1));
        shutdown.of_connection.is_of_handler();
        Ok(shutdown)
    }
}
