//! Size limits: code from `otp-codegen` never exceeds them, and `otp-bridge` supports every size up
//! to them.
//!
//! | limit | of | beyond it |
//! |---|---|---|
//! | [`ATOM_CHARACTERS`] | an atom, by Erlang/OTP | there is no such atom |
//! | [`TUPLE_ELEMENTS`] | a Rust tuple that is a term | a struct with `derive(Term)` |
//! | [`FUN_ARITY`] | a fun whose types are known | the dynamic `Fun` |
//! | [`CALLBACK_ARITY`] | a callback | the behaviour has no `impl` block |

/// Maximum number of characters of an atom (Erlang's Efficiency Guide, "System Limits";
/// `erl_syntax` and `enif_make_atom` enforce it).
pub const ATOM_CHARACTERS: usize = 255;

/// Maximum number of elements of a Rust tuple that becomes an Erlang one. An argument list of
/// `apply` has as many as a callback.
pub const TUPLE_ELEMENTS: usize = 8;

/// Maximum number of arguments of a fun whose argument and result types are Rust types.
pub const FUN_ARITY: usize = 16;

/// Maximum number of arguments of a callback; the generated library module has a `callback` for
/// each number. The longest callbacks of OTP's behaviours, in `ssl_session_cache_api` and others,
/// have six.
pub const CALLBACK_ARITY: usize = 9;
