//! Rust, JSON Schema and Erlang written from resolved Erlang types

pub mod erlang;
