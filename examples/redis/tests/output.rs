//! Clients that do not read their output, and `client-output-buffer-limit`.

mod common;

use std::io::Write;

use common::nodes::wait;
use common::{Client, Folder, Server};
use otp_bridge_novm as _;

const LIMIT: &str = "client-output-buffer-limit";

/// Returns the memory of a program in kB.
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"));
    let status = status.expect("the server is there");
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|it| it.trim().strip_suffix(" kB")?.parse().ok());
    kilobytes.expect("a number")
}

fn id(client: &mut Client) -> String {
    client.ask("CLIENT ID").trim_start_matches(':').to_owned()
}

fn is_listed(client: &mut Client, id: &str) -> bool {
    let list = client.ask("CLIENT LIST");
    list.lines().any(|it| it.starts_with(&format!("id={id} ")))
}

fn set(client: &mut Client, value: &str) -> String {
    client.ask_words(&["CONFIG", "SET", LIMIT, value])
}

#[test]
fn limits_are_set_by_class() {
    let server = Server::ours(&["--reactors", "1"]);
    let mut client = server.client();
    let is = |client: &mut Client| client.ask(&format!("CONFIG GET {LIMIT}"));
    let defaults = "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60";
    assert_eq!(is(&mut client), format!("{LIMIT}\n{defaults}"));
    let wrong = set(&mut client, "normal 1 2 3 master 1 2 3");
    assert!(wrong.contains("Invalid client class"), "{wrong}");
    assert_eq!(is(&mut client), format!("{LIMIT}\n{defaults}"));
    assert_eq!(set(&mut client, "replica 1gb 0 0 pubsub 1mb 1kb 9"), "+OK");
    let now = "normal 0 0 0 slave 1073741824 0 0 pubsub 1048576 1024 9";
    assert_eq!(is(&mut client), format!("{LIMIT}\n{now}"));
}

/// Values of the parameter, right and wrong ones.
const VALUES: [&str; 16] = [
    "normal 1mb 2mb 3",
    "normal 1 2 3 pubsub 4 5 6",
    "slave 256mb 64mb 60",
    "Replica 1k 1kb 1 NORMAL 0 1gb 0",
    "pubsub 1 2 2147483647",
    "pubsub 1 2 2147483648",
    "normal 1 2",
    "normal 1 2 3 4",
    "master 1 2 3",
    "normal 1 2 3 foo 1 2 3",
    "normal -1 0 0",
    "normal 1 2 -3",
    "normal 1.5mb 0 0",
    "normal 1 2 3mb",
    "normal 1 2 3 normal 4 5 6",
    "",
];

/// Compares the defaults, which texts are values, and the clients that a limit disconnects.
#[test]
fn limits_are_those_of_redis_server() {
    let folder = Folder::new("output-limits");
    let Some(theirs) = Server::redis(&folder.0, &[]) else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let ours = Server::ours(&["--reactors", "1"]);
    let mut clients = [ours.client(), theirs.client()];
    let mut same = |words: &[&str]| {
        let [ours, theirs] = clients.each_mut().map(|client| client.ask_words(words));
        assert_eq!(ours, theirs, "{words:?}");
    };
    same(&["CONFIG", "GET", LIMIT]);
    for value in VALUES {
        same(&["CONFIG", "SET", LIMIT, value]);
        same(&["CONFIG", "GET", LIMIT]);
    }
    for server in [&ours, &theirs] {
        disconnects(server);
    }
}

/// A subscriber above the hard limit, and a client that is above the soft limit for a second.
fn disconnects(server: &Server) {
    let mut client = server.client();
    assert_eq!(set(&mut client, "normal 0 1mb 1 pubsub 1mb 0 0"), "+OK");
    let (mut subscriber, mut slow) = (server.client(), server.client());
    let (of_subscriber, of_slow) = (id(&mut subscriber), id(&mut slow));
    assert!(subscriber.ask("SUBSCRIBE news").contains("news"));
    let value = "x".repeat(32 << 20);
    assert_eq!(client.ask_words(&["SET", "big", &value]), "+OK");
    slow.send("GET big");
    wait(|| !is_listed(&mut client, &of_slow));
    wait(|| {
        client.ask_words(&["PUBLISH", "news", &value[..100_000]]);
        !is_listed(&mut client, &of_subscriber)
    });
}

