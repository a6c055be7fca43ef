//! Replicas in a cluster: clients can read from them, and they replace lost masters.

use otp_bridge_novm as _;

mod common;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use common::nodes::{Nodes, run, wait};
use common::{Client, PATIENCE};

const OPTIONS: [&str; 4] = [
    "--cluster-node-timeout",
    "5000",
    "--enable-debug-command",
    "yes",
];

/// Starts three masters, and a replica of the first one.
fn cluster(name: &str) -> Nodes {
    let slots = ["0-5460", "5461-10922", "10923-16383", ""];
    let nodes = Nodes::cluster(name, &slots, &OPTIONS);
    let master = nodes.all[0].client().ask("CLUSTER MYID");
    let mut replica = nodes.all[3].client();
    let reply = replica.ask(&format!("CLUSTER REPLICATE {master}"));
    assert_eq!(reply, "+OK");
    wait(|| {
        replica
            .ask("INFO replication")
            .contains("master_link_status:up")
    });
    for node in &nodes.all {
        wait(|| node.client().ask("CLUSTER NODES").contains("slave "));
    }
    nodes
}

/// Repeats a request until it succeeds.
fn insist(nodes: &Nodes, clients: &mut BTreeMap<u16, Client>, line: &str) -> String {
    let begun = Instant::now();
    loop {
        let (reply, _) = nodes.ask(clients, line);
        if !reply.is_empty() && !reply.starts_with("-CLUSTERDOWN") {
            return reply;
        }
        clients.clear();
        assert!(begun.elapsed() < PATIENCE, "{line}: {reply}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A key of the first node, in slot 5061.
const KEY: &str = "{bar}";

#[test]
fn a_replica_is_read_and_described() {
    let nodes = cluster("read");
    let (mut master, mut replica) = (nodes.all[0].client(), nodes.all[3].client());
    assert_eq!(master.ask("SET bar x"), "+OK");
    assert_eq!(master.ask("WAIT 1 20000"), ":1");
    let moved = format!("-MOVED 5061 127.0.0.1:{}", nodes.all[0].port);
    assert_eq!(replica.ask("GET bar"), moved);
    assert_eq!(replica.ask("READONLY"), "+OK");
    assert_eq!(replica.ask("GET bar"), "x");
    assert_eq!(replica.ask("SET bar y"), moved);
    assert!(replica.ask("GET foo").starts_with("-MOVED 12182"));
    let script = ["EVAL", "return redis.call('get',KEYS[1])", "1", "bar"];
    assert_eq!(replica.ask_words(&script), "x");
    assert_eq!(replica.ask("READWRITE"), "+OK");
    assert_eq!(replica.ask("GET bar"), moved);
    let ids = nodes.ids();
    let mut other = nodes.all[1].client();
    let lines = other.ask(&format!("CLUSTER REPLICAS {}", ids[0]));
    assert!(
        lines.starts_with(&ids[3]) && lines.contains(&format!(" slave {} ", ids[0])),
        "{lines}"
    );
    let ports = format!(":{}", nodes.all[3].port);
    assert!(other.ask("CLUSTER SLOTS").contains(&ports));
    assert!(other.ask("CLUSTER SHARDS").contains("replica"));
    for (line, reply) in [
        (
            format!("CLUSTER REPLICATE {}", ids[0]),
            "-ERR To set a master the node must be empty",
        ),
        (
            format!("CLUSTER REPLICATE {}", ids[1]),
            "-ERR Can't replicate myself",
        ),
        (
            format!("CLUSTER REPLICATE {}", ids[3]),
            "-ERR I can only replicate a master",
        ),
        ("CLUSTER REPLICATE x".to_owned(), "-ERR Unknown node"),
        (
            format!("CLUSTER REPLICAS {}", ids[3]),
            "-ERR The specified node is not a master",
        ),
        (
            "CLUSTER FAILOVER".to_owned(),
            "-ERR You should send CLUSTER FAILOVER to a replica",
        ),
        ("CLUSTER FORGET x".to_owned(), "-ERR Unknown node"),
        (format!("CLUSTER FORGET {}", ids[1]), "-ERR I tried hard"),
        (
            "CLUSTER MEET 127.0.0.1 1".to_owned(),
            "-ERR Invalid node address specified: 127.0.0.1:1",
        ),
        (
            format!("CLUSTER MEET 127.0.0.1 {}", nodes.all[0].port),
            "+OK",
        ),
        (
            "REPLICAOF 127.0.0.1 1".to_owned(),
            "-ERR REPLICAOF not allowed in cluster mode",
        ),
    ] {
        let answer = other.ask(&line);
        assert!(answer.starts_with(reply), "{line}: {answer}");
    }
    assert!(
        replica
            .ask(&format!("CLUSTER FORGET {}", ids[0]))
            .contains("my master")
    );
    let address = format!("127.0.0.1:{}", nodes.all[0].port);
    if let Some((is_right, text)) = run("redis-cli", &["--cluster", "check", &address]) {
        assert!(
            is_right
                && text.contains("All 16384 slots covered")
                && text.contains("1 additional replica"),
            "{text}"
        );
    }
}

#[test]
fn a_replica_takes_the_place_of_a_master_that_is_killed() {
    let mut nodes = cluster("lostmaster");
    let (is_over, is_killed) = (AtomicBool::new(false), AtomicBool::new(false));
    let so_far = AtomicU64::new(0);
    let mut first = nodes.all[0].client();
    let process = nodes.all[0].process.to_string();
    let last = std::thread::scope(|scope| {
        // Every change that WAIT has confirmed must survive.
        let acknowledged = scope.spawn(|| {
            for number in 1_u64.. {
                let is_done = first.ask(&format!("SET {KEY}{number} {number}")) == "+OK"
                    && first.ask("WAIT 1 20000") == ":1";
                if !is_done {
                    return;
                }
                so_far.store(number, Ordering::Relaxed);
            }
        });
        let counting = scope.spawn(|| {
            let mut clients = BTreeMap::new();
            let mut after = 0;
            while !is_over.load(Ordering::Relaxed) {
                for key in ["count{bar}", "count{foo}", "count{a}"] {
                    insist(&nodes, &mut clients, &format!("INCR {key}"));
                }
                after += u32::from(is_killed.load(Ordering::Relaxed));
            }
            after
        });
        wait(|| so_far.load(Ordering::Relaxed) > 20);
        assert!(run("kill", &["-9", &process]).is_some_and(|it| it.0));
        is_killed.store(true, Ordering::Relaxed);
        let mut replica = nodes.all[3].client();
        wait(|| replica.ask("ROLE").starts_with("master"));
        let mut clients = BTreeMap::new();
        insist(&nodes, &mut clients, "SET {bar}after x");
        is_over.store(true, Ordering::Relaxed);
        assert!(counting.join().expect("no error") > 0);
        acknowledged.join().expect("no error");
        so_far.load(Ordering::Relaxed)
    });
    let mut clients = BTreeMap::new();
    for number in 1..=last {
        let (reply, _) = nodes.ask(&mut clients, &format!("GET {KEY}{number}"));
        assert_eq!(reply, number.to_string(), "of {last}");
    }
    // The old master comes back with its initial slots, and becomes a replica.
    nodes.restart(0, &[&OPTIONS[..], &["--cluster-slots", "0-5460"]].concat());
    nodes.agree();
    let (mut old, mut new) = (nodes.all[0].client(), nodes.all[3].client());
    wait(|| {
        old.ask("INFO replication")
            .contains("master_link_status:up")
    });
    assert_eq!(new.ask("SET {bar}again x"), "+OK");
    assert_eq!(new.ask("WAIT 1 20000"), ":1");
    assert_eq!(old.ask("DEBUG DIGEST"), new.ask("DEBUG DIGEST"));
    let moved = format!("-MOVED 5061 127.0.0.1:{}", nodes.all[3].port);
    assert_eq!(old.ask("SET bar x"), moved);
    let address = format!("127.0.0.1:{}", nodes.all[1].port);
    if let Some((is_right, text)) = run("redis-cli", &["--cluster", "check", &address]) {
        assert!(is_right && text.contains("1 additional replica"), "{text}");
    }
    // On request, it takes its slots back. Nothing is lost during that.
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let counting = scope.spawn(|| {
            let mut clients = BTreeMap::new();
            let mut count = 0;
            while !is_over.load(Ordering::Relaxed) {
                count += 1;
                let reply = insist(&nodes, &mut clients, "INCR over{bar}");
                assert_eq!(reply, format!(":{count}"));
            }
        });
        std::thread::sleep(Duration::from_millis(300));
        // On a slow machine, the time limit may be too short. Then the roles stay unchanged.
        wait(|| {
            if old.ask("ROLE").starts_with("slave") {
                assert_eq!(old.ask("CLUSTER FAILOVER"), "+OK");
            }
            (0..100).any(|_| {
                std::thread::sleep(Duration::from_millis(50));
                old.ask("ROLE").starts_with("master") && new.ask("ROLE").starts_with("slave")
            })
        });
        std::thread::sleep(Duration::from_millis(300));
        is_over.store(true, Ordering::Relaxed);
        counting.join().expect("no error");
    });
    // TAKEOVER works without the votes of others.
    wait(|| new.ask("ROLE").contains("connected"));
    assert_eq!(new.ask("CLUSTER FAILOVER TAKEOVER"), "+OK");
    wait(|| old.ask("ROLE").starts_with("slave"));
    assert_eq!(new.ask("SET {bar}again y"), "+OK");
}

/// Returns whether all threads of a program are stopped.
fn is_stopped(process: &str) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).expect("it runs");
    let mut states = threads.map(|it| {
        let path = it.expect("a thread").path().join("status");
        std::fs::read_to_string(path).unwrap_or_default()
    });
    states.all(|it| it.contains("State:\tT"))
}

