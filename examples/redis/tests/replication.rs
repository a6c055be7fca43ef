//! Replication: servers that follow another one.

use otp_bridge_novm as _;

mod common;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use common::nodes::{Nodes, wait};
use common::{Client, Server};

const DEBUG: [&str; 2] = ["--enable-debug-command", "yes"];

/// Starts three servers. The last two follow the first one.
fn followed(name: &str, more: &[&str]) -> Nodes {
    let options = [&DEBUG[..], more].concat();
    let nodes = Nodes::start(name, &[&options, &options, &options]);
    for replica in &nodes.all[1..] {
        follow(replica, &nodes.all[0]);
    }
    nodes
}

fn follow(replica: &Server, master: &Server) {
    let mut client = replica.client();
    let reply = client.ask(&format!("REPLICAOF 127.0.0.1 {}", master.port));
    assert!(reply.starts_with("+OK"), "{reply}");
    wait(|| {
        client
            .ask("INFO replication")
            .contains("master_link_status:up")
    });
}

/// Waits until all servers have equal keys.
fn are_equal(nodes: &[Server]) {
    let mut clients: Vec<Client> = nodes.iter().map(Server::client).collect();
    wait(|| {
        let digests = clients.iter_mut().map(|it| it.ask("DEBUG DIGEST"));
        let digests: Vec<String> = digests.collect();
        assert_eq!(digests[0].len(), 41, "{digests:?}");
        digests.iter().all(|it| *it == digests[0])
    });
}

#[test]
fn a_replica_has_what_its_master_has() {
    let nodes = Nodes::start("follows", &[&DEBUG[..], &DEBUG]);
    let (mut master, mut replica) = (nodes.all[0].client(), nodes.all[1].client());
    for number in 0..1000 {
        assert_eq!(master.ask(&format!("SET key{number} {number}")), "+OK");
    }
    assert_eq!(master.ask("WAIT 1 10"), ":0");
    assert_eq!(replica.ask("SET own x"), "+OK");
    follow(&nodes.all[1], &nodes.all[0]);
    assert_eq!(replica.ask("GET key7"), "7");
    assert_eq!(replica.ask("EXISTS own"), ":0");
    for line in [
        "SELECT 3",
        "HSET hash a 1 b 2",
        "SELECT 0",
        "RPUSH list a b c",
        "SET gone x PX 1",
        "SET later x EX 1000",
    ] {
        assert!(!master.ask(line).starts_with('-'), "{line}");
    }
    for line in ["MULTI", "INCR one", "INCR two"] {
        master.ask(line);
    }
    assert_eq!(master.ask("EXEC"), ":1\n:1");
    assert_eq!(master.ask("WAIT 1 20000"), ":1");
    assert_eq!(replica.ask("MGET one two gone later"), "1\n1\n$-1\nx");
    are_equal(&nodes.all);
    let refused = replica.ask("SET x y");
    assert_eq!(
        refused,
        "-READONLY You can't write against a read only replica."
    );
    let script = ["EVAL", "return redis.call('set','x','y')", "0"];
    assert!(replica.ask_words(&script).contains("READONLY"));
    assert!(replica.ask("WAIT 1 1").starts_with("-ERR WAIT cannot"));
    let role = replica.ask("ROLE");
    let port = nodes.all[0].port;
    assert!(
        role.starts_with(&format!("slave\n127.0.0.1\n:{port}\nconnected\n:")),
        "{role}"
    );
    assert!(master.ask("ROLE").starts_with("master\n:"));
    let info = master.ask("INFO replication");
    assert!(
        info.contains("connected_slaves:1") && info.contains("state=online"),
        "{info}"
    );
    // The replica becomes a master again, and keeps its keys.
    assert_eq!(replica.ask("REPLICAOF NO ONE"), "+OK");
    assert_eq!(replica.ask("SET own x"), "+OK");
    assert_eq!(replica.ask("GET key7"), "7");
    wait(|| {
        master
            .ask("INFO replication")
            .contains("connected_slaves:0")
    });
    assert_eq!(master.ask("WAIT 1 100"), ":0");
}

