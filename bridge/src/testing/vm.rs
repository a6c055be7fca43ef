//! Tests on a VM: the part of `#[otp_bridge::test]` in the executable of `cargo test`.
//!
//! ```text
//! cargo test ── the test executable ── a socket, its standard input ── erl: otp_rs_test ── the library, with its tests
//! ```
//!
//! `cargo otp` builds the library a second time, with the tests in it, so that a VM can load it.
//! The VM is booted for the first test of the executable and runs all of its tests, one after the
//! other.

mod machine;
mod preparation;

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use machine::{TestOutcome, TestVm};

use crate::{Atom, Term};

/// A test that a VM runs.
#[derive(Debug)]
pub struct Test {
    /// Its Rust module and its function.
    pub name: &'static str,
    /// Whether the application is started for the test.
    pub application: bool,
    /// The arguments of the application.
    pub arguments: &'static [&'static str],
    /// Variables of the application's environment that are set for it.
    pub environment: fn() -> Vec<(Atom, Term)>,
    /// Its time limit.
    pub timeout: Option<Duration>,
    /// The folder of its package.
    pub folder: &'static str,
    /// The crate that it is in.
    pub target: &'static str,
    /// Whether that crate is the library, and not an integration test.
    pub is_library: bool,
}

/// The default time limit of a test.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The VM of this executable.
static MACHINE: Mutex<Option<TestVm>> = Mutex::new(None);

/// Makes a VM run the test, and shows the output and logs of the test.
///
/// # Panics
/// If the test fails.
pub fn run_test(test: &Test) {
    let mut slot = MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
    let machine = match slot.take() {
        Some(machine) => Ok(machine),
        None => preparation::command(test).and_then(|command| TestVm::boot(command, &mut show)),
    };
    let outcome = machine.and_then(|mut machine| {
        let outcome = machine.run(test, test.timeout.unwrap_or(TIMEOUT), &mut show);
        if !matches!(outcome, TestOutcome::Broken(_)) {
            *slot = Some(machine);
        }
        outcome.into_result()
    });
    // Release the VM before the output is shown, so that the next test need not wait.
    drop(slot);
    if let Err(text) = outcome {
        show(&format!("{text}\n"));
        // The text is shown above, so the panic need not show it, too.
        resume_unwind(Box::new(text));
    }
}

/// Shows a text where the test harness expects the output of a test.
#[expect(
    clippy::print_stdout,
    reason = "the harness captures what a test prints"
)]
fn show(text: &str) {
    print!("{text}");
}
