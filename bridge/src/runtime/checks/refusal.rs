//! Return values that have the right type but that OTP refuses, such as two children with one id,
//! or a value that triggers a clause that the module does not have.
//!
//! `derive(Returned)` checks every field. `(&ReturnedField(field)).refusal(module)` resolves to
//! [`ByValue`] first. If the field's type is not [`Refusable`], it resolves to [`Always`], which is
//! one reference further away.

use crate::runtime::registry::ModuleEntry;

/// A type with values that OTP refuses although they match its `-callback` form.
pub trait Refusable {
    /// Returns the mistake in the value, if OTP would refuse it from this module. If the module is
    /// unknown, its clauses are not checked.
    fn refusal(&self, module: Option<&ModuleEntry>) -> Option<String>;
}

/// A field of a return value.
#[doc(hidden)]
pub struct ReturnedField<'f, T>(pub &'f T);

/// For types with values that OTP refuses.
#[doc(hidden)]
pub trait ByValue {
    fn refusal(&self, module: Option<&ModuleEntry>) -> Option<String>;
}

impl<T: Refusable> ByValue for ReturnedField<'_, T> {
    #[inline]
    fn refusal(&self, module: Option<&ModuleEntry>) -> Option<String> {
        self.0.refusal(module)
    }
}

/// For all other types.
#[doc(hidden)]
pub trait Always {
    fn refusal(&self, module: Option<&ModuleEntry>) -> Option<String>;
}

impl<T> Always for &ReturnedField<'_, T> {
    #[inline]
    fn refusal(&self, _: Option<&ModuleEntry>) -> Option<String> {
        None
    }
}
