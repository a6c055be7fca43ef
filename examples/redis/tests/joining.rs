//! Joining and leaving a cluster, with redis-cli, and restarting nodes from their files.

use otp_bridge_novm as _;

mod common;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use common::nodes::{ENABLED, Nodes, run, wait};
use common::{Folder, Server, free};

/// Runs redis-cli. Returns `None` if it is not installed.
fn redis_cli(words: &[&str]) -> Option<String> {
    let (is_right, text) = run("redis-cli", &[&["--cluster"], words].concat())?;
    assert!(is_right, "{words:?}: {text}");
    Some(text)
}

/// Checks that all nodes agree on the slots.
fn check(nodes: &Nodes, number: usize) {
    let text = redis_cli(&["check", &nodes.address(number)]).expect("it was there");
    let agrees = text.contains("All nodes agree about slots configuration");
    assert!(agrees && text.contains("All 16384 slots covered"), "{text}");
}

/// Returns a node's description of itself, without the parts that change with time.
fn itself(server: &Server) -> Vec<String> {
    let nodes = server.client().ask("CLUSTER NODES");
    let mut lines = nodes.lines().filter(|it| it.contains("myself"));
    let words = lines.next().expect("it names itself").split(' ');
    let all: Vec<String> = words.map(str::to_owned).collect();
    [&all[..1], &all[2..4], &all[8..]].concat()
}

#[test]
fn a_cluster_that_redis_cli_makes_outlives_its_nodes() {
    let mut nodes = Nodes::apart("created", 6);
    let addresses: Vec<String> = (0..6).map(|it| nodes.address(it)).collect();
    let mut words = vec!["create"];
    words.extend(addresses.iter().map(|it| &**it));
    words.extend(["--cluster-replicas", "1", "--cluster-yes"]);
    let Some(text) = redis_cli(&words) else {
        eprintln!("redis-cli is not there: nothing was tried");
        return;
    };
    assert!(text.contains("All 16384 slots covered"), "{text}");
    nodes.agree();
    for node in &nodes.all {
        wait(|| {
            let nodes = node.client().ask("CLUSTER NODES");
            nodes.matches("slave ").count() == 3
        });
    }
    check(&nodes, 5);
    let mut clients = BTreeMap::new();
    for number in 0..100 {
        let (reply, _) = nodes.ask(&mut clients, &format!("SET key{number} {number}"));
        assert_eq!(reply, "+OK");
    }
    // After a restart, each node has its old state, without being told about the others.
    let before: Vec<Vec<String>> = nodes.all.iter().map(itself).collect();
    nodes.all.iter_mut().for_each(Server::kill);
    for (number, before) in before.iter().enumerate() {
        nodes.restart(number, &ENABLED);
        assert_eq!(itself(&nodes.all[number]), *before);
    }
    nodes.agree();
    check(&nodes, 0);
    let mut clients = BTreeMap::new();
    wait(|| {
        clients.clear();
        nodes.ask(&mut clients, "SET key1 again").0 == "+OK"
    });
    for (node, before) in nodes.all.iter().zip(before) {
        wait(|| {
            let role = node.client().ask("ROLE");
            role.starts_with("master") || role.contains("connected")
        });
        assert_eq!(itself(node), before);
    }
}