/// A master that was suspended while the others voted it out must not accept writes.
#[test]
fn a_master_that_was_stopped_takes_no_writes_when_it_goes_on() {
    let nodes = cluster("stopped");
    let mut client = nodes.all[0].client();
    assert_eq!(client.ask("SET bar x"), "+OK");
    assert_eq!(client.ask("WAIT 1 20000"), ":1");
    let process = nodes.all[0].process.to_string();
    assert!(run("kill", &["-STOP", &process]).is_some_and(|it| it.0));
    wait(|| is_stopped(&process));
    client.send("SET bar old");
    let mut replica = nodes.all[3].client();
    wait(|| replica.ask("ROLE").starts_with("master"));
    wait(|| replica.ask("SET bar new") == "+OK");
    assert!(run("kill", &["-CONT", &process]).is_some_and(|it| it.0));
    let reply = client.reply();
    assert!(
        reply.starts_with("-CLUSTERDOWN") || reply.starts_with("-MOVED"),
        "{reply}"
    );
    wait(|| client.ask("ROLE").starts_with("slave") && client.ask("ROLE").contains("connected"));
    assert_eq!(client.ask("READONLY"), "+OK");
    wait(|| client.ask("GET bar") == "new");
}

const SCRIPT: &str = r#"
import sys, time, redis
r = redis.RedisCluster(host="127.0.0.1", port=int(sys.argv[1]), decode_responses=True)
def insist(do):
    end = time.time() + 60
    while True:
        try:
            return do()
        except redis.exceptions.RedisError:
            if time.time() > end:
                raise
            time.sleep(0.1)
