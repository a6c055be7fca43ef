//! The parser that pest makes of the grammar, and its rules.

// pest copies the grammar's own comments alone.
#![allow(missing_docs)]

#[derive(pest_derive::Parser)]
#[grammar = "erlang.pest"]
pub(super) struct Erlang;

/// A node of what was read.
pub type Pair<'t> = pest::iterators::Pair<'t, Rule>;
