//! A request, from its connection to the service and back.

use std::convert::Infallible;
use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::body::Body;
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use axum::response::IntoResponse;
use futures_util::FutureExt;
use hyper::body::Incoming;
use tracing::{Instrument, Span};

use crate::body::{Late, Replied, Reply, limited};
use crate::failure::busy;
use crate::foreign;
use crate::listen::Listen;
use crate::places::Place;
use crate::routes::Answers;
use crate::shutdown::Shutdown;

/// Answers a request.
pub(crate) fn answer<S: Answers>(
    request: Request<Incoming>,
    service: &S,
    place: &Place,
    listen: &Listen,
    shutdown: &Shutdown,
) -> impl Future<Output = Result<Response<Replied<S::Body>>, Infallible>> + use<S> {
    let limit = usize::try_from(listen.requests).unwrap_or(usize::MAX);
    let (under_way, is_beyond) = place.begin(limit);
    shutdown.socket().is_requested();
    let answering = match is_beyond {
        true => Err(busy("too many requests are under way")),
        false => match accepted(request, listen) {
            Ok((request, late)) => {
                let span = span(&request);
                let called = called(request, service.clone());
                Ok((logged(called.instrument(span.clone()), span), late))
            }
            Err(refused) => Err(refused.into_response()),
        },
    };
    let shutdown = shutdown.clone();
    async move {
        let mut response = match answering {
            Ok((answering, late)) => {
                let response = answering.await;
                match late.is_late() {
                    true => too_slow().map(Reply::Own),
                    false => response,
                }
            }
            Err(refused) => refused.map(Reply::Own),
        };
        if shutdown.has_begun() {
            let headers = response.headers_mut();
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if is_websocket(&response) {
            shutdown.begins_socket();
            under_way.becomes_socket();
        }
        let ends = is_event_stream(&response).then_some(shutdown);
        Ok(response.map(|body| Replied::new(body, under_way, ends)))
    }
}

/// Returns the request with the limits of its body, or the refusal of a request from another site.
fn accepted(
    request: Request<Incoming>,
    listen: &Listen,
) -> Result<(Request<Body>, Late), (StatusCode, &'static str)> {
    let is_own = listen.ip().is_some_and(|it| it.is_loopback());
    let refused = is_own.then(|| foreign::refused(&request, &listen.hosts));
    if let Some(refused) = refused.flatten() {
        return Err(refused);
    }
    let (head, body) = request.into_parts();
    let (body, late) = limited(body, listen);
    Ok((Request::from_parts(head, body), late))
}

fn too_slow() -> Response<Body> {
    (StatusCode::REQUEST_TIMEOUT, "the request came too slowly").into_response()
}

fn is_event_stream<B>(response: &Response<B>) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|it| it.as_bytes().starts_with(b"text/event-stream"))
}

fn is_websocket<B>(response: &Response<B>) -> bool {
    let protocol = response.headers().get(header::UPGRADE);
    response.status() == StatusCode::SWITCHING_PROTOCOLS
        && protocol.is_some_and(|it| it.as_bytes().eq_ignore_ascii_case(b"websocket"))
}

fn span(request: &Request<Body>) -> Span {
    tracing::info_span!("request", method = %request.method(), path = request.uri().path())
}

/// Returns the service's reply, or a 500 if the service panics. The panic itself is logged by the
/// panic hook.
async fn called<S: Answers>(request: Request<Body>, mut service: S) -> Response<Reply<S::Body>> {
    let replied = async move {
        let Ok(()) = poll_fn(|context| service.poll_ready(context)).await;
        let Ok(response) = service.call(request).await;
        response.map(Reply::OfService)
    };
    match AssertUnwindSafe(replied).catch_unwind().await {
        Ok(response) => response,
        Err(payload) => {
            // The payload's destructor may panic, too.
            std::mem::forget(payload);
            tracing::error!("the handler of this request panicked");
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            (status, "the handler panicked")
                .into_response()
                .map(Reply::Own)
        }
    }
}

async fn logged<B>(answering: impl Future<Output = Response<B>>, span: Span) -> Response<B> {
    if span.is_disabled() {
        return answering.await;
    }
    let began = Instant::now();
    let response = answering.await;
    let milliseconds =
        f64::from(u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX)) / 1000.0;
    let status = response.status().as_u16();
    span.in_scope(|| tracing::info!(status, milliseconds, "answered"));
    response
}