#[test]
fn channels_of_a_master_reach_the_clients_of_its_replicas() {
    let nodes = Nodes::start("channels", &[&[], &[], &[]]);
    // A replica of a replica.
    follow(&nodes.all[1], &nodes.all[0]);
    follow(&nodes.all[2], &nodes.all[1]);
    let mut listening: Vec<Client> = nodes.all.iter().map(Server::client).collect();
    for client in &mut listening {
        assert!(client.ask("SUBSCRIBE news").ends_with(":1"));
    }
    let mut clients: Vec<Client> = nodes.all.iter().map(Server::client).collect();
    // A message that is published at a replica only reaches the replicas below it.
    assert_eq!(clients[2].ask("PUBLISH news third"), ":1");
    assert_eq!(clients[1].ask("PUBLISH news second"), ":1");
    for client in &mut listening[1..] {
        let first = client.reply();
        assert!(
            first.ends_with("second") || first.ends_with("third"),
            "{first}"
        );
    }
    assert!(listening[2].reply().starts_with("message\nnews\n"));
    let script = ["EVAL", "return redis.call('publish','news','first')", "0"];
    assert_eq!(clients[0].ask_words(&script), ":1");
    for client in &mut listening {
        assert_eq!(client.reply(), "message\nnews\nfirst");
    }
}

#[test]
fn what_cannot_be_followed_is_refused_or_down() {
    let nodes = Nodes::start("nobody", &[&[]]);
    let mut client = nodes.all[0].client();
    let port = nodes.all[0].port;
    for (line, reply) in [
        ("REPLICAOF 10.0.0.1 7000", "-ERR here masters are"),
        ("REPLICAOF 127.0.0.1 x", "-ERR value is not an integer"),
        ("PSYNC ? -1", "-ERR unknown command"),
        ("WAIT x 1", "-ERR value is not an integer"),
        ("WAIT 1 -1", "-ERR timeout is negative"),
    ] {
        let answer = client.ask(line);
        assert!(answer.starts_with(reply), "{line}: {answer}");
    }
    let own = client.ask(&format!("REPLICAOF 127.0.0.1 {port}"));
    assert_eq!(own, "-ERR a server cannot follow itself");
    // No server listens there, so the replica keeps trying.
    assert_eq!(client.ask("REPLICAOF 127.0.0.1 1"), "+OK");
    assert!(
        client
            .ask("INFO replication")
            .contains("master_link_status:down")
    );
    assert!(client.ask("SET x y").starts_with("-READONLY"));
    assert_eq!(client.ask("REPLICAOF NO ONE"), "+OK");
    assert_eq!(client.ask("SET x y"), "+OK");
    let alone = Server::ours(&[]);
    let refused = alone.client().ask("REPLICAOF 127.0.0.1 7000");
    assert!(refused.contains("--name"), "{refused}");
}

#[test]
fn those_who_wait_for_keys_are_told_when_their_server_follows() {
    let nodes = Nodes::start("waits", &[&[], &[]]);
    let mut waits = nodes.all[1].client();
    waits.send("BLPOP list 0");
    let mut other = nodes.all[1].client();
    wait(|| other.ask("INFO clients").contains("blocked_clients:1"));
    follow(&nodes.all[1], &nodes.all[0]);
    let reply = waits.reply();
    assert!(reply.starts_with("-UNBLOCKED"), "{reply}");
    assert_eq!(nodes.all[0].client().ask("RPUSH list a"), ":1");
    assert_eq!(nodes.all[0].client().ask("WAIT 1 20000"), ":1");
    assert_eq!(other.ask("LRANGE list 0 -1"), "a");
}

