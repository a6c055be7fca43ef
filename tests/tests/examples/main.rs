//! Runs the examples on the real Erlang VM.

mod copied;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use otp_bridge_novm as _;
use otp_tests::application::build;
use otp_tests::running::{PATIENCE, Running};

/// A client of `line_server`.
struct Client {
    lines: BufReader<TcpStream>,
}

impl Client {
    fn connect(port: &str) -> Self {
        let stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("a connection");
        let patience = stream.set_read_timeout(Some(PATIENCE));
        patience.expect("a time limit");
        Client {
            lines: BufReader::new(stream),
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        let sent = self.lines.get_mut().write_all(bytes);
        sent.expect("the server takes it");
    }

    fn answer(&mut self) -> String {
        let mut answer = String::new();
        self.lines.read_line(&mut answer).expect("an answer");
        answer.trim_end().to_owned()
    }

    fn ask(&mut self, line: &str) -> String {
        self.send(format!("{line}\n").as_bytes());
        self.answer()
    }

    /// Waits until the connection is closed. Returns what came before.
    fn end(mut self) -> String {
        let mut rest = String::new();
        let read = self.lines.read_to_string(&mut rest);
        read.expect("the server closes the connection");
        rest
    }

    /// Asks until there are this many clients. A closed connection counts until its supervisor has
    /// noticed.
    fn sees(&mut self, clients: &str) {
        let begun = Instant::now();
        loop {
            let seen = self.ask("clients");
            if seen == clients {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{seen} clients, not {clients}");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Returns the kinds of printed error reports. A slow callback on a busy machine causes a warning,
/// and its move to another scheduler a notice; these do not count.
fn errors(printed: &[String]) -> Vec<&str> {
    let kinds = printed.iter().filter_map(|line| line.split_once("==== "));
    let kinds = kinds.map(|(kind, _)| kind);
    let harmless = ["=INFO REPORT", "=NOTICE REPORT", "=WARNING REPORT"];
    kinds.filter(|kind| !harmless.contains(kind)).collect()
}

fn line_server() -> (Running, String) {
    let server = Running::start("line_server", &build("examples/line_server"), &["0"]);
    let port = server.line("listening on 127.0.0.1:");
    (server, port)
}

/// Checks that the application ends without errors.
#[track_caller]
fn ends_well(running: Running) {
    let (status, printed) = running.wait();
    assert!(status.success(), "{status}: {printed:?}");
    assert_eq!(errors(&printed), Vec::<&str>::new());
}

#[test]
fn clients_of_the_line_server_share_what_they_store() {
    let (server, port) = line_server();
    let clients = (0..8).map(|number| {
        let port = port.clone();
        thread::spawn(move || {
            let mut client = Client::connect(&port);
            for round in 0..100 {
                assert_eq!(client.ask(&format!("set key{number} value {round}")), "ok");
                let value = format!("value {round}");
                assert_eq!(client.ask(&format!("get key{number}")), value);
            }
            client
        })
    });
    // Start all clients before waiting for the first.
    let clients: Vec<_> = clients.collect();
    let mut clients = clients.into_iter().map(thread::JoinHandle::join);
    let mut first = clients
        .next()
        .expect("a client")
        .expect("it has ended well");
    let others: Vec<Client> = clients
        .map(|client| client.expect("it has ended well"))
        .collect();
    for number in 0..8 {
        assert_eq!(first.ask(&format!("get key{number}")), "value 99");
    }
    assert_eq!(first.ask("get nothing"), "none");
    assert_eq!(first.ask("get"), "error: get KEY");
    // The server answers several lines in one packet one after the other.
    first.send(b"set a 1\r\nget a\r\nget key");
    assert_eq!([first.answer(), first.answer()], ["ok", "1"]);
    first.send(b"7\n");
    assert_eq!(first.answer(), "value 99");

    first.sees("8");
    for mut other in others {
        assert_eq!(other.ask("quit"), "bye");
        assert_eq!(other.end(), "");
    }
    first.sees("1");
    let (status, printed) = server.stop();
    assert!(status.success(), "{status}: {printed:?}");
    assert_eq!(first.end(), "", "the server has closed the connection");
    assert_eq!(errors(&printed), Vec::<&str>::new());
}

/// Starts a client in a process of its own, which has sent half a line and will send the rest
/// later.
fn other_process(port: &str) -> Child {
    let script = format!(
        "exec 3<>/dev/tcp/127.0.0.1/{port}; echo set other 1 >&3; read -u 3 answer; echo $answer; \
         printf 'set half' >&3; echo sent; read end"
    );
    let client = Command::new("bash")
        .args(["-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    client.expect("bash starts")
}

#[test]
fn a_client_that_is_killed_and_a_connection_that_crashes_leave_others_alone() {
    let (server, port) = line_server();
    let mut witness = Client::connect(&port);
    assert_eq!(witness.ask("set kept yes"), "ok");

    let mut killed = other_process(&port);
    let mut lines = BufReader::new(killed.stdout.take().expect("its output is piped")).lines();
    let mut line = || lines.next().expect("a line").expect("a text");
    assert_eq!([line(), line()], ["ok", "sent"]);
    witness.sees("2");
    killed.kill().expect("it is killed");
    killed.wait().expect("it has ended");
    witness.sees("1");
    assert_eq!(witness.ask("get other"), "1");
    assert_eq!(witness.ask("get half"), "none");

    let mut crashing = Client::connect(&port);
    assert_eq!(crashing.ask("get kept"), "yes");
    let bystander = Client::connect(&port);
    witness.sees("3");
    crashing.send(b"set \xff 1\n");
    assert_eq!(crashing.end(), "");
    witness.sees("2");
    assert_eq!(witness.ask("get kept"), "yes");

    let (status, printed) = server.stop();
    assert!(status.success(), "{status}: {printed:?}");
    assert_eq!([witness.end(), bystander.end()], ["", ""]);
    // OTP logs three reports about a server that crashes: from the server, from `proc_lib`, and
    // from the supervisor.
    let reports = ["=ERROR REPORT", "=CRASH REPORT", "=SUPERVISOR REPORT"];
    assert_eq!(errors(&printed), reports);
    let reason = |line: &String| line.contains("binary() of UTF-8");
    assert!(printed.iter().any(reason), "{printed:#?}");
}

/// Starts a node of the chat. Returns it with its port and its name.
fn chat(name: &str, ebin: &Path, peer: &[&str]) -> (Running, String, String) {
    // A concurrent run of the tests may have nodes as well.
    let node = format!("{name}{}@127.0.0.1", std::process::id());
    let arguments = [&["0"], peer].concat();
    let running = Running::start_node("chat", ebin, &node, &arguments);
    let port = running.line("listening on 127.0.0.1:");
    (running, port, node)
}

fn joined(port: &str, nick: &str, room: &str) -> Client {
    let mut client = Client::connect(port);
    assert_eq!(client.ask("hello"), "! /nick NAME first");
    assert_eq!(
        client.ask(&format!("/nick {nick}")),
        format!("* you are {nick}")
    );
    assert_eq!(client.ask("hello"), "! /join ROOM first");
    assert_eq!(
        client.ask(&format!("/join {room}")),
        format!("* you are in {room}")
    );
    client
}

#[test]
fn users_of_a_chat_meet_across_nodes_and_leave_with_theirs() {
    let ebin = build("examples/chat");
    let (one, port, node) = chat("chat_one", &ebin, &[]);
    let mut ann = joined(&port, "ann", "rust");
    let mut cid = joined(&port, "cid", "rust");
    assert_eq!(
        [ann.answer(), cid.answer()],
        ["* cid is here", "* ann is here"]
    );
    let mut elsewhere = joined(&port, "eve", "erlang");

    // The first two users are in the room before the other node connects.
    let (other, other_port, other_node) = chat("chat_two", &ebin, &[&node]);
    one.line(&format!("connected to '{other_node}'"));
    other.line(&format!("connected to '{node}'"));
    let mut bob = Client::connect(&other_port);
    assert_eq!(bob.ask("/nick bob"), "* you are bob");
    assert_eq!(bob.ask("/nick bob"), "! you are bob");
    assert_eq!(bob.ask("/join rust"), "* you are in rust");
    let mut seen = [bob.answer(), bob.answer()];
    seen.sort_unstable();
    assert_eq!(seen, ["* ann is here", "* cid is here"]);
    assert_eq!(
        [ann.answer(), cid.answer()],
        ["* bob is here", "* bob is here"]
    );

    ann.send(b"hello\n");
    assert_eq!([bob.answer(), cid.answer()], ["ann: hello", "ann: hello"]);
    bob.send("/tell ann grüß dich\n".as_bytes());
    assert_eq!(ann.answer(), "bob whispers: grüß dich");
    assert_eq!(bob.ask("/tell nobody hello"), "! nobody is called nobody");
    assert_eq!(elsewhere.ask("/who"), "* 0 here:");

    // The others see that a user has quit, and that all users of a lost node have gone.
    cid.send(b"/quit\n");
    assert_eq!(cid.end(), "");
    assert_eq!(
        [ann.answer(), bob.answer()],
        ["* cid has gone", "* cid has gone"]
    );
    other.kill();
    assert_eq!(ann.answer(), "* bob has gone");
    one.line(&format!("lost '{other_node}'"));
    assert_eq!(ann.ask("/who"), "* 0 here:");
    assert_eq!(ann.ask("/tell bob hello"), "! nobody is called bob");

    let (status, printed) = one.stop();
    assert!(status.success(), "{status}: {printed:?}");
    assert_eq!([ann.end(), elsewhere.end()], ["", ""]);
    assert_eq!(errors(&printed), Vec::<&str>::new());
}

#[test]
fn nodes_of_a_chat_find_each_other_again_and_share_their_names() {
    let ebin = build("examples/chat");
    let (one, port, node) = chat("chat_three", &ebin, &[]);
    let mut ann = joined(&port, "ann", "rust");
    let (other, other_port, other_node) = chat("chat_four", &ebin, &[&node]);
    one.line(&format!("connected to '{other_node}'"));
    let mut other_ann = Client::connect(&other_port);
    until(|| other_ann.ask("/nick ann") == "! somebody else is ann");
    ann.send(b"/quit\n");
    assert_eq!(ann.end(), "");
    until(|| other_ann.ask("/nick ann") == "* you are ann");

    one.kill();
    other.line(&format!("lost '{node}'"));
    let (again, port, _) = chat("chat_three", &ebin, &[]);
    other.line(&format!("connected to '{node}'"));
    again.line(&format!("connected to '{other_node}'"));
    assert_eq!(other_ann.ask("/join rust"), "* you are in rust");
    let mut bob = joined(&port, "bob", "rust");
    assert_eq!(
        [bob.answer(), other_ann.answer()],
        ["* ann is here", "* bob is here"]
    );
}

/// Waits for a condition.
fn until(mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "in time");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_ticker_ticks_beside_solvers_of_each_manner_and_ends() {
    let arguments = ["ticker", "3", "9", "1"];
    let ticker = Running::start("steiner", &build("examples/steiner"), &arguments);
    for manner in ["idle", "polite", "dirty", "impolite"] {
        let line = ticker.line(&format!("[{manner}]: "));
        assert!(line.contains(" ms since the last tick, off by "), "{line}");
    }
    ticker.line("late by (ms)     median      worst      trees");
    for manner in ["idle", "polite", "dirty", "impolite"] {
        let line = ticker.line(&format!("{manner:<12} "));
        let trees: u64 = line
            .split_whitespace()
            .last()
            .expect("a number")
            .parse()
            .expect("a number");
        assert_eq!(trees > 0, manner != "idle", "{manner}: {line}");
    }
    ends_well(ticker);
}

#[test]
fn savinas_benchmarks_end_and_say_how_long_they_took() {
    let ebin = build("examples/savina");
    for line in [
        "ring 2 1000",
        "ring 10 1000",
        "throughput 10 100",
        "creation 100",
        "big 30",
        "latency 5 990",
        "tasks ring 10 1000",
        "tasks throughput 10 100",
        "tasks creation 100",
        "tasks big 30",
        "tasks latency 5 990",
        "tasks timers 10",
    ] {
        let arguments: Vec<_> = line.split(' ').collect();
        let savina = Running::start("savina", &ebin, &arguments);
        let took: u64 = savina.line("nanoseconds=").parse().expect("a number");
        // Ten timers take less time than the operating system's clock can measure.
        assert!(took > 0 || line == "tasks timers 10", "{line}");
        let (status, printed) = savina.wait();
        assert!(status.success(), "{status}: {printed:?}");
        assert_eq!(errors(&printed), Vec::<&str>::new(), "{line}");
    }
}

#[test]
fn two_lights_blink_in_turn_and_many_tasks_answer() {
    let ebin = build("examples/blink");
    let lights = Running::start("blink", &ebin, &["2"]);
    for drawn in ["●   light 2 ○", "○   light 2 ●", "●   light 2 ○"] {
        assert_eq!(lights.line("light 1 "), drawn);
    }
    ends_well(lights);

    let messages = "tasks a message to each, and one back: ";
    for (show, lines) in [
        ("lights", ["lights blink: ", "lights are out"].as_slice()),
        ("million", &["tasks started: ", messages, "tasks ended: "]),
    ] {
        let many = Running::start("blink", &ebin, &[show, "2000"]);
        for line in lines {
            many.line(&format!("2000 {line}"));
        }
        ends_well(many);
    }
}
