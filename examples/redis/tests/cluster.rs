//! A cluster: nodes that divide the slots among them.

use otp_bridge_novm as _;

mod common;

use std::collections::BTreeMap;
use std::process::Command;

use common::Server;
use common::nodes::{Nodes, has_redis_py, run, wait};

#[test]
fn keys_are_where_their_slots_are() {
    let cluster = Nodes::cluster("fixed", &["0-8191", "8192-16383"], &[]);
    let mut one = cluster.all[0].client();
    let other = cluster.all[1].port;
    assert_eq!(one.ask("CLUSTER KEYSLOT foo"), ":12182");
    assert_eq!(
        one.ask("SET foo x"),
        format!("-MOVED 12182 127.0.0.1:{other}")
    );
    assert_eq!(one.ask("SET bar x"), "+OK");
    assert_eq!(
        one.ask("MSET bar x foo x"),
        "-CROSSSLOT Keys in request don't hash to the same slot"
    );
    assert_eq!(one.ask("MSET {bar}1 x {bar}2 x"), "+OK");
    assert_eq!(
        one.ask("SELECT 1"),
        "-ERR SELECT is not allowed in cluster mode"
    );
    assert_eq!(one.ask("CLUSTER COUNTKEYSINSLOT 5061"), ":3");
    assert_eq!(one.ask("CLUSTER GETKEYSINSLOT 5061 9").lines().count(), 3);
    assert!(
        one.ask_words(&["EVAL", "return redis.call('get','foo')", "0"])
            .contains("non local key")
    );
    assert!(
        one.ask_words(&["EVAL", "return 1", "1", "foo"])
            .starts_with("-MOVED")
    );
    // A transaction is refused if the slot of one of its keys is on another node.
    for (line, reply) in [
        ("MULTI", "+OK"),
        ("SET bar y", "+QUEUED"),
        ("SET foo y", "-MOVED 12182"),
    ] {
        assert!(one.ask(line).starts_with(reply), "{line}");
    }
    assert!(one.ask("EXEC").starts_with("-EXECABORT"));
    let mut clients = BTreeMap::new();
    for number in 0..200 {
        let (reply, sent) = cluster.ask(&mut clients, &format!("SET key{number} {number}"));
        assert!(reply == "+OK" && sent <= 1, "{reply}");
    }
    let port = cluster.all[0].port.to_string();
    if let Some((_, text)) = run("redis-cli", &["-c", "-p", &port, "get", "key7"]) {
        assert_eq!(text.trim(), "7");
        let address = format!("127.0.0.1:{port}");
        let (is_right, text) =
            run("redis-cli", &["--cluster", "check", &address]).expect("it was there");
        assert!(
            is_right && text.contains("All 16384 slots covered"),
            "{text}"
        );
    }
}

#[test]
fn channels_reach_the_clients_of_all_nodes() {
    let slots = ["0-8191", "8192-16383", ""];
    let cluster = Nodes::cluster("channels", &slots, &[]);
    let id = cluster.all[1].client().ask("CLUSTER MYID");
    let mut third = cluster.all[2].client();
    assert_eq!(third.ask(&format!("CLUSTER REPLICATE {id}")), "+OK");
    wait(|| {
        third
            .ask("INFO replication")
            .contains("master_link_status:up")
    });
    // The slot of this name is on the second node.
    let mut listening: Vec<_> = cluster.all.iter().map(|it| it.client()).collect();
    for (client, line) in
        listening
            .iter_mut()
            .zip(["SUBSCRIBE foo", "PSUBSCRIBE f*", "SSUBSCRIBE foo"])
    {
        assert!(client.ask(line).ends_with(":1"), "{line}");
    }
    let mut second = cluster.all[1].client();
    for number in 0..500 {
        // The reply counts only the node's own subscribers.
        assert_eq!(second.ask(&format!("PUBLISH foo {number}")), ":1");
        assert_eq!(second.ask(&format!("SPUBLISH foo {number}")), ":0");
    }
    for number in 0..500 {
        assert_eq!(listening[0].reply(), format!("message\nfoo\n{number}"));
        assert_eq!(listening[1].reply(), format!("pmessage\nf*\nfoo\n{number}"));
        assert_eq!(listening[2].reply(), format!("smessage\nfoo\n{number}"));
    }
    let mut first = cluster.all[0].client();
    assert!(first.ask("SPUBLISH foo x").starts_with("-MOVED"));
}

