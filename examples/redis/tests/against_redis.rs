//! Compares this server with redis-server: random commands must get equal replies.

use otp_bridge_novm as _;

mod common;

use common::ours::Ours;
use common::peer::{Peer, encoded, end};
use redis::client::Client;
use redis::resp::Replies;
use redis::server::Server;

/// Returns the size of an element in a reply without order, in replies.
fn pairs(name: &str) -> Option<usize> {
    match name {
        "hgetall" => Some(2),
        "smembers" | "sinter" | "sunion" | "sdiff" | "keys" | "hkeys" | "hvals" => Some(1),
        _ => None,
    }
}

/// Rounds the remaining seconds of a key to multiples of 10,000, because the two servers are asked
/// one after the other.
fn rounded(reply: Vec<u8>) -> Vec<u8> {
    let seconds = std::str::from_utf8(&reply)
        .ok()
        .and_then(|text| text.strip_prefix(':')?.trim_end().parse::<i64>().ok());
    match seconds {
        Some(seconds @ 1..) => format!(":{}\r\n", (seconds + 5_000) / 10_000).into_bytes(),
        _ => reply,
    }
}

/// Sorts the elements of replies that have no order.
fn sorted(words: &[String], reply: Vec<u8>) -> Vec<u8> {
    if words[0] == "ttl" {
        return rounded(reply);
    }
    let Some(pairs) = pairs(&words[0]) else {
        return reply;
    };
    if !reply.starts_with(b"*") {
        return reply;
    }
    let mut at = reply
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(0, |it| it + 1);
    let head = reply[..at].to_vec();
    let mut elements = Vec::new();
    while at < reply.len() {
        let begin = at;
        for _ in 0..pairs {
            at += end(&reply[at..]).expect("an element");
        }
        elements.push(reply[begin..at].to_vec());
    }
    elements.sort();
    [head, elements.concat()].concat()
}

/// Number of commands that are compared.
const COMMANDS_SENT: usize = 40_000;
const KEYS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const WORDS: [&str; 12] = [
    "0",
    "1",
    "-1",
    "2",
    "10",
    "-7",
    "x",
    "yy",
    "9223372036854775807",
    "1.5",
    "",
    "a b",
];

