//! `log`, `tracing` and printing through Erlang: events go to `logger`, texts to group leaders.
//!
//! With the feature `log`, the macros of the crate `log` reach Erlang's `logger`; with `tracing`,
//! those of `tracing`. You need not install or await anything, and it works everywhere: in
//! callbacks, tasks, destructors and threads. `docs/logs.md` describes the resulting log events.
//!
//! ```
//! # use otp_bridge_novm as _;
//! # #[cfg(feature = "log")] mod example {
//! use otp_bridge::gen_server::prelude::*;
//!
//! # #[derive(Debug)] pub struct Till { sum: u64 }
//! #[derive(Debug, Term)]
//! #[reply(u64)]
//! pub struct Pay(pub u64);
//!
//! #[gen_server]
//! impl GenServer for Till {
//! #     type Args = ();
//! #     fn init(_: ()) -> impl InitReturn<Self> { (otp_bridge::atoms::ok, Till { sum: 0 }) }
//!     fn handle_call(&mut self, Pay(amount): Pay) -> HandleCall<u64> {
//!         log::info!(amount; "paid");             // ?LOG_INFO(#{message => <<"paid">>, <<"amount">> => 5})
//!         self.sum += amount;
//!         reply(self.sum)
//!     }
//! }
//! # }
//! ```

#[cfg(feature = "log")]
mod log;
mod print;
#[cfg(feature = "tracing")]
mod tracing;

#[cfg(feature = "log")]
pub use self::log::logger;
#[cfg(feature = "tracing")]
pub use self::tracing::layer;
#[doc(hidden)]
pub use print::{print, print_line};

/// Makes `log` and `tracing` send to Erlang's `logger`, unless the application has installed its
/// own logger or subscriber.
#[doc(hidden)]
pub fn install() {
    #[cfg(any(feature = "log", feature = "tracing"))]
    {
        #[cfg(feature = "log")]
        log::install();
        #[cfg(feature = "tracing")]
        tracing::install();
        #[cfg(feature = "tracing")]
        crate::runtime::output::spans_by(tracing::spans);
        crate::runtime::follow_level(level::follow);
    }
}

#[cfg(any(feature = "log", feature = "tracing"))]
mod level {
    //! The level of `logger`, for Rust's logging crates: a read of an atomic integer.

    use std::sync::atomic::{AtomicU8, Ordering};

    use crate::runtime::output::Level;

    static LEVEL: AtomicU8 = AtomicU8::new(Level::Off as u8);

    /// Sets the level of `logger`.
    pub(super) fn follow(level: &str) {
        let level = Level::of_logger(level);
        if LEVEL.swap(level as u8, Ordering::Relaxed) != level as u8 {
            #[cfg(feature = "log")]
            super::log::follow(level);
            #[cfg(feature = "tracing")]
            super::tracing::follow();
        }
    }

    /// Returns whether an event of this level can be logged.
    pub(super) fn is_enabled(level: Level) -> bool {
        level as u8 <= LEVEL.load(Ordering::Relaxed)
    }
}
