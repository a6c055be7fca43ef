//! `cargo xtask coverage`: how many types and functions of kernel and stdlib are generated,
//! compiled and precise.

mod compile;
mod library;
mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use otp_codegen::{
    FunctionReport, ModuleReport, Output, Reason, SkipReason, outside_options, with_bindings,
};

use compile::compile;
pub(crate) use compile::write_modules;
pub(crate) use library::Library;
use page::{Totals, compare, percent};

use crate::erlang;
use crate::step::{Outcome, root, say};

/// The applications that are counted.
const APPLICATIONS: [&str; 2] = ["kernel", "stdlib"];
/// Elixir's applications.
const ELIXIRS: [&str; 6] = ["eex", "elixir", "ex_unit", "iex", "logger", "mix"];
/// The page that keeps the numbers.
const PAGE: &str = "docs/coverage.md";
/// The share of types that must be precise, in hundredths of a per cent.
const GOAL: usize = 9800;

/// Generates, compiles and writes the page.
pub(crate) fn write() -> Outcome {
    let survey = Survey::new(&APPLICATIONS)?;
    let compiled = compile(&survey)?;
    say(&survey.summary(&compiled));
    let page = root().join(PAGE);
    fs::write(&page, survey.page(&compiled))
        .map_err(|error| format!("{}: {error}", page.display()))?;
    say(&format!("{PAGE} is written\n"));
    survey.judge(&compiled)
}

/// Generates, compiles, and compares with the page. No number may get worse.
pub(crate) fn check() -> Outcome {
    let survey = Survey::new(&APPLICATIONS)?;
    let compiled = compile(&survey)?;
    say(&survey.summary(&compiled));
    survey.judge(&compiled)?;
    let page = root().join(PAGE);
    let text = fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))?;
    compare(&text, &survey.page(&compiled))
}

/// Generates and compiles these applications, or all installed ones.
pub(crate) fn show(applications: &[&str]) -> Outcome {
    let survey = Survey::new(applications)?;
    let compiled = compile(&survey)?;
    say(&survey.summary(&compiled));
    for (module, error) in &compiled {
        say(&format!("{module}: {error}\n"));
    }
    for (name, report) in survey.reports() {
        for fallback in &report.fallbacks {
            let (place, erlang, reason) = (&fallback.position, &fallback.erlang, fallback.reason);
            say(&format!("{name} {place}: {erlang}: {reason}\n"));
        }
    }
    for (name, report) in survey.functions() {
        for skipped in &report.skipped {
            say(&format!(
                "{name}:{}: {}\n",
                skipped.function, skipped.reason
            ));
        }
    }
    survey.judge(&compiled)
}

/// Generates all of the installed Elixir's modules with their documentation, and compiles them in
/// one crate.
pub(crate) fn elixir() -> Outcome {
    if erlang::elixir().is_none() {
        say("left out: Elixir is not installed\n");
        return Ok(());
    }
    let survey = Survey::new(&ELIXIRS)?;
    let compiled = compile(&survey)?;
    say(&survey.summary(&compiled));
    survey.judge(&compiled)
}

/// What was generated.
struct Survey {
    release: String,
    /// Each counted application's version and modules.
    applications: BTreeMap<String, (String, BTreeSet<String>)>,
    output: Output,
}

/// Modules that do not compile, each with the first error.
type Broken = BTreeMap<String, String>;

impl Survey {
    fn new(names: &[&str]) -> Outcome<Survey> {
        let libraries = erlang::to_read()?;
        let library = Library::new(&libraries)?;
        let mut applications = BTreeMap::new();
        let mut wanted = BTreeSet::new();
        let names = match names {
            ["all"] => library.applications(),
            names => names.iter().map(|name| (*name).to_owned()).collect(),
        };
        for name in names {
            let (version, modules) = library.application(&name)?;
            wanted.extend(modules.iter().cloned());
            applications.insert(name, (version, modules));
        }
        let modules = with_bindings(library.closure(wanted.clone(), true), &wanted);
        let versions = modules
            .iter()
            .filter_map(|module| Some((module.name.clone(), library.version(&module.name)?)))
            .collect();
        let release = erlang::release(&libraries)?;
        let mut options = outside_options("crate::otp", "cargo xtask coverage", &release, versions);
        options.functions = true;
        // The generator's own types count, and not those that otp-bridge has.
        options.provided = BTreeMap::new();
        let mut output = otp_codegen::generate(&modules, &options);
        for parsed in wanted.iter().filter_map(|module| library.parsed(module)) {
            otp_codegen::add_documentation(&mut output.files, &parsed.module);
        }
        Ok(Survey {
            output,
            release,
            applications,
        })
    }