/// Compares with redis-server what subscribers of sharded channels see when the slot moves.
#[test]
fn subscribers_are_told_when_the_slot_of_their_channel_moves() {
    let cluster = Nodes::cluster("left", &["0-8191", "8192-16383"], &[]);
    let ids = cluster.ids();
    let told = |server: &Server, moves: &mut dyn FnMut()| {
        let mut listening = server.client();
        let mut texts = Vec::new();
        for line in ["SSUBSCRIBE foo {foo}1", "SSUBSCRIBE other{foo}"] {
            texts.push(listening.ask(line));
        }
        texts.push(listening.reply());
        texts.push(listening.ask("SSUBSCRIBE lkjh"));
        moves();
        let mut left: Vec<String> = (0..3).map(|_| listening.reply()).collect();
        // The order is not defined.
        let counts = left
            .iter()
            .map(|it| it.rsplit(':').next().map(str::to_owned));
        texts.extend(counts.map(Option::unwrap_or_default));
        left.iter_mut().for_each(|it| it.truncate(it.len() - 1));
        left.sort();
        texts.extend(left);
        texts.push(listening.ask("SUNSUBSCRIBE lkjh"));
        texts.push(listening.ask("CLUSTER KEYSLOT lkjh"));
        texts.push(server.client().ask("PUBSUB SHARDCHANNELS"));
        texts
    };
    let from = &cluster.all[1];
    let ours = told(from, &mut || {
        for node in [&cluster.all[0], from] {
            let line = format!("CLUSTER SETSLOT 12182 NODE {}", ids[0]);
            assert_eq!(node.client().ask(&line), "+OK");
        }
    });
    let moved = format!("-MOVED 12182 127.0.0.1:{}", cluster.all[0].port);
    assert_eq!(from.client().ask("SSUBSCRIBE foo"), moved);
    let folder = &cluster.folder.0;
    let bus = common::free().to_string();
    let options = ["--cluster-enabled", "yes", "--cluster-port", &bus];
    let Some(redis) = Server::redis(folder, &options) else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let mut admin = redis.client();
    assert_eq!(admin.ask("CLUSTER ADDSLOTSRANGE 0 16383"), "+OK");
    wait(|| admin.ask("CLUSTER INFO").contains("cluster_state:ok"));
    let theirs = told(&redis, &mut || {
        assert_eq!(admin.ask("CLUSTER DELSLOTS 12182"), "+OK");
    });
    assert_eq!(ours, theirs);
}

#[test]
fn a_node_that_is_killed_while_a_slot_moves_knows_it_again() {
    let mut nodes = Nodes::cluster("killed", &["0-8191", "8192-16383"], &[]);
    let ids = nodes.ids();
    for (number, line) in [
        (0, format!("CLUSTER SETSLOT 5 MIGRATING {}", ids[1])),
        (1, format!("CLUSTER SETSLOT 5 IMPORTING {}", ids[0])),
        (0, format!("CLUSTER SETSLOT 6 MIGRATING {}", ids[1])),
        (0, "CLUSTER SETSLOT 6 STABLE".to_owned()),
    ] {
        assert_eq!(nodes.all[number].client().ask(&line), "+OK", "{line}");
    }
    let expected = [format!("[5->-{}]", ids[1]), format!("[5-<-{}]", ids[0])];
    for (number, moving) in expected.iter().enumerate() {
        nodes.all[number].kill();
        nodes.restart(number, &["--cluster-enabled", "yes"]);
        let text = nodes.all[number].client().ask("CLUSTER NODES");
        let itself = text.lines().find(|it| it.contains("myself")).expect("it");
        assert!(itself.ends_with(moving), "{itself}");
    }
}

