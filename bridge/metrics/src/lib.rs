//! Metrics of an application for [Prometheus]: how often each clause runs, how long it takes and
//! how it ends, figures of the VM, and the counters, gauges and histograms of the crate
//! [`metrics`].
//!
//! [`server!`] makes a type whose process serves them as OpenMetrics text at `/metrics`:
//!
//! ```
//! # use otp_bridge_novm as _;
//! otp_bridge_metrics::server!(pub Metrics);
//!
//! fn children() -> Vec<otp_bridge::supervisor::ChildSpec> {
//!     vec![Metrics::child(9464)]                            // http://127.0.0.1:9464/metrics
//! }
//! # assert_eq!(children().len(), 1);
//! ```
//!
//! If the application has an HTTP server already, merge [`routes`] into its router. Calls are
//! measured only while such a server runs.
//!
//! docs/howto/metrics.md lists the metrics, and describes their limits.
//!
//! [Prometheus]: https://prometheus.io
#![forbid(unsafe_code)]

mod clauses;
mod histogram;
mod page;
mod recorder;
mod text;
mod vm;

#[cfg(test)]
use otp_bridge_novm as _;

pub use page::routes;

// This makes reports name the user's line of `server!`.
otp_bridge::__private::inventory::submit! {
    otp_bridge::__private::LibrarySources { root: file!() }
}

/// Names for the code from [`server!`].
#[doc(hidden)]
pub mod __private {
    pub use otp_bridge_axum;
}

/// Defines a type whose process serves the metrics: `server!(pub Metrics)`.
///
/// The type has `child(listen)`, which returns its child spec: at a port of 127.0.0.1, or with a
/// [`Listen`](otp_bridge_axum::Listen).
#[macro_export]
macro_rules! server {
    ($(#[$attribute:meta])* $visibility:vis $name:ident) => {
        $crate::__private::otp_bridge_axum::server!(
            $(#[$attribute])* $visibility $name = $crate::routes
        );
    };
}
