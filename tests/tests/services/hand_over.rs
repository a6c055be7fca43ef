//! An upgrade of the application `services` while clients of every kind use its HTTP server.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::id;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use otp_tests::application::{build, cargo_otp, manifest_of_copy, root, text};
use otp_tests::running::{PATIENCE, Running};
use tempfile::TempDir;

use crate::{APPLICATION, event};

/// The name of the copies: both builds are made in another folder than those of the other tests.
const NAME: &str = "handed_over";

/// Makes the sources of a build, whose `/health` answers with the number, and in which two equal
/// servers listen at any free port. Returns their folder.
fn sources(number: &str) -> String {
    let target = root().join("examples/target");
    let (original, sources) = (root().join(APPLICATION), target.join("sources").join(NAME));
    let read = |path: &Path| fs::read_to_string(path).expect("it is read");
    let write = |name: &str, text: String| {
        let path = sources.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
        fs::write(path, text).expect("it is written");
    };
    for entry in fs::read_dir(original.join("src"))
        .expect("a folder")
        .flatten()
    {
        let name = format!("src/{}", entry.file_name().display());
        let text =
            read(&entry.path()).replace("async || \"ok\"", &format!("async || \"{number}\""));
        let twice = "Later::child(0), Later::child(0).id(\"again\"),";
        let text = text.replace("Later::child(0),", twice);
        write(&name, text);
    }
    let named = format!("name = \"{NAME}\"");
    let manifest = manifest_of_copy(APPLICATION).replace("name = \"services\"", &named);
    write("Cargo.toml", manifest);
    write("Cargo.lock", read(&root().join("examples/Cargo.lock")));
    write("otp.toml", read(&original.join("otp.toml")));
    let config = format!("[build]\ntarget-dir = {target:?}\n");
    write(".cargo/config.toml", config);
    sources.to_str().expect("it is UTF-8").to_owned()
}

/// A client that counts its requests.
struct Load {
    ends: AtomicBool,
    done: AtomicUsize,
}

impl Load {
    fn continues(&self) -> bool {
        self.done.fetch_add(1, Ordering::Relaxed);
        !self.ends.load(Ordering::Relaxed)
    }

    /// Waits for further requests.
    fn wait(&self, more: usize) {
        let (begun, until) = (Instant::now(), self.done.load(Ordering::Relaxed) + more);
        while self.done.load(Ordering::Relaxed) < until {
            assert!(begun.elapsed() < PATIENCE, "the clients get no replies");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).expect("the server never refuses a connection");
    stream
        .set_read_timeout(Some(PATIENCE))
        .expect("a time limit");
    stream
}

/// Reads the head of a reply. Returns `None` if the server has closed the connection before.
fn head(stream: &mut TcpStream) -> Option<String> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ if head.is_empty() => return None,
            other => panic!("the reply breaks off: {other:?}"),
        }
    }
    Some(text(&head))
}

fn ask(stream: &mut TcpStream) -> Option<String> {
    let request = b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n";
    stream.write_all(request).ok()?;
    let head = head(stream)?;
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let mut body = [0];
    stream.read_exact(&mut body).expect("the reply has a body");
    Some(head)
}

/// Opens a connection for each request. Every one is answered.
fn visit(address: &str, load: &Load) {
    while load.continues() {
        assert!(
            ask(&mut connect(address)).is_some(),
            "a request without a reply"
        );
    }
}

/// Keeps its connection until the server announces that it closes it, or closes it while it is
/// idle. Returns how often that was announced.
fn stay(address: &str, load: &Load) -> usize {
    let (mut stream, mut announced) = (connect(address), 0);
    while load.continues() {
        let head = ask(&mut stream);
        let is_last = |head: &String| head.contains("connection: close");
        announced += usize::from(head.as_ref().is_some_and(is_last));
        if head.as_ref().is_none_or(is_last) {
            stream = connect(address);
        }
    }
    announced
}

