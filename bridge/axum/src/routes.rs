//! Services that answer requests.

use std::convert::Infallible;
use std::error::Error;

use axum::Router;
use axum::body::Body;
use axum::extract::DefaultBodyLimit;
use axum::http::{Request, Response};
use hyper::body::Body as HttpBody;
use otp_bridge::Result;
use tower_service::Service;

/// The result of a function of [`server!`](crate::server): a `Router`, any other service in
/// [`Serve`], or a `Result` of one. An error ends the process.
pub trait Routes {
    /// The type of the service.
    type Service: Answers;

    #[doc(hidden)]
    fn into_service(self) -> Result<Self::Service>;
}

/// A tower service that answers requests, instead of an axum router: for a program that answers
/// some requests before it selects a route, or whose bodies have a type of their own.
#[derive(Debug, Clone)]
pub struct Serve<S>(pub S);

/// A service with all bounds that the server needs.
#[doc(hidden)]
pub trait Answers:
    Service<
        Request<Body>,
        Response = Response<Self::Body>,
        Error = Infallible,
        Future: Send + 'static,
    > + Clone
    + Send
    + 'static
{
    /// The body of a reply.
    type Body: HttpBody<Data: Send, Error: Into<Box<dyn Error + Send + Sync>>>
        + Unpin
        + Send
        + 'static;
}

impl<S, B> Answers for S
where
    S: Service<Request<Body>, Response = Response<B>, Error = Infallible, Future: Send + 'static>
        + Clone
        + Send
        + 'static,
    B: HttpBody<Data: Send, Error: Into<Box<dyn Error + Send + Sync>>> + Unpin + Send + 'static,
{
    type Body = B;
}

impl Routes for Router {
    type Service = Router;

    fn into_service(self) -> Result<Router> {
        // The server has a limit of its own.
        Ok(self.layer(DefaultBodyLimit::disable()))
    }
}

impl<S: Answers> Routes for Serve<S> {
    type Service = S;

    fn into_service(self) -> Result<S> {
        Ok(self.0)
    }
}

impl<R: Routes> Routes for Result<R> {
    type Service = R::Service;

    fn into_service(self) -> Result<R::Service> {
        self?.into_service()
    }
}
