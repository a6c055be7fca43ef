//! `cargo otp run --watch`: sources are saved while the application is running.

use std::fs::{self, File};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::nodes::{end_group, in_group};
use crate::support::{Scratch, cargo_otp};

/// Long enough for a build on a busy machine.
const PATIENCE: Duration = Duration::from_mins(10);

const ROOT: &str = r#"//! The root supervisor.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

/// Starts the counter.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_args: Vec<String>) -> impl InitReturn {
        let counter = ChildSpec::of::<crate::counter::Counter>(());
        let added = [
            ChildSpec::of::<crate::plain::Plain>(()),
            ChildSpec::of::<crate::lamp::Lamp>(()),
        ];
        (ok, (SupFlags::one_for_one(), [counter].into_iter().chain(added).collect::<Vec<_>>()))
    }
}
"#;

const COUNTER: &str = r#"//! Counts, and says so.
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The number that was said last.
#[derive(Debug, Term)]
pub struct Counter {
    count: u64,
}

/// `tick`
#[derive(Debug, Term)]
pub struct Tick;

#[gen_server]
impl GenServer for Counter {
    type Args = ();

    fn init(_: (), cx: &Cx<'_>) -> impl InitReturn<Self> {
        cx.send_after(Duration::ZERO, Tick);
        (ok, Counter { count: 0 })
    }

    fn handle_info(&mut self, _: Tick, cx: &Cx<'_>) -> HandleInfo {
        self.count += 1;
        println!("{}", text(self.count));
        cx.send_after(Duration::from_millis(50), Tick);
        HandleInfo::Noreply
    }
}

fn text(count: u64) -> String {
    format!("{} {count}", outer::word())
}
"#;

/// A package that another package uses, which the application uses.
fn inner(word: &str) -> String {
    format!("pub const WORD: &str = \"{word}\";\n")
}

/// Makes the application use a package by a path, and that package another one.
fn use_packages(scratch: &Scratch) {
    let manifest = |name: &str| {
        let package = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\n");
        format!("{package}edition = \"2024\"\n\n[workspace]\n\n[dependencies]\n")
    };
    let outer = manifest("outer") + "inner = { path = \"../ínner one\" }\n";
    scratch.write("outer/Cargo.toml", &outer);
    let word = "pub fn word() -> &'static str {\n    inner::WORD\n}\n";
    scratch.write("outer/src/lib.rs", word);
    scratch.write("ínner one/Cargo.toml", &manifest("inner"));
    scratch.write("ínner one/src/lib.rs", &inner("first"));
    let own = scratch.read("watched/Cargo.toml");
    let with = "[dependencies]\nouter = { path = \"../outer\" }\n";
    scratch.write(
        "watched/Cargo.toml",
        &own.replacen("[dependencies]\n", with, 1),
    );
}

/// `cargo otp run --watch`, whose output goes into files. It is killed if the test ends early.
struct Watched {
    scratch: Scratch,
    child: Child,
}

impl Drop for Watched {
    fn drop(&mut self) {
        end_group(&mut self.child);
    }
}

impl Watched {
    fn start(scratch: Scratch) -> Self {
        let to = |name: &str| File::create(scratch.path(name)).expect(name);
        fs::create_dir(scratch.path("tmp")).expect("a folder");
        let mut command: Command = cargo_otp(&scratch.path("watched"), &["run", "--watch"]);
        command.env("TMPDIR", scratch.path("tmp"));
        command.stdout(to("out")).stderr(to("err"));
        let child = in_group(&mut command).spawn().expect("it starts");
        Self { scratch, child }
    }

