//! The tests to run with other releases, and the tests to leave out.

/// Package and test.
pub(super) type Test = (&'static str, &'static str);

/// The tests that run built code in an Erlang VM, or read the installed OTP. `mutation` is missing,
/// because it compares checked-in files with the release that they were generated from.
pub(super) const TESTS: &[Test] = &[
    ("otp-specs", "truth"),
    ("otp-bridge", "terms"),
    ("otp-tests", "terms"),
    ("otp-tests", "live"),
    ("otp-tests", "behaviours"),
    ("otp-tests", "functions"),
    ("otp-tests", "ground"),
    ("otp-tests", "tasks"),
    ("otp-tests", "modules"),
    ("otp-tests", "elixir"),
    ("otp-tests", "sockets"),
    ("otp-tests", "logs"),
    ("otp-tests", "mailbox"),
    ("otp-tests", "nursery"),
    ("otp-tests", "octets"),
    ("otp-tests", "parcels"),
    ("otp-tests", "migrated"),
    ("otp-tests", "upgrades"),
    ("otp-tests", "walls"),
    ("otp-tests", "faults"),
    ("otp-tests", "chaos"),
    ("otp-tests", "ledger"),
    ("otp-tests", "bench"),
    ("otp-tests", "expectations"),
    ("otp-tests", "dialyzer"),
    ("otp-tests", "examples"),
];

/// The default tests for an emulator of another processor: terms, callbacks, and switches between
/// stacks. Tests of `otp-bridge` itself are missing, because they would run code of this machine.
pub(super) const EMULATED: &[Test] = &[
    ("otp-tests", "terms"),
    ("otp-tests", "live"),
    ("otp-tests", "tasks"),
];

/// A test function to leave out, and the reason.
#[derive(Debug)]
pub(super) struct LeftOut {
    test: &'static str,
    pub(super) name: &'static str,
    pub(super) reason: &'static str,
}

const OF_ITS_FILES: &str = "its files say which release they were generated from";

/// Tests that can pass with one release only.
const OF_ONE_RELEASE: &[LeftOut] = &[
    LeftOut {
        test: "functions",
        name: "the_modules_with_opaque_types_are_fresh",
        reason: OF_ITS_FILES,
    },
    LeftOut {
        test: "elixir",
        name: "the_behaviour_and_the_struct_are_fresh",
        reason: OF_ITS_FILES,
    },
    LeftOut {
        test: "upgrades",
        name: "the_behaviour_of_the_applications_own_is_fresh",
        reason: OF_ITS_FILES,
    },
];

/// An environment variable for tests in an emulator: the number of tasks that a process has at
/// once.
pub(super) const TOLD_EMULATED: (&str, &str) = ("TASKS", "20000");

/// Returns the test functions to leave out of a test.
pub(super) fn left_out(test: &str) -> impl Iterator<Item = &'static LeftOut> {
    OF_ONE_RELEASE.iter().filter(move |one| one.test == test)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::step::root;

    /// Returns the files of a test, its main file first.
    fn files(package: &str, test: &str) -> Vec<PathBuf> {
        let folder = package.strip_prefix("otp-").unwrap_or(package);
        let tests = root().join(folder).join("tests");
        let own = fs::read_dir(tests.join(test)).into_iter().flatten();
        let own = own.flatten().map(|entry| entry.path());
        let main = tests.join(format!("{test}.rs"));
        [main]
            .into_iter()
            .chain(own)
            .filter(|it| it.is_file())
            .collect()
    }

    #[test]
    fn every_test_exists() {
        for (package, test) in TESTS {
            assert!(!files(package, test).is_empty(), "{package}: no `{test}`");
        }
        for test in EMULATED {
            assert!(TESTS.contains(test), "{test:?}");
        }
        for one in OF_ONE_RELEASE {
            let (package, test) = TESTS.iter().find(|(_, known)| *known == one.test).unwrap();
            let declared = format!("fn {}(", one.name);
            let has = |path: &PathBuf| fs::read_to_string(path).unwrap().contains(&declared);
            assert!(
                files(package, test).iter().any(has),
                "{test}: no `{}`",
                one.name
            );
        }
    }
}
