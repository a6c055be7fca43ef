//! Erlang typespecs, read from source text and BEAM files and resolved to types.

pub mod types;
