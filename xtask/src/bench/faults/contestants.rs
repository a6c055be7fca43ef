//! Builds and runs the programs.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::figures::Figures;
use super::scenarios::{Load, Scenario};
use crate::step::{self, Outcome, cargo, root, run};

/// The built programs.
pub(super) struct FaultContestants {
    /// The modules of examples/faults.
    otp_rs: PathBuf,
    peers: PathBuf,
}

impl FaultContestants {
    pub(super) fn build() -> Outcome<Self> {
        let target = step::applications_target();
        run(&mut cargo(root(), &["build", "--package", "otp-cli"]))?;
        run(Command::new(step::target().join("debug/cargo-otp"))
            .args(["otp", "build", "--release"])
            .current_dir(root().join("examples/faults"))
            .env("CARGO_TARGET_DIR", &target))?;
        let mut peers = cargo(&root().join("peers"), &["build", "--release"]);
        run(peers.env("CARGO_TARGET_DIR", &target))?;
        Ok(FaultContestants {
            otp_rs: target.join("otp/release/faults/ebin"),
            peers: target.join("release/peers"),
        })
    }

    /// Runs a scenario once. Returns the figures of the program's clients, and drops its messages
    /// about panics and crashes.
    pub(super) fn run(&self, scenario: &Scenario, who: &str, load: Load) -> Outcome<Figures> {
        let mut command = match who {
            "otp-rs" => self.application(scenario),
            peer => {
                let mut peers = Command::new(&self.peers);
                peers.args(["faults", peer]);
                peers
            }
        };
        command.args([
            scenario.name,
            &load.calls.to_string(),
            &load.faults.to_string(),
        ]);
        // Printing a backtrace takes much longer than a restart.
        command.env_remove("RUST_BACKTRACE").stdin(Stdio::null());
        let line = step::line(&command);
        let output = command
            .output()
            .map_err(|error| format!("cannot run `{line}`: {error}"))?;
        let printed = String::from_utf8_lossy(&output.stdout);
        let figures = Figures::read(&printed).filter(|_| output.status.success());
        let figures =
            figures.ok_or_else(|| format!("`{line}` failed: {}\n{printed}", output.status))?;
        if figures.calls() != load.calls {
            return Err(format!("`{line}` has made {} calls", figures.calls()));
        }
        Ok(figures)
    }

    fn application(&self, scenario: &Scenario) -> Command {
        let mut erl = Command::new("erl");
        if scenario.is_distributed {
            // If this VM starts a daemon, the daemon listens only on this machine.
            erl.env("ERL_EPMD_ADDRESS", "127.0.0.1");
            let node = format!("faults{}@127.0.0.1", std::process::id());
            erl.args(["-name", &node, "-kernel"]);
            erl.args(["inet_dist_use_interface", "{127,0,0,1}"]);
        }
        erl.args(["-noinput", "-pa"]).arg(&self.otp_rs).args([
            "-s",
            "faults_run",
            "main",
            "-extra",
        ]);
        erl
    }
}
