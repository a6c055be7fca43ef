//! OTP's own modules: each exported function with a `-spec` is a function whose result is awaited: its
//! call in the process of the callback, arguments and result typed.
//!
#![cfg_attr(feature = "otp", doc = "```")]
#![cfg_attr(not(feature = "otp"), doc = "```ignore")]
//! # use otp_bridge_novm as _;
//! use otp_bridge::otp::{atoms::named_table, ets};
//! use otp_bridge::{Cx, Result, Tuple, atom};
//!
//! async fn remember(cx: &Cx<'_>, key: &str) -> Result<()> {
//!     let table = ets::new(cx, atom!("seen"), vec![named_table.into()]).await?;
//!     ets::insert(cx, table, Tuple::from((key.to_owned(), 1))).await?;
//!     Ok(())
//! }
//! ```
//!
//! They are there with the feature `otp`. Bindings of any other module are made by
//! `otp-rs gen-types MODULE --functions`; `docs/functions.md` says how forms become functions.

#[cfg(feature = "otp")]
mod generated;

#[cfg(feature = "otp")]
pub use generated::*;
