//! Libraries of functions in files, in the append-only file and at replicas, and functions that do
//! not end.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use otp_bridge_novm as _;

mod common;

use common::functions::{ask, load, registers, request};
use common::nodes::{Nodes, wait};
use common::ours::Ours;
use common::{Folder, Server};

/// Each server starts with the functions in the file that the other one has saved.
#[test]
fn files_of_keys_have_the_libraries() {
    let folder = Folder::new("function-file");
    let path = folder.0.display().to_string();
    let mut ours = Ours::default();
    ours.server.set_folder(&path);
    for (name, value) in [("f", "1"), ("g", "2")] {
        ours.reply(&request(&load(
            name,
            &registers(name, &format!("return {value}"), ""),
        )));
    }
    assert_eq!(ours.reply(&ask("save")), b"+OK\r\n");
    let file = folder.0.join("dump.rdb");
    let mut again = Ours::default();
    redis::rdb::load(&again.server, &file).expect("it is loaded");
    let asked = ["fcall f 0", "fcall g 0", "function list withcode"];
    for line in asked {
        assert_eq!(again.reply(&ask(line)), ours.reply(&ask(line)), "{line}");
    }
    let Some(mut redis) = Server::redis(&folder.0, &[]) else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let mut client = redis.client();
    assert_eq!(
        (client.ask("FCALL f 0"), client.ask("FCALL g 0")),
        (":1".into(), ":2".into())
    );
    assert_eq!(client.ask("FUNCTION DELETE g"), "+OK");
    let code = format!(
        "#!lua name=long\n{}",
        registers("h", "return 3", "") + &"-- compressed\n".repeat(99)
    );
    assert_eq!(client.ask_words(&["FUNCTION", "LOAD", &code]), "long");
    assert_eq!(client.ask("SAVE"), "+OK");
    redis.kill();
    let mut again = Ours::default();
    redis::rdb::load(&again.server, &file).expect("it is loaded");
    assert_eq!(again.reply(&ask("fcall f 0")), b":1\r\n");
    assert_eq!(again.reply(&ask("fcall h 0")), b":3\r\n");
    assert_eq!(
        again.reply(&ask("fcall g 0")),
        b"-ERR Function not found\r\n"
    );
}

/// A copy of the keys, and the commands that the log gets beside the copy.
#[test]
fn a_log_has_the_libraries_also_if_they_change_during_a_copy() {
    let folder = Folder::new("function-log");
    let mut ours = Ours::default();
    let store = |ours: &Ours, stripes: std::ops::Range<usize>| {
        ours.server.store.copy_stripes(stripes).concat()
    };
    ours.server.store.log.turn(true);
    let load = |ours: &mut Ours, name: &str| {
        ours.reply(&request(&load(
            name,
            &registers(name, &format!("return '{name}'"), ""),
        )))
    };
    load(&mut ours, "before");
    load(&mut ours, "deleted");
    ours.server.store.begin_snapshot(1);
    load(&mut ours, "early");
    let mut copy = store(&ours, 0..1);
    load(&mut ours, "late");
    ours.reply(&ask("function delete deleted"));
    let all = ours.server.store.all_stripes();
    copy.extend(store(&ours, 1..all));
    ours.server.store.log.copied();
    ours.server.store.end_snapshot();
    let next = pin!(ours.server.store.log.next()).poll(&mut Context::from_waker(Waker::noop()));
    let Poll::Ready(batch) = next else {
        panic!("nothing is logged");
    };
    let beside = batch.bytes;
    let file = folder.0.join("log");
    std::fs::write(&file, [copy, beside].concat()).expect("a file");
    let mut again = Ours::default();
    again.server.set_loading(true);
    redis::persistence::load(&again.server, &file, true).expect("it is loaded");
    again.server.set_loading(false);
    for name in ["before", "deleted", "early", "late"] {
        let line = ask(&format!("fcall {name} 0"));
        assert_eq!(again.reply(&line), ours.reply(&line), "{name}");
    }
}