/// Commands with placeholders for arguments: `k` is a key, `v` a word, `n` a small number, `t` a
/// time; everything else stands for itself.
const COMMANDS: &str = "
get k;set k v;set k v nx;set k v xx get;set k v ex 1000000;set k v keepttl;set k v px -1;set k v bad;setnx k v;setex k t v
psetex k t v;getset k v;getdel k;mget k k k;mset k v k v;mset k v k;msetnx k v k v;incr k;decr k;incrby k v;decrby k v
append k v;strlen k;getrange k n n;setrange k n v;del k;del k k;unlink k;exists k k k;type k;expire k t;expire k 1000000 nx
expire k 500000 gt;expire k 500000 lt;pexpire k t;expireat k t;ttl k;pttl2 k;persist k;rename k k;renamenx k k;keys *;keys [a-c];dbsize
lpush k v v;rpush k v;lpushx k v;rpushx k v;lpop k;rpop k;lpop k n;rpop k n;lpop k n n;llen k;lrange k n n;lindex k n;lset k n v
ltrim k n n;lrem k n v;hset k v v;hset k v v v;hset k v v v v;hmset k v v;hsetnx k v v;hget k v;hmget k v v;hgetall k;hkeys k;hvals k
hdel k v v;hexists k v;hlen k;hstrlen k v;hincrby k v n;sadd k v v;srem k v;smembers k;sismember k v;smismember k v v;scard k
smove k k v;sinter k k;sunion k k;sdiff k k;sinterstore k k k;sunionstore k k k;sdiffstore k k k;zadd k n v;zadd k v v
zadd k nx n v;zadd k xx ch n v n v;zadd k gt n v;zadd k incr n v;zadd k nx gt n v;zincrby k v v;zrem k v;zscore k v;zcard k
zrank k v;zrevrank k v;zrange k n n;zrange k n n withscores;zrange k n n rev;zpopmin k;zpopmax k n;zpopmin k v;multi;exec;discard
blpop k k 0.01;brpop k k 0.01;blmove k k left right 0.01;brpoplpush k k 0.01;lmove k k right left;lmove k k up left;rpoplpush k k
lmpop 1 k left;lmpop 2 k k right count 2;lmpop 0 k left;lmpop 1 k left count 0;blmpop 0.01 2 k k left;linsert k before v v;linsert k after v v
lpos k v;lpos k v rank n count n;lpos k v count 0 maxlen n;lpos k v rank 0;bzpopmin k k 0.01;bzpopmax k 0.01;bzmpop 0.01 2 k k min count 2
zmpop 1 k max;zmpop 2 k k min count 3;zmpop 1 k mid;blpop k -1;blpop k x;zrange k n n byscore;zrange k (n +inf byscore limit 0 2 withscores
zrange k -inf n byscore;zrange k [0 (x bylex;zrange k - + bylex limit 1 2;zrange k + - bylex rev;zrange k n n limit 0 1;zrange k - + bylex withscores
zrange k n n rev byscore;zrangestore k k n n;zrangestore k k -inf n byscore;zrevrange k n n withscores;zrangebyscore k n n;zrangebyscore k -inf +inf
zrevrangebyscore k +inf (n withscores limit 0 2;zrangebylex k - [x;zrevrangebylex k + (0;zcount k n n;zcount k (n +inf;zcount k x n;zlexcount k - +
zlexcount k [0 [x;zlexcount k 0 x;zremrangebyrank k n n;zremrangebyscore k n n;zunion 2 k k withscores;zinter 2 k k
zdiff 2 k k withscores;zunion 2 k k weights n n aggregate max withscores;zinter 2 k k aggregate min withscores;zunion 0 k;zunion 3 k k;zunion x k
zunionstore k 2 k k weights 2 n;zinterstore k 2 k k;zdiffstore k 2 k k;zdiffstore k 0 k;zunion 1 k weights x;zintercard 2 k k;zintercard 2 k k limit n
sintercard 2 k k;sintercard 1 k limit 1;sintercard 0 k;zmscore k v v;setbit k n 1;setbit k n 0;setbit k 9999999999 1;setbit k n 2;getbit k n;bitcount k
bitcount k n n;bitcount k n n bit;bitcount k n;bitpos k 1;bitpos k 0;bitpos k 0 n;bitpos k 1 n n;bitpos k 0 n n bit;bitpos k 2;bitop and k k k
bitop or k k k;bitop xor k k k k;bitop not k k;bitop not k k k;bitop nand k k;incrbyfloat k v;incrbyfloat k 0.1;hincrbyfloat k v v;hincrbyfloat k v 2.50
getex k;getex k persist;getex k ex t;getex k px 100000000;getex k bad 1;copy k k;copy k k replace;copy k k db n;copy k k db 0 replace;move k n;swapdb 0 1
swapdb 0 99;swapdb x 1;memory usage nokey;sort k;sort k alpha;sort k desc;sort k limit 0 2;sort k get # get v
sort k alpha desc limit n n;sort k by v* get #;sort k store k;sort k alpha store k;sort_ro k;scan x;scan 0 count 0;hscan k x;sscan k 0 count x
publish v v;unsubscribe;punsubscribe v;pubsub channels;pubsub numsub v;pubsub numpat
eval return(redis.call('incr',KEYS[1])) 1 k;eval return{KEYS[1],ARGV[1]} 1 k v;eval return(redis.pcall('set',KEYS[1],ARGV[1])) 1 k v
eval return(redis.call('lpush',KEYS[1],ARGV[1])) 1 k v;eval return(redis.call('lrange',ARGV[1],0,-1)) 0 k;eval_ro return(redis.call('del',KEYS[1])) 1 k
ping;ping v;echo v;get;get k k;nonsense k;select n;select 0;select 0;select 0;watch k;watch k k;unwatch;multi;exec;
hello 5;client getname;flushall;flushdb bad";

fn random(random: &mut fastrand::Rng) -> Vec<String> {
    let commands: Vec<&str> = COMMANDS
        .split([';', '\n'])
        .filter(|it| !it.is_empty())
        .collect();
    let command = commands[random.usize(..commands.len())];
    let word = |part: &str| match part {
        "k" => KEYS[random.usize(..KEYS.len())].to_owned(),
        "v" => WORDS[random.usize(..WORDS.len())].to_owned(),
        // These times let no key expire during the test.
        "t" => ["-1", "0", "x", "100000000", "9223372036854775807"][random.usize(..5)].to_owned(),
        "n" => random.i32(-4..8).to_string(),
        other => other.to_owned(),
    };
    // Frequent `flushall` would leave no keys to compare.
    let words: Vec<String> = command.split(' ').map(word).collect();
    match words[0].as_str() {
        "flushall" if random.u8(..) > 20 => vec!["dbsize".to_owned()],
        _ => words,
    }
}

/// Returns the command whose replies differ, which may be one in a transaction.
fn difference(reply: &[u8], expected: &[u8], before: &[String]) -> String {
    let last = &before[before.len().saturating_sub(12)..];
    let mut command = String::new();
    let mut parts = (reply, expected);
    if before.last().is_some_and(|it| it == "exec") && reply.starts_with(b"*") {
        let done = before
            .iter()
            .rev()
            .skip(1)
            .position(|it| it == "exec" || it == "discard")
            .map_or(0, |at| before.len() - 1 - at);
        let begin = before[done..]
            .iter()
            .position(|it| it == "multi")
            .unwrap_or(0)
            + done;
        let behind_head = |it: &'_ [u8]| {
            it.iter()
                .position(|byte| *byte == b'\n')
                .map_or(0, |at| at + 1)
        };
        let (mut one, mut other) = (behind_head(reply), behind_head(expected));
        let is_queued = |it: &&String| !(it.starts_with("watch") || *it == "multi");
        for queued in before[begin + 1..].iter().filter(is_queued) {
            let (Some(of_one), Some(of_other)) = (end(&reply[one..]), end(&expected[other..]))
            else {
                break;
            };
            parts = (
                &reply[one..one + of_one],
                &expected[other..other + of_other],
            );
            command.clone_from(queued);
            if parts.0 != parts.1 {
                break;
            }
            (one, other) = (one + of_one, other + of_other);
        }
    }
    let (ours, theirs) = (
        String::from_utf8_lossy(parts.0),
        String::from_utf8_lossy(parts.1),
    );
    format!("ours {ours:?}, theirs {theirs:?} ({command}); the last ones: {last:#?}")
}

#[test]
fn the_same_commands_have_the_same_replies() {
    let Some(mut peer) = Peer::start("random") else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let seed = 7;
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut ours = Ours::default();
    let mut before = Vec::new();
    let mut is_queued = false;
    for number in 0..COMMANDS_SENT {
        let mut words = random(&mut rng);
        match words[0].as_str() {
            "multi" => is_queued = true,
            "exec" | "discard" => is_queued = false,
            // Within the reply of EXEC, these replies would not be sorted or rounded.
            name if is_queued && (pairs(name).is_some() || name == "ttl") => {
                words = vec!["dbsize".to_owned()]
            }
            _ => {}
        }
        let request = encoded(&words);
        let expected = sorted(&words, peer.reply(&request));
        let reply = sorted(&words, ours.reply(&request));
        before.push(words.join(" "));
        assert!(
            reply == expected,
            "command {number} of seed {seed}: {}",
            difference(&reply, &expected, &before)
        );
    }
}

#[test]
fn what_is_not_a_request_is_refused_in_redis_words() {
    let malformed: [&[u8]; 6] = [
        b"*x\r\n",
        b"*1\r\n$-1\r\n",
        b"*1\r\n:1\r\n",
        b"*1\r\n$999999999999\r\n",
        b"*3000000000\r\n",
        b"get \"a\r\n",
    ];
    for request in malformed {
        let Some(mut peer) = Peer::start("malformed") else {
            return;
        };
        let mut replies = Replies::default();
        let (_, _) =
            Client::default().answer(&Server::default(), request, &mut Vec::new(), &mut replies);
        let expected = peer.reply(request);
        assert_eq!(
            String::from_utf8_lossy(&replies.bytes),
            String::from_utf8_lossy(&expected),
            "{}",
            String::from_utf8_lossy(request)
        );
    }
}
