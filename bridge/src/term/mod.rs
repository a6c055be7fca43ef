//! Terms: how Rust values become Erlang terms and how terms are read.
//!
//! A type defines once how it is written and read ([`ToTerm`], [`FromTerm`], usually by
//! `derive(Term)`). The memory of the term is a parameter: terms are built on a [`Heap`] and read
//! through a [`View`]. There are two implementations of each: those of the Erlang VM, and those of
//! the owned [`Term`], which does not need a VM and can be encoded as bytes ([`etf`]).
//!
//! ```
//! # use otp_bridge_novm as _;
//! use otp_bridge::term::etf;
//! use otp_bridge::Term;
//!
//! /// `{move, X, Y} | stop`
//! #[derive(Debug, PartialEq, Term)]
//! enum Command {
//!     Move(i32, i32),
//!     Stop,
//! }
//!
//! let term = Term::of(&Command::Move(3, -1));
//! assert_eq!(term.to_string(), "{move,3,-1}");
//! assert_eq!(term.decode::<Command>(), Ok(Command::Move(3, -1)));
//! assert_eq!(etf::decode(&etf::encode(&term)), Ok(term));
//! ```

mod borrowed;
mod convert;
mod decode_error;
mod definitions;
mod depth;
#[doc(hidden)]
pub mod derived;
mod describe;
mod display;
pub mod etf;
mod heap;
mod is_term;
mod lent;
mod lines;
mod misfit;
mod mismatch;
mod order;
mod owned;
mod owned_heap;
mod owned_view;
mod part;
mod reader;
pub(crate) mod resource;
mod saved;
mod scale;
mod shape;
mod static_atom;
mod term_map;
#[cfg(feature = "text")]
mod text;
pub(crate) mod types;
mod union;
mod view;

pub use borrowed::BorrowTerm;
pub use convert::{ErlangType, FromTerm, ToTerm, Watcher};
pub use decode_error::{DecodeError, PathSegment};
pub(crate) use decode_error::{say_texts, without_texts};
pub use definitions::{Definition, Definitions, erlang_definitions};
pub(crate) use definitions::{collecting_for, words};
pub(crate) use depth::deeper;
pub use depth::{MAX_DEPTH, guard_depth, on_large_stack};
pub use describe::{Piece, derived_type};
pub use display::describe;
pub use heap::Heap;
pub use is_term::IsTerm;
#[doc(hidden)]
pub use lent::Lent;
pub use misfit::Misfit;
pub(crate) use mismatch::Bound;
pub use otp_contract::erlang::quote_atom;
#[cfg(feature = "text")]
pub use otp_grammar::Error as TextError;
pub use owned::{ImproperList, Term, Terms};
pub use owned_heap::OwnedHeap;
pub(crate) use reader::LARGE_BINARY;
pub use reader::Reader;
#[doc(hidden)]
pub use resource::AnyResource;
pub(crate) use saved::Foreign;
pub use saved::Saved;
pub(crate) use scale::is_longer_than;
pub use shape::{Covers, KeyShape, Shape};
pub use static_atom::StaticAtom;
pub use term_map::TermMap;
pub use types::*;
pub use view::{TermKind, View};
