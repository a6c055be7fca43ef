//! An application's life on a real VM: new, add, build, run, stop.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use crate::broken_tools;
use crate::nodes::{end_group, in_group};
use crate::support::{Said, Scratch, cargo_otp, said, target};

/// Long enough for a VM to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A root whose first argument says what is to happen.
const ROOT: &str = r#"//! The root supervisor.
use otp_bridge::atoms::{any_significant, infinity, ok, temporary};
use otp_bridge::supervisor::prelude::*;

/// Starts what its first argument names.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> Result<impl InitReturn> {
        println!("started with {arguments:?}");
        let word = arguments.first().map(String::as_str).unwrap_or_default();
        let flags = SupFlags::one_for_one().intensity(1).period(5).auto_shutdown(any_significant);
        let worker = ChildSpec::of::<crate::worker::Worker>(word.to_owned());
        let children = match word {
            "refuse" => return Err(Exit::new("refused")),
            "panic" => panic!("the root panics"),
            "end" => vec![worker.restart(temporary).significant(true)],
            "slow" => vec![worker.shutdown(infinity)],
            _ => vec![worker],
        };
        Ok((ok, (flags, children)))
    }
}
"#;

const WORKER: &str = r#"//! A server that ends as its argument says.
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::{continue_, normal, ok};
use otp_bridge::gen_server::prelude::*;

/// What is to happen.
#[derive(Debug)]
pub struct Worker(String);

/// `go`
#[derive(Debug, Term)]
pub struct Go;

#[gen_server]
impl GenServer for Worker {
    type Args = String;

    fn init(word: String) -> impl InitReturn<Self> {
        (ok, Worker(word), (continue_, Go))
    }

    async fn handle_continue(&mut self, _: Go, cx: &Cx<'_>) -> Result<HandleContinue> {
        match self.0.as_str() {
            "end" => stop(normal),
            "give_up" => panic!("the worker panics"),
            "halt" => {
                let _: bool = cx.apply("erlang", "halt", (7,)).await?;
                noreply()
            }
            "kill" => {
                let vm = std::process::id().to_string();
                let _ = std::process::Command::new("kill").args(["-KILL", &vm]).status();
                noreply()
            }
            "abort" => std::process::abort(),
            "slow" => {
                let _: bool = cx.apply("erlang", "process_flag", (atom!("trap_exit"), true)).await?;
                println!("the worker is ready");
                noreply()
            }
            _ => noreply(),
        }
    }

    async fn terminate(&mut self, _reason: &Term, cx: &Cx<'_>) -> Result<()> {
        println!("the worker ends");
        if self.0 == "slow" {
            cx.sleep(Duration::from_secs(600)).await?;
        }
        Ok(())
    }
}
"#;

/// A running `cargo otp run`, killed when the test ends early.
struct Running {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Running {
    fn start(mut command: Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = in_group(&mut command).spawn().expect("it starts");
        let out = BufReader::new(child.stdout.take().expect("its output"));
        Self { child, out }
    }

    /// Reads until a line holds the text.
    fn line_with(&mut self, text: &str) -> String {
        let mut line = String::new();
        while self.out.read_line(&mut line).expect("a line") > 0 {
            if line.contains(text) {
                return line;
            }
            line.clear();
        }
        let mut err = String::new();
        let stderr = self.child.stderr.as_mut().expect("its messages");
        stderr.read_to_string(&mut err).expect("messages");
        panic!("it ended without `{text}`:\n{err}");
    }

    fn signal(&self, name: &str) {
        let kill = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status();
        assert!(kill.expect("kill").success());
    }

