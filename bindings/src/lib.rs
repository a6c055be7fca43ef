//! OTP's own modules: each exported function with a `-spec` is a function whose result is awaited.
//! It is called in the process of the callback; its arguments and its result are typed.
//!
#![cfg_attr(feature = "ets", doc = "```")]
#![cfg_attr(not(feature = "ets"), doc = "```ignore")]
//! # use otp_bridge_novm as _;
//! use otp_bindings::{atoms::named_table, ets};
//! use otp_bridge::term::Tuple;
//! use otp_bridge::{Cx, Result, atom};
//!
//! async fn remember(cx: &Cx<'_>, key: &str) -> Result<()> {
//!     let table = ets::new(cx, atom!("seen"), vec![named_table.into()]).await?;
//!     ets::insert(cx, table, Tuple::from((key.to_owned(), 1))).await?;
//!     Ok(())
//! }
//! ```
//!
//! Each module stands behind the feature of its name, `all` is all of them. A module of which
//! another one needs types has those without its feature. `socket` has typed messages, too, in
//! `messages`. Bindings of any other module are made by
//! `otp-rs gen-types MODULE --functions`; `docs/functions.md` says how forms become functions.

mod generated;
#[cfg(feature = "socket")]
pub mod messages;
#[cfg(any(
    feature = "gen_tcp",
    feature = "gen_udp",
    feature = "inet",
    feature = "ssl"
))]
mod sockets;
#[cfg(feature = "os")]
mod text;

pub use generated::*;
