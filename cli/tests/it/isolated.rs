//! An isolated child is restarted from the running build, whatever the folder contains.

use std::fs;
use std::path::PathBuf;
use std::process::id;

use crate::running::Running;
use crate::support::{Said, Scratch, cargo_otp, said, target};

const ROOT: &str = r#"//! The root supervisor.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

/// Starts the worker in a VM of its own.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        let worker = ChildSpec::isolated::<crate::worker::Worker>(()).registered(atom!("worker"));
        (ok, (SupFlags::one_for_one().intensity(100).period(1), vec![worker]))
    }
}
"#;

const WORKER: &str = r#"//! A server that says of which build it is.
use otp_bridge::Term;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// `which`
#[derive(Debug, Clone, Copy, Term)]
#[reply(u64)]
pub struct Which;

/// Nothing.
#[derive(Debug)]
pub struct Worker;

#[gen_server]
impl GenServer for Worker {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Worker)
    }

    fn handle_call(&mut self, _: Which) -> HandleCall<u64> {
        reply(1000)
    }
}
"#;

/// Kills the worker in the other VM, and asks the one that replaces it.
const AGAIN: &str = "begin Old = whereis(worker), exit(Old, kill), \
    Await = fun F() -> case whereis(worker) of \
        New when is_pid(New), New =/= Old -> try gen_server:call(New, which, infinity) catch _:_ -> F() end; \
        _ -> timer:sleep(20), F() end end, \
    Await() end.";

struct Node {
    scratch: Scratch,
    name: String,
    _running: Running,
}

impl Node {
    fn new() -> Self {
        let scratch = Scratch::with_application_named("walled");
        scratch
            .cargo_otp("walled", &["add", "worker", "gen_server"])
            .succeeded();
        scratch.write("walled/src/stroot.rs", ROOT);
        scratch.write("walled/src/worker.rs", WORKER);
        let name = format!("walled{}", id());
        let run = ["run", "--sname", &name];
        scratch.cargo_otp("walled", &["build"]).succeeded();
        let running = Running::start(cargo_otp(&scratch.path("walled"), &run));
        let node = Node {
            scratch,
            name,
            _running: running,
        };
        // Its name is registered before it has started.
        let asked = "gen_server:call(worker, which, infinity).";
        while node.shell(asked).out.trim() != "1000" {}
        node
    }

    fn shell(&self, expression: &str) -> Said {
        said(cargo_otp(
            &self.scratch.path("walled"),
            &["shell", &self.name, "--eval", expression],
        ))
    }

    /// The answer of the next worker.
    fn again(&self) -> String {
        let said = self.shell(AGAIN);
        said.succeeded();
        said.out.trim().to_owned()
    }

    fn edit(&self, from: &str, to: &str) {
        let worker = self.scratch.read("walled/src/worker.rs");
        assert!(worker.contains(from), "{worker}");
        self.scratch
            .write("walled/src/worker.rs", &worker.replace(from, to));
    }
}

fn ebin() -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(target().join("otp/debug/walled/ebin")).expect("ebin");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("a file").path())
        .map(|path| (path.clone(), fs::read(path).expect("a file")))
        .collect();
    files.sort();
    files
}

#[test]
fn other_builds_in_the_folder_do_not_keep_an_isolated_child_from_starting_again() {
    let node = Node::new();
    assert_eq!(node.again(), "1000");
    // More builds than are kept.
    for reply in 1001..1005 {
        node.edit(&format!("{}", reply - 1), &format!("{reply}"));
        node.scratch.cargo_otp("walled", &["build"]).succeeded();
        assert_eq!(node.again(), "1000");
    }

    // A dry run leaves the folder unchanged.
    let before = ebin();
    node.edit("1004", "1005");
    let dry = ["upgrade", &node.name, "--dry-run"];
    node.scratch.cargo_otp("walled", &dry).succeeded();
    assert!(ebin() == before, "other files");
    assert_eq!(node.again(), "1000");

    // Neither does an upgrade that is refused, here because a process is busy.
    let holds = "register(holder, spawn(fun() -> erlang:suspend_process(whereis(stroot)), \
        receive stop -> ok end end)), timer:sleep(100).";
    node.shell(holds).succeeded();
    let busy = ["upgrade", &node.name, "--timeout", "1"];
    let busy = node.scratch.cargo_otp("walled", &busy);
    assert_eq!(busy.code, Some(3), "{}", busy.err);
    node.shell("holder ! stop.").succeeded();
    assert!(ebin() == before, "other files");
    assert_eq!(node.again(), "1000");

    // After a real upgrade, the next child belongs to the new build.
    node.scratch
        .cargo_otp("walled", &["upgrade", &node.name])
        .succeeded();
    assert!(ebin() != before, "the same files");
    assert_eq!(node.again(), "1005");
}
