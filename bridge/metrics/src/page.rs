//! The route of the metrics.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use otp_bridge::calls::Observation;
use otp_bridge::task::Tasks;
use otp_bridge::{Client, Cx, Result};

use crate::clauses::{self, CALLS};
use crate::recorder;
use crate::text::{self, OpenMetrics};
use crate::vm::VmFigures;

/// The number of requests that are answered at the same time.
const AT_ONCE: usize = 8;

#[derive(Clone)]
struct Page {
    client: Client,
    /// Calls are measured as long as the router exists.
    _observation: Arc<Option<Observation>>,
}

/// Returns a router with the route `/metrics`, for the router of a server that the application has
/// already: `Router::new().merge(otp_bridge_metrics::routes(cx))`.
///
/// Anyone who can send requests to that server can read the metrics.
pub fn routes(cx: &Cx<'_>) -> Router {
    recorder::install();
    let page = Page {
        client: cx.client(AT_ONCE),
        _observation: Arc::new(CALLS.start()),
    };
    Router::new()
        .route("/metrics", get(metrics))
        .with_state(page)
}

async fn metrics(State(page): State<Page>) -> Response {
    match page.text().await {
        Ok(text) => ([(CONTENT_TYPE, text::CONTENT_TYPE)], text).into_response(),
        Err(exit) => (StatusCode::SERVICE_UNAVAILABLE, exit.to_string()).into_response(),
    }
}

impl Page {
    async fn text(&self) -> Result<String> {
        let vm = self
            .client
            .run(async |cx| VmFigures::read(cx).await)
            .await?;
        let mut text = OpenMetrics::default();
        clauses::write(&mut text);
        vm.write(&mut text);
        recorder::write(&mut text);
        Ok(text.end())
    }
}
