//! Asking a running node: a VM of its own connects to it and runs a module that asks.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::{following, node};
use crate::installation::Installation;
use crate::report::{Error, Result, catalog};

/// The node that is asked, as the command line names it.
pub(crate) struct Asked<'a> {
    /// `NAME` or `NAME@HOST`
    pub(crate) name: &'a str,
    /// The file of its cookie. `None`: Erlang's own.
    pub(crate) cookie: Option<&'a Path>,
}

/// A module that runs in a VM.
pub(crate) struct Module {
    pub(crate) name: &'static str,
    pub(crate) source: &'static str,
}

/// Connects the VM to the node, for the modules that ask.
const NODE: Module = Module {
    name: "otp_rs_node",
    source: include_str!("otp_rs_node.erl"),
};

/// Compiles the modules in the VM that runs them, and calls the last one.
const QUESTION: &str = "\
    {Files, [_ | Arguments]} = lists:splitwith(fun(A) -> A =/= \"--\" end, init:get_plain_arguments()), \
    Load = fun(File, _) -> \
        {ok, Module, Beam} = compile:file(File, [binary]), \
        {module, _} = code:load_binary(Module, File, Beam), \
        Module \
    end, \
    Main = lists:foldl(Load, none, Files), \
    Main:main(Arguments).";

/// The exit code of a VM that could not ask the node.
const UNREACHABLE: i32 = 3;

/// A VM that runs a module's `main/1`, and the folder of the module.
pub(crate) struct Question {
    erl: Command,
    _scratch: tempfile::TempDir,
}

impl Question {
    /// Writes the modules. `main/1` of the last one gets the arguments that follow. `flags` are the VM's.
    pub(crate) fn new(
        otp: &Installation,
        modules: &[&Module],
        flags: impl FnOnce(&mut Command),
    ) -> Result<Self> {
        let scratch = tempfile::tempdir()
            .map_err(|error| Error::io("write in", &std::env::temp_dir(), &error))?;
        // +Bd: Ctrl-C ends it.
        let mut erl = Command::new(&otp.erl);
        erl.args(["-noinput", "+Bd", "-boot", "no_dot_erlang", "+fnu"]);
        // What the VM logs would stand between the lines.
        erl.args(["-kernel", "logger_level", "none"]);
        erl.stdin(Stdio::null())
            .env("ERL_CRASH_DUMP_SECONDS", "0")
            .env_remove("ERL_COMPILER_OPTIONS");
        flags(&mut erl);
        erl.args(["-eval", QUESTION, "-extra"]);
        for module in modules {
            let file = scratch.path().join(format!("{}.erl", module.name));
            fs::write(&file, module.source).map_err(|error| Error::io("write", &file, &error))?;
            erl.arg(file);
        }
        erl.arg("--");
        Ok(Self {
            erl,
            _scratch: scratch,
        })
    }

    /// Runs it to its end, with these arguments.
    pub(crate) fn ask(mut self, otp: &Installation, arguments: &[OsString]) -> Result<Output> {
        self.erl
            .args(arguments)
            .output()
            .map_err(|error| Error::io("run", &otp.erl, &error))
    }

    /// The same. `take` is given each line as it comes, as [`following`] says.
    fn follow(
        mut self,
        otp: &Installation,
        arguments: &[OsString],
        take: impl FnMut(&str) -> bool,
    ) -> Result<Output> {
        following(self.erl.args(arguments), take)
            .map_err(|error| Error::io("run", &otp.erl, &error))
    }
}

impl Asked<'_> {
    /// Has `module` ask the node: its `main/1` gets the node's name, the cookie's file and the arguments.
    pub(super) fn by(
        &self,
        otp: &Installation,
        module: &Module,
        arguments: &[String],
        output: Stdio,
    ) -> Result<Output> {
        let (question, arguments) = self.question(otp, module, arguments, output)?;
        self.reached(question.ask(otp, &arguments)?)
    }

    /// The same. `take` is given each line as it comes, as [`following`] says.
    pub(super) fn following(
        &self,
        otp: &Installation,
        module: &Module,
        arguments: &[String],
        take: impl FnMut(&str) -> bool,
    ) -> Result<Output> {
        let (question, arguments) = self.question(otp, module, arguments, Stdio::piped())?;
        self.reached(question.follow(otp, &arguments, take)?)
    }

    fn question(
        &self,
        otp: &Installation,
        module: &Module,
        arguments: &[String],
        output: Stdio,
    ) -> Result<(Question, Vec<OsString>)> {
        node::check_name(self.name)?;
        let cookie = self.cookie.map(node::cookie_file).transpose()?;
        let question = Question::new(otp, &[&NODE, module], |erl| {
            erl.stdout(output);
            if cookie.is_some() {
                // Otherwise the VM would read or make one of its own.
                erl.args(["-setcookie", &node::nobody_knows()]);
            }
        })?;
        let mut all: Vec<OsString> = vec![self.name.into(), cookie.unwrap_or_default().into()];
        all.extend(arguments.iter().map(OsString::from));
        Ok((question, all))
    }

    fn reached(&self, said: Output) -> Result<Output> {
        match said.status.code() {
            Some(UNREACHABLE) => {
                let why = String::from_utf8_lossy(&said.stderr);
                Err(catalog::UNREACHABLE.with(&[&self.name, &why.trim()]))
            }
            _ => Ok(said),
        }
    }
}
