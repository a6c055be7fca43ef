//! Compares with redis-server what the server reports about itself and about its commands, users
//! and clients.

mod common;

use common::peer::{Peer, compare, encoded};
use otp_bridge_novm as _;

/// Every command has a line in the facts, and the other way round. COMMAND describes each as
/// redis-server does.
#[test]
fn commands_are_described_as_redis_server_does() {
    let facts = redis::commands::facts();
    let mut names: Vec<(&str, i32)> = redis::client::names().collect();
    let mut described: Vec<(&str, i32)> = facts.commands().map(|it| (it.name, it.arity)).collect();
    names.sort_unstable();
    described.sort_unstable();
    assert_eq!(names, described);
    let Some(mut peer) = Peer::start("described") else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let mut ours = common::ours::Ours::default();
    for version in ["2", "3"] {
        let hello = encoded(&["hello".to_owned(), version.to_owned()]);
        peer.reply(&hello);
        ours.reply(&hello);
        for (name, _) in &names {
            let fact = facts.find(name).expect("it is described").1;
            // Some subcommands are not implemented, and sets have no order.
            if !fact.subcommands.is_empty() {
                continue;
            }
            let words = ["command", "info", name].map(str::to_owned);
            let request = encoded(&words);
            let (reply, expected) = (ours.reply(&request), peer.reply(&request));
            let (reply, expected) = (
                String::from_utf8_lossy(&reply),
                String::from_utf8_lossy(&expected),
            );
            let lines = |text: &str| {
                // Notes are sentences for people.
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                lines.sort_unstable();
                lines
            };
            if expected.contains("\r\nnotes\r\n") {
                continue;
            }
            assert_eq!(lines(&reply), lines(&expected), "{name}");
        }
    }
}

#[test]
fn users_and_their_rules() {
    compare(
        "users",
        &[
            "acl whoami",
            "acl list",
            "acl users",
            "acl getuser default",
            "acl getuser nobody",
            "acl setuser bob",
            "acl list",
            "acl setuser bob on >pw ~a* %R~b* %W~c* &ch* +get +config|get -@dangerous +@hash",
            "acl list",
            "acl getuser bob",
            "acl setuser bob foo",
            "acl setuser bob +nope",
            "acl setuser bob +@nope",
            "acl setuser bob %X~a",
            "acl setuser bob %~a",
            "acl setuser bob ~a #aa",
            "acl setuser bob <zz",
            "acl setuser bob !zz",
            "acl setuser bob +config|nope",
            "acl dryrun bob get a",
            "acl dryrun bob get bb",
            "acl dryrun bob get zz",
            "acl dryrun bob hset c a b",
            "acl dryrun bob hset b a b",
            "acl dryrun bob lpush a 1",
            "acl dryrun no get a",
            "acl dryrun bob get",
            "acl deluser default",
            "acl deluser nobody",
            "acl save",
            "acl load",
            "acl log",
            "acl log x",
            "acl log reset",
            "acl cat",
            "acl cat nope",
            "acl nope",
            "acl genpass 0",
            "acl genpass 5000",
            "acl setuser",
            "auth bob wrong",
            "auth nobody x",
            "auth x",
            "auth a b c",
            "auth bob pw",
            "acl whoami",
            "get zz",
            "get a",
            "set a 1",
            "hset a f v",
            "hget a f",
            "publish x y",
            "subscribe zz",
            "client id",
            "config set maxmemory 0",
            "multi",
            "get zz",
            "exec",
            "auth default any",
            "acl whoami",
            "acl setuser sel on nopass (+get ~x*) (+set ~y*)",
            "acl list",
            "acl getuser sel",
            "acl setuser sel (+get",
            "acl setuser sel clearselectors",
            "acl getuser sel",
            "acl setuser all on nopass allkeys allchannels +@all -@write",
            "acl list",
            "acl setuser all resetkeys ~a ~a resetchannels &b nocommands allcommands -flushall",
            "acl list",
            "acl setuser all ~* ~b",
            "acl setuser all &* &b",
            "acl deluser bob sel all",
            "acl users",
            "acl setuser a|b on",
            "config set requirepass foo",
            "acl list",
            "acl whoami",
            "config set requirepass ",
            "acl list",
        ],
    );
}

