//! Erlang typespecs, read from source text and BEAM files and resolved to types.

pub mod ast;
mod beam;
pub mod catalog;
mod constant;
pub mod diagnostic;
mod grammar;
mod integer;
pub mod json;
pub mod print;
mod release;
pub mod resolve;
mod source;
pub mod types;

pub use beam::{parse_beam, parse_chunk};
pub use diagnostic::{Diagnostic, Severity};
pub use release::Release;
pub use resolve::{Lookup, Trusting, Universe, resolve};
pub use source::{Include, Includes, NoIncludes, Options, Unit, parse_source, parse_unit};

/// What reading a file gives: its forms, and what was wrong. Both, always: a bad form costs only
/// itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The forms that could be read.
    pub module: ast::Module,
    /// The others.
    pub diagnostics: Vec<Diagnostic>,
}
