//! The parser that pest generates from the grammar, and its rules.

// pest copies only the grammar's own comments.
#![allow(missing_docs)]

#[derive(pest_derive::Parser)]
#[grammar = "erlang.pest"]
pub(super) struct Erlang;

/// A node of the parse tree.
pub type Pair<'t> = pest::iterators::Pair<'t, Rule>;
