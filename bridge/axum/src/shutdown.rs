//! Handlers that outlast a request, and the end of the server.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tokio::sync::watch;

/// How often the server looks whether the last handler has ended.
const LOOKS_FOR_THE_LAST: Duration = Duration::from_millis(5);

/// The end of the server, for a handler that outlives its reply: a WebSocket, or a stream that
/// is no `text/event-stream`. It is an extractor.
///
/// The server waits for whoever has one, within [`Listen::drain`](crate::Listen::drain): await
/// [`Shutdown::begins`] beside the next message, then say goodbye and drop it.
#[derive(Debug, Clone)]
pub struct Shutdown {
    stops: watch::Receiver<bool>,
    /// The server has ended when it has the only one.
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

    /// Whether it does so already.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        *self.stops.borrow()
    }

    pub(crate) fn watched(&self) -> watch::Receiver<bool> {
        self.stops.clone()
    }

    /// Waits until this is the only one.
    pub(crate) async fn alone(self) {
        while Arc::strong_count(&self.under_way) > 1 {
            tokio::time::sleep(LOOKS_FOR_THE_LAST).await;
        }
    }
}

tokio::task_local! {
    /// That of the connection whose task this is. An extension of each request would cost an
    /// allocation.
    pub(crate) static OF_CONNECTION: Shutdown;
}

impl<S: Sync> FromRequestParts<S> for Shutdown {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let found = OF_CONNECTION.try_with(Clone::clone);
        // A router that is tested alone has no server that could end.
        Ok(found.unwrap_or_else(|_| {
            let (_, stops) = watch::channel(false);
            Shutdown::new(stops, Arc::default())
        }))
    }
}