#[test]
fn nodes_are_added_and_deleted_while_keys_stay() {
    let nodes = Nodes::apart("added", 5);
    let addresses: Vec<String> = (0..5).map(|it| nodes.address(it)).collect();
    let [one, two, three, four, five] = [0, 1, 2, 3, 4].map(|it| &*addresses[it]);
    let Some(_) = redis_cli(&["create", one, two, three, "--cluster-yes"]) else {
        eprintln!("redis-cli is not there: nothing was tried");
        return;
    };
    let ids = nodes.ids();
    let mut clients = BTreeMap::new();
    for number in 0..200 {
        let (reply, _) = nodes.ask(&mut clients, &format!("SET key{number} {number}"));
        assert_eq!(reply, "+OK");
    }
    let knows = |number: usize, count: usize| {
        let known = format!("cluster_known_nodes:{count}\r");
        wait(|| {
            nodes.all[number]
                .client()
                .ask("CLUSTER INFO")
                .contains(&known)
        });
    };
    redis_cli(&["add-node", four, one]);
    (0..4).for_each(|it| knows(it, 4));
    // A small part of the slots, so that moving them is fast even on a busy machine.
    let weight = format!("{}=0.02", ids[3]);
    redis_cli(&[
        "rebalance",
        one,
        "--cluster-use-empty-masters",
        "--cluster-weight",
        &weight,
    ]);
    wait(|| itself(&nodes.all[3]).len() > 3);
    check(&nodes, 3);
    redis_cli(&[
        "add-node",
        five,
        two,
        "--cluster-slave",
        "--cluster-master-id",
        &ids[3],
    ]);
    (0..5).for_each(|it| knows(it, 5));
    let mut replica = nodes.all[4].client();
    wait(|| {
        replica
            .ask("INFO replication")
            .contains("master_link_status:up")
    });
    let mut master = nodes.all[3].client();
    let slot = itself(&nodes.all[3])[3]
        .split('-')
        .next()
        .map(str::to_owned);
    let slot = slot.expect("it has slots");
    let key = (0..).map(|it| format!("of{it}"));
    let mut key =
        key.skip_while(|it| master.ask(&format!("CLUSTER KEYSLOT {it}")) != format!(":{slot}"));
    let key = key.next().expect("one of them");
    assert_eq!(master.ask(&format!("SET {key} x")), "+OK");
    let count = master.ask("DBSIZE");
    assert_ne!(count, ":0");
    wait(|| replica.ask("DBSIZE") == count);
    // First the replica leaves, and then its master, which has no slots.
    redis_cli(&["del-node", one, &ids[4]]);
    assert_eq!(replica.ask("DBSIZE"), ":0");
    assert!(replica.ask("ROLE").starts_with("master"));
    let weight = format!("{}=0", ids[3]);
    redis_cli(&["rebalance", one, "--cluster-weight", &weight]);
    wait(|| itself(&nodes.all[3]).len() == 3);
    redis_cli(&["del-node", one, &ids[3]]);
    for number in [3, 4] {
        knows(number, 1);
        assert_eq!(nodes.all[number].client().ask("CLUSTER MYID"), ids[number]);
    }
    (0..3).for_each(|it| knows(it, 3));
    check(&nodes, 0);
    let mut clients = BTreeMap::new();
    for number in 0..200 {
        let (reply, _) = nodes.ask(&mut clients, &format!("GET key{number}"));
        assert_eq!(reply, number.to_string());
    }
    // A node that has left can form a cluster of its own, with a new id.
    let mut alone = nodes.all[4].client();
    assert_eq!(alone.ask("CLUSTER RESET HARD"), "+OK");
    assert_ne!(alone.ask("CLUSTER MYID"), ids[4]);
    assert_eq!(alone.ask("CLUSTER ADDSLOTSRANGE 0 16383"), "+OK");
    assert_eq!(alone.ask("SET foo x"), "+OK");
    knows(0, 3);
}

/// Starts a server that pretends to be a node, but does not know the cookie.
fn pretender(name: String) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("its address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(stream);
            let mut line = String::new();
            while lines.read_line(&mut line).is_ok_and(|it| it > 0) {
                let answer = match line.trim().split(' ').count() {
                    2 => format!("+{}\r\n", "0".repeat(32)),
                    _ => format!("+{name} {}\r\n", "0".repeat(64)),
                };
                line.clear();
                if lines.get_mut().write_all(answer.as_bytes()).is_err() {
                    break;
                }
            }
        }
    });
    port
}

