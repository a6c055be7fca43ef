//! `cargo otp run --shell` on a terminal, and `--profile`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::settings::application;
use crate::support::{Scratch, cargo_otp, said, target};

/// `cargo otp run --shell` on a terminal that `script` makes.
struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: BufReader<ChildStdout>,
}

impl Terminal {
    fn run(scratch: &Scratch, name: &str) -> Self {
        let program = format!(
            "{} otp run --shell -- stay",
            env!("CARGO_BIN_EXE_cargo-otp")
        );
        // A text that is never shown ends the test, too.
        let mut command = Command::new("timeout");
        command
            .args([
                "120",
                "script",
                "--quiet",
                "--return",
                "--command",
                &program,
                "/dev/null",
            ])
            .current_dir(scratch.path(name))
            .env("CARGO_TARGET_DIR", target())
            .env("TERM", "vt100")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().expect("script");
        Terminal {
            keys: child.stdin.take().expect("its keys"),
            screen: BufReader::new(child.stdout.take().expect("its screen")),
            child,
        }
    }

    fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("keys");
        self.keys.flush().expect("keys");
    }

    /// Reads until a line has the text.
    fn shows(&mut self, text: &str) {
        self.shows_all(&mut vec![text]);
    }

    /// Reads until each of the texts was in a line, in any order.
    fn shows_all(&mut self, texts: &mut Vec<&str>) {
        let mut seen = Vec::new();
        let mut line = Vec::new();
        while self.screen.read_until(b'\n', &mut line).expect("a line") > 0 {
            let shown = String::from_utf8_lossy(&line).into_owned();
            texts.retain(|text| !shown.contains(text));
            if texts.is_empty() {
                return;
            }
            seen.push(shown);
            line.clear();
        }
        panic!("no {texts:?} in:\n{}", seen.concat());
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

#[test]
fn an_erlang_shell_is_beside_the_application() {
    let scratch = application("shelled", "[env]\nport = 1\n");
    let mut terminal = Terminal::run(&scratch, "shelled");
    // What is typed before the shell has the terminal is lost.
    terminal.shows_all(&mut vec!["Settings { port: 1", "Eshell"]);
    terminal.types("{is_pid(whereis(stroot)), 6 * 7}.\r");
    terminal.shows("{true,42}");
    // Ctrl-C ends what the shell does, and not the application.
    terminal.types("io:format(\"waits~n\"), timer:sleep(infinity).\r");
    terminal.shows("waits");
    terminal.shows("waits");
    terminal.types("\u{3}");
    terminal.shows("** exception");
    terminal.types("{again, is_pid(whereis(stroot)), 6 * 8}.\r");
    terminal.shows("{again,true,48}");
    terminal.types("q().\r");
    assert_eq!(terminal.child.wait().expect("a status").code(), Some(0));
}

#[test]
fn an_application_is_built_with_the_profile_that_is_named() {
    let scratch = Scratch::with_application_named("profiled");
    let built = said(cargo_otp(
        &scratch.path("profiled"),
        &["build", "--profile", "test"],
    ));
    built.succeeded();
    assert!(built.err.contains("`test` profile"), "{}", built.err);
    assert!(
        target()
            .join("otp/debug/profiled/ebin/profiled.app")
            .is_file()
    );
    scratch
        .cargo_otp("profiled", &["build", "--profile", "large"])
        .refused(&["error[E1003]", "profile `large` is not defined"]);
    scratch
        .cargo_otp("profiled", &["build", "--profile", "test", "--release"])
        .refused(&["cannot be used with"]);
}
