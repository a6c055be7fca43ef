//! The servers, and requests besides the measured ones.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle, sleep};
use std::time::Duration;

use crate::step::{Outcome, applications_target, cargo, root, run, target};

pub(super) const BOARD: u16 = 7491;
pub(super) const HELLO: u16 = BOARD + 1;
/// The number of messages on the page of the read requests.
const MESSAGES: usize = 50;
pub(super) const MESSAGE: &str =
    "{\"author\":\"Ada\",\"text\":\"A message of some words, as people write them.\"}";

/// Running servers. They are stopped when this value is dropped.
pub(super) struct Servers(Vec<Child>);

impl Drop for Servers {
    fn drop(&mut self) {
        for server in &mut self.0 {
            // `cargo otp run` shuts its VM down properly.
            let _ = Command::new("kill").arg(server.id().to_string()).status();
            let _ = server.wait();
        }
    }
}

impl Servers {
    /// Builds both, and starts them with an empty folder.
    pub(super) fn start(folder: &Path) -> Outcome<Self> {
        run(&mut cargo(root(), &["build", "--package", "otp-cli"]))?;
        let example = root().join("examples/board");
        let mut hello = cargo(&example, &["build", "--release", "--example", "hello"]);
        run(hello.env("CARGO_TARGET_DIR", applications_target()))?;
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut servers = Servers(Vec::new());
        let mut ours = Command::new(target().join("debug/cargo-otp"));
        ours.args([
            "otp",
            "run",
            "--release",
            "--",
            "--port",
            &BOARD.to_string(),
        ]);
        ours.arg("--folder").arg(folder.join("data"));
        servers.add(ours.current_dir(&example))?;
        let mut hello = Command::new(applications_target().join("release/examples/hello"));
        hello.arg(HELLO.to_string()).arg(folder.join("lines"));
        servers.add(&mut hello)?;
        fill()?;
        Ok(servers)
    }

    /// Starts a server, and waits until it prints its address.
    fn add(&mut self, command: &mut Command) -> Outcome {
        let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = child.map_err(|error| format!("{command:?} does not start ({error})"))?;
        let lines = child.stdout.take().map(BufReader::new).map(BufRead::lines);
        let mut lines = lines.into_iter().flatten().map_while(Result::ok);
        self.0.push(child);
        if !lines.by_ref().any(|line| line.starts_with("http://")) {
            return Err(format!("{command:?} does not say where it listens"));
        }
        thread::spawn(move || lines.for_each(drop));
        Ok(())
    }
}

/// Makes three boards: one for reads, one for writes, and one for both. The first and the last one
/// have messages. All messages are different.
fn fill() -> Outcome {
    for name in ["read", "written", "both"] {
        post("/api/boards", &format!("{{\"name\":\"{name}\"}}"))?;
    }
    for board in [0, 2] {
        for number in 0..MESSAGES {
            post(&format!("/api/boards/{board}/messages"), &message(number))?;
        }
    }
    Ok(())
}

fn message(number: usize) -> String {
    const WORDS: [&str; 16] = [
        "tea",
        "before",
        "nobody",
        "harbour",
        "the",
        "of",
        "seventeen",
        "letters",
        "and",
        "rain",
        "a",
        "question",
        "that",
        "window",
        "slowly",
        "bread",
    ];
    let words =
        (1..=8).map(|place| WORDS[(number * 7 + place * place * (number + 3)) % WORDS.len()]);
    let text = words.collect::<Vec<_>>().join(" ");
    format!("{{\"author\":\"Ada {number}\",\"text\":\"{text}\"}}")
}

fn post(path: &str, text: &str) -> Outcome {
    for _ in 0..100 {
        let headers = "content-type: application/json\r\n";
        let reply = exchange("POST", path, headers, text);
        if reply.is_ok_and(|reply| reply.starts_with(b"HTTP/1.1 201")) {
            return Ok(());
        }
        sleep(Duration::from_millis(50));
    }
    Err(format!("POST {path} is not answered"))
}

/// Returns the length of the board's reply.
pub(super) fn length(path: &str, headers: &[&str]) -> Outcome<usize> {
    let headers: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    // The board sends the first reply for a page without compression.
    let reply =
        exchange("GET", path, &headers, "").and_then(|_| exchange("GET", path, &headers, ""));
    let reply = reply.map_err(|error| format!("GET {path}: {error}"))?;
    let mut parts = reply.windows(4).enumerate();
    let end = parts.find(|(_, part)| part == b"\r\n\r\n");
    let (at, _) = end.ok_or_else(|| format!("GET {path} is not answered"))?;
    Ok(reply.len() - at - 4)
}

fn exchange(method: &str, path: &str, headers: &str, text: &str) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(("127.0.0.1", BOARD))?;
    let length = text.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n{text}"
    );
    stream.write_all(request.as_bytes())?;
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply)?;
    Ok(reply)
}

/// An author that writes to the board of the read requests, one message every ten milliseconds. It
/// stops when this value is dropped.
pub(super) struct Author {
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Author {
    pub(super) fn start() -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let until = ends.clone();
        let thread = thread::spawn(move || {
            for number in 0.. {
                if until.load(Ordering::Relaxed)
                    || post("/api/boards/2/messages", &message(number)).is_err()
                {
                    return;
                }
                sleep(Duration::from_millis(10));
            }
        });
        let thread = Some(thread);
        Author { ends, thread }
    }
}

impl Drop for Author {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
