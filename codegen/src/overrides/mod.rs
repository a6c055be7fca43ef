//! What a user chooses for single types and functions: derives, names, Rust types of their own,
//! and what to leave out.
//!
//! [`Matched`] matches the entries with the modules before anything is lowered, [`apply`] names and
//! derives afterwards. Every entry that matches nothing, or that cannot be followed, is a
//! [`OverrideDiagnostic`].

mod able;
mod apply;
mod check;
mod find;

pub(crate) use apply::apply;
pub(crate) use check::legal;
pub(crate) use find::{Matched, without};

use crate::options::{OverrideId, Overrides, Target, TypeOverride};
use crate::report::OverrideDiagnostic;