for n in range(100):
    assert r.set("key%d" % n, n)
assert r.wait(1, 20000, target_nodes=r.get_node_from_key("bar")) == 1
print("ready", flush=True)
assert sys.stdin.readline() == "killed\n"
for n in range(100):
    assert insist(lambda: r.set("key%d" % n, n + 1))
assert all(insist(lambda: r.get("key%d" % n)) == str(n + 1) for n in range(100))
print("done")
"#;

#[test]
fn redis_py_goes_on_after_a_failover() {
    let nodes = cluster("pythonover");
    let path = nodes.folder.0.display().to_string();
    if !common::nodes::has_redis_py(&path) {
        eprintln!("redis-py cannot be installed: nothing was tried");
        return;
    }
    let mut child = Command::new("python3")
        .args(["-c", SCRIPT, &nodes.all[1].port.to_string()])
        .env("PYTHONPATH", &path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 was there");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let line = |it: Option<std::io::Result<String>>| it.and_then(Result::ok).unwrap_or_default();
    assert_eq!(line(lines.next()), "ready");
    let process = nodes.all[0].process.to_string();
    assert!(run("kill", &["-9", &process]).is_some_and(|it| it.0));
    let input = child.stdin.as_mut().expect("its input");
    std::io::Write::write_all(input, b"killed\n").expect("it reads");
    let told = line(lines.next());
    assert!(
        told == "done",
        "{}",
        nodes.all[1].client().ask("CLUSTER NODES")
    );
    assert!(child.wait().is_ok_and(|it| it.success()));
}
