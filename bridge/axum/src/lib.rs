//! An [axum] HTTP server as a process: a child of your supervisor, with limits, logs, and an
//! orderly shutdown.
//!
//! [`server!`] turns a function that returns a router into a type. Its process owns the listening
//! socket, and the library's Tokio run time runs the handlers.
//!
//! ```
//! # use otp_bridge_novm as _;
//! use axum::{Router, extract::State, routing::get};
//! use otp_bridge::gen_server::prelude::*;
//! use otp_bridge::Client;
//! use otp_bridge_axum::Failure;
//!
//! # mod counter {
//! #     use otp_bridge::gen_server::prelude::*;
//! #     #[derive(Debug, Term)] #[reply(u64)] pub struct Next;
//! #     #[derive(Debug)] pub struct Counter(u64);
//! #     #[gen_server]
//! #     impl GenServer for Counter {
//! #         type Args = ();
//! #         fn init(_: ()) -> impl InitReturn<Self> { (otp_bridge::atoms::ok, Counter(0)) }
//! #         fn handle_call(&mut self, _: Next) -> HandleCall<u64> { self.0 += 1; reply(self.0) }
//! #     }
//! #     pub static COUNTER: Server<Counter> = Server::local(otp_bridge::atom!("counter"));
//! # }
//! # use counter::{COUNTER, Next};
//! otp_bridge_axum::server!(pub Http = router);
//!
//! fn router(cx: &Cx<'_>) -> Router {
//!     Router::new()
//!         .route("/health", get(|| async { "ok" }))
//!         .route("/next", get(next))
//!         .with_state(cx.client(1000))
//! }
//!
//! async fn next(State(client): State<Client>) -> Result<String, Failure> {
//!     Ok(client.call(&COUNTER, Next).await?.to_string())
//! }
//! ```
//!
//! `Http::child(8080)` is its child spec, at 127.0.0.1. Use a [`Listen`] for another address, or
//! for other limits.
//!
//! docs/services.md describes the behaviour at an upgrade, at a stop and under overload.
#![forbid(unsafe_code)]

mod body;
mod clock;
mod connections;
mod failure;
mod foreign;
mod frames;
mod handler;
mod listen;
mod listening;
mod phase;
mod places;
mod routes;
mod running;
mod server;
mod shutdown;
mod websocket;

#[cfg(test)]
use otp_bridge_novm as _;

pub use failure::Failure;
pub use listen::Listen;
pub use routes::{Routes, Serve};
pub use shutdown::Shutdown;

// This makes reports name the user's line of `server!`.
otp_bridge::__private::inventory::submit! {
    otp_bridge::__private::LibrarySources { root: file!() }
}

/// Names for the code from [`server!`].
#[doc(hidden)]
pub mod __private {
    pub use crate::running::Ended;
    pub use crate::server::{AxumServer, in_run_time};
    pub use otp_bridge;
}

/// Defines a type whose process is an HTTP server: `server!(pub Http = router)`.
///
/// The function after `=` takes the process's `&Cx<'_>` and returns [`Routes`]: a `Router`, or a
/// `Result` of one. `server!(pub Http = async router)` is for an `async fn`, such as one that
/// connects to a database first. The server calls it at each start, and again in the new build
/// after an upgrade, before it accepts a connection. The function may use types that need Tokio,
/// such as a client with timers.
///
/// The type has `child(listen)`, which returns its child spec.
#[macro_export]
macro_rules! server {
    ($(#[$attribute:meta])* $visibility:vis $name:ident = async $routes:path) => {
        $crate::server!(@ [$(#[$attribute])* $visibility] $name, __otp_cx, $routes(__otp_cx).await);
    };
    ($(#[$attribute:meta])* $visibility:vis $name:ident = $routes:path) => {
        $crate::server!(@ [$(#[$attribute])* $visibility] $name, __otp_cx, $routes(__otp_cx));
    };
    (@ [$(#[$attribute:meta])* $visibility:vis] $name:ident, $cx:ident, $routes:expr) => {
        $(#[$attribute])*
        #[derive(::core::fmt::Debug, ::otp_bridge::Term)]
        $visibility struct $name($crate::__private::AxumServer);

        impl $name {
            /// Returns the child spec of the server: at a port of 127.0.0.1, or with a `Listen`.
            #[must_use]
            $visibility fn child(
                listen: impl ::core::convert::Into<$crate::Listen>,
            ) -> ::otp_bridge::supervisor::ChildSpec {
                let listen = listen.into();
                let shutdown = listen.shutdown();
                ::otp_bridge::supervisor::ChildSpec::of::<$name>(listen).shutdown(shutdown)
            }

            async fn serve(
                &mut self,
                $cx: &::otp_bridge::Cx<'_>,
            ) -> ::otp_bridge::Result<()> {
                let routes = $crate::__private::in_run_time($cx, async { $routes });
                let routes = routes.await;
                let server = ::core::any::TypeId::of::<Self>();
                self.0.serve(server, $cx, routes).await
            }
        }

        const _: () = {
            use ::otp_bridge::gen_server::prelude::*;

            #[gen_server]
            impl GenServer for $name {
                type Args = $crate::Listen;

                async fn init(
                    listen: $crate::Listen,
                    cx: &Cx<'_>,
                ) -> ::otp_bridge::Result<impl InitReturn<Self>> {
                    cx.trap_exit(true);
                    let server = ::core::any::TypeId::of::<Self>();
                    let server = $crate::__private::AxumServer::listen(server, listen, cx);
                    let mut server = $name(server.await?);
                    server.serve(cx).await?;
                    ::core::result::Result::Ok((::otp_bridge::atoms::ok, server))
                }

                fn handle_info(
                    &mut self,
                    ended: $crate::__private::Ended,
                ) -> ::otp_bridge::Result<HandleInfo> {
                    ::core::result::Result::Err(ended.exit())
                }

                fn handle_info(
                    &mut self,
                    exit: ::otp_bridge::messages::ExitSignal,
                ) -> ::otp_bridge::Result<HandleInfo> {
                    ::core::result::Result::Err(::otp_bridge::Exit::new(exit.reason))
                }

                async fn handle_info(
                    &mut self,
                    upgrade: ::otp_bridge::messages::Upgrade,
                    cx: &Cx<'_>,
                ) -> ::otp_bridge::Result<HandleInfo> {
                    match upgrade {
                        ::otp_bridge::messages::Upgrade::Begins => self.0.hand_over(cx).await,
                        ::otp_bridge::messages::Upgrade::Ended => self.serve(cx).await?,
                    }
                    noreply()
                }

                async fn terminate(&mut self, _: &::otp_bridge::Term, cx: &Cx<'_>) {
                    self.0.stop(cx).await;
                }
            }
        };
    };
}
