//! Generates and compiles a collection, and reports the results for its modules.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use super::check::{self, Checked};
use super::collection::Collection;
use super::generate::{Counts, Generated, generate};
use super::messages;
use crate::step::{Outcome, say, target};

/// The number of failures in the last message.
const MOST_SHOWN: usize = 5;

/// The results of a collection.
pub(super) struct Survey {
    pub(super) name: String,
    /// Modules with generated code.
    pub(super) modules: BTreeMap<String, Counts>,
    /// The number of modules without a type, a callback or a function with a `-spec`.
    pub(super) empty: usize,
    /// Modules that could not be read, with the error.
    pub(super) unread: BTreeMap<String, String>,
    /// Modules that do not compile.
    pub(super) failures: BTreeMap<String, Failure>,
    pub(super) crates: usize,
    /// Seconds of generating, and of compiling without and with `json`. `None` for a build that is
    /// left out.
    pub(super) seconds: [Option<f64>; 3],
    /// The peak memory of rustc, in bytes.
    pub(super) memory: u64,
}

/// A compile error of a module.
pub(super) struct Failure {
    pub(super) json: bool,
    pub(super) text: String,
}

/// Settings that the crates of a collection share.
struct Settings<'a> {
    /// The crate's name.
    name: &'a str,
    /// Options of `otp-rs`.
    paths: &'a [String],
    /// The values of `json` to compile with.
    features: &'a [bool],
}

impl Failure {
    fn shown(&self, module: &str) -> String {
        let feature = if self.json { " with `json`" } else { "" };
        format!("{module}{feature}: {}\n", self.text)
    }
}

impl Survey {
    /// Surveys a collection with these values of the feature `json`.
    pub(super) fn new(collection: Collection, features: &[bool]) -> Outcome<Survey> {
        let crates = collection.crates();
        let mut survey = Survey {
            name: collection.name.clone(),
            modules: BTreeMap::new(),
            empty: 0,
            unread: BTreeMap::new(),
            failures: BTreeMap::new(),
            crates: crates.len(),
            seconds: [None; 3],
            memory: 0,
        };
        for one in crates {
            let count = one.modules.len();
            say(&format!("{}: {count} modules\n", one.name));
            let with = Settings {
                name: &one.name,
                paths: &collection.paths,
                features,
            };
            survey.add(one.modules, &with)?;
        }
        let known = survey.modules.len() + survey.unread.len() + survey.failures.len();
        survey.empty = collection.modules.len().saturating_sub(known);
        Ok(survey)
    }

    /// Generates and compiles modules in one crate. Repeats this without the failing modules until
    /// the rest compile.
    fn add(&mut self, mut modules: BTreeSet<String>, with: &Settings<'_>) -> Outcome {
        let folder = check::folder(with.name);
        check::prepare(&folder)?;
        loop {
            let generated = generate(&folder, &modules, with.paths)?;
            add_seconds(&mut self.seconds[0], generated.took);
            self.unread.extend(generated.unread.clone());
            modules.retain(|module| generated.modules.contains_key(module));
            if modules.is_empty() {
                return Ok(());
            }
            let Some((json, checked)) = self.failing(&folder, with.features)? else {
                let all = generated.modules.into_iter();
                self.modules
                    .extend(all.filter(|(module, _)| modules.contains(module)));
                return Ok(());
            };
            let failed = failures(&folder, &generated, json, &checked);
            if !failed.keys().any(|module| modules.contains(module)) {
                return self.halve(modules, with, json, &failed);
            }
            for (module, failure) in failed {
                if modules.remove(&module) {
                    say(&failure.shown(&module));
                    self.failures.insert(module, failure);
                }
            }
        }
    }

    /// Compiles a crate without and with `json`. Returns the first failure.
    fn failing(&mut self, folder: &Path, features: &[bool]) -> Outcome<Option<(bool, Checked)>> {
        for &json in features {
            let (checked, cost) = check::check(folder, json)?;
            add_seconds(&mut self.seconds[1 + usize::from(json)], cost.took);
            self.memory = self.memory.max(cost.memory);
            if !matches!(checked, Checked::Compiles) {
                return Ok(Some((json, checked)));
            }
        }
        Ok(None)
    }

    /// Finds modules that fail only because of others: a crate with only one of these modules also
    /// fails.
    fn halve(
        &mut self,
        modules: BTreeSet<String>,
        with: &Settings<'_>,
        json: bool,
        failed: &BTreeMap<String, Failure>,
    ) -> Outcome {
        let mut half: Vec<String> = modules.into_iter().collect();
        if let [module] = half.as_slice() {
            let text: Vec<&str> = failed.values().map(|it| it.text.as_str()).collect();
            let text = text.join("\n");
            let failure = Failure { json, text };
            say(&failure.shown(module));
            self.failures.insert(module.clone(), failure);
            return Ok(());
        }
        let other = half.split_off(half.len() / 2);
        self.add(half.into_iter().collect(), with)?;
        self.add(other.into_iter().collect(), with)
    }
}

fn add_seconds(sum: &mut Option<f64>, took: Duration) {
    *sum = Some(sum.unwrap_or_default() + took.as_secs_f64());
}

/// Returns the failures of a crate, by the Erlang module or by the file.
fn failures(
    folder: &Path,
    generated: &Generated,
    json: bool,
    checked: &Checked,
) -> BTreeMap<String, Failure> {
    let errors = match checked {
        Checked::Compiles => BTreeMap::new(),
        Checked::Fails(errors) => errors.clone(),
        Checked::Dies(text) => {
            let text = text.clone();
            return BTreeMap::from([("rustc".to_owned(), Failure { json, text })]);
        }
    };
    let module = |file: &str| {
        let mut all = generated.modules.iter();
        let found = all.find(|(_, counts)| counts.file == file);
        found.map_or(file.to_owned(), |(module, _)| module.clone())
    };
    let failure = |(file, error): (String, messages::Error)| {
        let path = folder.join(format!("{}{file}.rs", messages::SOURCES));
        let rust = fs::read_to_string(&path).unwrap_or_default();
        let form = messages::form(&rust, error.line).unwrap_or("no form is near");
        let line = rust.lines().nth(error.line.saturating_sub(1));
        let text = format!(
            "{}\n    {}:{}: {}\n    {form}",
            error.title,
            path.display(),
            error.line,
            line.unwrap_or_default().trim()
        );
        (module(&file), Failure { json, text })
    };
    errors.into_iter().map(failure).collect()
}

/// Writes `target/corpus/failures`.
pub(super) fn write_failures(surveys: &[Survey]) -> Outcome {
    let mut text = String::new();
    for survey in surveys {
        for (module, failure) in &survey.failures {
            _ = writeln!(text, "{}: {}", survey.name, failure.shown(module));
        }
        for (module, error) in &survey.unread {
            _ = writeln!(text, "{}: {module} is not read: {error}\n", survey.name);
        }
    }
    let path = target().join("corpus/failures");
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Returns an error if a module does not compile.
pub(super) fn judge(surveys: &[Survey]) -> Outcome {
    let failures = surveys.iter().flat_map(|survey| &survey.failures);
    let shown = failures
        .clone()
        .map(|(module, failure)| failure.shown(module));
    let shown: Vec<String> = shown.take(MOST_SHOWN).collect();
    match failures.count() {
        0 => Ok(()),
        failed => Err(format!(
            "{failed} modules do not compile; target/corpus/failures has all errors\n\n{}",
            shown.join("\n")
        )),
    }
}