    /// Waits until the file contains the text this number of times.
    #[track_caller]
    fn wait(&mut self, file: &str, text: &str, times: usize) {
        let begun = Instant::now();
        while self.scratch.read(file).matches(text).count() < times {
            let status = self.child.try_wait().expect("a status");
            let is_late = begun.elapsed() > PATIENCE;
            assert!(
                status.is_none() && !is_late,
                "no `{text}` in {file}, {status:?}: {}{}",
                self.scratch.read("out"),
                self.scratch.read("err")
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn save(&self, counter: &str) {
        self.scratch.write("watched/src/counter.rs", counter);
    }

    /// The lines that the counter has printed. On a busy machine, the VM's reports about slow
    /// callbacks are between them.
    fn said(&self) -> Vec<(String, u64)> {
        let out = self.scratch.read("out");
        let complete = out.rsplit_once('\n').map_or("", |(lines, _)| lines);
        let of_counter = |line: &str| {
            let (word, number) = line.split_once(' ')?;
            let is_own = ["first", "second", "third", "fourth"].contains(&word);
            is_own.then(|| (word.to_owned(), number.parse().expect("a number")))
        };
        complete.lines().filter_map(of_counter).collect()
    }

    /// Waits until the counter has counted for a while in steps of this word.
    #[track_caller]
    fn goes_on(&mut self, word: &str) {
        let so_far = self.said().len();
        let begun = Instant::now();
        while self.said().len() < so_far + 10 {
            assert!(begun.elapsed() < PATIENCE, "{}", self.scratch.read("err"));
            std::thread::sleep(Duration::from_millis(20));
        }
        let said = self.said();
        assert!(said[so_far..].iter().all(|(said, _)| said == word));
    }
}

#[test]
fn what_is_saved_runs_with_the_state_and_mistakes_leave_the_old_code() {
    let scratch = Scratch::with_application_named("watched");
    // Two of them stay as they are written.
    for (name, behaviour) in [
        ("counter", "gen_server"),
        ("plain", "gen_server"),
        ("lamp", "gen_statem"),
    ] {
        let add = ["add", name, behaviour];
        scratch.cargo_otp("watched", &add).succeeded();
    }
    scratch.write("watched/src/stroot.rs", ROOT);
    scratch.write("watched/src/counter.rs", COUNTER);
    use_packages(&scratch);
    let mut watched = Watched::start(scratch);
    watched.wait("out", "first", 3);

    // A source of a package that a package of the application uses.
    watched
        .scratch
        .write("ínner one/src/lib.rs", &inner("second"));
    watched.wait("err", "Upgraded `watched`: 4 processes in ", 1);
    watched.goes_on("second");

    watched.save(&COUNTER.replace("self.count += 1;", "self.count += ;"));
    watched.wait(
        "err",
        "error[E1063]: `watched` keeps running the old code: the build has failed",
        1,
    );
    assert!(
        watched
            .scratch
            .read("err")
            .contains("expected expression, found `;`")
    );
    watched.goes_on("second");

    let other_state = COUNTER
        .replace("count: u64,\n}", "count: u64,\n    step: u64,\n}")
        .replace("{ count: 0 }", "{ count: 0, step: 1 }");
    watched.save(&other_state);
    watched.wait(
        "err",
        "CANNOT CHANGE OVER: the state is `#{count := non_neg_integer()}`",
        1,
    );
    watched.goes_on("second");

    let settings = watched.scratch.read("watched/otp.toml");
    let changed = format!("{settings}\n[env]\nport = 1\n\n[vm]\nschedulers = 2\n");
    watched.scratch.write("watched/otp.toml", &changed);
    let third = COUNTER.replace("outer::word()", "\"third\"");
    watched.save(&third);
    // The two files cause one build or two, depending on when they are noticed. Notes follow the
    // line of their upgrade.
    watched.wait("err", "note: environment: `port` is new: 1", 1);
    watched.wait("err", "note: [vm] of otp.toml has changed", 1);
    watched.wait("out", "third", 1);
    watched.goes_on("third");

    // A single counter has counted all the time.
    let said = watched.said();
    let numbers: Vec<u64> = said.iter().map(|(_, number)| *number).collect();
    let all: Vec<u64> = (1..).take(said.len()).collect();
    assert_eq!(numbers, all);

    // A running build is stopped with the application.
    let before = watched
        .scratch
        .read("err")
        .matches("Compiling watched")
        .count();
    watched.save(&COUNTER.replace("outer::word()", "\"fourth\""));
    watched.wait("err", "Compiling watched", before + 1);
    let pid = watched.child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &pid]).status();
    assert!(kill.expect("kill").success());
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = watched.child.try_wait().expect("a status") {
            break status;
        }
        assert!(begun.elapsed() < PATIENCE, "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    };
    let err = watched.scratch.read("err");
    assert_eq!(status.code(), Some(0), "{err}");
    assert!(err.contains("Stopping `watched`"), "{err}");
    let left = fs::read_dir(watched.scratch.path("tmp")).expect("a folder");
    assert_eq!(left.count(), 0, "files are left");
}