/// Returns a random command. Equal seeds give equal commands.
fn random_line(random: &mut fastrand::Rng) -> String {
    let key = format!("k{}", random.u32(..40));
    let (value, number) = (random.u32(..1000), random.u32(..20));
    match random.u32(..26) {
        0 => format!("SET s{key} {value}"),
        1 => format!("SET s{key} {value} PX {}", 1 + random.u32(..300)),
        2 => format!("INCRBYFLOAT f{key} 0.{value}"),
        3 => format!("APPEND s{key} {value}"),
        4 => format!("RPUSH l{key} {value} {number}"),
        5 => format!("LPOP l{key}"),
        6 => format!("LMOVE l{key} l{number} LEFT RIGHT"),
        7 => format!("SADD t{key} {value} {number}"),
        8 => format!("SPOP t{key}"),
        9 => format!("HSET h{key} f{number} {value}"),
        10 => format!("HINCRBY h{key} f{number} 7"),
        11 => format!("ZADD z{key} {value} m{number}"),
        12 => format!("ZPOPMIN z{key}"),
        13 => format!("ZUNIONSTORE z{number} 2 z{key} zk1"),
        14 => format!("PEXPIRE h{key} {}", 1 + random.u32(..500)),
        15 => format!("PERSIST h{key}"),
        16 => format!("RENAME s{key} s{number}"),
        17 => format!("DEL l{key} s{key}"),
        18 => format!("XADD x{number} * f {value}"),
        19 => format!("XGROUP CREATE x{number} g 0"),
        20 => format!("XREADGROUP GROUP g c{value} COUNT 2 STREAMS x{number} >"),
        21 => format!("SETBIT b{key} {value} 1"),
        22 => format!("PFADD p{key} {value}"),
        23 => format!("COPY z{key} z{number} REPLACE"),
        24 => format!("SELECT {}", random.u32(..3)),
        _ => format!("SORT l{key} ALPHA STORE l{number}"),
    }
}

#[test]
fn random_commands_leave_the_same_keys_everywhere() {
    let nodes = followed("random", &[]);
    let address = nodes.all[0].port;
    let write = |seed: u64| {
        let mut client = nodes.all[0].client();
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..4000 {
            let line = random_line(&mut random);
            client.ask(&line);
            if random.u32(..50) == 0 {
                client.ask("MULTI");
                (0..3).for_each(|_| drop(client.ask(&random_line(&mut random))));
                client.ask("EXEC");
            }
            if random.u32(..200) == 0 {
                let script = "redis.call('incr',KEYS[1]) redis.call('lpush',KEYS[2],'x')";
                client.ask_words(&["EVAL", script, "2", "scripted", "lscripted"]);
            }
        }
    };
    std::thread::scope(|scope| {
        for seed in 1..=3 {
            scope.spawn(move || write(seed));
        }
        // One replica reads keys that expire, and starts again during the test.
        let mut replica = nodes.all[2].client();
        for number in 0..400 {
            replica.ask(&format!("GET sk{}", number % 40));
            if number == 200 {
                assert_eq!(replica.ask("REPLICAOF NO ONE"), "+OK");
                replica.ask(&format!("REPLICAOF 127.0.0.1 {address}"));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    });
    are_equal(&nodes.all);
}

/// Returns the name of a server's history.
fn history(client: &mut Client) -> String {
    let info = client.ask("INFO replication");
    let mut lines = info.lines();
    let line = lines.find_map(|it| it.strip_prefix("master_replid:"));
    line.expect("it has one").to_owned()
}

#[test]
fn a_replica_that_was_away_gets_the_rest() {
    let mut nodes = followed("away", &[]);
    let mut master = nodes.all[0].client();
    assert_eq!(master.ask("SET before x"), "+OK");
    assert_eq!(master.ask("WAIT 2 20000"), ":2");
    // The connection is lost while keys change. The backlog has the missing part.
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| {
            let mut client = nodes.all[0].client();
            for number in 0..3000 {
                assert_eq!(client.ask(&format!("SET rest{number} {number}")), "+OK");
            }
        });
        nodes.disconnect(0, 1);
        writing.join().expect("no error");
    });
    are_equal(&nodes.all);
    wait(|| !master.ask("INFO stats").contains("sync_partial_ok:0\r"));
    assert!(master.ask("INFO stats").contains("sync_full:2\r"));
    // The backlog is too small, so the replica gets a copy.
    assert_eq!(master.ask("CONFIG SET repl-backlog-size 1000"), "+OK");
    nodes.disconnect(1, 0);
    for number in 0..3000 {
        assert_eq!(
            master.ask(&format!("SET more{number} {}", "x".repeat(100))),
            "+OK"
        );
    }
    are_equal(&nodes.all);
    // The replica is restarted without keys.
    nodes.all[1].kill();
    let option = format!("127.0.0.1 {}", nodes.all[0].port);
    assert_eq!(master.ask("SET while x"), "+OK");
    nodes.restart(1, &["--replicaof", &option, DEBUG[0], DEBUG[1]]);
    are_equal(&nodes.all);
    // If its master has gone, the replica waits for it.
    nodes.all[0].kill();
    let mut replica = nodes.all[2].client();
    wait(|| {
        let info = replica.ask("INFO replication");
        info.contains("master_link_status:down")
    });
    assert_eq!(replica.ask("GET rest7"), "7");
}

