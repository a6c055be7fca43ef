//! DUMP, RESTORE and files: exchanging values with redis-server in both directions.

mod common;

use common::ours::Ours;
use common::peer::{Peer, compare};
use common::{Client, Folder, Server};
use otp_bridge_novm as _;

/// Returns commands that create keys of each type and size, so that redis-server uses each of its
/// encodings.
fn fill() -> Vec<Vec<Vec<u8>>> {
    let mut commands: Vec<Vec<Vec<u8>>> = Vec::new();
    let mut add = |line: &str, more: Vec<Vec<u8>>| {
        let words = line.split(' ').map(|it| it.as_bytes().to_vec());
        commands.push(words.chain(more).collect());
    };
    let numbered = |count: usize, long: usize| -> Vec<Vec<u8>> {
        let element = |it: usize| {
            format!(
                "{it}{}",
                "x".repeat(if it.is_multiple_of(3) { long } else { 0 })
            )
            .into_bytes()
        };
        (0..count).map(element).collect()
    };
    for (name, number) in [
        ("a", "0"),
        ("b", "-1"),
        ("c", "127"),
        ("d", "-32768"),
        ("e", "2147483647"),
        ("f", "99999999999"),
        ("g", "12345678901234567890"),
    ] {
        add(&format!("set int-{name} {number}"), vec![]);
    }
    add("set text hello", vec![]);
    add("set long", vec![b"compress me ".repeat(100)]);
    add("set bytes", vec![(0..=255).collect()]);
    add("pfadd loglog a b c d e", vec![]);
    for (name, count, long) in [
        ("tiny", 3, 0),
        ("small", 100, 10),
        ("wide", 6, 9000),
        ("large", 3000, 5),
    ] {
        add(&format!("rpush list-{name}"), numbered(count, long));
        add(&format!("sadd set-{name}"), numbered(count, long));
        let scored = numbered(count, long).into_iter().enumerate();
        let scored = scored.flat_map(|(at, it)| [format!("{}.5", at * 7 % 11).into_bytes(), it]);
        add(&format!("zadd sorted-{name}"), scored.collect());
        let fields = numbered(count, long).into_iter().enumerate();
        add(
            &format!("hset hash-{name}"),
            fields
                .flat_map(|(at, it)| [format!("f{at}").into_bytes(), it])
                .collect(),
        );
    }
    add("sadd numbers-2 1 -5 300", vec![]);
    add("sadd numbers-4 1 -5 70000", vec![]);
    add("sadd numbers-8 1 -5 9000000000000", vec![]);
    add("zadd infinite inf a -inf b 0.1 c 1e300 d", vec![]);
    for at in 1..250 {
        let fields = if at % 7 == 0 {
            "other 5 more fields"
        } else {
            "name value"
        };
        add(
            &format!("xadd stream {}-{} {fields}", at * 3, at % 4),
            vec![],
        );
    }
    add("xdel stream 9-3", vec![]);
    add("xgroup create stream group 0", vec![]);
    add("xgroup create stream other $ entriesread 5", vec![]);
    add(
        "xreadgroup group group one count 3 streams stream >",
        vec![],
    );
    add(
        "xreadgroup group group two count 2 streams stream >",
        vec![],
    );
    add("xadd empty 5-5 a b", vec![]);
    add("xdel empty 5-5", vec![]);
    add("set expires soon ex 100000", vec![]);
    commands
}

/// Returns requests that check each key.
fn questions() -> Vec<String> {
    let keys = fill()
        .into_iter()
        .map(|words| String::from_utf8_lossy(&words[1]).into_owned());
    let mut lines: Vec<String> = Vec::new();
    for key in keys {
        let line = match key.split('-').next().unwrap_or_default() {
            "list" => format!("lrange {key} 0 -1"),
            "set" | "numbers" => format!("sort {key} alpha"),
            "sorted" | "infinite" => format!("zrange {key} 0 -1 withscores"),
            "hash" => format!("sort {key}"),
            "stream" | "empty" => format!("xrange {key} - +"),
            "create" | "group" => continue,
            _ => format!("get {key}"),
        };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    for at in 0..7 {
        lines.push(format!("hget hash-large f{at}"));
        lines.push(format!("hget hash-wide f{at}"));
    }
    lines.retain(|it| !it.starts_with("sort hash"));
    lines.extend(
        [
            "hlen hash-large",
            "hgetall hash-one",
            "xinfo groups stream",
            "xpending stream group",
            "xinfo stream empty",
            "dbsize",
        ]
        .map(str::to_owned),
    );
    lines
}

fn request(words: &[Vec<u8>]) -> Vec<u8> {
    let mut request = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        request.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
        request.extend_from_slice(word);
        request.extend_from_slice(b"\r\n");
    }
    request
}

