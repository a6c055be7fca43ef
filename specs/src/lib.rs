//! Erlang typespecs, read from source text and BEAM files and resolved to types.
//!
//! Three readers build one kind of tree: [`parse_source`] (`.erl`, `.hrl`), [`parse_beam`]
//! (abstract code) and [`parse_chunk`] (EEP-48 documentation). [`parse_type`] reads a single type,
//! for example from a command line. [`resolve()`] turns the tree into types. The crate does no IO:
//! the caller passes bytes, and finds included files ([`Includes`]) and other modules
//! ([`Universe`]). Files are read independently of each other, so that a caller may use any number
//! of threads.
//!
//! ```
//! use otp_specs::{NoIncludes, Options, Trusting, parse_source, print, resolve};
//!
//! let text = b"-module(m).\n-callback init(Args :: term()) -> {ok, State :: term()} | ignore.\n";
//! let parsed = parse_source("m.erl", text, &NoIncludes, &Options::default());
//! assert!(parsed.diagnostics.is_empty());
//! let (module, diagnostics) = resolve(&parsed.module, &mut Trusting);
//! assert!(diagnostics.is_empty());
//! assert_eq!(
//!     module.callbacks[0].erlang,
//!     "-callback init(Args :: term()) -> {ok, State :: term()} | ignore."
//! );
//! # assert_eq!(print::form(&parsed.module.forms[1].form), module.callbacks[0].erlang);
//! ```

pub mod ast;
mod beam;
pub mod catalog;
mod components;
mod constant;
pub mod diagnostic;
mod grammar;
mod integer;
pub mod json;
mod lexer;
pub mod print;
mod release;
pub mod resolve;
mod source;
mod type_text;
pub mod types;

pub use beam::{parse_beam, parse_chunk};
pub use components::components;
pub use diagnostic::{Diagnostic, Parsed, Severity};
pub use otp_grammar::Error as TypeTextError;
pub use release::Release;
pub use resolve::{Lookup, Trusting, Universe, resolve};
pub use source::{
    Include, Includes, NoIncludes, Options, Unit, parse_source, parse_source_by_form,
};
pub use type_text::{parse_type, parse_type_at_start};
