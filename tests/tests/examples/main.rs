//! Runs the examples on the real Erlang VM.

mod copied;
mod nodes;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
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
