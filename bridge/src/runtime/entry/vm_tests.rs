//! Tests that run in a process of a VM. `#[otp_bridge::test]` registers them in the library.

use std::any::Any;
use std::fmt::Debug;
use std::panic::Location;

use crate::nif::{RawTerm, VmEnv, VmTerm};
use crate::runtime::failure::exit::{Class, Exit};
use crate::runtime::harness::spawned::{AnyBody, closure_term};
use crate::{Term, ToTerm, View, atom};

/// A test.
pub struct TestEntry {
    /// Its Rust module and its function.
    pub name: &'static str,
    /// The body of its process.
    pub body: fn() -> AnyBody,
    /// Its line in the source.
    pub location: &'static Location<'static>,
}

inventory::collect!(TestEntry);

/// `test(Name) -> Closure | undefined`
pub(super) fn test(env: VmEnv<'_>, [name]: [VmTerm<'_>; 1]) -> RawTerm {
    let closure = name.binary().and_then(|name| closure(env, name));
    closure.unwrap_or_else(|| atom!("undefined").to_term(env.heap()).raw())
}

/// Returns the body of the test with this name, for a process to run.
fn closure(env: VmEnv<'_>, name: &[u8]) -> Option<RawTerm> {
    let mut tests = inventory::iter::<TestEntry>();
    let test = tests.find(|test| test.name.as_bytes() == name)?;
    Some(closure_term(env, (test.body)(), test.location))
}

/// A type that a test may return.
#[diagnostic::on_unimplemented(
    message = "a test returns `()` or a `Result<(), E>`, not `{Self}`",
    label = "a test fails by a panic, or by an `Err`"
)]
pub trait TestReturn {
    /// Converts the value into the end of the test's process.
    ///
    /// # Errors
    /// The error that the test has returned.
    fn into_end(self) -> Result<(), Exit>;
}

impl TestReturn for () {
    fn into_end(self) -> Result<(), Exit> {
        Ok(())
    }
}

/// Raises an [`Exit`]. Another error becomes the reason `{error, Text}` with its `Debug` text.
impl<E: Debug + 'static> TestReturn for Result<(), E> {
    #[track_caller]
    fn into_end(self) -> Result<(), Exit> {
        let location = Location::caller();
        self.map_err(|error| {
            let exit = (&error as &dyn Any).downcast_ref::<Exit>();
            exit.cloned().unwrap_or_else(|| {
                let reason = Term::of(&(atom!("error"), format!("{error:?}")));
                Exit::raised_at(Class::Exit, reason, location)
            })
        })
    }
}
