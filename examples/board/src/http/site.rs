//! The entry point of the server. It replies to page requests directly, because these are the most
//! frequent, and passes all other requests to axum's router.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request};
use axum::response::Response;
use axum::routing::future::RouteFuture;
use futures_util::TryFutureExt;
use futures_util::future::{Either, MapOk};
use tower_service::Service;

use super::App;
use super::body::Reply;
use super::pages::page;
use super::rendered::Which;

/// The service for all requests.
#[derive(Clone)]
pub struct Site {
    app: Arc<App>,
    router: Router,
}

impl Site {
    pub(super) fn new(app: Arc<App>, router: Router) -> Self {
        Site { app, router }
    }
}

type Routed = MapOk<RouteFuture<Infallible>, fn(Response) -> Response<Reply>>;

impl Service<Request<Body>> for Site {
    type Response = Response<Reply>;
    type Error = Infallible;
    type Future = Either<Ready<Result<Response<Reply>, Infallible>>, Routed>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        match Which::of(request.uri()).filter(|_| is_read) {
            Some(which) => {
                let page = page(&self.app, which, request.into_parts().0.headers);
                Either::Left(ready(Ok(page)))
            }
            None => {
                let routed: fn(Response) -> Response<Reply> = |it| it.map(Reply::Routed);
                Either::Right(self.router.call(request).map_ok(routed))
            }
        }
    }
}