#[test]
fn slots_move_while_clients_go_on() {
    let cluster = Nodes::cluster("moved", &["0-5000", "5001-10000", "10001-16383"], &[]);
    let ids = cluster.ids();
    let (from, to) = (&cluster.all[2], &cluster.all[0]);
    let slot = 12_182;
    let mut clients = BTreeMap::new();
    for number in 0..50 {
        let (reply, _) = cluster.ask(&mut clients, &format!("SET {{foo}}{number} 0 EX 1000"));
        assert_eq!(reply, "+OK");
    }
    let (mut source, mut target) = (from.client(), to.client());
    assert_eq!(
        target.ask(&format!("CLUSTER SETSLOT {slot} IMPORTING {}", ids[2])),
        "+OK"
    );
    assert_eq!(
        source.ask(&format!("CLUSTER SETSLOT {slot} MIGRATING {}", ids[0])),
        "+OK"
    );
    let refused = source.ask(&format!("CLUSTER SETSLOT {slot} NODE {}", ids[0]));
    assert!(refused.contains("still hold keys"), "{refused}");
    std::thread::scope(|scope| {
        let counting = scope.spawn(|| {
            let mut clients = BTreeMap::new();
            for number in (0..50).cycle().take(1000) {
                let (reply, _) = cluster.ask(&mut clients, &format!("INCR {{foo}}{number}"));
                assert!(reply.starts_with(':'), "{reply}");
            }
        });
        let port = to.port;
        loop {
            let keys = source.ask(&format!("CLUSTER GETKEYSINSLOT {slot} 3"));
            if keys.is_empty() {
                break;
            }
            let keys = keys.replace('\n', " ");
            let moved = source.ask(&format!("MIGRATE 127.0.0.1 {port}  0 2000 KEYS {keys}"));
            assert_eq!(moved, "+OK");
        }
        for client in [&mut target, &mut source, &mut cluster.all[1].client()] {
            let reply = client.ask(&format!("CLUSTER SETSLOT {slot} NODE {}", ids[0]));
            assert_eq!(reply, "+OK");
        }
        counting.join().expect("no error");
    });
    for number in 0..50 {
        let (reply, _) = cluster.ask(&mut clients, &format!("GET {{foo}}{number}"));
        assert_eq!(reply, "20", "of {number}");
    }
    assert_eq!(
        target.ask(&format!("CLUSTER COUNTKEYSINSLOT {slot}")),
        ":50"
    );
    let left = target.ask("TTL {foo}1");
    assert!(
        left[1..]
            .parse::<u64>()
            .is_ok_and(|it| (900..=1000).contains(&it)),
        "{left}"
    );
    assert!(
        source
            .ask("GET {foo}1")
            .starts_with(&format!("-MOVED {slot} 127.0.0.1:{}", to.port))
    );
    // redis-cli moves further slots on its own.
    let address = format!("127.0.0.1:{}", to.port);
    let words = [
        "--cluster",
        "reshard",
        &address,
        "--cluster-from",
        &ids[1],
        "--cluster-to",
        &ids[0],
        "--cluster-slots",
        "20",
        "--cluster-yes",
    ];
    if let Some((is_right, text)) = run("redis-cli", &words) {
        assert!(is_right, "{text}");
        let (is_right, text) =
            run("redis-cli", &["--cluster", "check", &address]).expect("it was there");
        assert!(
            is_right && text.contains("All 16384 slots covered"),
            "{text}"
        );
    }
}

const SCRIPT: &str = r#"
import sys, redis
r = redis.RedisCluster(host="127.0.0.1", port=int(sys.argv[1]), decode_responses=True)
for n in range(300):
    assert r.set("key%d" % n, n)
assert all(r.get("key%d" % n) == str(n) for n in range(300))
assert r.mset_nonatomic({"a": 1, "b": 2, "c": 3}) and r.mget_nonatomic("a", "b", "c") == ["1", "2", "3"]
assert r.eval("return redis.call('incr',KEYS[1])", 1, "a") == 2
assert r.dbsize(target_nodes="primaries") == 303 and len(list(r.scan_iter("key*"))) == 300
assert len(r.get_primaries()) == 2
print("done")
"#;

#[test]
fn redis_py_is_served_by_a_cluster() {
    let cluster = Nodes::cluster("python", &["0-8191", "8192-16383"], &[]);
    let path = cluster.folder.0.display().to_string();
    if !has_redis_py(&path) {
        eprintln!("redis-py cannot be installed: nothing was tried");
        return;
    }
    let ran = Command::new("python3")
        .args(["-c", SCRIPT, &cluster.all[1].port.to_string()])
        .env("PYTHONPATH", &path)
        .output()
        .expect("python3 was there");
    let text =
        String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && text.contains("done"), "{text}");
}

#[test]
fn a_node_that_is_lost_is_told_of_and_comes_back() {
    let mut cluster = Nodes::cluster("lost", &["0-8191", "8192-16383"], &[]);
    let mut one = cluster.all[0].client();
    cluster.all[1].kill();
    wait(|| one.ask("CLUSTER INFO").contains("cluster_state:fail"));
    assert!(one.ask("CLUSTER NODES").contains("master,fail"));
    // The node continues to serve its own slots.
    assert_eq!(one.ask("SET bar x"), "+OK");
    // Without its file, the node does not know its slots. The other node tells it.
    let folder = cluster.folder_of(1);
    std::fs::remove_dir_all(&folder).expect("it was there");
    cluster.restart(1, &["--cluster-slots", ""]);
    cluster.agree();
    assert_eq!(cluster.all[1].client().ask("SET foo x"), "+OK");
    let moved = one.ask("SET foo x");
    assert_eq!(
        moved,
        format!("-MOVED 12182 127.0.0.1:{}", cluster.all[1].port)
    );
}
