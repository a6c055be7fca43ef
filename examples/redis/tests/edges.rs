//! Compares edge cases of commands with redis-server: extreme numbers, wrong options, and what
//! other clients see.

use otp_bridge_novm as _;

mod common;

use common::peer::compare;
use common::{Client, Folder, Server};

#[test]
fn extreme_numbers_and_wrong_options() {
    compare(
        "edges",
        &[
            "sadd s a b c d",
            "hset h a 1 b 2 c 3",
            "zadd z 1 a 2 b 3 c",
            "srandmember s -9223372036854775808",
            "srandmember s 9223372036854775808",
            "srandmember nokey -9223372036854775808",
            "hrandfield h -9223372036854775808",
            "hrandfield h -9223372036854775807 withvalues",
            "hrandfield h -4611686018427387905 withvalues",
            "hrandfield nokey -9223372036854775808",
            "zrandmember z -9223372036854775808",
            "zrandmember z -9223372036854775807 withscores",
            "zrandmember z -4611686018427387905 withscores",
            "zrandmember nokey -9223372036854775808",
            "spop s -1",
            "spop s x",
            "lpop l -1",
            "lpop l x",
            "zpopmin z -1",
            "zpopmin z x",
            "zpopmin z -9223372036854775808",
            "set k v",
            "expire k x",
            "expire k 9223372036854775807",
            "expire k -9223372036854775808",
            "expire k 9223372036854776",
            "pexpire k 9223372036854775807",
            "pexpire k 9223370000000000000",
            "expireat k 9223372036854775807",
            "expireat k 9223372036854776",
            "pexpireat k 9223372036854775807",
            "pexpireat k -9223372036854775807",
            "get k",
            "set k v",
            "expire k 10 nx xx",
            "expire k 10 gt lt",
            "expire k 10 nx gt",
            "expire k 10 foo",
            "expire k 10 nx foo",
            "expire nokey 10 foo",
            "expire nokey x",
            "expire nokey 9223372036854775807",
            "expire k",
            "expire k 10 xx",
            "expire k 10 gt",
            "expire k 10 lt",
            "expire k 20 gt",
            "expire k 10 lt",
            "expire k 10 nx",
            "set k v ex 0",
            "set k v ex -1",
            "set k v px 9223372036854775807",
            "set k v ex 9223372036854775807",
            "set k v exat 9223372036854775807",
            "setex k 0 v",
            "setex k 9223372036854775807 v",
            "psetex k 0 v",
            "psetex k -1 v",
            "getex k ex 0",
            "getex k ex 9223372036854775807",
            "getex k pxat 0",
            "getex k persist ex 1",
            "zintercard 0 a",
            "zintercard 1 z limit",
            "zintercard 1 z limit x",
            "zintercard 1 z limit -1",
            "zintercard 1 z limit 1 limit 2",
            "zintercard 1 z foo",
            "zintercard 1 z foo 1",
            "zintercard 3 z",
            "zintercard x z",
            "zintercard -1 z",
            "zintercard 1 z z",
            "zintercard 2 z",
            "sintercard 0 s",
            "sintercard 1 s limit -1",
            "sintercard 1 s limit x",
            "sintercard 3 s",
            "sintercard 1 s foo",
            "sintercard x s",
            "hset hf f abc",
            "hincrbyfloat hf f 1",
            "hincrbyfloat hf g x",
            "hincrbyfloat hf g nan",
            "hincrbyfloat hf g inf",
            "hincrbyfloat k g 1",
            "hincrby hf f 1",
            "hincrby hf g 1",
            "hincrby hf q x",
            "hincrby hf q 9223372036854775807",
            "hincrby hf q 1",
            "incrbyfloat k 1",
            "incrbyfloat nk nan",
            "incrbyfloat nk inf",
            "incrbyfloat nk 1e5000",
            "hincrbyfloat hf n 1e5000",
            "hset hf w 1.0 e 5e3 sp",
            "hset hf sp _1",
            "hincrbyfloat hf sp 1",
            "hincrbyfloat hf e 1",
            "migrate",
            "migrate 127.0.0.1 1 k 0 x",
            "migrate 127.0.0.1 x k 0 10",
            "migrate 127.0.0.1 1 k x 10",
            "migrate 127.0.0.1 1 nokey 0 10",
            "migrate 127.0.0.1 1 k 0 10",
            "migrate 127.0.0.1 1 k 0 10 foo",
            "migrate 127.0.0.1 1 k 0 10 keys a",
            "migrate 127.0.0.1 1  0 10 keys nokey",
            "migrate 127.0.0.1 1  0 10",
            "migrate 127.0.0.1 1 k 0 10 auth",
            "migrate 127.0.0.1 1 k 0 10 auth2 a",
            "migrate 127.0.0.1 99999 k 0 10",
            "restore r 0 x idletime 10 freq 10",
            "restore r 0 x freq 10 idletime 10",
            "restore r 0 x idletime x",
            "restore r 0 x freq x",
            "restore r 0 x idletime",
            "restore r 0 x freq 300",
            "restore r 0 x idletime -1",
        ],
    );
}

