//! What the crates of otp-rs agree on.
//!
//! Rust that is generated, macros that read it, a library that runs and the Erlang beside it are
//! built by four crates. Each thing that two of them must say alike stands here, in one file, and
//! both take it from here: then they cannot differ.
//!
//! | file | what it fixes | who writes | who reads |
//! |---|---|---|---|
//! | [`erlang`] | Erlang's reserved words, the text of an atom | all | the Erlang compiler |
//! | [`rust`] | Rust's keywords, the atom of a Rust name | `otp-codegen`, `otp-cli`, `otp-bridge-macros` | the Rust compiler |
//! | [`limits`] | the largest tuples, funs and callbacks | `otp-codegen` | `otp-bridge` |
//! | [`behaviour`] | a behaviour's description, the roles of its callbacks' arguments | `otp-codegen` | `otp-bridge-macros` |
//! | [`callback`] | when a callback is called, and what its arguments are | `otp-codegen` | `otp-bridge`, `otp-cli` |
//! | [`library`] | native functions, steps, requests, reports | `otp-bridge` | Erlang that `otp-codegen` writes |
//! | `representation`, `schema` | how terms look in JSON, and the schemas of that | `otp-bridge`, `otp-codegen` | whoever reads JSON |
//! | [`mod@messages`] | tables of what can be said, with codes and pages | `otp-specs`, `otp-codegen`, `otp-cli` | `otp-cli` |
//! | [`modules`] | names of an application's generated Erlang modules | `otp-codegen`, `otp-cli` | `otp-bridge` |
//! | [`package`] | the mark that says of which checkout a library is | `otp-bridge` | `otp-cli` |
//! | [`testing`] | environment variables of tests that run on a VM | `otp-cli` | `otp-bridge` |
//! | [`manifest`] | what a built library says of its modules | `otp-bridge` | `otp-codegen`, `otp-cli` |
//!
//! The crate has no dependencies: every macro, and so every application, waits for it. What it
//! writes as JSON it reads with the feature `serde`, which is the tools' alone; `representation`
//! and `schema` are there with the feature `schema`, which needs serde_json.

pub mod behaviour;
pub mod callback;
pub mod erlang;
mod json;
pub mod library;
pub mod limits;
pub mod manifest;
pub mod messages;
pub mod modules;
pub mod package;
#[cfg(feature = "schema")]
pub mod representation;
pub mod rust;
#[cfg(feature = "schema")]
pub mod schema;
pub mod testing;
mod words;
