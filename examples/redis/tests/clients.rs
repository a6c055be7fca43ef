//! Commands with which clients observe, hold back and disconnect other clients.

mod common;

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use common::{Client, Server};
use otp_bridge_novm as _;

fn id(client: &mut Client) -> String {
    client.ask("CLIENT ID").trim_start_matches(':').to_owned()
}

/// Returns whether the server has disconnected the client.
fn is_gone(client: &mut Client) -> bool {
    client
        .0
        .get_mut()
        .read(&mut [0; 1])
        .map_or(true, |count| count == 0)
}

#[test]
fn clients_are_listed_and_killed() {
    let server = Server::ours(&[
        "--reactors",
        "2",
        "--slowlog-log-slower-than",
        "300000",
        "--enable-debug-command",
        "yes",
    ]);
    let (mut one, mut idle, mut waiting) = (server.client(), server.client(), server.client());
    idle.ask("CLIENT SETNAME idle");
    let (of_idle, of_waiting) = (id(&mut idle), id(&mut waiting));
    waiting.send("BLPOP never 0");
    server.are_waiting(1);
    let list = one.ask("CLIENT LIST");
    let line = |id: &str| {
        list.lines()
            .find(|it| it.starts_with(&format!("id={id} ")))
            .unwrap_or("none")
    };
    assert!(
        line(&of_idle).contains("name=idle") && line(&of_idle).contains("cmd=client|id"),
        "{list}"
    );
    assert!(
        line(&of_waiting).contains("flags=b") && line(&of_waiting).contains("cmd=blpop"),
        "{list}"
    );
    // Another client can end the waiting with an error.
    assert_eq!(one.ask(&format!("CLIENT UNBLOCK {of_waiting} ERROR")), ":1");
    assert!(waiting.reply().starts_with("-UNBLOCKED"));
    waiting.send("BLPOP never 0");
    server.are_waiting(1);
    for id in [&of_idle, &of_waiting] {
        assert_eq!(one.ask(&format!("CLIENT KILL ID {id}")), ":1");
    }
    assert!(is_gone(&mut idle) && is_gone(&mut waiting));
    assert_eq!(one.ask(&format!("CLIENT KILL ID {of_idle}")), ":0");
    // Removing a user disconnects its clients.
    assert_eq!(one.ask("ACL SETUSER bob on >pw ~* +@all"), "+OK");
    let mut bob = server.client();
    assert_eq!(bob.ask("AUTH bob pw"), "+OK");
    assert!(bob.ask("CLIENT LIST").contains("user=bob"));
    assert_eq!(one.ask("ACL DELUSER bob"), ":1");
    assert!(is_gone(&mut bob));
    // Only slow commands are logged.
    one.ask("DEBUG SLEEP 0.5");
    one.ask("PING");
    assert_eq!(one.ask("SLOWLOG LEN"), ":1");
    assert!(one.ask("SLOWLOG GET").contains("DEBUG\nSLEEP\n0.5"));
}

#[test]
fn clients_are_watched_held_back_and_muted() {
    let server = Server::ours(&["--reactors", "2"]);
    let (mut one, mut other, mut monitor) = (server.client(), server.client(), server.client());
    assert_eq!(monitor.ask("MONITOR"), "+OK");
    one.ask_words(&["SET", "a \"b", "\u{1}x\n"]);
    let line = monitor.reply();
    assert!(
        line.contains("[0 127.0.0.1:") && line.ends_with(r#""SET" "a \"b" "\x01x\n""#),
        "{line}"
    );
    one.ask("MULTI");
    one.ask("GET a");
    one.ask("EXEC");
    let lines: Vec<String> = (0..3).map(|_| monitor.reply()).collect();
    for (line, word) in lines.iter().zip(["multi", "get", "exec"]) {
        assert!(
            line.to_lowercase().contains(&format!("\"{word}\"")),
            "{lines:?}"
        );
    }
    // Only commands that change something are held back.
    one.ask("SET a 1");
    let begun = Instant::now();
    assert_eq!(one.ask("CLIENT PAUSE 300 WRITE"), "+OK");
    assert_eq!(other.ask("SET a 2"), "+OK");
    assert!(begun.elapsed() >= Duration::from_millis(300));
    assert_eq!(one.ask("CLIENT PAUSE 600000 WRITE"), "+OK");
    assert_eq!(other.ask("GET a"), "2");
    other.send("SET a 3");
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(one.ask("CLIENT UNPAUSE"), "+OK");
    assert_eq!(other.reply(), "+OK");
    one.send("CLIENT REPLY OFF");
    one.send("SET a 4");
    one.send("CLIENT REPLY ON");
    assert_eq!(one.reply(), "+OK");
    one.send("CLIENT REPLY SKIP");
    one.send("GET a");
    assert_eq!(one.ask("ECHO b"), "b");
    assert_eq!(one.ask("RESET"), "+RESET");
}

/// `timeout` disconnects idle clients, but not those that wait for a key.
#[test]
fn idle_clients_are_disconnected() {
    let server = Server::ours(&["--reactors", "1"]);
    let (mut one, mut idle, mut waiting) = (server.client(), server.client(), server.client());
    idle.ask("PING");
    waiting.send("BLPOP list 0");
    assert_eq!(one.ask("CONFIG SET timeout 1"), "+OK");
    assert!(is_gone(&mut idle));
    let mut other = server.client();
    assert_eq!(other.ask("RPUSH list 1"), ":1");
    assert_eq!(waiting.reply(), "list\n1");
}

/// The server disconnects a subscriber that does not read when its queue exceeds the limit. Others
/// are not affected.
#[test]
fn a_subscriber_that_does_not_read_is_cut_off() {
    let server = Server::ours(&["--reactors", "2"]);
    let (mut slow, mut one) = (server.client(), server.client());
    slow.ask("SUBSCRIBE news");
    let text = "x".repeat(1 << 20);
    let mut count = 0;
    while one.ask_words(&["PUBLISH", "news", &text]) == ":1" {
        count += 1;
        assert!(count < 200, "it has {count} MB waiting");
    }
    // The limit is 32 MB, and the operating system buffers some more.
    assert!(count > 30, "{count}");
    let mut rest = Vec::new();
    let _ = slow.0.get_mut().read_to_end(&mut rest);
    assert!(slow.0.get_mut().write_all(b"PING\r\n").is_err() || is_gone(&mut slow));
    assert_eq!(one.ask("PING"), "+PONG");
}

/// Sends values whose sizes are close to that of one read, split at several positions, each
/// together with the next request.
#[test]
fn large_requests_come_in_pieces() {
    let server = Server::ours(&["--reactors", "1"]);
    let mut one = server.client();
    for length in [20_000, 65_000, 65_536, 100_000, 1_500_000, 3_000_000] {
        let value: String = (b'a'..=b'z').cycle().take(length).map(char::from).collect();
        let request = format!("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n${length}\r\n{value}\r\nPING\r\n");
        let bytes = request.as_bytes();
        for cut in [10, 40, length / 2, length, bytes.len() - 7] {
            let stream = one.0.get_mut();
            stream.write_all(&bytes[..cut]).unwrap();
            std::thread::sleep(Duration::from_millis(5));
            stream.write_all(&bytes[cut..]).unwrap();
            assert_eq!(one.reply(), "+OK", "{length} cut at {cut}");
            assert_eq!(one.reply(), "+PONG", "{length} cut at {cut}");
            assert!(one.ask("GET k") == value, "{length} cut at {cut}");
        }
    }
}
