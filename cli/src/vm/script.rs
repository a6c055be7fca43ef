//! Sends requests to a running node: a separate VM connects to it and runs a module.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use otp_erlang::ErlangSource;
use otp_erlang::tools::NODE;

use super::node::{self, Cookie};
use super::{following, program};
use crate::files::Scratch;
use crate::installation::Installation;
use crate::report::{Error, Result, catalog};

/// The node that receives the request, as the command line names it.
#[derive(Clone, Copy)]
pub(crate) struct RunningNode<'a> {
    /// `NAME` or `NAME@HOST`
    pub(crate) name: &'a str,
    /// `None`: Erlang's own cookie.
    pub(crate) cookie: Option<&'a Cookie>,
}

/// Compiles the modules in the VM that runs them, and calls the last one. The compiled modules stay
/// in the folder, because some are sent to another node.
const QUESTION: &str = "\
    {[First | _] = Files, [_ | Arguments]} = lists:splitwith(fun(A) -> A =/= \"--\" end, init:get_plain_arguments()), \
    Folder = filename:dirname(First), \
    Compile = fun(File, _) -> {ok, Module} = compile:file(File, [{outdir, Folder}]), Module end, \
    Main = lists:foldl(Compile, none, Files), \
    true = code:add_patha(Folder), \
    Main:main(Arguments).";

/// The exit code of a VM that could not reach the node.
pub(super) const UNREACHABLE: i32 = 3;

/// The mark before each line that a module sends (`otp_rs_node:say/1`). All other output of the VM
/// is ignored, such as a compiler's warning.
const FRAME: char = '\u{1e}';

/// The standard input of a VM.
#[derive(Clone, Copy)]
enum Input {
    /// None. Ctrl-C ends the VM.
    Nothing,
    /// A pipe that the command writes to. Ctrl-C goes to the command.
    UntilTheEnd,
}

/// A VM that runs a module's `main/1`, and the folder of the module if it is compiled there.
pub(crate) struct Script {
    erl: Command,
    _scratch: Option<Scratch>,
}

impl Script {
    /// Writes the modules. `main/1` of the last one receives the arguments that follow. `flags` are
    /// the VM's.
    pub(crate) fn new(
        otp: &Installation,
        modules: &[&ErlangSource],
        flags: impl FnOnce(&mut Command),
    ) -> Result<Self> {
        Self::with_input(otp, Input::Nothing, modules, flags)
    }

    fn with_input(
        otp: &Installation,
        input: Input,
        modules: &[&ErlangSource],
        flags: impl FnOnce(&mut Command),
    ) -> Result<Self> {
        let scratch = Scratch::new()?;
        let mut erl = Self::vm(otp, input);
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
            _scratch: Some(scratch),
        })
    }

    /// Creates a script from one module that is already compiled in a folder.
    pub(super) fn of_compiled(
        otp: &Installation,
        module: &ErlangSource,
        folder: &Path,
        flags: impl FnOnce(&mut Command),
    ) -> Self {
        let mut erl = Self::vm(otp, Input::Nothing);
        flags(&mut erl);
        let call = format!("{}:main(init:get_plain_arguments()).", module.name);
        erl.arg("-pa").arg(folder).args(["-eval", &call, "-extra"]);
        Self {
            erl,
            _scratch: None,
        }
    }

    fn vm(otp: &Installation, input: Input) -> Command {
        let mut erl = program(otp);
        // +Bd: Ctrl-C ends it. +Bi: it does not.
        let (input, stdin) = match input {
            Input::Nothing => (["-noinput", "+Bd"], Stdio::null()),
            Input::UntilTheEnd => (["-noshell", "+Bi"], Stdio::piped()),
        };
        erl.args(input).args(["-boot", "no_dot_erlang", "+fnu"]);
        // The VM does one thing at a time, and a scheduler that spins for work would take a core
        // from cargo and the compiler.
        for spins in ["+sbwt", "+sbwtdcpu", "+sbwtdio"] {
            erl.args([spins, "none"]);
        }
        // The VM's log entries would be between the lines.
        erl.args(["-kernel", "logger_level", "none"]);
        erl.stdin(stdin)
            .env("ERL_CRASH_DUMP_SECONDS", "0")
            .env_remove("ERL_COMPILER_OPTIONS");
        erl
    }

    /// Runs it until it ends, with these arguments.
    pub(crate) fn ask(mut self, otp: &Installation, arguments: &[OsString]) -> Result<Output> {
        self.erl
            .args(arguments)
            .output()
            .map_err(|error| Error::io("run", &otp.erl, &error))
    }

    /// Like `ask`, but passes each line to `take` at once, as described at [`following`].
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

