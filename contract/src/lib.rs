//! What the crates of otp-rs agree on.
//!
//! Rust that is generated, macros that read it, a library that runs and the Erlang beside it are built by
//! four crates. Each thing that two of them must say alike stands here, in one file, and both take it from
//! here: then they cannot differ.
//!
//! | file | what it fixes | who writes | who reads |
//! |---|---|---|---|
//! | [`erlang`] | Erlang's reserved words, the text of an atom | all | the Erlang compiler |
//! | [`rust`] | Rust's keywords, the atom of a Rust name | `otp-codegen`, `otp-cli`, `otp-bridge-macros` | the Rust compiler |
//! | [`limits`] | the largest tuples, funs and callbacks | `otp-codegen` | `otp-bridge` |
//!
//! The crate has no dependencies: every macro, and so every application, waits for it. With the feature
//! `serde`, what is read from JSON implements `Deserialize`.

pub mod erlang;
pub mod limits;
pub mod rust;
