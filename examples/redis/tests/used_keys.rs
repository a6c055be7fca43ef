//! Compares the keys that requests use with redis-server: COMMAND GETKEYS returns them, and access
//! control checks them.

use otp_bridge_novm as _;

mod common;

use common::ours::Ours;
use common::peer::{Peer, compare_words};

/// Words that begin options, numbers of keys, and other arguments.
const WORDS: &[&str] = &[
    "a",
    "b",
    "c",
    "store",
    "storedist",
    "by",
    "get",
    "limit",
    "streams",
    "keys",
    "0",
    "1",
    "2",
    "3",
    "-1",
    "count",
    "block",
    "group",
    "auth",
    "auth2",
    "",
    "weights",
    "aggregate",
    "sum",
    "match",
    "w_*",
    "#",
    "nosort",
    "desc",
    "left",
    "right",
    "copy",
    "replace",
    "and",
    "not",
    "fields",
    "km",
    "withdist",
    "db",
    "ex",
    "nx",
    "set",
    "incrby",
    "u8",
    "*",
    "$",
    ">",
    "noack",
];

fn encoded(words: &[&str]) -> Vec<u8> {
    let mut request = format!("*{}\r\n", words.len());
    for word in words {
        request += &format!("${}\r\n{word}\r\n", word.len());
    }
    request.into_bytes()
}

fn text(reply: &[u8]) -> String {
    String::from_utf8_lossy(reply).into_owned()
}

/// Returns all commands with their subcommands, and the minimum number of their words.
fn commands(ours: &mut Ours) -> Vec<(Vec<String>, usize)> {
    redis::commands::facts()
        .all
        .iter()
        .filter(|fact| fact.subcommands.is_empty())
        .filter(|fact| {
            let name = fact.name.split('|').next().unwrap_or_default();
            let reply = ours.reply(&encoded(&["command", "info", name]));
            !reply.starts_with(b"*1\r\n$-1")
        })
        .map(|fact| {
            let words = fact.name.split('|').map(str::to_owned).collect();
            (
                words,
                usize::try_from(fact.arity.unsigned_abs()).unwrap_or(1),
            )
        })
        .collect()
}

/// Builds a request in which some words are those that the command looks for.
fn request<'a>(
    (name, least): &'a (Vec<String>, usize),
    random: &mut fastrand::Rng,
) -> Vec<&'a str> {
    let mut words: Vec<&str> = name.iter().map(String::as_str).collect();
    let count = least.saturating_sub(words.len()) + random.usize(0..5);
    words.extend((0..count).filter_map(|_| random.choice(WORDS).copied()));
    let place = |words: &mut Vec<&'a str>, at: usize, word: &'static str| {
        if let Some(place) = words.get_mut(at) {
            *place = word;
        }
    };
    // Otherwise most requests would be refused, or have no keys.
    if random.bool() {
        match words[0] {
            "migrate" => {
                place(&mut words, 3, "");
                place(&mut words, 6, "keys");
            }
            "xread" | "xreadgroup" => {
                let is_group = words[0] == "xreadgroup";
                if is_group {
                    place(&mut words, 1, "group");
                }
                place(&mut words, if is_group { 4 } else { 1 }, "streams");
            }
            _ => place(&mut words, random.usize(1..4), "1"),
        }
    }
    words
}

#[test]
fn every_command_uses_the_keys_that_redis_says() {
    let Some(mut theirs) = Peer::start("used-keys") else {
        return;
    };
    let mut ours = Ours::default();
    let mut random = fastrand::Rng::with_seed(39);
    let (mut compared, mut different) = (0, Vec::new());
    for command in &commands(&mut ours) {
        for _ in 0..60 {
            let words = request(command, &mut random);
            for how in ["getkeys", "getkeysandflags"] {
                let asked = encoded(&[&["command", how][..], &words].concat());
                let (mine, its) = (text(&ours.reply(&asked)), text(&theirs.reply(&asked)));
                // This server may return more keys if the request is invalid anyway.
                if its.starts_with('-') {
                    continue;
                }
                compared += 1;
                let is_first = different
                    .last()
                    .is_none_or(|it: &String| !it.contains(words[0]));
                if mine != its && is_first {
                    different.push(format!(
                        "{how} {words:?}\n  ours   {mine:?}\n  theirs {its:?}"
                    ));
                }
            }
        }
    }
    assert!(compared > 5000, "{compared}");
    let shown = different
        .iter()
        .take(25)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n");
    assert!(
        different.is_empty(),
        "{} of {compared}\n{shown}",
        different.len()
    );
}

#[test]
fn no_argument_of_a_request_reaches_a_key_that_the_rules_forbid() {
    let lines = [
        "acl setuser u on nopass ~a ~b +@all",
        "acl setuser r on nopass ~b %R~* +@all",
        "acl setuser w on nopass %W~b %R~a +@all",
        "rpush a 2 1",
        "set w_1 x",
        "set w_2 y",
        "acl dryrun u sort a store c",
        "acl dryrun u sort a limit store c store b",
        "auth u x",
        "sort a store c",
        "sort a store b store c",
        "sort a store c store b",
        "sort a by w_*",
        "sort a by nosort get w_*",
        "sort a get #",
        "sort a by store store b",
        "sort_ro a by w_*",
        "sort_ro a get x",
        "sort a",
        "georadius a 1 2 3 km store c",
        "georadiusbymember a x 3 km storedist c",
        "migrate localhost 1 c 0 1",
        "migrate localhost 1 c 0 1 copy",
        "copy a c",
        "lmpop 2 a c left",
        "zunionstore b 2 a c",
        "xread streams a c 0 0",
        "xreadgroup group streams streams streams c >",
        "bitop not b c",
        "eval x 1 c",
        "object encoding c",
        "auth r x",
        "sort a by w_* get w_* store b",
        "sort a by w_* store c",
        "auth w x",
        "sort a store b",
        "sort b store b",
        "sort a by w_* store b",
        "get b",
        "set b 1 get",
        "set b 1",
        "auth default x",
        "lrange b 0 -1",
    ];
    let mut commands: Vec<Vec<Vec<u8>>> = lines
        .iter()
        .map(|line| line.split(' ').map(|it| it.as_bytes().to_vec()).collect())
        .collect();
    let migrate = [
        "migrate",
        "localhost",
        "1",
        "",
        "0",
        "1",
        "keys",
        "c",
        "a",
        "b",
    ];
    commands.insert(10, migrate.map(|it| it.as_bytes().to_vec()).to_vec());
    for script in [
        "return redis.call('sort', 'a', 'store', 'c')",
        "return redis.pcall('sort', 'a', 'by', 'nosort', 'get', 'w_*').err",
        "return redis.pcall('copy', 'a', 'c').err ~= nil",
    ] {
        let words = ["eval", script, "0"];
        commands.insert(10, words.map(|it| it.as_bytes().to_vec()).to_vec());
    }
    compare_words("rules", &commands);
}

#[test]
fn a_transaction_runs_by_the_rules_of_its_end() {
    let mut ours = Ours::default();
    for line in [
        "acl setuser u on nopass ~* +@all",
        "set c secret",
        "auth u x",
        "multi",
        "get c",
    ] {
        let reply = ours.reply(&encoded(&line.split(' ').collect::<Vec<_>>()));
        assert!(reply.starts_with(b"+"), "{line}: {}", text(&reply));
    }
    let done = ours.server.users.set("u", &[b"resetkeys"]);
    done.expect("a rule");
    let reply = text(&ours.reply(&encoded(&["exec"])));
    assert!(reply.contains("-NOPERM ACLs rules changed"), "{reply}");
}
