//! Compares libraries of functions (FUNCTION, FCALL) with redis-server.

use otp_bridge_novm as _;

mod common;

use common::functions::{ask, bulk, load, registers, request, words};
use common::ours::Ours;
use common::peer::{Peer, compare_words};

#[test]
fn the_code_of_a_library_registers_functions_and_does_nothing_else() {
    let lines = [
        "local a=1",
        "error('x')",
        "return x",
        "a=1",
        "local x=_G",
        "redis.call('ping')",
        "redis.pcall('ping')",
        "redis.setresp(3)",
        "redis.foo=1",
        "local x=math.random",
        "local x=string.format('x')",
        "local x = nil + 1",
        "x = = 1",
        "redis.log(redis.LOG_NOTICE)",
        "redis.log(redis.LOG_DEBUG,redis.REDIS_VERSION) redis.register_function('f',function() end)",
        "redis.register_function()",
        "redis.register_function('a')",
        "redis.register_function{}",
        "redis.register_function{function_name='x'}",
        "redis.register_function{callback=1}",
        "redis.register_function{[1]=2}",
        "redis.register_function{[{}]=2}",
        "redis.register_function{function_name={}}",
        "redis.register_function{description={}}",
        "redis.register_function{flags=1}",
        "redis.register_function{flags={'zz'}}",
        "redis.register_function{flags={'no-writes',1}}",
        "redis.register_function{zz=1}",
        "redis.register_function('a b',function() end)",
        "redis.register_function('',function() end)",
        "redis.register_function('f',1)",
        "redis.register_function({},function() end)",
        "redis.register_function('a',function() end,1)",
        "redis.register_function('f',function() end) redis.register_function('f',function() end)",
        "redis.register_function(1,function() end)",
        "redis.register_function{FUNCTION_NAME='f',callback=function() end,flags={'NO-WRITES'}}",
        "redis.register_function{function_name='f',callback=function() end,flags={a='zz'}}",
        "local n = {} for i=1,3 do n[i]=i end redis.register_function('f',function() return n end)",
        "while true do end",
    ];
    let mut commands: Vec<_> = lines.iter().map(|it| load("one", it)).collect();
    let heads = [
        "",
        "local x",
        "#!lua",
        "#!lua\n",
        "#!lua name=a",
        "#!lua name=a b=c\n",
        "#!lua name=a name=b\n",
        "#!foo name=a\n",
        "#! name=a\n",
        "#!lua name=\n",
        "#!lua name=a-b\n",
        "#!lua name=\"a\n",
        "#!lua foo name=x\n",
        "#!lua name='ab'\nredis.register_function('g',function() return 1 end)",
        "#!LUA NAME=other\nredis.register_function('F',function() return 1 end)",
        "#!lua name=ab\n",
    ];
    commands.extend(heads.map(|it| words(&["function", "load", it])));
    compare_words("register", &commands);
}

/// Functions with their names and flags.
const FUNCTIONS: &[(&str, &str, &str)] = &[
    ("ok", "return 1", ""),
    ("of_error", "return {err='x'}", ""),
    ("fails", "error('boom')", ""),
    ("fails_with_nil", "error()", ""),
    ("fails_with_table", "error({err='ERR my'})", ""),
    ("unknown", "return redis.call('nosuch')", ""),
    ("caught", "return redis.pcall('nosuch')", ""),
    ("words", "return {keys[1],args[1],#keys,#args}", ""),
    ("old_keys", "return KEYS", ""),
    ("old_arguments", "return ARGV", ""),
    ("global", "x=1", ""),
    (
        "registers",
        "redis.register_function('q',function() end)",
        "",
    ),
    ("sets", "return redis.call('set',keys[1],args[1])", ""),
    ("gets", "return redis.call('get',keys[1])", "'no-writes'"),
    (
        "set_only_reads",
        "return redis.call('set',keys[1],args[1])",
        "'no-writes'",
    ),
    ("breaks", "return redis.breakpoint()", ""),
    ("replicates", "return redis.replicate_commands()", ""),
    (
        "sets_replication",
        "return redis.set_repl(redis.REPL_ALL)",
        "",
    ),
    ("debugs", "return redis.debug('x')", ""),
    (
        "answers_in_resp3",
        "redis.setresp(3) return redis.call('hgetall','nokey')",
        "",
    ),
    ("calls_a_function", "return redis.call('fcall','ok',0)", ""),
    ("lists", "return redis.call('function','list')", ""),
    (
        "uses_libraries",
        "return {cjson.encode({1}),bit.tobit(2),string.rep('x',2)}",
        "",
    ),
    ("returns_a_status", "return redis.status_reply('fine')", ""),
    ("grows", "return redis.call('set','a',1)", "'allow-oom'"),
    (
        "selects",
        "redis.call('select',3) return redis.call('set','a',1)",
        "",
    ),
];

fn library() -> Vec<Vec<u8>> {
    let code = FUNCTIONS
        .iter()
        .map(|(name, body, flags)| registers(name, body, flags));
    load("many", &code.collect::<String>())
}

