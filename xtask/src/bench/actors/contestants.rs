//! Builds and runs the programs to measure.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::programs::{Evaluation, Run};
use crate::step::{self, Outcome, cargo, root, run};

/// The built programs.
pub(super) struct ActorContestants {
    /// The modules of examples/savina.
    otp_rs: PathBuf,
    /// The modules of peers/erlang.
    erlang: PathBuf,
    peers: PathBuf,
}

impl ActorContestants {
    pub(super) fn build(evaluation: &Evaluation) -> Outcome<Self> {
        let target = step::applications_target();
        let erlang = step::target().join("bench/savina");
        let application = root().join("examples/savina");
        if evaluation
            .contestants
            .iter()
            .any(|it| it.starts_with("otp-rs"))
        {
            run(&mut cargo(root(), &["build", "--package", "otp-cli"]))?;
            run(Command::new(step::target().join("debug/cargo-otp"))
                .args(["otp", "build", "--release"])
                .current_dir(application)
                .env("CARGO_TARGET_DIR", &target))?;
        }
        compile_erlang(&erlang)?;
        let mut peers = cargo(&root().join("peers"), &["build", "--release"]);
        run(peers.env("CARGO_TARGET_DIR", &target))?;
        Ok(ActorContestants {
            otp_rs: target.join("otp/release/savina/ebin"),
            erlang,
            peers: target.join("release/peers"),
        })
    }

    /// Runs a program once. Returns its figure in nanoseconds or bytes.
    pub(super) fn run(&self, run: &Run) -> Outcome<f64> {
        let mut command = self.command(run);
        let output = command
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output();
        let line = step::line(&command);
        let output = output.map_err(|error| format!("cannot run `{line}`: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let figure = text.lines().find_map(|line| {
            let figure = line
                .strip_prefix("nanoseconds=")
                .or_else(|| line.strip_prefix("bytes="))?;
            figure.parse().ok()
        });
        match figure.filter(|_| output.status.success()) {
            Some(figure) => Ok(figure),
            None => Err(format!("`{line}` failed: {}\n{text}", output.status)),
        }
    }

    fn command(&self, run: &Run) -> Command {
        let words = run.program.command_line(run.x);
        let (mut command, words) = match run.contestant {
            "otp-rs" => (application(&self.otp_rs), words),
            "otp-rs tasks" => {
                let tasks = [vec!["tasks".to_owned()], words].concat();
                (application(&self.otp_rs), tasks)
            }
            "erlang" => (erl(&self.erlang, &["-s", "savina", "main"]), words),
            peer => {
                let mut command = Command::new(&self.peers);
                command.arg(peer);
                (command, words)
            }
        };
        command.args(words);
        command
    }
}

fn application(ebin: &PathBuf) -> Command {
    erl(ebin, &["-s", "savina_run", "main", "-extra"])
}

fn erl(modules: &PathBuf, arguments: &[&str]) -> Command {
    let mut erl = Command::new("erl");
    // Allows a million processes, and more timers than the default process limit of OTP 25.
    erl.args(["+P", "2000000", "-noinput", "-pa"])
        .arg(modules)
        .args(arguments);
    erl
}

fn compile_erlang(folder: &PathBuf) -> Outcome {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let sources = root().join("peers/erlang");
    let entries =
        fs::read_dir(&sources).map_err(|error| format!("{}: {error}", sources.display()))?;
    let files = entries.flatten().map(|entry| entry.path());
    run(Command::new("erlc").arg("-o").arg(folder).args(files))
}