/// Calls a function with this server and with redis-server, and compares the results.
fn with_both<T: PartialEq + std::fmt::Debug>(name: &str, run: impl Fn(&Server) -> T) {
    let ours = run(&Server::ours(&["--reactors", "1"]));
    let folder = Folder::new(name);
    match Server::redis(&folder.0, &[]) {
        None => eprintln!("redis-server is not installed: nothing was compared"),
        Some(redis) => assert_eq!(ours, run(&redis)),
    }
}

/// Returns a line of MONITOR without its time and the address of the client.
fn shown(client: &mut Client) -> String {
    let line = client.reply();
    let (head, words) = line.split_once("] ").unwrap_or(("", &line));
    format!("{} {words}", head.ends_with(" lua"))
}

#[test]
fn monitors_see_the_commands_of_scripts() {
    with_both("monitor", |server| {
        let (mut monitor, mut client) = (server.client(), server.client());
        assert_eq!(monitor.ask("MONITOR"), "+OK");
        let script =
            "redis.call('set',KEYS[1],'x') redis.pcall('nosuch') return redis.call('get',KEYS[1])";
        client.ask_words(&["EVAL", script, "1", "key"]);
        client.ask_words(&["EVALSHA", "nosuch", "0"]);
        client.ask("MULTI");
        client.ask_words(&["EVAL", "return redis.call('incr','count')", "0"]);
        client.ask("EXEC");
        client.ask("PING last");
        let mut lines = vec![shown(&mut monitor)];
        while !lines.last().is_some_and(|it| it.contains("last")) {
            lines.push(shown(&mut monitor));
        }
        // redis-server shows EXEC after the commands of the transaction.
        lines.retain(|it| !it.contains("\"EXEC\""));
        lines
    });
}

#[test]
fn messages_come_although_replies_are_off() {
    with_both("reply-off", |server| {
        let (mut client, mut other) = (server.client(), server.client());
        client.ask("HELLO 3");
        client.send("CLIENT REPLY OFF");
        client.send("SUBSCRIBE channel");
        let mut replies = vec![client.reply()];
        client.send("PING");
        client.send("PUBLISH channel own");
        replies.push(client.reply());
        other.ask("PUBLISH channel message");
        replies.push(client.reply());
        client.send("UNSUBSCRIBE channel");
        replies.push(client.reply());
        replies.push(client.ask("CLIENT REPLY ON"));
        replies
    });
}

#[test]
fn a_paused_client_counts_as_blocked() {
    with_both("paused", |server| {
        let (mut client, mut other) = (server.client(), server.client());
        assert_eq!(other.ask("CLIENT PAUSE 100000 WRITE"), "+OK");
        client.send("SET key x");
        server.are_waiting(1);
        assert_eq!(other.ask("CLIENT UNPAUSE"), "+OK");
        assert_eq!(client.reply(), "+OK");
        server.are_waiting(0);
    });
}

