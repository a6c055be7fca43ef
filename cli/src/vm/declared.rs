//! The supervision trees that built applications declare, as `otp_rs_declared.erl` tells them.

use std::ffi::OsString;
use std::fs;
use std::process::Command;

use otp_contract::modules;

use super::asking::{Module, Question};
use super::tree::{Declaration, Kind, Process, Trees};
use crate::installation::Installation;
use crate::report::{Error, Result, catalog};

const DECLARED: Module = Module {
    name: "otp_rs_declared",
    source: include_str!("otp_rs_declared.erl"),
};

/// A built application.
pub(crate) struct Declaring<'a> {
    pub(crate) name: &'a str,
    /// The module of its root supervisor.
    pub(crate) root: &'a str,
    /// A supervisor of another one starts its processes.
    pub(crate) is_included: bool,
}

/// Asks the supervisors of applications for their children. The root of the last one gets the arguments. `load` has a VM
/// load all of them.
pub(crate) fn ask(
    otp: &Installation,
    applications: &[Declaring<'_>],
    arguments: &[String],
    load: impl FnOnce(&mut Command),
) -> Result<Trees> {
    let scratch = tempfile::tempdir()
        .map_err(|error| Error::io("write in", &std::env::temp_dir(), &error))?;
    let file = scratch.path().join("answer");
    let mut given = vec![file.clone().into_os_string()];
    for one in applications {
        let how = match one.is_included {
            true => "include",
            false => "start",
        };
        let library = modules::library(one.name);
        given.extend([how, one.name, &library, one.root].map(OsString::from));
    }
    given.push("--".into());
    given.extend(arguments.iter().map(OsString::from));
    let said = Question::new(otp, &[&DECLARED], load)?.ask(otp, &given)?;
    match fs::read_to_string(&file) {
        Ok(text) if said.status.success() => read(&text),
        _ => Err(catalog::INTERNAL
            .with(&[&"the supervisors cannot be asked for their children"])
            .detail(String::from_utf8_lossy(&said.stderr))),
    }
}

/// Lines of fields with a tab between them. If a root supervisor has no children to show, that is an error.
fn read(text: &str) -> Result<Trees> {
    let mut trees = Trees::default();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let known = match fields.as_slice() {
            ["application", name] => {
                trees.begin(name);
                Some(())
            }
            ["declared", depth, rest @ ..] => {
                let kind = process(rest).map(Kind::Process);
                kind.and_then(|kind| trees.add(depth, kind))
            }
            ["omitted", depth, text] => trees.add(depth, Kind::Omitted((*text).to_owned())),
            ["failed", "1", module, reason] => {
                return Err(catalog::NOT_DECLARED.with(&[module, reason]));
            }
            ["failed", depth, module, reason] => {
                let text = format!("children unknown, {module}:init/1 fails: {reason}");
                trees.add(depth, Kind::Omitted(text))
            }
            _ => None,
        };
        known.ok_or_else(|| {
            let what = "what the supervisors say of their children is not understood";
            catalog::INTERNAL.with(&[&what]).detail(line)
        })?;
    }
    Ok(trees)
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

    #[test]
    fn a_root_that_fails_is_an_error_and_another_one_a_line() {
        let root = "application\tshop\ndeclared\t0\tsupervisor\tstroot\tstroot\tstroot\t\t\t\t\tone_for_one\t1\t5\n";
        let below = format!("{root}failed\t2\tbelow\tbadarg\n");
        let trees = read(&below).unwrap();
        assert_eq!(
            trees.applications[0].entries[1].kind,
            Kind::Omitted("children unknown, below:init/1 fails: badarg".to_owned())
        );
        let error = read(&format!("{root}failed\t1\tstroot\tbadarg\n")).unwrap_err();
        assert_eq!(error.what(), "`stroot:init/1` fails: badarg");
        assert!(read("declared\t0\tworker\n").is_err());
    }
}
