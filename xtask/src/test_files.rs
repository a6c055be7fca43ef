//! Groups the test files by the tests that can run in parallel.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::step::{self, Outcome, root};

/// The package with the tests that start applications. Two tests that start the same application
/// cannot run at the same time.
const OF_APPLICATIONS: &str = "otp-tests";

/// This test takes as long as all others with applications, and has applications of its own.
const LONG: [&str; 1] = ["it"];

/// This test has applications of its own, too.
const GUIDE: [&str; 1] = ["guide"];

/// These tests have applications of their own, too. Each test takes minutes.
const MINUTES: [&str; 3] = ["dialyzer", "mutation", "upgrades"];

/// These tests start applications of `examples` whose own tests have a VM.
const WITH_EXAMPLES: [&str; 3] = ["examples", "live", "tasks"];

/// The names of all test files.
pub(crate) struct TestFiles {
    all: BTreeSet<String>,
    of_applications: BTreeSet<String>,
}

impl TestFiles {
    /// Reads the test files from cargo's metadata.
    pub(crate) fn read() -> Outcome<Self> {
        Ok(TestFiles::of(&step::metadata(root())?))
    }

    fn of(metadata: &Value) -> Self {
        TestFiles {
            all: names(metadata, |_| true),
            of_applications: names(metadata, |package| package == OF_APPLICATIONS),
        }
    }

    /// Returns the cargo options that run only the long tests.
    pub(crate) fn long(&self) -> Vec<String> {
        self.options(|name| LONG.contains(&name))
    }

    pub(crate) fn of_guide(&self) -> Vec<String> {
        self.options(|name| GUIDE.contains(&name))
    }

    pub(crate) fn of_applications(&self) -> Vec<String> {
        self.options(|name| self.of_applications.contains(name) && !is_by_itself(name))
    }

    /// If an application's test file has the same name, this includes both files, because cargo
    /// selects tests only by name.
    pub(crate) fn of_crates(&self) -> Vec<String> {
        self.options(|name| !self.of_applications.contains(name) && !is_by_itself(name))
    }

    pub(crate) fn with_examples(&self) -> Vec<String> {
        self.options(|name| WITH_EXAMPLES.contains(&name))
    }

    pub(crate) fn of_minutes(&self) -> Vec<String> {
        self.options(|name| MINUTES.contains(&name))
    }

    fn options(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let names = self.all.iter().filter(|name| is_wanted(name));
        names
            .flat_map(|name| ["--test".to_owned(), name.clone()])
            .collect()
    }
}

fn is_by_itself(name: &str) -> bool {
    let sides = [&LONG[..], &GUIDE, &MINUTES, &WITH_EXAMPLES];
    sides.into_iter().any(|side| side.contains(&name))
}

/// Returns the names of all files in `tests` of some packages.
fn names(metadata: &Value, is_wanted: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let wanted = packages.filter(|package| is_wanted(package["name"].as_str().unwrap_or_default()));
    let targets = wanted.flat_map(|package| package["targets"].as_array().into_iter().flatten());
    let tests = targets.filter(|target| target["kind"][0] == "test");
    let names = tests.filter_map(|test| test["name"].as_str());
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_file_is_run_once() {
        let files = TestFiles::read().unwrap();
        let parts = [
            files.long(),
            files.of_applications(),
            files.of_crates(),
            files.of_minutes(),
            files.with_examples(),
            files.of_guide(),
        ];
        let has = |part: usize, name: &str| parts[part].iter().any(|word| word == name);
        assert!(LONG.iter().all(|name| has(0, name)));
        assert!(has(1, "pairs") && has(2, "truth"));
        assert!(MINUTES.iter().all(|name| has(3, name)));
        assert!(WITH_EXAMPLES.iter().all(|name| has(4, name)));
        assert!(GUIDE.iter().all(|name| has(5, name)));
        let mut run: Vec<String> = parts.into_iter().flatten().collect();
        run.retain(|word| word != "--test");
        run.sort_unstable();
        assert_eq!(run, Vec::from_iter(files.all));
    }

    #[test]
    fn a_name_runs_once() {
        let file = |name: &str| json!({ "name": name, "kind": ["test"] });
        let metadata = json!({ "packages": [
            { "name": "otp-tests", "targets": [file("both"), file("it"), file("walls")] },
            { "name": "other", "targets": [
                file("both"), file("one"), { "name": "other", "kind": ["lib"] },
            ] },
        ] });
        let files = TestFiles::of(&metadata);
        assert_eq!(files.long(), ["--test", "it"]);
        assert_eq!(
            files.of_applications(),
            ["--test", "both", "--test", "walls"]
        );
        assert_eq!(files.of_crates(), ["--test", "one"]);
    }
}
