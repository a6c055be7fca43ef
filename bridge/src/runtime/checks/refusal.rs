//! Return values of the right type that OTP refuses all the same, such as two children with one id,
//! or that have it call a clause that the module does not have.
//!
//! `derive(Returned)` asks every field. `(&ReturnedField(field)).refusal(module)` finds [`ByValue`]
//! first. If the field's type is not [`Refusable`], it finds [`Always`], which is one reference
//! further away.

use crate::runtime::registry::ModuleEntry;

/// A type of which OTP refuses some values, although they fit its `-callback` form.
pub trait Refusable {
    /// What is wrong with the value, if OTP would refuse it from this module. If the module is not
    /// known, its clauses are not asked for.
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
