//! Terms: how Rust values become Erlang terms and how they are read back.
//!
//! A type says its Erlang form once ([`ToTerm`], [`FromTerm`], usually through `derive(Term)`);
//! where the term lives is a parameter. A [`Heap`] is a place to build terms, a [`View`] a term to
//! read. There are two of each: the heap of the Erlang VM, and the owned
//! [`Term`], which needs no VM and has the bytes of the External Term Format ([`etf`]).

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
mod improper_list;
mod order;
mod owned;
mod owned_heap;
mod owned_view;
mod saved;
mod static_atom;
mod term_map;
pub mod types;
mod view;

pub use convert::{ErlangType, FromTerm, ToTerm};
pub use decode_error::{DecodeError, PathSegment};
pub(crate) use decode_error::{say_texts, without_texts};
pub use definitions::{Definition, Definitions, erlang_definitions};
pub(crate) use definitions::{collecting_for, words};
pub use depth::{MAX_DEPTH, guard_depth};
pub use describe::{Piece, derived_type};
pub use display::describe;
pub use heap::Heap;
pub use improper_list::ImproperList;
pub use otp_contract::erlang::quote_atom;
pub use owned::Term;
pub use owned_heap::OwnedHeap;
pub(crate) use saved::Foreign;
pub use saved::Saved;
pub use static_atom::StaticAtom;
pub use term_map::TermMap;
pub use view::{Kind, View};
