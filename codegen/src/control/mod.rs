//! What a user chooses for single types and functions: derives, names, Rust types of their own,
//! and what to leave out.
//!
//! [`Settled`] matches the entries with the modules before anything is lowered, [`apply`] names and
//! derives afterwards. Every entry that matches nothing, or that cannot be followed, is a
//! [`Refusal`].

mod able;
mod apply;
mod check;
mod find;

pub(crate) use apply::apply;
pub(crate) use check::legal;
pub(crate) use find::{Settled, without};

use crate::options::{Control, Part, Target, TypeEntry};
use crate::report::Refusal;
