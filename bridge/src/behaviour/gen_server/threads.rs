//! Calls and casts from any thread of Rust.

use super::client::DEFAULT_TIMEOUT;
use super::{MessageTo, RequestTo};
use crate::runtime::{Cx, Result};
use crate::task::{Client, ClientCall};
use crate::{Request, Timeout, ToTerm};

impl Client {
    /// Sends a request at once and returns a future of its reply, for at most five seconds:
    /// `gen_server:call/2`. Await the reply on any run time, or block for it with
    /// [`ClientCall::wait`]. If you drop the future, the reply is discarded.
    ///
    /// # Errors
    /// Like [`Cx::call`] and [`Client::run`].
    #[track_caller]
    pub fn call<S, R>(&self, server: &S, request: R) -> ClientCall<R::Reply>
    where
        S: Clone + Send + Sync + 'static,
        R: Request<Reply: Send + 'static> + RequestTo<S> + Send + Sync + 'static,
    {
        self.call_within(server, request, Timeout::from_millis(DEFAULT_TIMEOUT))
    }

    /// Like [`Client::call`], with another timeout, a [`Duration`](std::time::Duration) or
    /// [`Timeout::Infinity`]: `gen_server:call/3`. The client's process measures the time.
    ///
    /// # Errors
    /// Like [`Client::call`].
    #[track_caller]
    pub fn call_within<S, R>(
        &self,
        server: &S,
        request: R,
        timeout: impl Into<Timeout>,
    ) -> ClientCall<R::Reply>
    where
        S: Clone + Send + Sync + 'static,
        R: Request<Reply: Send + 'static> + RequestTo<S> + Send + Sync + 'static,
    {
        let (server, location) = (server.clone(), std::panic::Location::caller());
        let timeout = timeout.into();
        self.run(async move |cx: &Cx<'_>| {
            let result = cx.call_within(server, request, timeout).await;
            result.map_err(|exit| exit.begun_at(location))
        })
    }

    /// Sends a message and does not wait: `gen_server:cast/2`. Messages and calls of one thread to
    /// one process arrive in the order in which they were sent. The message is lost if the server
    /// does not exist, or if the client's process has ended.
    ///
    /// # Errors
    /// `{overload, Capacity}` if too many calls and casts are under way.
    #[track_caller]
    pub fn cast<S, M>(&self, server: &S, message: M) -> Result<()>
    where
        S: Clone + Send + Sync + 'static,
        M: ToTerm + MessageTo<S> + Send + 'static,
    {
        let server = server.clone();
        self.start(async move |cx: &Cx<'_>| {
            cx.cast(server, message);
            Ok(())
        })
    }
}