    fn end(mut self) -> Said {
        let begun = Instant::now();
        while self.child.try_wait().expect("a status").is_none() {
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
        let (mut out, mut err) = (String::new(), String::new());
        self.out.read_to_string(&mut out).expect("its output");
        let stderr = self.child.stderr.as_mut().expect("its messages");
        stderr.read_to_string(&mut err).expect("messages");
        Said {
            code: self.child.wait().expect("a status").code(),
            out,
            err,
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        end_group(&mut self.child);
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = cargo_otp(folder, &["run", "--"]);
    command.args(arguments);
    command
}

/// A module of each behaviour.
const MODULES: [(&str, &str); 6] = [
    ("counter", "gen_server"),
    ("below", "supervisor"),
    ("switch", "gen_statem"),
    ("tally", "gen_event"),
    ("outside", "supervisor_bridge"),
    ("itself", "application"),
];

/// What a person does after `add`: the printed line goes into the supervisor.
#[test]
fn what_new_and_add_make_is_an_application_that_runs() {
    let scratch = Scratch::with_application_named("counting");
    let mut lines = Vec::new();
    for (name, behaviour) in MODULES {
        let said = scratch.cargo_otp("counting", &["add", name, behaviour]);
        said.succeeded();
        let line = said.err.lines().find(|line| line.contains("ChildSpec::of"));
        // Handlers and the application itself are nobody's children.
        let is_child = !["gen_event", "application"].contains(&behaviour);
        assert_eq!(line.is_some(), is_child, "{}", said.err);
        lines.extend(line.map(str::to_owned));
    }
    let root = scratch.read("counting/src/stroot.rs");
    let root = root.replace("vec![]", &format!("vec![\n{}\n]", lines.join("\n")));
    let root = root
        .replace("(_args: ", "(args: ")
        .replace("(ok, (", "println!(\"args {args:?}\");\n(ok, (");
    scratch.write("counting/src/stroot.rs", &root);

    let folder = scratch.path("counting");
    for stop in ["-INT", "-TERM"] {
        let mut running = Running::start(run(&folder, &["1", "é b", "", "--help"]));
        assert_eq!(
            running.line_with("args "),
            "args [\"1\", \"é b\", \"\", \"--help\"]\n"
        );
        running.signal(stop);
        let said = running.end();
        said.succeeded();
        assert!(
            said.err.contains("Stopping `counting` in order"),
            "{}",
            said.err
        );
        for words in ["`counting` (lib) generated", "erlc says"] {
            assert!(!said.err.contains(words), "{}", said.err);
        }
    }
}

/// Without a VM, with the stand-ins for its functions, and on a VM.
#[test]
fn a_new_application_passes_its_own_tests_and_lints() {
    let scratch = Scratch::with_application_named("checked");
    for (name, behaviour) in MODULES {
        scratch
            .cargo_otp("checked", &["add", name, behaviour])
            .succeeded();
    }
    let lib = scratch.read("checked/src/lib.rs");
    scratch.write(
        "checked/src/lib.rs",
        &format!("{lib}\n#[test]\nfn it_links() {{}}\n"),
    );
    scratch.write("checked/tests/outside.rs", INTEGRATION_TEST);
    let cargo = |arguments: &[&str]| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(arguments)
            .current_dir(scratch.path("checked"))
            .env("CARGO_TARGET_DIR", target())
            .env("CARGO_OTP", env!("CARGO_BIN_EXE_cargo-otp"));
        said(cargo)
    };
    let tested = cargo(&["test"]);
    tested.succeeded();
    for test in [
        "it_links",
        "tests::it_begins_with_zero",
        "tests::it_goes_on_and_off",
        "tests::it_answers_on_the_vm",
        "stroot::tests::all_children_run",
    ] {
        let passed = format!("{test} ... ok");
        assert!(tested.out.contains(&passed), "{}", tested.out);
    }
    assert!(
        tested.out.contains("it_links_from_outside ... ok"),
        "{}",
        tested.out
    );
    cargo(&["fmt", "--check"]).succeeded();
    cargo(&["clippy", "--all-targets", "--", "-D", "warnings"]).succeeded();
}

const INTEGRATION_TEST: &str = "\
//! Links the library as it is built for users.
use otp_bridge_novm as _;

#[test]
fn it_links_from_outside() {
    assert!(std::any::type_name::<checked::stroot::Stroot>().ends_with(\"Stroot\"));
}
";

#[test]
fn the_exit_status_tells_how_it_ended() {
    let scratch = Scratch::with_application_named("ending");
    scratch
        .cargo_otp("ending", &["add", "worker", "gen_server"])
        .succeeded();
    scratch.write("ending/src/stroot.rs", ROOT);
    scratch.write("ending/src/worker.rs", WORKER);
    let folder = scratch.path("ending");

    let said_of = |word: &str| said(run(&folder, &[word]));
    said_of("end").succeeded();
    for (word, text) in [
        ("refuse", "refused"),
        ("panic", "the root panics"),
        ("give_up", "reached_max_restart_intensity"),
    ] {
        let said = said_of(word);
        assert_eq!(said.code, Some(1), "{word}: {}{}", said.out, said.err);
        assert!(
            said.err.contains("error[E1020]: `ending` failed"),
            "{word}: {}",
            said.err
        );
        assert!(
            said.out.contains(text) || said.err.contains(text),
            "{word}: {}{}",
            said.out,
            said.err
        );
        if word == "panic" {
            let everything = said.out.clone() + &said.err;
            assert_eq!(everything.matches(text).count(), 1, "{everything}");
        }
    }
    assert!(!folder.join("erl_crash.dump").exists());

    for (word, code, text) in [
        (
            "halt",
            1,
            "error[E1022]: `ending` ended the VM with status 7",
        ),
        (
            "kill",
            1,
            "error[E1023]: the Erlang VM was killed from outside, by signal 9",
        ),
        ("abort", 2, "error[E1024]: the Erlang VM died of signal 6"),
    ] {
        let said = said_of(word);
        assert_eq!(said.code, Some(code), "{word}: {}{}", said.out, said.err);
        assert!(said.err.contains(text), "{word}: {}", said.err);
    }

    // A worker that takes its time is waited for, until a second request.
    let mut running = Running::start(run(&folder, &["slow"]));
    running.line_with("the worker is ready");
    running.signal("-INT");
    running.line_with("the worker ends");
    std::thread::sleep(Duration::from_secs(1));
    assert!(
        running.child.try_wait().expect("a status").is_none(),
        "it was not waited for"
    );
    running.signal("-INT");
    running
        .end()
        .failed(&["error[E1021]: `ending` was stopped at once, not in order"]);
}

#[test]
fn a_second_build_leaves_the_first_one_alone() {
    let scratch = Scratch::with_application_named("twice");
    let built = target().join("otp/debug/twice");
    let build = || scratch.cargo_otp("twice", &["build"]);
    build().succeeded();
    // The run time may change under the test while someone works on it: then it is asked again.
    let same = (0..3).any(|_| {
        let first = times(&built);
        assert!(first.len() >= 8, "{first:?}");
        build().succeeded();
        times(&built) == first
    });
    assert!(same, "each build writes files anew");

    broken_tools::an_application_that_was_built_is_told_what_is_wrong(&scratch, "twice");
}

/// Files of the three folders with the time of their last change; a library's name is enough.
fn times(folder: &Path) -> Vec<(std::path::PathBuf, Option<SystemTime>)> {
    let mut times = Vec::new();
    for name in ["ebin", "src", "priv"] {
        for entry in fs::read_dir(folder.join(name)).expect("a folder").flatten() {
            let time = entry.metadata().and_then(|file| file.modified()).ok();
            times.push((entry.path(), time.filter(|_| name != "priv")));
        }
    }
    times.sort();
    times
}
