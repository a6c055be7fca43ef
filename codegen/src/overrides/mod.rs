//! What a user decides for single types and functions: derives, names, Rust types of their own,
//! and what to leave out.
//!
//! [`matched`] checks the overrides and finds what each is about, before anything is lowered.
//! Lowering follows them wherever it makes a name. An override that matches nothing, or that cannot
//! be followed, is an [`OverrideDiagnostic`](crate::report::OverrideDiagnostic).

mod check;
mod matching;

pub(crate) use matching::{Matched, matched, no_such_type};