#[test]
fn subscribers_and_monitors_that_do_not_read_are_disconnected() {
    let server = Server::ours(&["--reactors", "2"]);
    let mut client = server.client();
    assert_eq!(set(&mut client, "pubsub 1mb 0 0"), "+OK");
    let (mut subscriber, mut monitor) = (server.client(), server.client());
    let (of_subscriber, of_monitor) = (id(&mut subscriber), id(&mut monitor));
    assert!(subscriber.ask("SUBSCRIBE news").contains("news"));
    assert_eq!(monitor.ask("MONITOR"), "+OK");
    let before = memory(server.process);
    let text = "x".repeat(100_000);
    // The operating system takes some megabytes for each of them.
    wait(|| {
        client.ask_words(&["PUBLISH", "news", &text]);
        !is_listed(&mut client, &of_subscriber) && !is_listed(&mut client, &of_monitor)
    });
    let more = memory(server.process).saturating_sub(before);
    assert!(more < 64 << 10, "{more} kB");
    assert_eq!(client.ask("PUBSUB NUMSUB news"), "news\n:0");
}

/// EXEC would create a reply of a gigabyte.
#[test]
fn a_reply_above_the_hard_limit_is_not_created() {
    let server = Server::ours(&["--reactors", "1"]);
    let (mut client, mut slow) = (server.client(), server.client());
    let value = "x".repeat(1_000_000);
    assert_eq!(client.ask_words(&["SET", "big", &value]), "+OK");
    assert_eq!(set(&mut client, "normal 10mb 0 0"), "+OK");
    let of_slow = id(&mut slow);
    let before = memory(server.process);
    slow.send("MULTI");
    let asked = "GET big\r\n".repeat(1000) + "EXEC\r\n";
    let sent = slow.0.get_mut().write_all(asked.as_bytes());
    sent.expect("it is sent");
    wait(|| !is_listed(&mut client, &of_slow));
    let script =
        "local all = {} for i = 1, 100 do all[i] = redis.call('GET', 'big') end return all";
    let mut scripted = server.client();
    assert_eq!(scripted.ask_words(&["EVAL", script, "0"]), "");
    let more = memory(server.process).saturating_sub(before);
    assert!(more < 256 << 10, "{more} kB");
    // A reply below the limit is sent.
    assert_eq!(client.ask("GET big"), value);
}

#[test]
fn a_client_above_the_soft_limit_is_disconnected_after_a_while() {
    let server = Server::ours(&["--reactors", "1"]);
    let (mut client, mut slow) = (server.client(), server.client());
    let value = "x".repeat(32 << 20);
    assert_eq!(client.ask_words(&["SET", "big", &value]), "+OK");
    let of_slow = id(&mut slow);
    slow.send("GET big");
    // The list has the bytes that are not sent.
    let unsent = |client: &mut Client| {
        let list = client.ask("CLIENT LIST");
        let prefix = format!("id={of_slow} ");
        let line = list
            .lines()
            .find(|it| it.starts_with(&prefix))
            .map(str::to_owned);
        let line = line.expect("it is connected");
        let word = line.split(' ').find_map(|it| it.strip_prefix("omem="));
        word.and_then(|it| it.parse::<u64>().ok())
            .expect("a number")
    };
    wait(|| unsent(&mut client) > 1 << 20);
    assert_eq!(set(&mut client, "normal 0 1mb 1"), "+OK");
    let mut other = server.client();
    let of_other = id(&mut other);
    other.send("GET big");
    wait(|| !is_listed(&mut client, &of_other));
    // The limit at the time of the request counts.
    assert!(is_listed(&mut client, &of_slow));
    assert_eq!(slow.reply().len(), value.len());
    assert_eq!(client.ask("GET big").len(), value.len());
}