#[test]
fn functions_get_words_and_answer_as_in_redis_server() {
    let mut commands = vec![library()];
    for (name, ..) in FUNCTIONS {
        commands.push(words(&["fcall", name, "1", "key", "value"]));
        commands.push(words(&["fcall_ro", name, "1", "key", "value"]));
    }
    for line in [
        "fcall OK 0",
        "get a",
        "fcall nosuch 0",
        "fcall nosuch x",
        "fcall ok x",
        "fcall ok -1",
        "fcall ok 5",
        "fcall ok",
        "command getkeys fcall f 2 a b c",
        "command getkeysandflags fcall_ro f 2 a b c",
        "eval 1 0",
        "config set maxmemory 1",
        "fcall ok 0",
        "fcall grows 0",
        "fcall gets 1 key",
        "fcall_ro gets 1 key",
        "fcall_ro ok 0",
        "function load x",
        "function restore x",
        "function list libraryname x",
        "config set maxmemory 0",
        "acl setuser bob on nopass +fcall ~key",
        "auth bob x",
        "fcall ok 1 key",
        "fcall gets 1 key",
        "fcall ok 1 other",
        "fcall_ro gets 1 key",
        "function list",
    ] {
        commands.push(words(&line.split(' ').collect::<Vec<_>>()));
    }
    compare_words("fcall", &commands);
}

#[test]
fn libraries_are_listed_deleted_and_changed_within_transactions() {
    let described = "redis.register_function{function_name='f',description='dd',callback=function() return 1 end,\
        flags={'no-writes','allow-oom','allow-stale','no-cluster','allow-cross-slot-keys'}}";
    let mut commands = vec![load("one", described)];
    let mut add = |lines: &[&str]| {
        let split = lines
            .iter()
            .map(|it| words(&it.split(' ').collect::<Vec<_>>()));
        commands.extend(split);
    };
    add(&[
        "function list",
        "function list withcode",
        "function list libraryname O*",
        "function list libraryname",
        "function list foo",
        "function list libraryname y withcode",
        "function list withcode withcode",
        "function list libraryname x libraryname x",
        "function stats",
        "function kill",
        "hello 3",
        "function list withcode",
        "function stats",
        "hello 2",
        "function delete ONE",
        "function delete one",
        "function delete one",
        "function delete",
        "function flush x",
        "function flush sync y",
        "function flush async",
        "function foo",
        "function",
        "function load",
        "function load x y",
        "function load replace",
        "function restore x",
        "function restore x y",
        "function restore x append z",
        "function kill x",
        "function stats x",
        "fcall f 0",
        "multi",
    ]);
    commands.push(load("one", &registers("f", "return 1", "")));
    commands.push(load("two", &registers("g", "return 2", "")));
    commands.push(load("three", &registers("g", "return 2", "")));
    let split = |line: &str| words(&line.split(' ').collect::<Vec<_>>());
    commands.extend(["fcall f 0", "function delete two", "function list", "exec"].map(split));
    commands.extend(["fcall f 0", "fcall g 0", "function flush", "fcall f 0"].map(split));
    compare_words("libraries", &commands);
}

/// Each server restores what the other one has dumped, with each policy.
#[test]
fn dumps_go_over_in_both_directions() {
    let Some(mut peer) = Peer::start("function-dump") else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let mut ours = Ours::default();
    let libraries = [
        load("one", &registers("f", "return 1", "")),
        load(
            "two",
            &(registers("g", "return 2", "") + &"-- a comment that is compressed\n".repeat(20)),
        ),
    ];
    let dump = request(&words(&["function", "dump"]));
    for library in libraries {
        let bytes = request(&library);
        assert_eq!(ours.reply(&bytes), peer.reply(&bytes));
        let (ours_is, theirs) = (bulk(&ours.reply(&dump)), bulk(&peer.reply(&dump)));
        for policy in ["", "append", "replace", "flush"] {
            let restore = |payload: &[u8]| {
                let mut all = words(&["function", "restore"]);
                all.push(payload.to_vec());
                all.extend((!policy.is_empty()).then(|| policy.as_bytes().to_vec()));
                request(&all)
            };
            let cut = restore(&theirs[..theirs.len() - 1]);
            assert_eq!(ours.reply(&cut), peer.reply(&cut));
            let (reply, expected) = (
                ours.reply(&restore(&theirs)),
                peer.reply(&restore(&ours_is)),
            );
            assert_eq!(reply, expected, "{policy}");
            for line in ["fcall f 0", "fcall g 0", "function stats"] {
                assert_eq!(
                    ours.reply(&ask(line)),
                    peer.reply(&ask(line)),
                    "{policy}: {line}"
                );
            }
        }
    }
    // A payload that collides is refused as a whole.
    let payload = bulk(&peer.reply(&dump));
    let flush = ask("function flush");
    assert_eq!(ours.reply(&flush), peer.reply(&flush));
    let other = request(&load("other", &registers("g", "return 3", "")));
    assert_eq!(ours.reply(&other), peer.reply(&other));
    for policy in ["append", "replace"] {
        let mut all = words(&["function", "restore"]);
        all.extend([payload.clone(), policy.as_bytes().to_vec()]);
        let bytes = request(&all);
        assert_eq!(ours.reply(&bytes), peer.reply(&bytes));
        assert_eq!(ours.reply(&ask("fcall f 0")), peer.reply(&ask("fcall f 0")));
    }
}
