//! Compares streams with redis-server.

mod common;

use common::peer::compare;
use common::{Folder, Server};
use otp_bridge_novm as _;

const ENTRIES: &[&str] = &[
    "xadd s 1-1 a b",
    "xadd s 1-1 a b",
    "xadd s 0-0 a b",
    "xadd s 1-x a b",
    "xadd s 2-* a b",
    "xadd s 2-* a b",
    "xadd s 1 a b",
    "xadd s 1-* a b",
    "xadd s * a",
    "xadd s nomkstream x",
    "xadd q nomkstream * a b",
    "xadd q nomkstream * a",
    "xadd s maxlen = 2 5 a b",
    "xadd s maxlen ~ 2 limit 5 6 a b",
    "xadd s maxlen 2 limit 5 * a b",
    "xadd s minid 3 7 a b",
    "xadd s maxlen -1 8 a b",
    "xadd s maxlen x 8 a b",
    "xadd s maxlen 1 minid 2 * a b",
    "xadd s minid x 8 a b",
    "xadd s maxlen ~ 2 limit -1 9 a b",
    "xadd s maxlen ~ 2 limit x 9 a b",
    "xlen s",
    "xrange s - +",
    "xrange s (5 +",
    "xrange s 5 + count 1",
    "xrange s 5 + count 0",
    "xrange s 5 + count -1",
    "xrange s 5 + count x",
    "xrange s 5 + foo 1",
    "xrange s 5 + count",
    "xrange s x +",
    "xrange nokey - +",
    "xrevrange s + -",
    "xrevrange s + - count 2",
    "xrevrange s (7 5",
    "xrange s (18446744073709551615-18446744073709551615 +",
    "xrange s - (0-0",
    "xrange s - (0",
    "xrange s (x +",
    "xrange s 9 5",
    "xread streams s 0",
    "xread count 1 streams s q 0 0",
    "xread streams s",
    "xread streams s q 0",
    "xread count x streams s 0",
    "xread count -1 streams s 0",
    "xread block x streams s 0",
    "xread block -1 streams s 0",
    "xread foo streams s 0",
    "xread streams s >",
    "xread streams s $",
    "xread group g c streams s 0",
    "xread noack streams s 0",
    "xread streams s x",
    "xread block 10 streams s $",
    "xread block 10 streams s 7",
    "xread block 10 streams s 6",
    "xadd top 18446744073709551615-18446744073709551615 a b",
    "xadd top * a b",
    "xadd top 1 a b",
    "xdel s 6",
    "xdel s 6 x",
    "xdel s x",
    "xdel nokey 1",
    "xinfo stream s",
    "xtrim s maxlen 1",
    "xtrim s minid 99",
    "xtrim s foo 1",
    "xtrim s maxlen 1 limit 1",
    "xtrim s limit 1",
    "xtrim nokey maxlen 1",
    "xinfo stream s",
    "xsetid s 1",
    "xsetid s 100 entriesadded 100 maxdeletedid 50",
    "xsetid s 100 entriesadded -1",
    "xsetid s 100 entriesadded 1 maxdeletedid 200",
    "xsetid nokey 1",
    "xsetid s x",
    "xinfo stream s",
    "xadd s 101 a b",
    "xsetid s 99",
    "xsetid s 200 entriesadded 0",
    "xsetid s 200 entriesadded x",
    "xsetid s 200 foo",
    "xinfo stream s",
    "object encoding s",
    "type s",
    "xadd s 3 a b",
    "set str 1",
    "xadd str 1 a b",
    "xread streams str 0",
    "xlen str",
    "xrange str - +",
    "xdel str 1",
    "copy s t",
    "xrange t - +",
    "multi",
    "xread block 0 streams s $",
    "xadd s 300 x y",
    "xread block 0 streams s 299",
    "exec",
    "hello 3",
    "xread streams s t 0 0",
    "xread streams nokey 0",
    "xrange s - +",
];