/// A VM that runs until its standard input ends, and the folder of its modules.
pub(super) struct RunningScript {
    pub(super) vm: Child,
    _scratch: Option<Scratch>,
}

impl RunningNode<'_> {
    /// Makes the last module ask the node: its `main/1` receives the node's name, the cookie's file
    /// and the arguments.
    pub(super) fn by(
        &self,
        otp: &Installation,
        modules: &[&ErlangSource],
        arguments: &[String],
        output: Stdio,
    ) -> Result<Output> {
        let given = (modules, arguments);
        let (question, all) = self.question(otp, Input::Nothing, given, output)?;
        self.reached(question.ask(otp, &all)?)
    }

    /// Like `by`, but passes each line to `take` at once, as described at [`following`]. The VM's
    /// standard input ends when this command does, however it ends.
    pub(super) fn following(
        &self,
        otp: &Installation,
        modules: &[&ErlangSource],
        arguments: &[String],
        mut take: impl FnMut(&str) -> bool,
    ) -> Result<Output> {
        let given = (modules, arguments);
        let (question, all) = self.question(otp, Input::UntilTheEnd, given, Stdio::piped())?;
        let take = |line: &str| line.strip_prefix(FRAME).is_some_and(&mut take);
        self.reached(question.follow(otp, &all, take)?)
    }

    /// Like `by`, without waiting for the end. The caller reads the VM's output and errors.
    pub(super) fn begin(
        &self,
        otp: &Installation,
        modules: &[&ErlangSource],
        arguments: &[String],
    ) -> Result<RunningScript> {
        let given = (modules, arguments);
        let (mut question, all) = self.question(otp, Input::UntilTheEnd, given, Stdio::piped())?;
        let vm = question
            .erl
            .args(all)
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Error::io("run", &otp.erl, &error))?;
        Ok(RunningScript {
            vm,
            _scratch: question._scratch,
        })
    }

    /// Returns the VM, and all arguments of the last module.
    fn question(
        &self,
        otp: &Installation,
        input: Input,
        (modules, arguments): (&[&ErlangSource], &[String]),
        output: Stdio,
    ) -> Result<(Script, Vec<OsString>)> {
        node::check_name(self.name)?;
        let modules = [&[&NODE], modules].concat();
        let question = Script::with_input(otp, input, &modules, |erl| {
            erl.stdout(output);
            if self.cookie.is_some() {
                // Otherwise the VM would read or create its default one.
                erl.args(["-setcookie", &node::nobody_knows()]);
            }
        })?;
        let cookie = self.cookie.map(Cookie::file).unwrap_or(Path::new(""));
        let mut all: Vec<OsString> = vec![self.name.into(), cookie.into()];
        all.extend(arguments.iter().map(OsString::from));
        Ok((question, all))
    }

    fn reached(&self, said: Output) -> Result<Output> {
        match said.status.code() {
            Some(UNREACHABLE) => Err(self.unreachable(&said.stderr)),
            _ => Ok(Output {
                stdout: framed(&said.stdout).into_bytes(),
                ..said
            }),
        }
    }

    /// Returns the error with the VM's reason why the node could not be asked.
    pub(super) fn unreachable(&self, why: &[u8]) -> Error {
        let why = String::from_utf8_lossy(why);
        catalog::UNREACHABLE.with(&[&self.name, &why.trim()])
    }
}

/// Returns the lines in frames, without the frames.
fn framed(output: &[u8]) -> String {
    let output = String::from_utf8_lossy(output);
    let lines = output.lines().filter_map(|line| line.strip_prefix(FRAME));
    lines.map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_between_frames_is_not_an_answer() {
        let output = "counter.erl: Warning: unused\n\n\u{1e}plan\ta\nno end\n\u{1e}changed\tb\t1\n";
        assert_eq!(framed(output.as_bytes()), "plan\ta\nchanged\tb\t1\n");
    }
}