/// Loads a library over a connection.
fn load_over(client: &mut common::Client, name: &str, body: &str) {
    let code = format!("#!lua name={name}\n{}", registers(name, body, ""));
    assert_eq!(client.ask_words(&["FUNCTION", "LOAD", &code]), name);
}

#[test]
fn a_function_that_does_not_end_is_killed() {
    let server = Server::ours(&["--reactors", "1"]);
    let (mut other, mut caller) = (server.client(), server.client());
    load_over(&mut other, "endless", "while true do end");
    assert_eq!(other.ask("CONFIG SET busy-reply-threshold 100"), "+OK");
    caller.send("FCALL endless 1 key");
    other.until("GET a", "You can only call FUNCTION KILL");
    let stats = other.ask("FUNCTION STATS");
    assert!(
        stats.contains("endless\ncommand\nfcall\nendless\n1\nkey"),
        "{stats}"
    );
    assert!(other.ask("SCRIPT KILL").starts_with("-BUSY"));
    assert_eq!(other.ask("FUNCTION KILL"), "+OK");
    assert!(caller.reply().contains("killed by user"));
    // A new interpreter runs the library again.
    caller.send("FCALL endless 1 key");
    other.until("GET a", "You can only call FUNCTION KILL");
    assert_eq!(other.ask("FUNCTION KILL"), "+OK");
    assert!(caller.reply().contains("killed by user"));
    caller.send("*3\r\n$4\r\nEVAL\r\n$17\r\nwhile true do end\r\n$1\r\n0");
    other.until("GET a", "You can only call SCRIPT KILL");
    assert!(other.ask("FUNCTION KILL").starts_with("-BUSY"));
    assert!(other.ask("FUNCTION STATS").starts_with("-BUSY"));
    assert_eq!(other.ask("SCRIPT KILL"), "+OK");
    assert!(caller.reply().contains("killed by user"));
}

/// A library survives `kill -9`, and a rewritten log.
#[test]
fn libraries_are_loaded_from_the_log_after_a_crash() {
    let folder = Folder::new("function-crash");
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
    load_over(&mut client, "one", "return redis.call('incr', 'count')");
    assert_eq!(client.ask("FCALL one 0"), ":1");
    assert!(client.ask("BGREWRITEAOF").contains("started"));
    client.until("INFO persistence", "aof_rewrite_in_progress:0");
    load_over(&mut client, "two", "return 2");
    server.kill();
    let again = Server::ours(&options);
    let mut client = again.client();
    assert_eq!(client.ask("FCALL one 0"), ":2");
    assert_eq!(client.ask("FCALL two 0"), ":2");
}

#[test]
fn replicas_have_the_libraries_of_their_master() {
    let nodes = Nodes::start("function-replica", &[&[], &[]]);
    let (mut master, mut replica) = (nodes.all[0].client(), nodes.all[1].client());
    load_over(&mut replica, "own", "return 'own'");
    load_over(&mut master, "before", "return 'before'");
    assert_eq!(
        replica.ask(&format!("REPLICAOF 127.0.0.1 {}", nodes.all[0].port)),
        "+OK"
    );
    replica.until("INFO replication", "master_link_status:up");
    load_over(
        &mut master,
        "after",
        "return redis.call('set', keys[1], 'x')",
    );
    wait(|| master.ask("WAIT 1 1000") == ":1");
    let read_only = "-READONLY You can not run script with write flag on readonly replica.";
    assert_eq!(replica.ask("FCALL before 0"), read_only);
    assert_eq!(replica.ask("FCALL_RO after 1 key"), read_only);
    assert!(replica.ask("FUNCTION FLUSH").starts_with("-READONLY"));
    let listed = replica.ask("FUNCTION LIST");
    assert!(!listed.contains("own") && listed.contains("before") && listed.contains("after"));
    assert_eq!(master.ask("FCALL after 1 key"), "+OK");
    replica.until("GET key", "x");
    assert_eq!(master.ask("FUNCTION DELETE after"), "+OK");
    wait(|| !replica.ask("FUNCTION LIST").contains("after"));
}
