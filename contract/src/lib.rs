//! The contract between the crates of otp-rs.
//!
//! Four crates build the generated Rust, the macros that read it, the library that runs, and the
//! Erlang beside it. Whatever two of these crates must agree on is defined once, in this crate, and
//! both import it, so that they cannot diverge.
//!
//! | file | what it fixes | written by | read by |
//! |---|---|---|---|
//! | [`erlang`] | Erlang's reserved words, the text of an atom | all | the Erlang compiler |
//! | [`rust`] | Rust's keywords, the atom of a Rust name | `otp-codegen`, `otp-cli`, `otp-bridge-macros` | the Rust compiler |
//! | [`limits`] | the largest tuples, funs and callbacks | `otp-codegen` | `otp-bridge` |
//! | [`behaviour`] | a behaviour's description, the roles of its callbacks' arguments | `otp-codegen` | `otp-bridge-macros` |
//! | [`callback`] | when a callback is called, and what its arguments are | `otp-codegen` | `otp-bridge`, `otp-cli` |
//! | [`library`] | native functions, steps, requests, reports | `otp-bridge` | Erlang that `otp-codegen` writes |
//! | `representation`, `schema` | how terms look in JSON, and the schemas of that | `otp-bridge`, `otp-codegen` | consumers of JSON |
//! | [`mod@messages`] | tables of the tools' messages, with codes and pages | `otp-specs`, `otp-codegen`, `otp-cli` | `otp-cli` |
//! | [`package`] | the marks that identify the checkout and the NIF interface of a library | `otp-bridge` | `otp-cli` |
//! | [`testing`] | environment variables of tests that run on a VM | `otp-cli` | `otp-bridge` |
//! | [`manifest`] | the description of a built library's modules | `otp-bridge` | `otp-codegen`, `otp-cli` |
//!
//! The crate has no dependencies, because every macro, and so every application, has to wait for it
//! to build. The JSON that it writes can be read back with the feature `serde`, which only the
//! tools enable. `representation` and `schema` need the feature `schema`, which depends on
//! serde_json.

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
