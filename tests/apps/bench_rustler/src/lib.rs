//! rustler's own codecs, its derives and its serde, to measure: `cargo xtask bench bridge` measures
//! them beside those of otp-rs, in the VM of `tests/apps/bench`.
//!
//! It is a separate crate, so that nothing that users get depends on rustler's serde.

mod binary;
mod children;
mod maps;

rustler::init!("rustler_codecs");
