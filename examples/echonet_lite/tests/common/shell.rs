//! An Erlang shell in the VM of the running application.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::{PATIENCE, Program, network::Host};

/// Builds the application. Returns the folder with its modules.
pub fn ebin() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        // `cargo otp test` and the project's own check set the variable to the program that they
        // use.
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

/// Returns the folder of build results.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => folder.into(),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target"),
    }
}

/// A shell in the application's VM.
pub struct Shell(Program);

impl Shell {
    /// Starts the application with this command line. The page uses any free port.
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

    /// Returns the value of an expression, on one line.
    pub fn ask(&mut self, expression: &str) -> String {
        self.0
            .tell(&format!("io:format(\"~n=> ~0p~n\", [{expression}])."));
        let is_end = |line: &str| line.starts_with("=> ") || line.contains("** exception");
        let line = self.0.line(is_end);
        line.strip_prefix("=> ").unwrap_or(&line).to_owned()
    }

    /// Evaluates an expression repeatedly, until it has this value.
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

    /// Returns everything that was printed until now.
    pub fn said(&mut self) -> String {
        self.0.said()
    }
}