#[test]
fn the_commands_of_a_transaction_are_logged_one_by_one() {
    with_both("slow", |server| {
        let mut client = server.client();
        client.ask("CONFIG SET slowlog-log-slower-than 0");
        client.ask("SLOWLOG RESET");
        for line in ["MULTI", "SET key x", "GET key", "EXEC"] {
            client.ask(line);
        }
        client.ask_words(&["EVAL", "return redis.call('get','key')", "0"]);
        client.ask("CONFIG SET slowlog-log-slower-than -1");
        let log = client.ask("SLOWLOG GET");
        let is_word = |it: &&str| !it.starts_with(':') && !it.contains("127.0.0.1:");
        log.lines()
            .filter(is_word)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
}

#[test]
fn a_memory_limit_is_checked_when_a_transaction_runs() {
    with_both("transaction", |server| {
        let (mut client, mut other) = (server.client(), server.client());
        client.ask("SET before x");
        let lines = ["MULTI", "SET key x", "GET key"];
        let mut replies: Vec<String> = lines.map(|it| client.ask(it)).to_vec();
        other.ask("CONFIG SET maxmemory 1");
        replies.push(client.ask("EXEC"));
        let lines = ["MULTI", "GET key", "EXEC", "GET key"];
        replies.extend(lines.map(|it| client.ask(it)));
        replies
    });
}

#[test]
fn a_blocked_move_to_a_key_of_another_type_fails() {
    with_both("move", |server| {
        let (mut client, mut other) = (server.client(), server.client());
        other.ask("SET to x");
        client.send("BRPOPLPUSH from to 0");
        server.are_waiting(1);
        let mut replies = vec![other.ask("RPUSH from a b")];
        replies.push(client.reply());
        replies.push(other.ask("LRANGE from 0 -1"));
        replies
    });
}

#[test]
fn passwords_are_hidden_from_the_log_and_from_monitors() {
    with_both("passwords", |server| {
        let (mut monitor, mut client) = (server.client(), server.client());
        assert_eq!(monitor.ask("MONITOR"), "+OK");
        client.ask("CONFIG SET slowlog-log-slower-than 0");
        for line in [
            "AUTH secret1",
            "AUTH user secret2",
            "HELLO 2 AUTH user secret3",
            "ACL SETUSER user on >secret4",
            "CONFIG SET masterauth secret5",
            "MIGRATE 127.0.0.1 1 nokey 0 1 AUTH secret6",
            "MIGRATE 127.0.0.1 1 nokey 0 1 AUTH2 user secret7",
        ] {
            client.ask(line);
        }
        client.ask("CONFIG SET slowlog-log-slower-than -1");
        client.ask("PING last");
        let mut lines = vec![shown(&mut monitor)];
        while !lines.last().is_some_and(|it| it.contains("last")) {
            lines.push(shown(&mut monitor));
        }
        let log = client.ask("SLOWLOG GET");
        let is_word = |it: &&str| !it.starts_with(':') && !it.contains("127.0.0.1:");
        lines.extend(log.lines().filter(is_word).map(str::to_owned));
        assert!(!lines.iter().any(|it| it.contains("secret")), "{lines:?}");
        lines
    });
}

#[test]
fn keys_from_other_databases_wake_clients() {
    with_both("databases", |server| {
        let (mut client, mut other) = (server.client(), server.client());
        other.ask("SELECT 1");
        other.ask("RPUSH list a b c");
        let mut replies = Vec::new();
        for line in ["COPY list list DB 0", "MOVE list 0", "SWAPDB 0 1"] {
            client.send("BLPOP list 0");
            server.are_waiting(1);
            replies.push(other.ask(line));
            replies.push(client.reply());
            client.ask("DEL list");
            other.ask("DEL list");
            other.ask("RPUSH list d e");
        }
        replies
    });
}

#[test]
fn a_client_that_waits_for_a_stream_learns_that_the_stream_was_replaced() {
    with_both("replaced", |server| {
        let (mut client, mut other) = (server.client(), server.client());
        let mut replies = Vec::new();
        for line in [
            "DEL stream",
            "SET stream x",
            "RENAME hash stream",
            "FLUSHALL",
        ] {
            other.ask("DEL stream");
            other.ask("HSET hash a 1");
            other.ask("XGROUP CREATE stream group $ MKSTREAM");
            client.send("XREADGROUP GROUP group one BLOCK 0 STREAMS stream >");
            server.are_waiting(1);
            replies.push(other.ask(line));
            replies.push(client.reply());
        }
        replies
    });
}
