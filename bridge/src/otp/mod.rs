//! OTP's own modules: each exported function with a `-spec` is an async function that awaits its
//! call in the process of the callback, arguments and result typed.
//!
//! ```ignore
//! use otp_bridge::otp::{atoms::public, ets};
//! use otp_bridge::{Tuple, atom};
//!
//! let table = ets::new(cx, atom!("seen"), vec![public.into()]).await?;
//! ets::insert(cx, table.clone(), Tuple::from(("key", 1))).await?;
//! ```
//!
//! They are there with the feature `otp`. Bindings of any other module are made by
//! `otp-rs gen-types MODULE --functions`; `docs/functions.md` says how forms become functions.

#[doc(hidden)]
pub mod functions;
#[cfg(feature = "otp")]
mod generated;

#[cfg(feature = "otp")]
pub use generated::*;
