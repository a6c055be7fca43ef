//! Compares DEBUG with redis-server.

use std::sync::atomic::Ordering;

use otp_bridge_novm as _;

mod common;

use common::Folder;
use common::functions::{ask, load, registers, request};
use common::ours::Ours;
use common::peer::Peer;

#[test]
fn debug_answers_as_in_redis_server() {
    let Some(mut peer) = Peer::with("debug", &["--enable-debug-command", "yes"]) else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let (folder, mut ours) = (Folder::new("debug-reload"), Ours::default());
    ours.server.set_folder(&folder.0.display().to_string());
    ours.server.may_debug.store(true, Ordering::Relaxed);
    let types = "string integer double bignum null array set map attrib true false verbatim x";
    let types = types
        .split(' ')
        .map(|it| ask(&format!("debug protocol {it}")));
    let types: Vec<Vec<u8>> = types.collect();
    let mut requests = types.clone();
    let libraries = ["one", "two"].map(|it| request(&load(it, &registers(it, "return 1", ""))));
    requests.extend(libraries);
    let lines = [
        "debug error ERR_something",
        "debug pause-cron 1",
        "debug quicklist-packed-threshold 100b",
        "debug set-active-expire 1",
        "debug populate 3 some 10",
        "debug populate -1",
        "get some:2",
        "dbsize",
        "hset hash a 1",
        "rpush list a",
        "debug listpack hash",
        "debug listpack some:1",
        "debug quicklist some:1",
        "debug quicklist list",
        "debug object nokey",
        "debug digest-value nokey",
        "debug change-repl-id",
        "expire some:1 1000",
        "debug reload",
        "get some:2",
        "ttl some:1",
        "fcall one 0",
        "function delete one",
        "set later x",
        "debug reload nosave",
        "fcall one 0",
        "get later",
        "debug reload nosave noflush merge",
        "dbsize",
        "debug reload x",
        "debug nosuch",
        "debug sleep",
        "hello 3",
    ];
    requests.extend(lines.map(ask));
    requests.extend(types);
    for bytes in requests {
        let (reply, expected) = (ours.reply(&bytes), peer.reply(&bytes));
        let is_greeting = expected.starts_with(b"%7");
        let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
        assert!(
            reply == expected || is_greeting,
            "{}\n{}{}",
            text(&bytes),
            text(&reply),
            text(&expected)
        );
    }
    // A library that is there already stops the loading.
    let merged = ours.reply(&ask("debug reload nosave noflush"));
    assert_eq!(
        merged,
        b"-ERR Error trying to load the RDB dump, check server logs.\r\n"
    );
}

/// Scripts get and return values of each type, in both versions of the protocol.
#[test]
fn scripts_pass_values_of_each_type() {
    let Some(mut peer) = Peer::with("debug-scripts", &["--enable-debug-command", "yes"]) else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let mut ours = Ours::default();
    ours.server.may_debug.store(true, Ordering::Relaxed);
    let eval = |script: &str, more: &str| {
        let all = ["eval", script, "0", more].map(|it| it.as_bytes().to_vec());
        request(&all)
    };
    let mut requests = vec![
        eval("return redis.call('debug','protocol','map')", ""),
        ask("debug set-disable-deny-scripts 1"),
    ];
    let types = "string integer double bignum null array set map attrib true false verbatim x";
    for client in ["2", "3"] {
        requests.push(ask(&format!("hello {client}")));
        for resp in ["2", "3"] {
            let script =
                format!("redis.setresp({resp}) return redis.call('debug','protocol',ARGV[1])");
            requests.extend(types.split(' ').map(|it| eval(&script, it)));
            requests.push(eval(
                &format!("redis.setresp({resp}) return {{big_number='1\\r\\n2'}}"),
                "",
            ));
        }
    }
    let scripts = [
        "return redis.acl_check_cmd('set','xx',1)",
        "return {redis.acl_check_cmd('set','yy',1)}",
        "return {redis.acl_check_cmd('get','xx')}",
        "return redis.acl_check_cmd('nosuch')",
        "return redis.acl_check_cmd()",
        "return redis.call('xread','block',1,'streams','s','$')",
        "return redis.call('xread','count',1,'streams','block','$')",
    ];
    requests.push(ask(
        "acl setuser bob on nopass +eval +set +xread ~x* ~s ~block",
    ));
    requests.push(ask("debug set-disable-deny-scripts 0"));
    requests.push(ask("hello 2 auth bob x"));
    requests.extend(scripts.map(|it| eval(it, "")));
    for bytes in requests {
        let (reply, expected) = (ours.reply(&bytes), peer.reply(&bytes));
        let is_greeting = bytes.windows(5).any(|it| it == b"hello");
        let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
        assert!(
            reply == expected || is_greeting,
            "{}\n{}{}",
            text(&bytes),
            text(&reply),
            text(&expected)
        );
    }
}

/// Durations differ, so numbers are left out.
#[test]
fn commands_that_take_long_are_monitored() {
    let Some(mut peer) = Peer::with("latency", &["--enable-debug-command", "yes"]) else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let mut ours = Ours::default();
    ours.server.may_debug.store(true, Ordering::Relaxed);
    for line in [
        "debug sleep 0.02",
        "latency latest",
        "config set latency-monitor-threshold 10",
        "debug sleep 0.02",
        "latency latest",
        "latency history command",
        "latency history nosuch",
        "latency graph nosuch",
        "latency reset nosuch",
        "latency reset command",
        "latency latest",
        "config set latency-monitor-threshold 0",
        "module list",
        "module load x",
        "module unload x",
        "module foo",
        "memory purge",
        "memory malloc-stats x",
    ] {
        let names = |reply: &[u8]| {
            let text = String::from_utf8_lossy(reply).into_owned();
            let numbers = |it: &char| !it.is_ascii_digit() || text.starts_with(':');
            text.chars().filter(numbers).collect::<String>()
        };
        let bytes = ask(line);
        assert_eq!(
            names(&ours.reply(&bytes)),
            names(&peer.reply(&bytes)),
            "{line}"
        );
    }
    let history = ours.reply(&ask("latency graph command"));
    assert!(history.starts_with(b"-ERR No samples"));
}