fn words(line: &str) -> Vec<Vec<u8>> {
    line.split(' ').map(|it| it.as_bytes().to_vec()).collect()
}

/// Returns the bytes of a reply that is one string.
fn bulk(reply: &[u8]) -> Vec<u8> {
    let begin = reply
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    reply[begin..reply.len() - 2].to_vec()
}

/// Transfers each value from one server to the other with DUMP and RESTORE.
#[test]
fn values_go_over_and_come_back() {
    let (Some(mut one), Some(mut other)) = (Peer::start("dump-one"), Peer::start("dump-other"))
    else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let (mut ours, mut back) = (Ours::default(), Ours::default());
    for command in fill() {
        let bytes = request(&command);
        let (reply, expected) = (ours.reply(&bytes), one.reply(&bytes));
        let name = String::from_utf8_lossy(&command[1]);
        assert!(reply == expected, "{name}");
    }
    for key in fill()
        .into_iter()
        .map(|words| words[1].clone())
        .filter(|key| !matches!(key.as_slice(), b"create" | b"group"))
    {
        let name = String::from_utf8_lossy(&key).into_owned();
        let dump = request(&[b"dump".to_vec(), key.clone()]);
        let restore = |payload: Vec<u8>| {
            request(&[
                b"restore".to_vec(),
                key.clone(),
                b"0".to_vec(),
                payload,
                b"replace".to_vec(),
            ])
        };
        assert_eq!(
            other.reply(&restore(bulk(&ours.reply(&dump)))),
            b"+OK\r\n",
            "{name} to redis-server"
        );
        assert_eq!(
            back.reply(&restore(bulk(&one.reply(&dump)))),
            b"+OK\r\n",
            "{name} from redis-server"
        );
    }
    for line in questions() {
        let bytes = request(&words(&line));
        let expected = one.reply(&bytes);
        // Idle times are not transferred.
        assert!(
            other.reply(&bytes) == expected,
            "redis-server has ours: {line}"
        );
        assert!(
            back.reply(&bytes) == expected,
            "we have redis-server's: {line}"
        );
    }
}

#[test]
fn what_restore_refuses() {
    compare(
        "restore",
        &[
            "restore a 0 nonsense",
            "restore a x nonsense",
            "restore a -1 nonsense",
            "restore a 0 b foo",
            "restore a 0 b freq 256",
            "restore a 0 b idletime -1",
            "set a 1",
            "restore a 0 b",
            "dump nokey",
            "restore a 0",
            "bgsave x",
            "lastsave x",
        ],
    );
}

fn ask_all(client: &mut Client) -> Vec<String> {
    questions().iter().map(|line| client.ask(line)).collect()
}

fn fill_in(client: &mut Client) {
    for command in fill() {
        let words: Vec<String> = command
            .iter()
            .map(|it| String::from_utf8_lossy(it).into_owned())
            .collect();
        let reply = client.ask_words(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(!reply.starts_with("-"), "{reply}");
    }
}

/// Each server starts with the file that the other one has saved. Ours also starts with a log that
/// begins with such a file.
#[test]
fn files_go_over() {
    let (folder, log) = (Folder::new("dump-file"), Folder::new("dump-log"));
    let path = folder.0.display().to_string();
    let mut ours = Server::ours(&["--dir", &path]);
    let mut client = ours.client();
    fill_in(&mut client);
    let expected = ask_all(&mut client);
    assert_eq!(client.ask("SAVE"), "+OK");
    client.ask("SET later 1");
    assert!(client.ask("BGSAVE").contains("started"));
    while client
        .ask("INFO persistence")
        .contains("bgsave_in_progress:1")
    {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    client.ask("DEL later");
    assert_eq!(client.ask("SAVE"), "+OK");
    ours.kill();
    let mut again = Server::ours(&["--dir", &path]);
    assert_eq!(ask_all(&mut again.client()), expected);
    again.kill();
    let Some(mut redis) = Server::redis(&folder.0, &[]) else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    assert_eq!(ask_all(&mut redis.client()), expected);
    redis.kill();
    // redis-server's log, with a copy of the keys at the beginning, followed by commands.
    let mut redis = Server::redis(&log.0, &["--appendonly", "yes", "--appendfsync", "always"])
        .expect("it was there");
    let mut client = redis.client();
    fill_in(&mut client);
    client.ask("SET later 1");
    client.ask("BGREWRITEAOF");
    while client
        .ask("INFO persistence")
        .contains("rewrite_in_progress:1")
        || client
            .ask("INFO persistence")
            .contains("rewrite_scheduled:1")
    {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    client.ask("DEL later");
    redis.kill();
    let path = log.0.display().to_string();
    let ours = Server::ours(&["--appendonly", "yes", "--dir", &path]);
    assert_eq!(ask_all(&mut ours.client()), expected);
}
