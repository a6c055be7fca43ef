//! Durability: everything that the append-only file has to preserve.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::nodes::wait;
use common::{Client, Folder, Server};
use otp_bridge_novm as _;

fn options(folder: &Path) -> Vec<String> {
    let words = ["--appendonly", "yes", "--appendfsync", "always", "--dir"];
    let folder = folder.display().to_string();
    words
        .into_iter()
        .map(str::to_owned)
        .chain([folder])
        .collect()
}

fn start(folder: &Path) -> Server {
    let options = options(folder);
    Server::ours(&options.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns the path of the file that is appended to.
fn appended(folder: &Path) -> PathBuf {
    let files = fs::read_dir(folder.join("appendonlydir")).expect("the folder of the log");
    let paths = files.map(|file| file.expect("a file").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.to_string_lossy().ends_with(".incr.aof"))
        .collect();
    paths.sort();
    paths.pop().expect("the file")
}

/// Increments a key until the server is gone. Returns the last acknowledged number.
fn count(mut client: Client, key: &str) -> u64 {
    let mut last = 0;
    loop {
        let reply = client.ask(&format!("INCR {key}"));
        match reply.strip_prefix(':').and_then(|it| it.parse().ok()) {
            Some(number) => last = number,
            None => return last,
        }
    }
}

/// Kills the server under load, in every second round during a rewrite. With `always`, everything
/// acknowledged must survive.
#[test]
fn kill_9_loses_nothing_that_was_acknowledged() {
    const CLIENTS: usize = 8;
    let folder = Folder::new("kill");
    let mut acknowledged = [0; CLIENTS];
    for round in 0..6 {
        let mut server = start(&folder.0);
        let mut client = server.client();
        for (number, least) in acknowledged.iter().enumerate() {
            let found = client.ask(&format!("GET counter{number}"));
            let found: u64 = found.parse().unwrap_or(0);
            // One further command may have been written but not acknowledged.
            assert!(
                (*least..=least + 1).contains(&found),
                "round {round}: {found} of {least}"
            );
        }
        let clients: Vec<Client> = (0..CLIENTS).map(|_| server.client()).collect();
        let counting: Vec<_> = clients
            .into_iter()
            .enumerate()
            .map(|(number, client)| {
                std::thread::spawn(move || count(client, &format!("counter{number}")))
            })
            .collect();
        for (number, least) in acknowledged.iter().enumerate() {
            let counter = format!("GET counter{number}");
            wait(|| client.ask(&counter).parse().unwrap_or(0) > least + 20 * (round + 1));
        }
        if round % 2 == 1 {
            assert!(client.ask("BGREWRITEAOF").contains("started"));
            std::thread::sleep(Duration::from_millis(5 * round));
        }
        server.kill();
        for (last, counting) in acknowledged.iter_mut().zip(counting) {
            *last = counting.join().expect("a client").max(*last);
        }
        assert!(
            acknowledged.iter().all(|last| *last > 0),
            "nothing was written"
        );
    }
}

#[test]
fn a_command_that_is_cut_is_left_out_and_the_next_ones_follow() {
    let folder = Folder::new("torn");
    let mut server = start(&folder.0);
    let mut client = server.client();
    for word in ["SET a 1", "MULTI", "SET b 2", "SET c 3", "EXEC"] {
        client.ask(word);
    }
    server.kill();
    let path = appended(&folder.0);
    let whole = fs::read(&path).expect("the log");
    let first = whole
        .windows(5)
        .position(|it| it == b"MULTI")
        .expect("a transaction");
    for cut in [whole.len() - 1, whole.len() - 20, first + 30] {
        fs::write(&path, &whole[..cut]).expect("a shorter log");
        let mut server = start(&folder.0);
        let mut client = server.client();
        assert_eq!(client.ask("MGET a b c"), "1\n$-1\n$-1", "cut at {cut}");
        assert_eq!(client.ask("SET d 4"), "+OK");
        server.kill();
        let mut server = start(&folder.0);
        assert_eq!(server.client().ask("MGET a b c d"), "1\n$-1\n$-1\n4");
        server.kill();
    }
}

/// Commands of all kinds, in two databases.
const EVERYTHING: [&str; 16] = [
    "SET text 1",
    "SET short 1 EX 1000",
    "EXPIRE text 2000",
    "APPEND text 2",
    "RPUSH list a b c",
    "LPOP list",
    "HSET hash a 1 b 2",
    "SADD set a b c",
    "SPOP set",
    "ZADD sorted 1 a 2.5 b",
    "SELECT 3",
    "SET there 1",
    "SET gone 1 PX 1",
    "MULTI",
    "INCR there",
    "EXEC",
];

fn all(client: &mut Client) -> Vec<String> {
    client.ask("SELECT 0");
    let mut found = Vec::new();
    for ask in [
        "GET text",
        "LRANGE list 0 -1",
        "HMGET hash a b",
        "SMEMBERS set",
        "ZRANGE sorted 0 -1 WITHSCORES",
        "DBSIZE",
    ] {
        let mut lines: Vec<String> = client.ask(ask).lines().map(str::to_owned).collect();
        lines.sort();
        found.push(lines.join(" "));
    }
    for ask in [
        "EXPIRETIME text",
        "EXPIRETIME short",
        "SELECT 3",
        "GET there",
        "GET gone",
        "SELECT 0",
    ] {
        found.push(client.ask(ask));
    }
    found
}

#[test]
fn redis_server_reads_our_files_and_we_read_its() {
    let folder = Folder::new("both");
    let mut server = start(&folder.0);
    let mut client = server.client();
    EVERYTHING.iter().for_each(|line| drop(client.ask(line)));
    assert!(client.ask("BGREWRITEAOF").contains("started"));
    rewritten(&folder.0);
    assert_eq!(client.ask("SELECT 0"), "+OK");
    assert_eq!(client.ask("RPUSH list d"), ":3");
    std::thread::sleep(Duration::from_millis(10));
    let expected = all(&mut client);
    server.kill();
    let options = ["--appendonly", "yes", "--aof-use-rdb-preamble", "no"];
    let Some(mut redis) = Server::redis(&folder.0, &options) else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let mut client = redis.client();
    assert_eq!(all(&mut client), expected);
    client.ask("BGREWRITEAOF");
    client.until("INFO persistence", "rewrite_scheduled:0");
    client.until("INFO persistence", "rewrite_in_progress:0");
    client.ask("RPUSH list e");
    let expected = all(&mut client);
    redis.kill();
    let server = start(&folder.0);
    assert_eq!(all(&mut server.client()), expected);
}

/// Waits until the log starts with a copy of the keys.
fn rewritten(folder: &Path) {
    let manifest = folder.join("appendonlydir/appendonly.aof.manifest");
    wait(|| fs::read_to_string(&manifest).is_ok_and(|text| text.contains("type b")));
}

/// Runs transactions over many keys during repeated rewrites. In each copy, the keys' sum must be
/// 0.
#[test]
fn a_copy_has_all_of_a_transaction_or_nothing() {
    let folder = Folder::new("copies");
    let stop: &'static AtomicBool = Box::leak(Box::default());
    let mut server = start(&folder.0);
    let moving: Vec<_> = (0..4)
        .map(|seed| (seed, server.client()))
        .map(|(seed, mut client)| {
            std::thread::spawn(move || {
                let mut random = fastrand::Rng::with_seed(seed);
                while !stop.load(Ordering::Relaxed) {
                    let (from, to) = (random.u32(..50), random.u32(..50));
                    for line in [
                        "MULTI",
                        &format!("DECR k{from}"),
                        &format!("INCR k{to}"),
                        "EXEC",
                    ] {
                        client.ask(line);
                    }
                }
            })
        })
        .collect();
    let mut client = server.client();
    for _ in 0..15 {
        client.ask("BGREWRITEAOF");
        std::thread::sleep(Duration::from_millis(60));
    }
    stop.store(true, Ordering::Relaxed);
    moving
        .into_iter()
        .for_each(|it| it.join().expect("a client"));
    let keys: Vec<String> = (0..50).map(|number| format!("k{number}")).collect();
    let ask = format!("MGET {}", keys.join(" "));
    let before = client.ask(&ask);
    server.kill();
    rewritten(&folder.0);
    let server = start(&folder.0);
    let after = server.client().ask(&ask);
    assert_eq!(after, before);
    assert_eq!(
        after
            .lines()
            .filter_map(|it| it.parse::<i64>().ok())
            .sum::<i64>(),
        0
    );
}