const GROUPS: &[&str] = &[
    "xadd s 1 a b",
    "xadd s 2 a b",
    "xadd s 3 a b",
    "xadd s 4 a b",
    "xadd s maxlen 3 5 a b",
    "xgroup create s g 0",
    "xgroup create s g 0",
    "xgroup create nos g 0",
    "xgroup create nos g $ mkstream",
    "xgroup create s g2 $ entriesread 3",
    "xgroup create s g3 0 entriesread -2",
    "xgroup create s g3 0 entriesread x",
    "xgroup create s g3 x",
    "xgroup setid s g 0",
    "xgroup setid s nog 0",
    "xgroup createconsumer s g c",
    "xgroup createconsumer s g c",
    "xgroup createconsumer s nog c",
    "xgroup createconsumer nokey g c",
    "xgroup delconsumer s g c",
    "xgroup delconsumer s g d",
    "xgroup destroy s nog",
    "xgroup destroy nokey g",
    "xgroup foo",
    "xgroup create s",
    "xreadgroup group g c count 1 streams s >",
    "xinfo groups s",
    "xreadgroup group g c streams s 0",
    "xreadgroup group g c streams s 3",
    "xreadgroup group g c count 1 noack streams s >",
    "xinfo groups s",
    "xreadgroup group nog c streams s >",
    "xreadgroup group g c streams nokey >",
    "xreadgroup streams s >",
    "xreadgroup group g c streams s $",
    "xreadgroup group g c streams s x",
    "xreadgroup group g c streams s s >",
    "xreadgroup count 1 count 1 count 1 streams s >",
    "xpending s g",
    "xpending s g - + 10 nobody",
    "xpending s nog",
    "xpending s g - +",
    "xpending s g foo",
    "xpending s g idle x - + 10",
    "xpending s g - + -1",
    "xpending s g - + x",
    "xpending nokey g",
    "xpending s g2",
    "xack s g x",
    "xack s nog 1",
    "xack nokey g 1",
    "xclaim s g d 0 5",
    "xclaim s g d 0 5 justid",
    "xclaim s g d 0 5 force justid retrycount 5 idle 100",
    "xclaim s g e 0 5",
    "xclaim s g d x 5",
    "xclaim s nog d 0 5",
    "xclaim s g d 0 5 foo",
    "xclaim s g d 0 x",
    "xclaim s g d 0 5 lastid 9",
    "xclaim s g d 0 5 time x",
    "xclaim s g d 0 5 idle x",
    "xclaim s g d 0 5 retrycount x",
    "xclaim s g d 100000 5",
    "xinfo groups s",
    "xpending s g",
    "xautoclaim s g e 0 0",
    "xautoclaim s g e 0 - justid",
    "xautoclaim s g e 0 0 count 0",
    "xautoclaim s g e 0 0 foo",
    "xautoclaim s nog e 0 0",
    "xautoclaim s g e x 0",
    "xautoclaim s g e 0 x",
    "xautoclaim s g e 0 0 count x",
    "xautoclaim s g f 0 0 count 1",
    "xautoclaim s g f 100000 0",
    "xdel s 3",
    "xreadgroup group g f streams s 0",
    "xautoclaim s g c 0 0",
    "xclaim s g d 0 3",
    "xpending s g",
    "xack s g 5 9",
    "xpending s g",
    "xinfo groups s",
    "xinfo stream s",
    "xinfo consumers s nog",
    "xinfo stream nokey",
    "xinfo groups nokey",
    "xinfo foo",
    "xinfo stream s foo",
    "xinfo stream s full count",
    "xinfo stream s full count x",
    "xadd s 10 x y",
    "xreadgroup group g c block 10 streams s >",
    "xreadgroup group g c block 10 streams s >",
    "xgroup setid s g 0 entriesread 2",
    "xinfo groups s",
    "xreadgroup group g c streams s >",
    "xinfo groups s",
    "xgroup delconsumer s g c",
    "xpending s g",
    "xgroup destroy s g",
    "xinfo groups s",
    "set str 1",
    "xreadgroup group g c streams str >",
    "xgroup create str g 0",
    "xinfo stream str",
    "xpending str g",
    "xack str g 1",
    "xclaim str g c 0 1",
    "xautoclaim str g c 0 0",
    "multi",
    "xgroup create s z 0",
    "xreadgroup group z c block 0 count 1 streams s >",
    "xack s z 4",
    "exec",
    "hello 3",
    "xreadgroup group z c streams s >",
    "xinfo groups s",
];

#[test]
fn entries_are_added_read_and_removed() {
    compare("entries", ENTRIES);
}

#[test]
fn groups_deliver_and_hand_over() {
    compare("groups", GROUPS);
}

