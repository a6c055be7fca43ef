//! Compares CONFIG with redis-server, for every parameter.

use otp_bridge_novm as _;

mod common;

use std::collections::BTreeMap;

use common::ours::Ours;
use common::peer::{Peer, encoded, end};

/// Parameters whose values differ: they depend on the machine or on the program, or are fixed here.
const DIFFERENT: &[&str] = &[
    "bind",
    "cluster-node-timeout",
    "daemonize",
    "dir",
    "disable-thp",
    "jemalloc-bg-thread",
    "logfile",
    "pidfile",
    "port",
    "unixsocket",
];

/// Parameters that redis-server can change at run time, or in other ways.
const FIXED_HERE: &[&str] = &["appendonly", "bind", "logfile", "port", "tls-port"];

fn request(line: &[&str]) -> Vec<u8> {
    encoded(&line.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
}

/// Parses a reply of strings as names and values.
fn pairs(reply: &[u8]) -> BTreeMap<String, String> {
    let begin = reply
        .iter()
        .position(|it| *it == b'\n')
        .map_or(0, |at| at + 1);
    let (mut rest, mut texts) = (&reply[begin..], Vec::new());
    while let Some(end) = end(rest).filter(|end| *end > 0) {
        let text = String::from_utf8_lossy(&rest[..end]).into_owned();
        let text = text.split_once("\r\n").map_or("", |it| it.1);
        texts.push(text.strip_suffix("\r\n").unwrap_or(text).to_owned());
        rest = &rest[end..];
        if rest.is_empty() {
            break;
        }
    }
    let pairs = texts.chunks_exact(2);
    pairs.map(|it| (it[0].clone(), it[1].clone())).collect()
}

#[test]
fn every_parameter_is_known() {
    let Some(mut peer) = Peer::start("parameters") else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let mut ours = Ours::default();
    let all = request(&["config", "get", "*"]);
    let (known, expected) = (pairs(&ours.reply(&all)), pairs(&peer.reply(&all)));
    let names: Vec<&String> = known.keys().collect();
    assert_eq!(names, expected.keys().collect::<Vec<_>>());
    assert!(names.len() > 150);
    let mut wrong = Vec::new();
    for (name, value) in &expected {
        if known[name] != *value && !DIFFERENT.contains(&&**name) {
            wrong.push(format!("{name}: {:?} instead of {value:?}", known[name]));
        }
        if FIXED_HERE.contains(&&**name) {
            continue;
        }
        for value in ["junk\u{1}", "-9223372036854775807", value] {
            let is_text = |it: &[u8]| it == b"+OK\r\n" && value.starts_with(['j', '-']);
            let set = request(&["config", "set", name, value]);
            let (reply, expected) = (ours.reply(&set), peer.reply(&set));
            if reply != expected {
                let (reply, expected) = (
                    String::from_utf8_lossy(&reply),
                    String::from_utf8_lossy(&expected),
                );
                wrong.push(format!(
                    "{name} {value:?}: {reply:?} instead of {expected:?}"
                ));
            }
            if is_text(&expected) {
                peer.reply(&request(&["config", "set", name, &known[name]]));
                ours.reply(&request(&["config", "set", name, &known[name]]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn values_are_stored_under_all_names() {
    common::peer::compare(
        "stored",
        &[
            "config set slave-priority 7 lazyfree-lazy-expire YES",
            "config get replica-priority",
            "config get lazyfree-lazy-expire",
            "config set hash-max-ziplist-entries 9",
            "config get hash-max-l*-entries",
            "config set proto-max-bulk-len 10mb tls-ciphers x",
            "config get proto-max-bulk-len",
            "config get tls-ciphers",
            "config set lua-time-limit 7 hz 0x",
            "config get lua-time-limit",
            "config set maxmemory-clients 5%",
            "config get maxmemory-clients",
            "config set maxmemory-clients 101%",
            "config set save x",
            "config set notify-keyspace-events x-",
            "config set loglevel debug",
            "config get loglevel",
            "config get nosuch*",
            "config get key-load-dela?",
            "config get key-load-delay",
            "config set key-load-delay 5 watchdog-period x",
        ],
    );
}
