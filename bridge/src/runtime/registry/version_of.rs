//! The functions of a module's state that an upgrade uses. `upgrade` defines them.

use crate::nif::{VmEnv, VmTerm};
use crate::{DecodeError, Term};

/// Creates a cell with the state in a term. Returns `None` if the state's type is not a term.
pub(in crate::runtime) type Adopt =
    for<'a> fn(VmEnv<'a>, VmTerm<'a>) -> Option<Result<VmTerm<'a>, DecodeError>>;

/// The state of a module in another version of the application.
pub struct VersionOf {
    pub(in crate::runtime) form: fn() -> Option<String>,
    pub(in crate::runtime) type_name: fn() -> &'static str,
    pub(in crate::runtime) adopt: Adopt,
    pub(in crate::runtime) takes_chosen: fn(&Term) -> Result<(), DecodeError>,
}