/// Clients that wait for entries, and the entries that they get.
#[test]
fn clients_wait_for_entries() {
    let folder = Folder::new("waiting-streams");
    let servers = [
        Some(Server::ours(&["--reactors", "2"])),
        Server::redis(&folder.0, &[]),
    ];
    let mut seen = Vec::new();
    for server in servers.iter().flatten() {
        let (mut one, mut waits, mut other) = (server.client(), server.client(), server.client());
        let mut replies = Vec::new();
        waits.send("XREAD BLOCK 0 STREAMS a b $ $");
        server.are_waiting(1);
        other.send("XREAD COUNT 1 BLOCK 0 STREAMS b 0");
        server.are_waiting(2);
        replies.push(one.ask("XADD b 5-1 k v"));
        replies.extend([waits.reply(), other.reply()]);
        replies.push(one.ask("XGROUP CREATE a g $ MKSTREAM"));
        waits.send("XREADGROUP GROUP g one BLOCK 0 STREAMS a >");
        // The clients register in this order.
        server.are_waiting(1);
        other.send("XREADGROUP GROUP g two BLOCK 0 STREAMS a >");
        server.are_waiting(2);
        replies.push(one.ask("XADD a 1-1 k v"));
        replies.push(waits.reply());
        replies.push(one.ask("XADD a 1-2 k w"));
        replies.push(other.reply());
        replies.push(one.ask("XPENDING a g"));
        waits.send("XREADGROUP GROUP g one BLOCK 0 STREAMS a >");
        server.are_waiting(1);
        replies.push(one.ask("XGROUP DESTROY a g"));
        replies.push(waits.reply());
        replies.push(one.ask("XGROUP CREATE a g $"));
        waits.send("XREADGROUP GROUP g one BLOCK 0 STREAMS a >");
        server.are_waiting(1);
        replies.push(one.ask("DEL a"));
        replies.push(waits.reply());
        seen.push(replies);
    }
    if let [ours, theirs] = &seen[..] {
        assert_eq!(ours, theirs);
    }
}

/// A stream and its groups survive a restart, and a rewrite of the log. redis-server can read the
/// log.
#[test]
fn streams_are_kept() {
    const ASKED: [&str; 4] = [
        "XRANGE s - +",
        "XINFO GROUPS s",
        "XPENDING s g",
        "XINFO STREAM e",
    ];
    let folder = Folder::new("kept-streams");
    let path = folder.0.display().to_string();
    let options = [
        "--appendonly",
        "yes",
        "--appendfsync",
        "always",
        "--dir",
        &path,
    ];
    let mut server = Server::ours(&options);
    let mut client = server.client();
    for line in [
        "XADD s 1-1 a b",
        "XADD s 2-1 a b",
        "XADD s 3-1 a b",
        "XADD s MAXLEN 3 4-1 a b",
        "XGROUP CREATE s g 0",
        "XREADGROUP GROUP g c COUNT 2 STREAMS s >",
        "XCLAIM s g d 0 2-1",
        "XACK s g 3-1",
        "XDEL s 4-1",
        "XADD e MAXLEN 0 7-7 a b",
        "XREADGROUP GROUP g c NOACK COUNT 1 STREAMS s >",
        "XAUTOCLAIM s g f 0 0 COUNT 1",
        "XADD s * at now",
    ] {
        let reply = client.ask(line);
        assert!(!reply.starts_with('-'), "{line}: {reply}");
    }
    let before: Vec<String> = ASKED.iter().map(|line| client.ask(line)).collect();
    for round in 0..3 {
        server.kill();
        if round == 2 {
            let Some(redis) = Server::redis(
                &folder.0,
                &["--appendonly", "yes", "--aof-use-rdb-preamble", "no"],
            ) else {
                return;
            };
            let mut client = redis.client();
            let now: Vec<String> = ASKED[..3].iter().map(|line| client.ask(line)).collect();
            assert_eq!(now, before[..3], "redis-server");
            return;
        }
        server = Server::ours(&options);
        let mut client = server.client();
        let now: Vec<String> = ASKED.iter().map(|line| client.ask(line)).collect();
        assert_eq!(now, before, "round {round}");
        client.ask("BGREWRITEAOF");
        while client
            .ask("INFO persistence")
            .contains("rewrite_in_progress:1")
        {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
}
