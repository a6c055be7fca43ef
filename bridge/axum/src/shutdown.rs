//! Handlers that outlast a request, and the end of the server.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tokio::sync::watch;

/// The interval at which the server checks whether the last handler has ended.
const LOOKS_FOR_THE_LAST: Duration = Duration::from_millis(5);

/// The shutdown of the server, for a handler that outlives its reply: a WebSocket, or a stream
/// other than `text/event-stream`. It is an extractor.
///
/// The server waits for all handlers that hold a `Shutdown`, within
/// [`Listen::drain`](crate::Listen::drain): await [`Shutdown::begins`] beside the next message,
/// then close your stream and drop the value.
#[derive(Debug, Clone)]
pub struct Shutdown {
    stops: watch::Receiver<bool>,
    /// The server has drained when it holds the only reference.
    under_way: Arc<()>,
}

impl Shutdown {
    pub(crate) fn new(stops: watch::Receiver<bool>, under_way: Arc<()>) -> Self {
        Shutdown { stops, under_way }
    }

    /// Waits until the server stops, or hands over to another build.
    pub async fn begins(&self) {
        let mut stops = self.stops.clone();
        let _gone = stops.wait_for(|stops| *stops).await;
    }

    /// Returns whether the server is already stopping.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        *self.stops.borrow()
    }

    pub(crate) fn watched(&self) -> watch::Receiver<bool> {
        self.stops.clone()
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
        Ok(found.unwrap_or_else(|_| {
            let (_, stops) = watch::channel(false);
            Shutdown::new(stops, Arc::default())
        }))
    }
}
