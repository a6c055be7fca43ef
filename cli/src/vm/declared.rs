//! The supervision trees that built applications declare, as reported by `otp_rs_declared.erl`.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use otp_contract::modules;
use otp_erlang::tools::DECLARED;

use super::script::Script;
use super::tree::{Declaration, Process, TreeRow, Trees};
use crate::files::Scratch;
use crate::installation::Installation;
use crate::report::{Error, Result, catalog};

/// Built applications. The last one needs the others.
pub(crate) struct Declaring<'a> {
    /// In the order in which they start.
    pub(crate) applications: Vec<DeclaredApplication<'a>>,
    /// The last application's modules that are written in Erlang.
    pub(crate) modules: &'a [String],
    /// The last application's command line.
    pub(crate) arguments: &'a [String],
    pub(crate) questions: &'a [Question],
}

/// A function in Erlang that Rust calls by its name, or a module with bindings.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) module: String,
    /// The name and the number of arguments.
    pub(crate) function: Option<(String, usize)>,
}

/// The answer to a [`Question`].
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// Why the function cannot be called; empty if it can.
    pub(crate) problem: String,
    /// The application of OTP that has the module, if it is not among those that are started.
    pub(crate) application: String,
}

/// A built application.
pub(crate) struct DeclaredApplication<'a> {
    pub(crate) name: &'a str,
    /// The module of its root supervisor.
    pub(crate) root: &'a str,
    pub(crate) start: Start,
}

/// How the processes of an application are started.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start {
    /// By the application itself. Its root supervisor receives the application's arguments.
    Usual,
    /// By the application itself. Only its own code knows the arguments of its root supervisor.
    Own,
    /// By a supervisor of another application.
    Included,
}

/// The answers of the supervisors.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    pub(crate) trees: Trees,
    /// Supervisors whose children are unknown.
    pub(crate) silent: Vec<Silent>,
    /// Applications, each with the applications that it needs and that are not installed.
    pub(crate) missing: Vec<(String, String)>,
    /// The atoms in the last application's Erlang modules.
    pub(crate) atoms: Vec<String>,
    /// Names of processes of the VM and of applications in Erlang.
    pub(crate) known: Vec<String>,
    /// The answers to the questions, in their order.
    pub(crate) answers: Vec<Answer>,
}

/// A supervisor whose children are unknown.
#[derive(Debug)]
pub(crate) struct Silent {
    pub(crate) module: String,
    pub(crate) why: Why,
    /// The number of applications before its own, and whether it is the root there.
    application: usize,
    is_root: bool,
}

/// The reason why a supervisor's children are unknown.
#[derive(Debug)]
pub(crate) enum Why {
    /// OTP refuses them.
    Refused(String),
    /// Its `init` fails.
    Failed {
        /// The text behind the function's name.
        reason: String,
        /// The text on its own, with the line of Rust.
        told: String,
    },
    /// Only the code of the application knows its arguments.
    Own,
}

/// Asks the supervisors of applications for their children. [`DECLARED`] is compiled in a folder,
/// and `load` makes a VM load all of the applications.
pub(crate) fn ask(
    otp: &Installation,
    declaring: &Declaring<'_>,
    compiled: &Path,
    load: impl FnOnce(&mut Command),
) -> Result<Declared> {
    let scratch = Scratch::new()?;
    let [file, questions] = ["answer", "questions"].map(|name| scratch.path().join(name));
    let asked: String = declaring.questions.iter().map(Question::line).collect();
    fs::write(&questions, asked).map_err(|error| Error::io("write", &questions, &error))?;
    let mut given = vec![file.clone().into_os_string(), questions.into_os_string()];
    given.extend(declaring.to_arguments());
    let said = Script::of_compiled(otp, &DECLARED, compiled, load).ask(otp, &given)?;
    match fs::read_to_string(&file) {
        Ok(text) if said.status.success() => read(&text),
        _ => Err(catalog::INTERNAL
            .with(&[&"the supervisors cannot be asked for their children"])
            .detail(String::from_utf8_lossy(&said.stdout))
            .detail(String::from_utf8_lossy(&said.stderr))),
    }
}

impl Declaring<'_> {
    fn to_arguments(&self) -> Vec<OsString> {
        let mut texts: Vec<String> = Vec::new();
        for one in &self.applications {
            let how = match one.start {
                Start::Usual => "start",
                Start::Own => "own",
                Start::Included => "include",
            };
            let library = modules::library(one.name);
            texts.extend([how, one.name, &library, one.root].map(str::to_owned));
        }
        texts.push("--".to_owned());
        let last = self.applications.last();
        texts.extend(last.map(|one| modules::run(one.name)));
        texts.extend_from_slice(self.modules);
        texts.push("--".to_owned());
        texts.extend_from_slice(self.arguments);
        texts.into_iter().map(OsString::from).collect()
    }
}

impl Question {
    fn line(&self) -> String {
        let module = &self.module;
        match &self.function {
            Some((function, arity)) => format!("{module}\t{function}\t{arity}\n"),
            None => format!("{module}\n"),
        }
    }
}

impl Declared {
    /// Returns whether it is the last application's root supervisor, without which that application
    /// does not start.
    pub(crate) fn is_main(&self, silent: &Silent) -> bool {
        silent.is_root && silent.application == self.trees.applications.len()
    }

