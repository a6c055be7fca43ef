//! Helpers of the tests: servers in programs of their own, and clients.
#![allow(dead_code)]

pub mod functions;
pub mod nodes;
pub mod ours;
pub mod peer;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Limit for waiting. It only matters on a machine that is overloaded.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// A test's folder, which is removed when the value is dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("otp-rs-redis-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server in a program of its own.
pub struct Server {
    child: Child,
    pub port: u16,
    /// Process id of the program that listens.
    pub process: u32,
}

impl Server {
    /// Starts this server with options.
    pub fn ours(options: &[&str]) -> Self {
        Server::node(&[], options)
    }

    /// Starts this server with options, including those of `cargo otp run`.
    pub fn node(of_run: &[&str], options: &[&str]) -> Self {
        // `cargo otp test` and the project's own check set the variable to the program that they
        // use.
        let program = std::env::var_os("CARGO_OTP").unwrap_or_else(|| env!("CARGO").into());
        let mut child = Command::new(program)
            .args(["otp", "run"])
            .args(of_run)
            .args(["--", "--port", "0"])
            .args(options)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("cargo otp");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let port = lines.by_ref().find_map(|line| {
            let line = line.ok()?;
            let rest = line.strip_prefix("listening on 127.0.0.1:")?;
            rest.split(' ').next()?.parse().ok()
        });
        // Keep reading the output, so that the server never blocks on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Server::of(
            child,
            port.expect(
                "`cargo otp run` starts it: `cargo install --path cli` in the folder of otp-rs",
            ),
        )
    }

    /// Starts redis-server in a folder. Returns `None` if it is not installed.
    pub fn redis(folder: &Path, options: &[&str]) -> Option<Self> {
        let port = free();
        let child = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--save", ""])
            .args(options)
            .current_dir(folder)
            .stdout(Stdio::null())
            .spawn()
            .ok()?;
        Some(Server::of(child, port))
    }

    fn of(child: Child, port: u16) -> Self {
        let mut server = Server {
            process: child.id(),
            child,
            port,
        };
        let mut client = server.client();
        // redis-server answers LOADING while it reads its files.
        while client.ask("DBSIZE").starts_with('-') {
            std::thread::sleep(Duration::from_millis(20));
        }
        let info = client.ask("INFO server");
        let number = info
            .lines()
            .find_map(|line| line.strip_prefix("process_id:"));
        server.process = number
            .and_then(|it| it.trim().parse().ok())
            .expect("its number");
        server
    }

    /// Connects a client, if the server listens.
    pub fn client_now(&self) -> Option<Client> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        Some(Client(BufReader::new(stream)))
    }

    pub fn client(&self) -> Client {
        let mut client = None;
        nodes::wait(|| {
            client = self.client_now();
            client.is_some()
        });
        client.expect("somebody listens")
    }

    /// Waits until this many clients wait for an element.
    pub fn are_waiting(&self, count: usize) {
        let waiting = format!("blocked_clients:{count}\r");
        self.client().until("INFO clients", &waiting);
    }

    /// Kills the server as `kill -9` does.
    pub fn kill(&mut self) {
        let killed = Command::new("kill")
            .args(["-9", &self.process.to_string()])
            .status();
        assert!(killed.is_ok_and(|status| status.success()));
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .args(["-9", &self.process.to_string()])
            .stderr(Stdio::null())
            .status();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn free() -> u16 {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.local_addr().expect("its number").port()
}

/// A client that waits for each reply.
pub struct Client(pub BufReader<TcpStream>);

impl Client {
    /// Sends a line and returns the reply as text. The elements of an array are lines. The text is
    /// empty if the server has gone.
    pub fn ask(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split(' ').collect();
        self.ask_words(&words)
    }

    /// Repeats a request until the reply contains this text.
    pub fn until(&mut self, line: &str, text: &str) {
        nodes::wait(|| self.ask(line).contains(text));
    }

    /// Sends a command without waiting for the reply.
    pub fn send(&mut self, line: &str) {
        let sent = self.0.get_mut().write_all(format!("{line}\r\n").as_bytes());
        sent.expect("it is sent");
    }

    pub fn ask_words(&mut self, words: &[&str]) -> String {
        let mut request = format!("*{}\r\n", words.len());
        for word in words {
            request += &format!("${}\r\n{word}\r\n", word.len());
        }
        if self.0.get_mut().write_all(request.as_bytes()).is_err() {
            return String::new();
        }
        self.reply()
    }

    pub fn reply(&mut self) -> String {
        let mut line = String::new();
        if self.0.read_line(&mut line).is_err() || !line.ends_with('\n') {
            return String::new();
        }
        let line = line.trim_end().to_owned();
        let count = line[1..]
            .parse::<i64>()
            .ok()
            .and_then(|it| usize::try_from(it).ok());
        match (line.as_bytes()[0], count) {
            (b'$', Some(length)) => {
                let mut bytes = vec![0; length + 2];
                if self.0.read_exact(&mut bytes).is_err() {
                    return String::new();
                }
                bytes.truncate(length);
                String::from_utf8_lossy(&bytes).into_owned()
            }
            (b'*' | b'>' | b'~', Some(count)) => {
                let elements: Vec<String> = (0..count).map(|_| self.reply()).collect();
                elements.join("\n")
            }
            _ => line,
        }
    }
}
