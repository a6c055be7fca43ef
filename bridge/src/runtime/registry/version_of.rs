//! The functions of a module's state that an upgrade uses. `upgrade` defines them.

use crate::nif::{VmEnv, VmTerm};
use crate::{DecodeError, Term};

/// Creates a cell with the state in a term. Returns `None` if the state's type is not a term.
pub(in crate::runtime) type Adopt =
    for<'a> fn(VmEnv<'a>, VmTerm<'a>) -> Option<Result<VmTerm<'a>, DecodeError>>;

/// Makes the term of an older state from the term of a module's own state. The inner error is the
/// reason of a clause that refuses.
pub(in crate::runtime) type ToOlderTerm =
    for<'a> fn(VmEnv<'a>, VmTerm<'a>) -> Result<Result<VmTerm<'a>, Term>, DecodeError>;

/// A clause of `code_change` that goes back to the state of an older version.
pub struct OlderEntry {
    /// Returns the Erlang type of the older state, with all types in it expanded.
    pub(in crate::runtime) form: fn() -> String,
    pub(in crate::runtime) convert: ToOlderTerm,
}

/// The state of a module in another version of the application.
pub struct VersionOf {
    pub(in crate::runtime) form: fn() -> Option<String>,
    pub(in crate::runtime) type_name: fn() -> &'static str,
    pub(in crate::runtime) adopt: Adopt,
    pub(in crate::runtime) older: fn() -> &'static [OlderEntry],
    pub(in crate::runtime) takes_chosen: fn(&Term) -> Result<(), DecodeError>,
}
