//! Resources that the chapters use and that only one program on a machine can have: names of nodes,
//! and a port. Each chapter gets its own, so that several runs of the tests do not disturb each
//! other.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::ops::RangeInclusive;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The ports in the commands and screens of chapters.
const OF_CHAPTERS: RangeInclusive<u16> = 47_000..=47_999;

/// How long epmd may take to start on a busy machine.
const PATIENCE: Duration = Duration::from_mins(10);

/// The machine of a chapter.
pub(crate) struct Machine {
    epmd: Epmd,
    /// A free port for each port of the chapter.
    ports: Vec<(u16, u16)>,
}

impl Machine {
    pub(crate) fn new() -> Self {
        Machine {
            epmd: Epmd::start(),
            ports: Vec::new(),
        }
    }

    /// Makes a program and all that it starts use this machine's epmd.
    pub(crate) fn names_nodes_for(&self, command: &mut Command) {
        command
            .env("ERL_EPMD_PORT", self.epmd.port.to_string())
            // If this epmd is gone, a node starts another one, which listens only here as well.
            .env("ERL_EPMD_ADDRESS", "127.0.0.1");
    }

    /// Replaces each port in the text by a free one.
    pub(crate) fn with_ports(&mut self, text: &str) -> String {
        let mut replaced = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
            let (before, from) = rest.split_at(at);
            let end = from.find(|c: char| !c.is_ascii_digit());
            let (digits, after) = from.split_at(end.unwrap_or(from.len()));
            replaced += before;
            replaced += &self.port(digits).unwrap_or_else(|| digits.to_owned());
            rest = after;
        }
        replaced + rest
    }

    fn port(&mut self, digits: &str) -> Option<String> {
        let named: u16 = digits.parse().ok()?;
        if !OF_CHAPTERS.contains(&named) {
            return None;
        }
        let known = self
            .ports
            .iter()
            .find(|(of_chapter, _)| *of_chapter == named);
        let free = known.map_or_else(free_port, |(_, free)| *free);
        if known.is_none() {
            self.ports.push((named, free));
        }
        Some(free.to_string())
    }
}

/// A port that was free a moment ago.
fn free_port() -> u16 {
    let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    socket.local_addr().expect("its address").port()
}

/// The daemon that knows the names of nodes, on a port of its own. It ends when this value is
/// dropped.
struct Epmd {
    child: Child,
    port: u16,
}

impl Epmd {
    fn start() -> Self {
        // Another program may take the port first, and epmd then ends.
        let mut started = (0..10).filter_map(|_| Self::start_on(free_port()));
        started.next().expect("epmd starts")
    }

    fn start_on(port: u16) -> Option<Self> {
        let child = Command::new("epmd")
            .args(["-address", "127.0.0.1", "-port", &port.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("epmd, which comes with Erlang");
        let mut epmd = Epmd { child, port };
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if epmd.child.try_wait().expect("a status").is_some() {
                return None;
            }
            if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
                return Some(epmd);
            }
            sleep(Duration::from_millis(10));
        }
        None
    }
}

impl Drop for Epmd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_port_of_a_chapter_is_replaced_by_the_same_free_one_everywhere() {
    let mut machine = Machine::new();
    let text = machine
        .with_ports("$ run -- 47411\nlistening on 127.0.0.1:47411, 147411 bytes, 8080\n47412");
    let free: Vec<u16> = machine.ports.iter().map(|(_, free)| *free).collect();
    let [first, second] = free[..] else {
        panic!("{free:?}")
    };
    assert_eq!(
        text,
        format!("$ run -- {first}\nlistening on 127.0.0.1:{first}, 147411 bytes, 8080\n{second}")
    );
    assert_ne!(first, second);
}
