//! Tests on a VM: what a function under `#[otp_bridge::test]` does in the executable of
//! `cargo test`.
//!
//! ```text
//! cargo test ── the test executable ── a socket, its standard input ── erl: otp_rs_test ── the library, with its tests
//! ```
//!
//! The library is built once more, as one that a VM loads, with the tests in it: `cargo otp` does
//! that. The VM is booted for the first test of the executable and serves all of them, one after
//! the other.

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
    /// Whether the application is started for it.
    pub application: bool,
    /// What the application is started with.
    pub arguments: &'static [&'static str],
    /// Variables of the application's environment that are set for it.
    pub environment: fn() -> Vec<(Atom, Term)>,
    /// Its time limit.
    pub timeout: Option<Duration>,
    /// The folder of its package.
    pub folder: &'static str,
    /// The crate that it is in.
    pub target: &'static str,
    /// Whether that is the library, and not a test of its own.
    pub is_library: bool,
}

/// The time limit of a test that does not say another one.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The VM of this executable.
static MACHINE: Mutex<Option<TestVm>> = Mutex::new(None);

/// Has a VM run the test, and shows what it has printed and logged.
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
    // The next test does not wait for what this one says.
    drop(slot);
    if let Err(text) = outcome {
        show(&format!("{text}\n"));
        // The text is shown above, and need not be shown by the panic, too.
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
