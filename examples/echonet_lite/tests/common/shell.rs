//! An Erlang shell beside the application.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::{PATIENCE, Program, network::Host};

/// The folder of the built application's modules.
pub fn ebin() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        // `cargo otp test` and the project's own check name the program.
        let program = std::env::var_os("CARGO_OTP").unwrap_or_else(|| env!("CARGO").into());
        let status = Command::new(program)
            .args(["otp", "build", "--quiet"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        assert!(
            status.is_ok_and(|it| it.success()),
            "`cargo otp build` builds it: `cargo install --path cli` in the folder of otp-rs"
        );
        target().join("otp/debug/echonet_lite/ebin")
    };
    BUILT.get_or_init(build).clone()
}

/// Where everything is built.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => folder.into(),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target"),
    }
}

/// A shell, and the application in its VM.
pub struct Shell(Program);

impl Shell {
    /// Starts the application with these words of a command line. The page is at a free port.
    pub fn start(host: &Host, words: &[&str]) -> Self {
        let mut erl = host.command("erl");
        erl.args(["-pa"]).arg(ebin());
        let mut shell = Shell(Program::start(&mut erl).expect("erl"));
        let words: Vec<String> = [words, &["--web", "0"]]
            .concat()
            .iter()
            .map(|word| format!("<<\"{word}\">>"))
            .collect();
        let start = format!(
            "begin application:load(echonet_lite), application:set_env(echonet_lite, arguments, [{}]), \
             {{ok, _}} = application:ensure_all_started(echonet_lite), started end",
            words.join(", ")
        );
        assert_eq!(shell.ask(&start), "started");
        shell
    }

    /// The value of an expression, on one line.
    pub fn ask(&mut self, expression: &str) -> String {
        self.0
            .tell(&format!("io:format(\"~n=> ~0p~n\", [{expression}])."));
        let is_end = |line: &str| line.starts_with("=> ") || line.contains("** exception");
        let line = self.0.line(is_end);
        line.strip_prefix("=> ").unwrap_or(&line).to_owned()
    }

    /// Asks until it is so, for a while.
    pub fn until(&mut self, expression: &str, is: &str) {
        let begun = Instant::now();
        loop {
            let last = self.ask(expression);
            if last == is {
                return;
            }
            let is_late = begun.elapsed() > PATIENCE;
            assert!(!is_late, "{expression} is {last}, not {is}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Everything that was printed until now.
    pub fn said(&mut self) -> String {
        self.0.said()
    }
}
