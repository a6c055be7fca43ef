//! The largest values of each kind: what `otp-codegen` generates has no more, and `otp-bridge`
//! takes as many.
//!
//! | limit | of | beyond it |
//! |---|---|---|
//! | [`ATOM_CHARACTERS`] | an atom, by Erlang/OTP | there is no such atom |
//! | [`TUPLE_ELEMENTS`] | a Rust tuple that is a term | a struct with `derive(Term)` |
//! | [`FUN_ARITY`] | a fun whose types are known | the dynamic `Fun` |
//! | [`CALLBACK_ARITY`] | a callback | the behaviour has no `impl` block |

/// Most characters of an atom (Erlang's Efficiency Guide, "System Limits"; `erl_syntax` and
/// `enif_make_atom` hold it).
pub const ATOM_CHARACTERS: usize = 255;

/// Most elements of a Rust tuple that becomes an Erlang one. An argument list of `apply` has as
/// many as a callback.
pub const TUPLE_ELEMENTS: usize = 8;

/// Most arguments of a fun whose argument and result types are Rust types.
pub const FUN_ARITY: usize = 16;

/// Most arguments of a callback; the generated library module has a `callback` for each number. The
/// longest of OTP's behaviours, `ssl_session_cache_api` and its like, have six.
pub const CALLBACK_ARITY: usize = 9;