#[test]
fn only_nodes_with_the_same_cookie_meet() {
    let nodes = Nodes::apart("strangers", 1);
    let others = Nodes::apart("others", 1);
    let cookie = others.folder.0.join("cookie");
    std::fs::remove_file(&cookie).expect("it was there");
    let mut others = others;
    others.all[0].kill();
    std::fs::write(&cookie, "another_cookie").expect("it is written");
    assert!(run("chmod", &["400", &cookie.display().to_string()]).is_some_and(|it| it.0));
    others.restart(0, &ENABLED);
    let single = Server::ours(&["--reactors", "1"]);
    let name = format!("pretends{}@127.0.0.1", std::process::id());
    let mut client = nodes.all[0].client();
    let meet = |port: u16| format!("CLUSTER MEET 127.0.0.1 {port}");
    for (port, why) in [
        (others.all[0].port, "it is another cookie"),
        (single.port, "cluster support disabled"),
        (
            pretender(name.clone()),
            "it does not show that it knows the cookie",
        ),
        (free(), "refused"),
    ] {
        let answer = client.ask(&meet(port));
        let begin = format!("-ERR Invalid node address specified: 127.0.0.1:{port}");
        assert!(
            answer.starts_with(&begin) && answer.contains(why),
            "{answer}"
        );
    }
    let folder = Folder::new("meetsredis");
    if let Some(redis) = Server::redis(&folder.0, &[]) {
        let answer = client.ask(&meet(redis.port));
        assert!(answer.contains("unknown subcommand"), "{answer}");
    }
    assert_eq!(client.ask(&meet(nodes.all[0].port)), "+OK");
    // A stranger without the cookie gets no name, and each challenge works only once.
    let mut stranger = nodes.all[0].client();
    let question = format!("CLUSTER HANDSHAKE {} {}", "0".repeat(32), "0".repeat(64));
    assert!(
        stranger
            .ask(&question)
            .starts_with("-ERR CLUSTER HANDSHAKE comes first")
    );
    assert_eq!(stranger.ask("CLUSTER HANDSHAKE").len(), 33);
    assert_eq!(stranger.ask(&question), "-ERR it is another cookie");
    assert!(
        stranger
            .ask(&question)
            .starts_with("-ERR CLUSTER HANDSHAKE comes first")
    );
    assert!(
        client
            .ask("CLUSTER INFO")
            .contains("cluster_known_nodes:1\r")
    );
    // The pretended name has not become an atom there; the node's own name has.
    let node = &nodes.names[0];
    for (name, is_atom) in [(&name, false), (node, true)] {
        nodes.run(&format!(
            "{is_atom} = is_atom(rpc:call('{node}', erlang, list_to_existing_atom, [\"{name}\"]))"
        ));
    }
}

#[test]
fn nodes_with_passwords_and_users_meet_by_their_cookie() {
    let nodes = Nodes::apart("guarded", 2);
    let lines = [
        "ACL SETUSER admin on >secret +@all ~* &*",
        "ACL SETUSER default off",
    ];
    for node in &nodes.all {
        let mut client = node.client();
        for line in lines {
            assert_eq!(client.ask(line), "+OK", "{line}");
        }
    }
    let mut client = nodes.all[0].client();
    assert!(client.ask("CLUSTER MYID").starts_with("-NOAUTH"));
    assert_eq!(client.ask("AUTH admin secret"), "+OK");
    let port = nodes.all[1].port;
    assert_eq!(client.ask(&format!("CLUSTER MEET 127.0.0.1 {port}")), "+OK");
    wait(|| {
        client
            .ask("CLUSTER INFO")
            .contains("cluster_known_nodes:2\r")
    });
}

#[test]
fn a_node_whose_file_is_broken_does_not_start() {
    let mut nodes = Nodes::apart("broken", 1);
    nodes.all[0].kill();
    let folder = nodes.folder_of(0);
    let file = format!("{folder}/nodes-{}.conf", nodes.names[0]);
    let text = std::fs::read_to_string(&file).expect("it was written");
    std::fs::write(&file, &text[..text.len() - 3]).expect("it is written");
    let program = std::env::var_os("CARGO_OTP").unwrap_or_else(|| env!("CARGO").into());
    let cookie = nodes.folder.0.join("cookie").display().to_string();
    let ran = std::process::Command::new(program)
        .args(["otp", "run", "--name", &nodes.names[0], "--cookie", &cookie])
        .args(["--", "--port", "0", "--dir", &folder])
        .args(ENABLED)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(std::process::Stdio::null())
        .output()
        .expect("cargo otp");
    let text = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
    let why = "line 2: Unrecoverable error: corrupted cluster config file";
    assert!(!ran.status.success() && text.contains(why), "{text}");
}

