//! OTP's own modules: each function with a `-spec` as an async function that awaits its call in the
//! process itself, arguments and result typed.
//!
//! ```ignore
//! use otp_bridge::otp::{ets, timer};
//!
//! let table = ets::new(cx, atom!("seen"), vec![set.into()]).await?;
//! ets::insert(cx, table.clone(), ("key", 1)).await?;
//! ```
//!
//! With the feature `otp`; `docs/functions.md` says how forms become functions. Bindings of any
//! other module are made by `otp-rs gen-types MODULE --functions`.

#[doc(hidden)]
pub mod functions;