#[test]
fn hello_and_what_it_takes() {
    compare(
        "hello",
        &[
            "hello 4",
            "hello x",
            "hello 3 auth",
            "hello 3 auth bob nope",
            "hello 3 setname",
            "hello 3 foo",
            "client getname",
            "client setname a",
            "client getname",
            "select x",
            "select 99",
            "select -1",
            "client foo",
            "client id 1",
            "client setname",
            "client kill 1.1.1.1:1",
            "client kill id x",
            "client kill id 0",
            "client kill type foo",
            "client kill foo",
            "client kill foo bar",
            "client kill user nobody",
            "client kill skipme x",
            "client list type x",
            "client list id x",
            "client list foo",
            "client pause x",
            "client pause -1",
            "client pause 1 foo",
            "client unpause",
            "client unblock x",
            "client unblock 1",
            "client unblock 1 foo",
            "client no-evict x",
            "client no-evict on",
            "client no-evict off",
            "client reply foo",
            "client reply on",
            "client getredir",
            "client trackinginfo",
            "client no-touch on",
            "client list type master",
            "pubsub foo",
            "object foo a",
            "object encoding",
            "memory foo",
            "memory usage nokey",
            "memory usage a samples -1",
            "memory usage a samples x",
            "config foo",
            "config get",
            "config set",
            "config set maxmemory",
            "config set foo bar",
            "config set maxmemory x",
            "config set maxmemory-policy x",
            "config set maxclients x",
            "config set appendfsync x",
            "config set maxmemory 0 maxmemory 0",
            "config set a b c",
            "config set databases 3",
            "config set slowlog-log-slower-than x",
            "config rewrite",
            "config resetstat",
            "config set hash-max-listpack-entries 3 zset-max-listpack-value 4",
            "config get hash-max-listpack-entries",
            "hset h a 1 b 2 c 3",
            "object encoding h",
            "hset h d 4",
            "object encoding h",
            "zadd z 1 abcd",
            "object encoding z",
            "zadd z 1 abcde",
            "object encoding z",
            "sadd s 1 2 3",
            "object encoding s",
            "sadd s x",
            "object encoding s",
            "rpush l a",
            "object encoding l",
            "set i 12",
            "object encoding i",
            "set e abc",
            "object encoding e",
            "object freq e",
            "object refcount e",
            "config set maxmemory-policy allkeys-lfu",
            "object idletime e",
            "object freq nokey",
            "config set maxmemory-policy noeviction",
            "slowlog get x",
            "slowlog get -2",
            "slowlog len",
            "slowlog reset",
            "slowlog get",
            "slowlog foo",
            "latency latest",
            "latency history x",
            "latency reset",
            "latency graph x",
            "debug sleep 0",
            "debug foo",
            "lolwut",
            "role",
            "wait 0 0",
            "wait x 0",
            "wait 0 x",
            "wait 0 -1",
            "command foo",
            "command getkeys",
            "command getkeys get",
            "command getkeys nope a",
            "command getkeys ping a",
            "command getkeys mset a b c d",
            "command getkeys mset a b c",
            "command getkeys zunionstore d 2 a b",
            "command getkeysandflags set a b",
            "command getkeysandflags lmove a b left right",
            "command getkeysandflags ping a b",
            "command info nope",
            "command list filterby foo x",
            "command list foo",
            "command count 1",
            "command list filterby module x",
            "info nosuch",
            "auth default x",
            "spublish a b",
            "pubsub shardchannels",
            "pubsub shardnumsub a b",
            "ssubscribe a",
            "spublish a b",
            "get a",
            "ping",
            "sunsubscribe a",
            "sunsubscribe",
            "command list filterby aclcat pubsub x",
            "quit x y",
        ],
    );
}
