//! How a release is stopped, and how it reports that it is running.

use std::process::{Command, Stdio};

use crate::release::Unpacked;
use crate::running::{Running, heeding_signals};
use crate::settings::application;
use crate::support::{cargo_otp, said};

/// Prints that it ends in order, for a reader of the output.
const TERMINATE: &str = "
    fn terminate(&mut self, _: &otp_bridge::Term) {
        println!(\"terminated in order\");
    }

    fn handle_info(&mut self, _: otp_bridge::messages::ExitSignal) -> HandleInfo {
        noreply()
    }

    fn handle_info(";

#[test]
fn every_signal_that_asks_a_release_to_stop_has_it_terminate() {
    let scratch = application("signalled", "[env]\nport = 1\n");
    let worker = scratch.read("signalled/src/worker.rs");
    let worker = worker.replace("\n    fn handle_info(", TERMINATE);
    let prints = "        println!(\"{:?}\", cx.env";
    let worker = worker.replace(prints, &format!("        cx.trap_exit(true);\n{prints}"));
    scratch.write("signalled/src/worker.rs", &worker);
    let folder = scratch.path("signalled");
    said(cargo_otp(&folder, &["release", "--profile", "dev"])).succeeded();
    let release = Unpacked::new("signalled", &scratch.path("there"));
    let says = |arguments: &[&str], code: i32, text: &str| {
        let said = release.says(arguments);
        assert_eq!(
            said.code,
            Some(code),
            "{arguments:?}: {}{}",
            said.out,
            said.err
        );
        assert_eq!(said.out, text, "{arguments:?}");
    };

    // Without a terminal, as in a container or under systemd.
    for signal in ["-INT", "-TERM", "-HUP", "-QUIT", "-KILL"] {
        for command in [["ping"], ["pid"]] {
            says(&command, 1, "");
        }
        says(&["status"], 1, "stopped\n");
        let command = release.command(&["foreground", "stay"]);
        let mut running = Running::start(heeding_signals(&command));
        running.line_with("nodes []");
        says(&["ping"], 0, "pong\n");
        running.signal(signal);
        let ended = running.end();
        // If the program is killed, the VM notices that, and stops in order all the same.
        let code = (signal != "-KILL").then_some(0);
        assert_eq!(ended.code, code, "{signal}: {}", ended.err);
        assert!(
            ended.out.contains("terminated in order"),
            "{signal}: {}",
            ended.out
        );
    }

    // In the background, the VM receives the signals itself.
    for signal in ["-TERM", "-HUP"] {
        let command = heeding_signals(&release.command(&["start", "stay"]));
        said(command).succeeded();
        says(&["status"], 0, "running\n");
        let pid = release.says(&["pid"]).out.trim().to_owned();
        assert_eq!(release.eval("list_to_integer(os:getpid())"), pid);
        assert_eq!(release.eval("[26085, 26412]"), "\"日本\"");
        assert_eq!(release.eval("io:printable_range()"), "unicode");
        let mut other = release.command(&["ping"]);
        other.env("SIGNALLED_COOKIE", "another_one");
        let refused = said(other);
        assert_eq!(refused.code, Some(3), "{}", refused.err);
        assert!(
            refused.err.contains("its cookie is different"),
            "{}",
            refused.err
        );
        let kill = |signal: &str| {
            let kill = Command::new("kill").args([signal, &pid]).status();
            assert!(kill.expect("kill").success());
        };
        kill("-STOP");
        let silent = release.says(&["status"]);
        assert_eq!(silent.code, Some(4), "{}", silent.err);
        assert_eq!(silent.out, "unknown\n");
        assert!(silent.err.contains("does not answer"), "{}", silent.err);
        kill("-CONT");
        kill(signal);
        while release.says(&["ping"]).code == Some(0) {}
        let console = scratch.read("there/signalled-0.1.0/var/log/console.log");
        assert!(
            console.contains("terminated in order"),
            "{signal}: {console}"
        );
    }

    // It reports which programs are missing.
    let mut poor = release.command(&["ping"]);
    poor.env("PATH", "").stdin(Stdio::null());
    said(poor).refused(&["there is no program cat in PATH", "set PATH to"]);
}