    /// Whether the module belongs to a counted application.
    fn counts(&self, name: &str) -> bool {
        let mut applications = self.applications.values();
        applications.any(|(_, all)| all.contains(name))
    }

    /// The reports of the counted modules.
    fn reports(&self) -> impl Iterator<Item = (&str, &ModuleReport)> {
        let all = self.output.report.modules.iter();
        all.map(|(name, report)| (name.as_str(), report))
            .filter(|(name, _)| self.counts(name))
    }

    /// The bound functions of the counted modules.
    fn functions(&self) -> impl Iterator<Item = (&str, &FunctionReport)> {
        let all = self.output.functions.iter();
        all.map(|(name, report)| (name.as_str(), report))
            .filter(|(name, _)| self.counts(name))
    }

    fn totals(&self, of: Option<&BTreeSet<String>>) -> Totals {
        let mut totals = Totals::default();
        for (name, report) in self.reports() {
            if of.is_none_or(|of| of.contains(name)) {
                totals.modules += 1;
                totals.positions += report.positions;
                totals.fallbacks += report.fallbacks.len();
            }
        }
        for (name, report) in self.functions() {
            if of.is_none_or(|of| of.contains(name)) {
                totals.functions += report.bound + report.skipped.len();
                totals.skipped += report.skipped.len();
                totals.written += report.written;
            }
        }
        totals
    }

    fn reasons(&self) -> Vec<(Reason, usize)> {
        let mut counts: BTreeMap<Reason, usize> = BTreeMap::new();
        for fallback in self.reports().flat_map(|(_, report)| &report.fallbacks) {
            *counts.entry(fallback.reason).or_default() += 1;
        }
        ranked(counts)
    }

    fn skips(&self) -> Vec<(SkipReason, usize)> {
        let mut counts: BTreeMap<SkipReason, usize> = BTreeMap::new();
        for skipped in self.functions().flat_map(|(_, report)| &report.skipped) {
            *counts.entry(skipped.reason).or_default() += 1;
        }
        ranked(counts)
    }

    fn summary(&self, broken: &Broken) -> String {
        let totals = self.totals(None);
        let compiling = totals.modules - self.broken(broken, None);
        let mut text = format!(
            "\n{compiling} of {} modules compile; {} of {} type positions are precise: {}\n",
            totals.modules,
            totals.positions - totals.fallbacks,
            totals.positions,
            percent(totals.precise()),
        );
        for (reason, count) in self.reasons() {
            _ = writeln!(text, "{count:6}  {reason}");
            for (name, report) in self.reports() {
                let fallbacks = report.fallbacks.iter();
                for fallback in fallbacks.filter(|fallback| fallback.reason == reason) {
                    let (position, erlang) = (&fallback.position, &fallback.erlang);
                    _ = writeln!(text, "        {name}, {position}: {erlang}");
                }
            }
        }
        _ = writeln!(
            text,
            "{} of {} exported functions with a `-spec` are bound, as {} Rust functions",
            totals.functions - totals.skipped,
            totals.functions,
            totals.written,
        );
        for (reason, count) in self.skips() {
            _ = writeln!(text, "{count:6}  {reason}");
            for (name, report) in self.functions() {
                let skipped = report.skipped.iter();
                for skipped in skipped.filter(|skipped| skipped.reason == reason) {
                    _ = writeln!(text, "        {name}:{}", skipped.function);
                }
            }
        }
        for diagnostic in &self.output.diagnostics {
            _ = writeln!(text, "note: {diagnostic}");
        }
        text
    }

    fn broken(&self, broken: &Broken, of: Option<&BTreeSet<String>>) -> usize {
        let counted = |name: &&String| match of {
            Some(of) => of.contains(*name),
            None => self.reports().any(|(counted, _)| counted == name.as_str()),
        };
        broken.keys().filter(counted).count()
    }

    /// Whether the goals are met.
    fn judge(&self, broken: &Broken) -> Outcome {
        if let Some((module, error)) = broken.iter().next() {
            return Err(format!(
                "{} modules do not compile; {module}: {error}",
                broken.len()
            ));
        }
        let precise = self.totals(None).precise();
        if precise < GOAL {
            return Err(format!(
                "{} of the type positions are precise; the goal is {}",
                percent(precise),
                percent(GOAL)
            ));
        }
        Ok(())
    }
}

/// The most frequent first.
fn ranked<R>(counts: BTreeMap<R, usize>) -> Vec<(R, usize)> {
    let mut ranked: Vec<(R, usize)> = counts.into_iter().collect();
    ranked.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    ranked
}
