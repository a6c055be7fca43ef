//! Upgrades a board to another build while clients use it.

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::{Board, Client, Folder};
use otp_bridge_novm as _;

/// Text that only the pages of the other build contain.
const NEW: &str = "<p>the other build</p>";

/// Generous limit for any step on a busy machine.
const LONG: Duration = Duration::from_secs(120);

/// The node of this test, and the folder with its cookie.
struct Node {
    name: String,
    cookie: PathBuf,
}

impl Node {
    fn new(folder: &Folder) -> Self {
        let cookie = folder.0.with_extension("cookie");
        fs::write(&cookie, format!("board{}", std::process::id())).expect("it is written");
        let only_ours = fs::Permissions::from_mode(0o400);
        fs::set_permissions(&cookie, only_ours).expect("it is ours");
        let name = format!("board{}@127.0.0.1", std::process::id());
        Node { name, cookie }
    }

    fn options(&self) -> [&str; 2] {
        ["--cookie", self.cookie.to_str().expect("UTF-8")]
    }

    /// Runs a command of `cargo otp` for the node, in the folder of a build.
    fn command(&self, sources: &Path, verb: &str, more: &[&str]) -> Output {
        let program = std::env::var_os("CARGO_OTP").unwrap_or_else(|| env!("CARGO").into());
        let mut command = Command::new(program);
        command.args(["otp", verb, &self.name]).args(self.options());
        let output = command.args(more).current_dir(sources).output();
        output.expect("cargo otp")
    }

    /// Evaluates an Erlang expression on the node.
    fn eval(&self, text: &str) -> String {
        let said = self.command(&manifest_folder(), "shell", &["--eval", text]);
        assert!(said.status.success(), "{said:?}");
        String::from_utf8_lossy(&said.stdout).trim().to_owned()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.cookie);
    }
}

fn manifest_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the sources of the other build.
fn other_sources() -> PathBuf {
    let sources = Path::new(env!("CARGO_TARGET_TMPDIR")).join("other_board");
    for folder in ["src/http", "templates", "assets"] {
        copy(&manifest_folder().join(folder), &sources.join(folder));
    }
    copy(&manifest_folder().join("src"), &sources.join("src"));
    let otp = manifest_folder().join("otp.toml");
    fs::copy(otp, sources.join("otp.toml")).expect("it is copied");
    let workspace = manifest_folder().join("..");
    fs::copy(workspace.join("Cargo.lock"), sources.join("Cargo.lock")).expect("it is copied");
    let read = |path: PathBuf| fs::read_to_string(path).expect("it is read");
    // The copy has the settings of the workspace, so that both use one build of the run time.
    let settings = read(workspace.join("Cargo.toml"));
    let of_packages = settings
        .find("[profile.dev.package")
        .expect("more settings");
    let settings = &settings[settings.find("[profile.").expect("its settings")..of_packages];
    let paths = format!("path = \"{}/../", manifest_folder().display());
    let manifest = read(manifest_folder().join("Cargo.toml")).replace("path = \"../", &paths);
    let manifest = format!("{manifest}\n[workspace]\n\n{settings}");
    fs::write(sources.join("Cargo.toml"), manifest).expect("it is written");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..");
    fs::create_dir_all(sources.join(".cargo")).expect("it is made");
    let config = format!("[build]\ntarget-dir = {target:?}\n");
    fs::write(sources.join(".cargo/config.toml"), config).expect("it is written");
    let page = sources.join("templates/base.html");
    let text = fs::read_to_string(&page).expect("it is read");
    assert!(text.contains("</main>"), "{text}");
    let changed = text.replace("</main>", &format!("{NEW}</main>"));
    fs::write(&page, changed).expect("it is written");
    sources
}

/// Cargo cannot tell the two builds apart, because only their folders differ. So their files are
/// removed for the next build.
struct Cleaned;

impl Drop for Cleaned {
    fn drop(&mut self) {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["clean", "--quiet", "--profile", "dev", "--package", "board"]);
        let _ = cargo.current_dir(manifest_folder()).status();
    }
}

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it is made");
    for entry in fs::read_dir(from).expect("it is a folder").flatten() {
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("it is copied");
        }
    }
}

/// Counters of the clients' work, and the flag that ends it.
#[derive(Default)]
struct Load {
    ends: AtomicBool,
    done: AtomicUsize,
}

impl Load {
    fn goes_on(&self) -> bool {
        self.done.fetch_add(1, Ordering::Relaxed);
        !self.ends.load(Ordering::Relaxed)
    }