#[test]
fn the_files_of_a_replica_have_what_it_was_sent() {
    let folder = common::Folder::new("replica-files");
    let path = folder.0.display().to_string();
    let files = ["--appendonly", "yes", "--dir", &path];
    let mut nodes = Nodes::start("files", &[&DEBUG[..], &[&DEBUG[..], &files].concat()]);
    let mut master = nodes.all[0].client();
    for number in 0..500 {
        assert_eq!(master.ask(&format!("SET a{number} {number}")), "+OK");
    }
    assert_eq!(nodes.all[1].client().ask("SET own x"), "+OK");
    follow(&nodes.all[1], &nodes.all[0]);
    assert_eq!(
        nodes.all[1].client().ask("CONFIG SET appendfsync always"),
        "+OK"
    );
    for line in [
        "MULTI",
        "SET b 1",
        "INCR b",
        "EXEC",
        "SELECT 2",
        "RPUSH l x",
    ] {
        assert!(!master.ask(line).starts_with('-'), "{line}");
    }
    assert_eq!(master.ask("WAIT 1 20000"), ":1");
    are_equal(&nodes.all);
    // The acknowledged changes are in memory, and reach the disk a moment later.
    nodes.all[1].client().ask("GET b");
    nodes.all[1].kill();
    nodes.restart(1, &[&DEBUG[..], &files].concat());
    are_equal(&nodes.all);
}

#[test]
fn what_two_replicas_have_is_there_when_the_master_is_killed() {
    let mut nodes = followed("killed", &[]);
    let port = nodes.all[0].port;
    // The nodes of the replicas learn about each other only after both know the master's node.
    nodes.connect(1, 2);
    let so_far = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let so_far = &so_far;
        let mut master = nodes.all[0].client();
        scope.spawn(move || {
            for number in 1_u64.. {
                if master.ask(&format!("SET n{number} {number}")) != "+OK" {
                    break;
                }
                match &master.ask("WAIT 2 20000")[..] {
                    ":2" => so_far.store(number, Ordering::Relaxed),
                    // On a busy machine, that may take longer.
                    ":0" | ":1" => {}
                    _ => break,
                }
            }
        });
        wait(|| so_far.load(Ordering::Relaxed) > 2);
        nodes.all[0].kill();
    });
    let last = so_far.load(Ordering::Relaxed);
    let mut replica = nodes.all[1].client();
    assert_eq!(replica.ask("REPLICAOF NO ONE"), "+OK");
    for number in 1..=last {
        assert_eq!(
            replica.ask(&format!("GET n{number}")),
            number.to_string(),
            "of {last}"
        );
    }
    // The other replica continues with the same history, so it needs no copy.
    let new_port = nodes.all[1].port;
    assert_ne!(new_port, port);
    let mut other = nodes.all[2].client();
    let before = history(&mut other);
    follow(&nodes.all[2], &nodes.all[1]);
    assert_eq!(replica.ask("SET after x"), "+OK");
    assert_eq!(replica.ask("WAIT 1 20000"), ":1");
    let after = other.ask("INFO replication");
    assert!(
        after.contains(&format!("master_replid2:{before}")),
        "{before}: {after}"
    );
    are_equal(&nodes.all[1..]);
}
