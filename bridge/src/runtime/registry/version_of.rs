//! What is known of a module's state for another version of the application. `upgrade` makes it.

use crate::nif::{VmEnv, VmTerm};
use crate::{DecodeError, Term};

/// A new cell with the state that a term holds. `None`: the state's type is not a term.
pub(in crate::runtime) type Adopt =
    for<'a> fn(VmEnv<'a>, VmTerm<'a>) -> Option<Result<VmTerm<'a>, DecodeError>>;

/// The state of a module in another version of the application.
pub struct VersionOf {
    pub(in crate::runtime) form: fn() -> Option<String>,
    pub(in crate::runtime) type_name: fn() -> &'static str,
    pub(in crate::runtime) adopt: Adopt,
    pub(in crate::runtime) takes_chosen: fn(&Term) -> Result<(), DecodeError>,
}