/// Opens a WebSocket, and exchanges a message. The handler does not know of upgrades.
fn open(address: &str) -> TcpStream {
    let mut stream = connect(address);
    let request = "GET /echo HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
        sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    stream.write_all(request.as_bytes()).expect("it is sent");
    let head = head(&mut stream).expect("a reply");
    assert!(head.starts_with("HTTP/1.1 101"), "{head}");
    let hello = [0x81, 0x85, 0, 0, 0, 0, b'h', b'e', b'l', b'l', b'o'];
    stream.write_all(&hello).expect("it is sent");
    let mut echo = [0; 7];
    stream.read_exact(&mut echo).expect("an echo");
    assert_eq!(&echo, b"\x81\x05hello");
    stream
}

/// Runs a command of the second build at the node. Returns what it reports.
fn command(words: &[&str], options: &[&str]) -> String {
    let folder = TempDir::new().expect("a folder");
    let cookie = folder.path().join("cookie");
    fs::write(&cookie, "otp_tests").expect("it is written");
    fs::set_permissions(&cookie, fs::Permissions::from_mode(0o600)).expect("it is ours");
    let cookie = cookie.to_str().expect("it is UTF-8");
    let words = [words, &["--cookie", cookie], options].concat();
    let done = cargo_otp(&sources("2"), &words);
    let said = text(&done.stderr);
    assert!(done.status.success(), "{said}");
    said
}

/// Kills the two equal servers.
const KILL: &str = "[exit(P, kill) || {_, P, _, [later]} <- supervisor:which_children(stroot)].";

/// Waits until the server at this address answers.
fn answers(address: &str) {
    let begun = Instant::now();
    while TcpStream::connect(address)
        .ok()
        .as_mut()
        .and_then(ask_later)
        .is_none()
    {
        assert!(begun.elapsed() < PATIENCE, "{address} does not answer");
        thread::sleep(Duration::from_millis(10));
    }
}

fn ask_later(stream: &mut TcpStream) -> Option<()> {
    let request = b"GET / HTTP/1.0\r\nhost: localhost\r\n\r\n";
    let (mut reply, wrote) = (String::new(), stream.write_all(request));
    wrote
        .and_then(|()| stream.read_to_string(&mut reply))
        .ok()?;
    reply.ends_with("\r\n\r\nlater").then_some(())
}

#[test]
fn an_upgrade_refuses_no_connection_and_closes_websockets_with_1012() {
    let node = format!("{NAME}{}@127.0.0.1", id());
    let ebin = build(&sources("1"));
    let flags = [
        "-name",
        &node,
        "-setcookie",
        "otp_tests",
        "-kernel",
        "inet_dist_use_interface",
        "{127,0,0,1}",
    ];
    let log = ["-otp_rs_log_level", "info", "-otp_rs_log_format", "json"];
    let running = Running::start_vm(NAME, &ebin, &[&flags[..], &log].concat(), &["0"]);
    let [listens, one, other] = [0; 3].map(|_| {
        let message = event(&running)["message"]
            .as_str()
            .expect("a text")
            .to_owned();
        let address = message.strip_prefix("the HTTP server listens at http://");
        address.expect("an address").to_owned()
    });
    let address = listens.as_str();
    assert_ne!(one, other);
    let (mut socket, load) = (
        open(address),
        Load {
            ends: AtomicBool::new(false),
            done: AtomicUsize::new(0),
        },
    );
    let announced = thread::scope(|scope| {
        let visitor = scope.spawn(|| visit(address, &load));
        let guest = scope.spawn(|| stay(address, &load));
        load.wait(100);
        command(&["upgrade", &node], &["--timeout", "60"]);
        load.wait(100);
        load.ends.store(true, Ordering::Relaxed);
        visitor.join().expect("each request is answered");
        guest.join().expect("each request is answered")
    });
    assert!(announced > 0, "no connection was closed");
    let mut rest = Vec::new();
    socket.read_to_end(&mut rest).expect("the server closes it");
    assert_eq!(rest, b"\x88\x11\x03\xF4service restart");
    let mut stream = connect(address);
    stream
        .write_all(b"GET /health HTTP/1.0\r\nhost: localhost\r\n\r\n")
        .expect("it is sent");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    assert!(reply.ends_with("\r\n\r\n2"), "{reply}");
    drop(open(address));
    // Each of two equal servers gets its own port again.
    [&one, &other].into_iter().for_each(|it| answers(it));
    command(&["shell", &node], &["--eval", KILL]);
    [&one, &other].into_iter().for_each(|it| answers(it));
}