    /// Waits until this many further requests were made.
    fn wait(&self, more: usize) {
        let (begun, until) = (Instant::now(), self.done.load(Ordering::Relaxed) + more);
        while self.done.load(Ordering::Relaxed) < until {
            assert!(begun.elapsed() < LONG, "the clients are not answered");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Writes messages, each over a new connection. Every connection is accepted, and every request is
/// answered with 201.
fn write(board: &Board, writer: usize, load: &Load) -> Vec<(u64, String)> {
    let mut written = Vec::new();
    while load.goes_on() {
        let text = format!("by {writer}, {}", written.len());
        let json = format!("{{\"author\":\"a\",\"text\":\"{text}\"}}");
        let reply = board.client().json("POST", "/api/boards/0/messages", &json);
        assert_eq!(reply.status, 201, "{reply:?}");
        let number = reply.text.trim_start_matches("{\"number\":");
        let number = number.trim_end_matches('}').parse().expect("a number");
        written.push((number, text));
    }
    written
}

/// Reads pages over connections that are kept as long as the server allows. The server may close a
/// connection while it is idle, which every client of HTTP has to expect.
fn read(board: &Board, load: &Load) {
    let mut client = board.client();
    while load.goes_on() {
        client.send("GET", "/boards/0", &[], "");
        if client.is_closed() {
            client = board.client();
            continue;
        }
        let reply = client.reply();
        assert_eq!(reply.status, 200, "{reply:?}");
        if reply.header("connection") == "close" {
            client = board.client();
        }
    }
}

/// Waits for events, and reconnects when a stream ends, as a browser does. Returns how often it
/// reconnected.
fn watch(board: &Board, load: &Load) -> usize {
    let mut streams = 0;
    while !load.ends.load(Ordering::Relaxed) {
        let mut client: Client = board.client();
        client.send("GET", "/boards/0/events", &[], "");
        assert_eq!(client.head().status, 200);
        streams += 1;
        while client.has_line() {
            if load.ends.load(Ordering::Relaxed) {
                return streams;
            }
        }
    }
    streams
}

/// Returns the names of the VM's threads that begin with `name`.
fn threads(process: &str, name: &str) -> usize {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).expect("Linux");
    let names = tasks
        .flatten()
        .map(|task| fs::read_to_string(task.path().join("comm")));
    names.flatten().filter(|it| it.starts_with(name)).count()
}

#[test]
fn no_request_is_lost_while_a_board_changes_over() {
    let folder = Folder::new("upgrade");
    let node = Node::new(&folder);
    let [option, cookie] = node.options();
    let board = Board::start_as(&folder, &["--name", &node.name, option, cookie]);
    let created = board
        .client()
        .json("POST", "/api/boards", "{\"name\":\"Tea\"}");
    assert_eq!(created.status, 201, "{created:?}");
    let process = node.eval("os:getpid().");
    let process = process.trim_matches('"');
    let count = || ["board http", "jungle log"].map(|name| threads(process, name));
    let before = count();
    let mut visitor = board.client();
    visitor.get("/boards/0");
    let kept = visitor.get("/boards/0").header("etag").to_owned();
    assert!(!kept.is_empty());
    let sources = other_sources();
    let _cleaned = Cleaned;
    let load = Load::default();
    let (upgraded, written, streams) = thread::scope(|scope| {
        let (board, load) = (&board, &load);
        let writers = [0, 1].map(|writer| scope.spawn(move || write(board, writer, load)));
        let readers = [0, 1].map(|_| scope.spawn(|| read(board, load)));
        let watcher = scope.spawn(|| watch(board, load));
        load.wait(100);
        let upgraded = node.command(&sources, "upgrade", &["--timeout", "60"]);
        load.wait(100);
        load.ends.store(true, Ordering::Relaxed);
        let written = writers.map(|it| it.join().expect("each is answered"));
        for reader in readers {
            reader.join().expect("each is answered");
        }
        (upgraded, written, watcher.join().expect("it asks again"))
    });
    let said = String::from_utf8_lossy(&upgraded.stderr);
    assert!(upgraded.status.success(), "{said}");
    assert!(streams > 1, "the events have not ended");
    // Pages of the old build that are cached in the browser are not used any more.
    let mut again = board.client();
    again.cookie = visitor.cookie;
    let page = again.ask("GET", "/boards/0", &[("if-none-match", &kept)], "");
    assert!(page.status == 200 && page.text.contains(NEW), "{page:?}");
    let mut client = board.client();
    for (number, text) in written.iter().flatten() {
        let reply = client.get(&format!("/api/boards/0/messages/{number}"));
        assert!(reply.text.contains(text), "{text}: {reply:?}");
    }
    // The old build is gone completely, including its threads.
    let left = "F = fun F(0) -> left; F(N) -> case otp_rs_upgrade:leave(board) of \
                false -> gone; true -> timer:sleep(100), F(N - 1) end end, F(600).";
    assert_eq!(node.eval(left), "gone");
    assert_eq!(node.eval("erlang:module_loaded(board_nif)."), "false");
    assert_eq!(count(), before);
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).expect("Linux");
    assert!(!maps.contains("/board_nif.so"), "{maps}");
}
