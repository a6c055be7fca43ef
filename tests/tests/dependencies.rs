//! Erlang below Rust, and Rust below Erlang and Elixir: `examples/postage` uses the Erlang
//! application `examples/tariff`. A rebar3 project and a mix project in turn use
//! `examples/postage`.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use otp_bridge_novm as _;
use otp_tests::application::{build, cargo_otp, lints, root, text};
use otp_tests::running::PATIENCE;

const APPLICATION: &str = "examples/postage";

/// An Erlang shell that reads its input from a pipe.
struct Shell {
    child: Child,
    keys: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Shell {
    /// Starts a program in a project's folder.
    fn start(project: &str, program: &[&str]) -> Self {
        let mut child = in_project(project, program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        Shell {
            keys: child.stdin.take().expect("its input"),
            output: BufReader::new(child.stdout.take().expect("its output")),
            child,
        }
    }

    fn types(&mut self, line: &str) {
        writeln!(self.keys, "{line}").expect("the shell reads");
    }

    /// Reads output until a line contains the text.
    fn shows(&mut self, expected: &str) {
        let mut seen = String::new();
        let mut line = Vec::new();
        while self.output.read_until(b'\n', &mut line).expect("a line") > 0 {
            seen += &text(&line);
            if text(&line).contains(expected) {
                return;
            }
            line.clear();
        }
        panic!("no `{expected}` in:\n{seen}");
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        // `timeout` forwards the signal to the shell.
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").arg(pid).status();
        let _ = self.child.wait();
    }
}

/// Returns a command in a project's folder that finds the `cargo otp` of this checkout. Its node
/// has a unique name.
fn in_project(project: &str, program: &[&str]) -> Command {
    // This also builds the program.
    build(APPLICATION);
    let programs = root().join("target/debug");
    let path = std::env::var("PATH").expect("PATH");
    // `timeout` ends the test if expected output never comes.
    let mut command = Command::new("timeout");
    command
        .arg(PATIENCE.as_secs().to_string())
        .args(program)
        .current_dir(root().join(project))
        .env("PATH", format!("{}:{path}", programs.display()))
        .env("PARCELS_NODE", format!("parcels{}", std::process::id()))
        .env("TERM", "dumb")
        .envs(lints())
        .env_remove("CARGO_TARGET_DIR");
    command
}

/// Returns whether a program is installed.
#[expect(
    clippy::print_stderr,
    reason = "whoever runs the test should see that it is left out"
)]
fn has(program: &str, package: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        eprintln!("skipped: {package} is not installed (`cargo xtask test` installs it)");
    }
    is_there
}

/// Returns all generated files with their texts.
fn generated() -> Vec<(PathBuf, String)> {
    let folder = root().join(APPLICATION).join("src/generated");
    let entries = fs::read_dir(folder).expect("the folder of generated files");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.clone(), fs::read_to_string(path).expect("a file")))
        .collect();
    files.sort();
    files
}

#[test]
fn a_release_has_the_erlang_dependency_and_starts_it_first() {
    let before = generated();
    let released = cargo_otp(APPLICATION, &["release", "--profile", "dev"]);
    assert!(released.status.success(), "{}", text(&released.stderr));
    assert!(
        before == generated(),
        "run `cargo otp build` in {APPLICATION} and commit src/generated"
    );
    let folder = root().join("examples/target/otp/releases/postage-0.1.0");
    let mut program = Command::new(folder.join("bin/postage"));
    program.args(["foreground", "1200", "abroad"]).env_clear();
    program.env("PATH", "/usr/bin:/bin").stdout(Stdio::piped());
    let mut child = program
        .stdin(Stdio::null())
        .spawn()
        .expect("the release starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    // The process of `tariff` knows the rate, and `tariff` calls the discount, which is written in
    // Rust.
    let line = lines.next().expect("a line").expect("text");
    assert_eq!(line, "1200 g abroad: 2280 cents");
    let killed = Command::new("kill").arg(child.id().to_string()).status();
    assert!(killed.expect("kill runs").success());
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_shell_and_a_release_of_rebar3_call_a_server_in_rust() {
    if !has("rebar3", "rebar3") {
        return;
    }
    let mut shell = Shell::start("examples/postage_rebar3", &["rebar3", "shell"]);
    shell.shows("Booted parcels");
    for (call, reply) in [
        ("parcels:send(1200, abroad).", "{cents,2280}"),
        ("parcels:send(900, domestic).", "{cents,450}"),
        ("parcels:send(40000, domestic).", "too_heavy"),
        ("gen_server:call(clerk, taken).", "{2,2730}"),
    ] {
        shell.types(call);
        shell.shows(reply);
    }
    drop(shell);
    let project = "examples/postage_rebar3";
    released(project, &["rebar3", "release"]);
    let program = moved(project, "_build/default/rel/parcels");
    let mut console = Shell::start(project, &[&program, "console"]);
    // Until this prompt, other programs of the release's script would read the input.
    console.shows("Eshell");
    console.types("{code:get_mode(), parcels:send(1200, abroad)}.");
    console.shows("{embedded,{cents,2280}}");
}

#[test]
fn a_shell_and_a_release_of_mix_call_a_server_in_rust() {
    if !has("iex", "Elixir") {
        return;
    }
    // Mix knows the application of each module, even if it has not compiled the module itself.
    let compiled = ["mix", "compile", "--force", "--warnings-as-errors"];
    let said = in_project("examples/postage_mix", &compiled).output();
    let said = said.expect("mix runs");
    let all = text(&said.stdout) + &text(&said.stderr);
    assert!(said.status.success() && !all.contains("warning:"), "{all}");
    let mut shell = Shell::start("examples/postage_mix", &["iex", "-S", "mix"]);
    shell.shows("Interactive Elixir");
    for (call, reply) in [
        ("Parcels.send(1200, :abroad)", "{:cents, 2280}"),
        ("Parcels.send(40000, :domestic)", ":too_heavy"),
        ("GenServer.call(:clerk, :taken)", "{1, 2280}"),
        ("elem(Parcels.open(:other), 0)", ":ok"),
    ] {
        shell.types(call);
        shell.shows(reply);
    }
    drop(shell);
    let project = "examples/postage_mix";
    released(project, &["mix", "release", "--overwrite"]);
    let program = moved(project, "_build/dev/rel/parcels");
    let call = "{:ok, _} = Application.ensure_all_started(:parcels); IO.inspect(Parcels.send(1200, :abroad))";
    let said = in_project(project, &[&program, "eval", call]).output();
    assert_eq!(
        text(&said.expect("the release runs").stdout),
        "{:cents, 2280}\n"
    );
}

/// Makes a release with a build tool.
fn released(project: &str, program: &[&str]) {
    let said = in_project(project, program).output().expect("it runs");
    let said_all = text(&said.stdout) + &text(&said.stderr);
    assert!(said.status.success(), "{said_all}");
}

/// Moves a release away from its project. Returns its program.
fn moved(project: &str, folder: &str) -> String {
    let target = root().join(project).join("_build/moved");
    let _ = fs::remove_dir_all(&target);
    fs::rename(root().join(project).join(folder), &target).expect("it is moved");
    let program = target.join("bin/parcels");
    program.to_str().expect("UTF-8").to_owned()
}