#[test]
fn cluster_refuses_what_redis_server_refuses() {
    let nodes = Nodes::apart("refuses", 1);
    let bus = free().to_string();
    let options = ["--cluster-enabled", "yes", "--cluster-port", &bus];
    let Some(redis) = Server::redis(&nodes.folder.0, &options) else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let (mut ours, mut theirs) = (nodes.all[0].client(), redis.client());
    let unknown = "0".repeat(40);
    for line in [
        "CLUSTER SET-CONFIG-EPOCH x",
        "CLUSTER SET-CONFIG-EPOCH -1",
        "CLUSTER RESET x",
        "CLUSTER BUMPEPOCH",
        "CLUSTER BUMPEPOCH",
        "CLUSTER SET-CONFIG-EPOCH 3",
        "CLUSTER RESET SOFT",
        "CLUSTER SET-CONFIG-EPOCH 3",
        "CLUSTER RESET HARD",
        "CLUSTER SET-CONFIG-EPOCH 3",
        "CLUSTER SET-CONFIG-EPOCH 4",
        "CLUSTER ADDSLOTS 1 1",
        "CLUSTER ADDSLOTS 1 x",
        "CLUSTER ADDSLOTS 16384",
        "CLUSTER ADDSLOTSRANGE 5 4",
        "CLUSTER ADDSLOTSRANGE 5 6 7",
        "CLUSTER ADDSLOTSRANGE 5 6 6 7",
        "CLUSTER ADDSLOTS 1",
        "CLUSTER ADDSLOTS 1",
        "CLUSTER DELSLOTS 2",
        "CLUSTER DELSLOTSRANGE 1 1",
        "CLUSTER DELSLOTS 1",
        "CLUSTER FLUSHSLOTS",
        "CLUSTER MEET 127.0.0.1 99999999",
        "CLUSTER MEET foo 7000",
        "CLUSTER MEET 127.0.0.1 x",
        "CLUSTER MEET 127.0.0.1 0",
        "CLUSTER MEET 127.0.0.1 7000 x",
        "CLUSTER ADDSLOTSRANGE 0 16383",
        "CLUSTER SETSLOT 5 NODE",
        "CLUSTER SETSLOT 16384 STABLE",
        "CLUSTER COUNTKEYSINSLOT 16384",
        "CLUSTER COUNTKEYSINSLOT x",
        "CLUSTER GETKEYSINSLOT 1 -1",
        "CLUSTER GETKEYSINSLOT 1 x",
        "CLUSTER SAVECONFIG",
        &format!("CLUSTER FORGET {unknown}"),
        &format!("CLUSTER REPLICATE {unknown}"),
        &format!("CLUSTER REPLICAS {unknown}"),
        &format!("CLUSTER SETSLOT 5 IMPORTING {unknown}"),
        &format!("CLUSTER SETSLOT 5 MIGRATING {unknown}"),
        &format!("CLUSTER SETSLOT 5 NODE {unknown}"),
        "CLUSTER FAILOVER",
        "CLUSTER FAILOVER NOW",
    ] {
        assert_eq!(ours.ask(line), theirs.ask(line), "{line}");
    }
    wait(|| theirs.ask("SET foo x") == "+OK");
    assert_eq!(ours.ask("SET foo x"), "+OK");
    for line in [
        "CLUSTER RESET",
        "CLUSTER FLUSHSLOTS",
        "CLUSTER COUNTKEYSINSLOT 12182",
        "CLUSTER GETKEYSINSLOT 12182 7",
    ] {
        assert_eq!(ours.ask(line), theirs.ask(line), "{line}");
    }
}
