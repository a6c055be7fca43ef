//! The children that the supervisors of a built application have, as `otp_rs_children.erl` tells them.

use std::fs;
use std::path::Path;
use std::process::Command;

use otp_contract::modules;

use super::erl;
use crate::installation::Installation;
use crate::report::{Error, Result, catalog};

const SOURCE: &str = include_str!("otp_rs_children.erl");

/// Compiles the module in the VM that runs it.
const QUESTION: &str = "\
    [File | Arguments] = init:get_plain_arguments(), \
    {ok, Module, Beam} = compile:file(File, [binary]), \
    {module, _} = code:load_binary(Module, File, Beam), \
    Module:main(Arguments).";

/// The application that is asked.
pub(crate) struct Question<'a> {
    /// Its name.
    pub(crate) application: &'a str,
    /// Its root supervisor, if that is given the command line.
    pub(crate) root: Option<&'a str>,
    /// Its modules that are written in Erlang.
    pub(crate) modules: &'a [String],
    /// The command line.
    pub(crate) arguments: &'a [String],
}

/// What the supervisors said, the root first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Children {
    /// Those that have said their children.
    pub(crate) supervisors: Vec<String>,
    /// Their children.
    pub(crate) children: Vec<Child>,
    /// Supervisors that OTP would not start, and why.
    pub(crate) refused: Vec<(String, String)>,
    /// Supervisors whose children are not known, and why.
    pub(crate) unknown: Vec<(String, String)>,
    /// Applications that it needs, and that are not there.
    pub(crate) missing: Vec<String>,
    /// The atoms in the application's Erlang modules.
    pub(crate) atoms: Vec<String>,
}

/// A child spec.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Child {
    /// The supervisor's module.
    pub(crate) supervisor: String,
    /// Its id, as Erlang writes it.
    pub(crate) id: String,
    /// The module that is started.
    pub(crate) module: String,
    /// What is wrong with the function that starts it. Empty if nothing is.
    pub(crate) problem: String,
}

/// Asks in a VM that `load` has load the application.
pub(crate) fn ask(
    otp: &Installation,
    question: &Question<'_>,
    load: impl FnOnce(&mut Command),
) -> Result<Children> {
    let scratch = tempfile::tempdir()
        .map_err(|error| Error::io("write in", &std::env::temp_dir(), &error))?;
    let source = scratch.path().join("otp_rs_children.erl");
    let answer = scratch.path().join("answer");
    fs::write(&source, SOURCE).map_err(|error| Error::io("write", &source, &error))?;
    let mut erl = erl(otp);
    erl.args(["-boot", "no_dot_erlang"]);
    load(&mut erl);
    erl.args(["-eval", QUESTION, "-extra"])
        .args([&source, &answer]);
    let name = question.application;
    erl.args([name, &modules::library(name), &modules::run(name)]);
    erl.arg(question.root.unwrap_or_default());
    erl.arg(question.modules.len().to_string());
    erl.args(question.modules).args(question.arguments);
    let said = erl
        .env("ERL_CRASH_DUMP_SECONDS", "0")
        .env_remove("ERL_COMPILER_OPTIONS")
        .output()
        .map_err(|error| Error::io("run", &otp.erl, &error))?;
    match said.status.success() {
        true => read(&answer),
        false => Err(catalog::INTERNAL
            .with(&[&"the supervisors cannot be asked for their children"])
            .detail(String::from_utf8_lossy(&said.stdout))
            .detail(String::from_utf8_lossy(&said.stderr))),
    }
}

fn read(file: &Path) -> Result<Children> {
    let text = fs::read_to_string(file).map_err(|error| Error::io("read", file, &error))?;
    let mut children = Children::default();
    for line in text.lines() {
        children.add(line).ok_or_else(|| {
            let what = "what the supervisors say of their children is not understood";
            catalog::INTERNAL.with(&[&what]).detail(line)
        })?;
    }
    Ok(children)
}

impl Children {
    /// Fields with a tab between them.
    fn add(&mut self, line: &str) -> Option<()> {
        let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        match line.split('\t').collect::<Vec<_>>().as_slice() {
            ["atom", atom] => self.atoms.push((*atom).to_owned()),
            ["missing", name] => self.missing.push((*name).to_owned()),
            ["supervisor", module] => self.supervisors.push((*module).to_owned()),
            ["refused", module, why] => self.refused.push(pair(module, why)),
            ["unknown", module, why] => self.unknown.push(pair(module, why)),
            ["child", supervisor, id, module, problem] => self.children.push(Child {
                supervisor: (*supervisor).to_owned(),
                id: (*id).to_owned(),
                module: (*module).to_owned(),
                problem: (*problem).to_owned(),
            }),
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_not_known_is_refused() {
        let mut children = Children::default();
        assert!(children.add("supervisor\tstroot").is_some());
        assert!(children.add("child\tstroot\t{a,1}\ta\t").is_some());
        assert_eq!(children.children[0].id, "{a,1}");
        for line in ["", "child\tstroot", "what\ta", "supervisor"] {
            assert!(children.add(line).is_none(), "{line}");
        }
    }
}
