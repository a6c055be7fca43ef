//! How an application runs and ends on a real VM, and the effect of a second build.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use crate::broken_tools;
use crate::running::{PATIENCE, Running, heeding_signals};
use crate::support::{Scratch, cargo_otp, said, target};

/// A root supervisor whose first argument selects the behaviour.
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

/// The behaviour of the worker.
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
            "slow" | "told" => {
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

fn run(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = cargo_otp(folder, &["run", "--"]);
    command.args(arguments);
    command
}

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

    // The terminal is closed, which the system reports to all of its programs.
    let mut running = Running::start(heeding_signals(&run(&folder, &["told"])));
    running.line_with("the worker is ready");
    let group = format!("-{}", running.id());
    let kill = Command::new("kill").args(["-HUP", "--", &group]).status();
    assert!(kill.expect("kill").success());
    let said = running.end();
    said.succeeded();
    assert!(said.out.contains("the worker ends"), "{}", said.out);
    assert!(said.err.contains("Stopping `ending`"), "{}", said.err);

    // No process is left that could stop the VM.
    let mut running = Running::start(run(&folder, &["told"]));
    running.line_with("the worker is ready");
    running.signal("-KILL");
    running.line_with("the worker ends");
    running.reads_the_end();

    // A slow worker is waited for, until a second request.
    let mut running = Running::start(run(&folder, &["slow"]));
    running.line_with("the worker is ready");
    running.signal("-INT");
    running.line_with("the worker ends");
    std::thread::sleep(Duration::from_secs(1));
    assert!(running.goes_on(), "it was not waited for");
    running.signal("-INT");
    running
        .end()
        .failed(&["error[E1021]: `ending` was killed before it had stopped"]);
}

/// A VM loses SIGTERM while it boots, which takes some 0.2 s.
#[test]
fn it_can_be_stopped_as_soon_as_it_is_said_to_run() {
    let scratch = Scratch::with_application_named("hasty");
    scratch.cargo_otp("hasty", &["build"]).succeeded();
    for milliseconds in (0..=200).step_by(20) {
        let mut running = Running::start(cargo_otp(&scratch.path("hasty"), &["run"]));
        running.message_with("Running `hasty`");
        std::thread::sleep(Duration::from_millis(milliseconds));
        running.signal("-TERM");
        let said = running.end();
        assert_eq!(said.code, Some(0), "{milliseconds} ms: {}", said.err);
    }
    let mut run = cargo_otp(&scratch.path("hasty"), &["run"]);
    run.env("TMPDIR", scratch.path("none"));
    said(run).failed(&["error[E0810]", "the variable TMPDIR names this folder"]);
    a_build_that_is_ended_takes_all_with_it(&scratch);
}

/// The signal is sent only to the command. Programs that it has started, and their programs, end as
/// well.
fn a_build_that_is_ended_takes_all_with_it(scratch: &Scratch) {
    let script = "fn main() {\n    std::fs::write(\"../script\", std::process::id().to_string()).unwrap();\n    \
                  std::thread::sleep(std::time::Duration::from_secs(3600));\n}\n";
    scratch.write("hasty/build.rs", script);
    let build = cargo_otp(&scratch.path("hasty"), &["build"]);
    let mut build = Running::start(heeding_signals(&build));
    let process = wait_until(|| {
        let process = fs::read_to_string(scratch.path("script")).ok()?;
        process.parse::<u32>().ok()
    });
    build.signal("-HUP");
    wait_until(|| (!build.goes_on()).then_some(()));
    // A process that has ended has no program any more.
    let program = format!("/proc/{process}/exe");
    wait_until(|| fs::read_link(&program).is_err().then_some(()));
}

fn wait_until<T>(mut value: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(value) = value() {
            return value;
        }
        assert!(begun.elapsed() < PATIENCE, "it never comes");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_second_build_leaves_the_first_one_alone() {
    let scratch = Scratch::with_application_named("twice");
    let built = target().join("otp/debug/twice");
    let build = || scratch.cargo_otp("twice", &["build"]);
    build().succeeded();
    // The run time may change during the test while someone works on it, so there are three
    // attempts.
    let same = (0..3).any(|_| {
        let first = times(&built);
        assert!(first.len() >= 8, "{first:?}");
        build().succeeded();
        times(&built) == first
    });
    assert!(same, "each build writes files anew");

    broken_tools::an_application_that_was_built_is_told_what_is_wrong(&scratch, "twice");
}

/// Modules of one build would call the wrong functions in the library of another.
#[test]
fn a_build_that_fails_leaves_the_last_one_and_all_its_modules_are_loaded_at_the_start() {
    let scratch = Scratch::with_application_named("stays");
    let build = || scratch.cargo_otp("stays", &["build"]);
    scratch.write("stays/erlang/lazy.erl", "-module(lazy).\n");
    build().succeeded();
    let built = target().join("otp/debug/stays");
    let of_modules = || {
        let mut all = times(&built);
        all.retain(|(path, _)| path.starts_with(built.join("ebin")));
        all
    };
    let before = of_modules();

    // The library is new, and lacks a module that otp.toml requires.
    let root = scratch.read("stays/src/stroot.rs");
    let other = root.replace("one_for_one()", "one_for_all()");
    assert_ne!(other, root);
    scratch.write("stays/src/stroot.rs", &other);
    let settings = scratch.read("stays/otp.toml");
    let phases = format!("{settings}\n[application]\nstart_phases = [\"open\"]\n");
    scratch.write("stays/otp.toml", &phases);
    build().failed(&["start_phase"]);
    assert_eq!(of_modules(), before);

    // The last step that can fail.
    scratch.write("stays/otp.toml", &settings);
    scratch.write("stays/erlang/lazy.erl", "-module(lazy).\nf() ->\n");
    build().failed(&["lazy.erl"]);
    assert_eq!(of_modules(), before);

    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-pa"]).arg(built.join("ebin"));
    erl.args(["-eval", LOADED]);
    let said = said(erl);
    assert_eq!(said.out, "ok []", "{}", said.err);
}

/// Starts the application, and prints which of its modules are not loaded then.
const LOADED: &str = "Started = application:start(stays), \
    {ok, Modules} = application:get_key(stays, modules), \
    io:format(\"~p ~p\", [Started, [M || M <- Modules, not erlang:module_loaded(M)]]), halt().";

/// Files of the three folders with their modification times; a library's name is enough.
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