    /// Returns why the children of the last application's root supervisor are unknown, if its
    /// `init` fails.
    pub(crate) fn failure(&self) -> Option<Error> {
        let mut silent = self.silent.iter();
        let root = silent.find(|it| self.is_main(it))?;
        match &root.why {
            Why::Refused(why) => Some(catalog::CHILDREN_REFUSED.with(&[&root.module, why])),
            Why::Failed { reason, .. } => Some(catalog::NOT_DECLARED.with(&[&root.module, reason])),
            Why::Own => None,
        }
    }

    /// Adds a line, whose fields are separated by tabs.
    fn add(&mut self, line: &str) -> Option<()> {
        match line.split('\t').collect::<Vec<_>>().as_slice() {
            ["atom", atom] => self.atoms.push((*atom).to_owned()),
            ["known", name] => self.known.push((*name).to_owned()),
            ["answer", problem, application] => self.answers.push(Answer {
                problem: (*problem).to_owned(),
                application: (*application).to_owned(),
            }),
            ["missing", by, name] => self.missing.push(((*by).to_owned(), (*name).to_owned())),
            ["application", name] => self.trees.begin(name),
            ["declared", depth, rest @ ..] => {
                self.trees.add(depth, TreeRow::Process(process(rest)?))?;
            }
            ["omitted", depth, text] => self
                .trees
                .add(depth, TreeRow::Omitted((*text).to_owned()))?,
            ["own", depth, module] => self.silent(depth, module, Why::Own)?,
            ["refused", depth, module, why] => {
                self.silent(depth, module, Why::Refused((*why).to_owned()))?;
            }
            ["failed", depth, module, reason, told] => {
                let (reason, told) = ((*reason).to_owned(), (*told).to_owned());
                self.silent(depth, module, Why::Failed { reason, told })?;
            }
            _ => return None,
        }
        Some(())
    }

    /// Adds a supervisor whose children are unknown, and a line in the tree that shows this.
    fn silent(&mut self, depth: &str, module: &str, why: Why) -> Option<()> {
        let text = match &why {
            Why::Refused(why) => format!("children refused: {why}"),
            Why::Failed { reason, .. } => {
                format!("children unknown, {module}:init/1 fails: {reason}")
            }
            Why::Own => format!("children unknown, {OWN}"),
        };
        self.trees.add(depth, TreeRow::Omitted(text))?;
        self.silent.push(Silent {
            module: module.to_owned(),
            why,
            application: self.trees.applications.len(),
            is_root: depth == "1",
        });
        Some(())
    }
}

/// Why the root supervisor of such an application is not asked.
pub(crate) const OWN: &str = "the application's own `start` gives it its arguments";

fn read(text: &str) -> Result<Declared> {
    let mut declared = Declared::default();
    for line in text.lines() {
        declared.add(line).ok_or_else(|| {
            let what = "what the supervisors say of their children is not understood";
            catalog::INTERNAL.with(&[&what]).detail(line)
        })?;
    }
    Ok(declared)
}

fn process(fields: &[&str]) -> Option<Process> {
    let &[
        kind,
        name,
        id,
        module,
        start,
        restart,
        shutdown,
        state,
        problem,
        registered,
        strategy,
        intensity,
        period,
    ] = fields
    else {
        return None;
    };
    Some(Process {
        is_supervisor: kind == "supervisor",
        name: name.to_owned(),
        id: id.to_owned(),
        module: module.to_owned(),
        state: state.to_owned(),
        declared: Some(Box::new(Declaration {
            start: start.to_owned(),
            restart: restart.to_owned(),
            shutdown: shutdown.to_owned(),
            problem: problem.to_owned(),
            registered: registered.to_owned(),
            strategy: strategy.to_owned(),
            intensity: intensity.parse().ok(),
            period: period.parse().ok(),
        })),
        ..Process::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "application\tshop\n\
        declared\t0\tsupervisor\tstroot\tstroot\tstroot\t\t\t\t\t\tstroot\tone_for_one\t1\t5\n";

    #[test]
    fn a_root_that_fails_is_an_error_and_another_one_a_line() {
        let below = format!("{ROOT}failed\t2\tbelow\tbadarg\tbelow:init/1: badarg\n");
        let declared = read(&below).unwrap();
        assert_eq!(
            declared.trees.applications[0].entries[1].kind,
            TreeRow::Omitted("children unknown, below:init/1 fails: badarg".to_owned())
        );
        assert!(declared.failure().is_none());
        let failed = format!("{ROOT}failed\t1\tstroot\tbadarg\tstroot:init/1: badarg\n");
        let error = read(&failed).unwrap().failure().unwrap();
        assert_eq!(error.what(), "`stroot:init/1` fails: badarg");
        let other = format!("{failed}{}", ROOT.replace("shop", "till"));
        assert!(read(&other).unwrap().failure().is_none());
        let refused = format!("{ROOT}refused\t1\tstroot\ttwice\n");
        let error = read(&refused).unwrap().failure().unwrap();
        assert_eq!(error.what(), "`stroot` cannot start: twice");
        let own = format!("{ROOT}own\t1\tstroot\n");
        assert!(read(&own).unwrap().failure().is_none());
    }

    #[test]
    fn a_line_that_is_not_known_is_refused() {
        for line in ["", "declared\t0\tworker", "what\ta", "refused\tx\ta\tb"] {
            assert!(read(&format!("{ROOT}{line}\n")).is_err(), "{line}");
        }
        assert!(read("own\t1\tbefore_any_application\n").is_err());
    }
}
