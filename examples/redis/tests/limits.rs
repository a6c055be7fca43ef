//! Limits: many clients, slow clients, and values that are too large.

use otp_bridge_novm as _;

mod common;

use std::io::{BufRead, Read, Write};
use std::process::Command;

use common::peer::compare;
use common::{Client, Server};

/// Number of concurrent clients.
const CLIENTS: usize = 10_000;
/// Number of open files that the server and the test each need.
const FILES: usize = 10_500;

/// Returns the memory of a program in kB.
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"));
    let status = status.expect("the server is there");
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|it| it.trim().strip_suffix(" kB")?.parse().ok());
    kilobytes.expect("a number")
}

#[test]
fn ten_thousand_clients_are_served() {
    let limit = Command::new("sh").args(["-c", "ulimit -n"]).output();
    let limit = limit.map_or_else(
        |_| String::new(),
        |it| String::from_utf8_lossy(&it.stdout).into_owned(),
    );
    // The value may be `unlimited`.
    let files: usize = limit.trim().parse().unwrap_or(usize::MAX);
    let most = CLIENTS.min(files.saturating_sub(FILES - CLIENTS));
    if most < CLIENTS {
        eprintln!("only {files} files may be open: fewer clients are tried");
    }
    let server = Server::ours(&["--reactors", "2", "--maxclients", "20000"]);
    let mut first = server.client();
    let before = memory(server.process);
    let mut clients: Vec<Client> = Vec::new();
    for number in 0..most {
        let mut client = server.client();
        assert_eq!(client.ask(&format!("SET key{number} x")), "+OK");
        clients.push(client);
    }
    let each = (memory(server.process) - before) * 1024 / most as u64;
    println!("{most} idle clients, {each} bytes of the server's memory for each, with a key");
    assert!(each < 4096, "{each} bytes");
    // The server still serves all of them.
    for client in &mut clients {
        assert_eq!(client.ask("PING"), "+PONG");
    }
    assert_eq!(first.ask("DBSIZE"), format!(":{most}"));
    // A further client gets an error.
    assert_eq!(
        first.ask(&format!("CONFIG SET maxclients {}", most + 1)),
        "+OK"
    );
    let mut late = server.client();
    assert_eq!(late.reply(), "-ERR max number of clients reached");
    drop(clients);
    // Clients that have disconnected do not count.
    first.until("INFO clients", "connected_clients:1\r");
}

#[test]
fn a_client_that_does_not_read_costs_little() {
    /// Number of replies of 1 MB that the client requests at once: 1 GB in all.
    const TIMES: usize = 1_000;
    const SIZE: usize = 1_000_000;
    let server = Server::ours(&["--reactors", "1"]);
    let mut other = server.client();
    let value = "x".repeat(SIZE);
    assert_eq!(other.ask_words(&["SET", "big", &value]), "+OK");
    let before = memory(server.process);
    let mut slow = server.client();
    let asked = "GET big\r\n".repeat(TIMES);
    slow.0
        .get_mut()
        .write_all(asked.as_bytes())
        .expect("it is sent");
    std::thread::sleep(std::time::Duration::from_millis(500));
    // The other clients of the reactor are still served.
    assert_eq!(other.ask("PING"), "+PONG");
    let more = memory(server.process).saturating_sub(before);
    println!("a client that reads nothing of 1 GB: {more} kB");
    assert!(more < 64 << 10, "{more} kB");
    // When the client reads, it gets all replies.
    let mut line = String::new();
    for _ in 0..TIMES {
        line.clear();
        slow.0.read_line(&mut line).expect("a line");
        assert_eq!(line, format!("${SIZE}\r\n"));
        let mut value = vec![0; SIZE + 2];
        slow.0.read_exact(&mut value).expect("a value");
    }
    assert_eq!(slow.ask("PING"), "+PONG");
}

#[test]
fn what_is_over_512_megabytes_is_refused_as_by_redis() {
    let lines = [
        "setrange key 536870911 xx",
        "setrange key 536870912 x",
        "setrange key 4294967296 x",
        "setbit key 4294967296 1",
        "bitfield key set u8 4294967296 1",
        "strlen key",
        "get key",
    ];
    compare("large", &lines);
    // The server refuses the length before the client sends any of the value.
    let server = Server::ours(&["--reactors", "1"]);
    let mut client = server.client();
    client.send("*3\r\n$3\r\nSET\r\n$1\r\na\r\n$536870913");
    assert_eq!(client.reply(), "-ERR Protocol error: invalid bulk length");
    assert_eq!(client.reply(), "");
    assert_eq!(server.client().ask("EXISTS a"), ":0");
}
