//! Compares Lua scripts with redis-server.

use otp_bridge_novm as _;

mod common;

use std::time::{Duration, Instant};

use common::Server;
use common::peer::compare_words;

/// Scripts with their keys and arguments.
const SCRIPTS: &[(&str, &[&str], &[&str])] = &[
    ("return 1", &[], &[]),
    ("return 3.99", &[], &[]),
    ("return -3.99", &[], &[]),
    ("return 'text'", &[], &[]),
    ("return true", &[], &[]),
    ("return false", &[], &[]),
    ("return nil", &[], &[]),
    ("return", &[], &[]),
    ("return {1,2,{3,'four',true,false},nil,5}", &[], &[]),
    ("return {ok='fine'}", &[], &[]),
    ("return {err='BAD thing'}", &[], &[]),
    ("return {err='-BAD thing'}", &[], &[]),
    ("return {double=1.5}", &[], &[]),
    ("return {map={a=1}}", &[], &[]),
    ("return {set={a=true}}", &[], &[]),
    ("return {foo='bar'}", &[], &[]),
    (
        "return {KEYS[1],KEYS[2],ARGV[1],ARGV[2],ARGV[3]}",
        &["a", "b"],
        &["x", "y"],
    ),
    ("return #KEYS + #ARGV", &["a", "b"], &["x", "y"]),
    ("return redis.call('set',KEYS[1],ARGV[1])", &["a"], &["x"]),
    ("return redis.call('get',KEYS[1])", &["a"], &[]),
    ("return redis.call('get','nokey')", &[], &[]),
    ("return redis.call('incr',KEYS[1])", &["a"], &[]),
    ("return redis.pcall('incr',KEYS[1])", &["a"], &[]),
    ("return redis.pcall('incr',KEYS[1])['err']", &["a"], &[]),
    (
        "redis.call('set','undeclared',10) return redis.call('incrby','undeclared',2.0)",
        &[],
        &[],
    ),
    ("return redis.call('incrbyfloat','f',1.5)", &[], &[]),
    (
        "redis.call('rpush','l',1,2,3) return redis.call('lrange','l',0,-1)",
        &["l"],
        &[],
    ),
    (
        "return redis.call('hset','h','f',1,'g',2) + redis.call('del','h')",
        &[],
        &[],
    ),
    (
        "redis.call('hset','h','f',1) return redis.call('hgetall','h')",
        &[],
        &[],
    ),
    (
        "redis.setresp(3) return redis.call('hgetall','h')",
        &[],
        &[],
    ),
    (
        "redis.setresp(3) return redis.call('hgetall','h').map.f",
        &[],
        &[],
    ),
    (
        "redis.setresp(3) redis.call('zadd','z',1.5,'m') return redis.call('zscore','z','m')",
        &[],
        &[],
    ),
    (
        "redis.setresp(3) return redis.call('zscore','z','m').double",
        &[],
        &[],
    ),
    ("return redis.call('zscore','z','m')", &[], &[]),
    (
        "redis.setresp(3) redis.call('sadd','s','m') return redis.call('smembers','s')",
        &[],
        &[],
    ),
    (
        "redis.setresp(3) return redis.call('get','nokey') == nil",
        &[],
        &[],
    ),
    ("redis.setresp(3) return true", &[], &[]),
    ("redis.setresp(3) return {true,false}", &[], &[]),
    ("redis.setresp(4)", &[], &[]),
    ("redis.setresp()", &[], &[]),
    ("return redis.call('ping')", &[], &[]),
    ("return redis.call('ping','x')", &[], &[]),
    ("return redis.call('echo','x')", &[], &[]),
    ("return redis.call('select',1)", &[], &[]),
    (
        "redis.call('select',1) redis.call('set','in1','x') return redis.call('dbsize')",
        &[],
        &[],
    ),
    ("return redis.call('get','in1')", &[], &[]),
    ("return redis.call('publish','c','m')", &[], &[]),
    ("return redis.call('subscribe','c')", &[], &[]),
    ("return redis.call('multi')", &[], &[]),
    ("return redis.call('eval','return 1',0)", &[], &[]),
    ("return redis.call('blpop','nokey',0)", &[], &[]),
    ("return redis.call('nosuch')", &[], &[]),
    ("return redis.call('get')", &[], &[]),
    ("return redis.call()", &[], &[]),
    ("return redis.call({})", &[], &[]),
    ("return redis.call('get',{})", &[], &[]),
    ("return redis.call('config','get','maxmemory')", &[], &[]),
    ("return redis.call('object','nosuch','a')", &[], &[]),
    ("return redis.pcall('nosuch').err", &[], &[]),
    ("return redis.error_reply('MY error')", &[], &[]),
    ("return redis.error_reply('error')", &[], &[]),
    ("return redis.error_reply('-error')", &[], &[]),
    ("return redis.error_reply()", &[], &[]),
    ("return redis.status_reply('fine')", &[], &[]),
    ("return redis.status_reply(1)", &[], &[]),
    ("return redis.sha1hex('')", &[], &[]),
    ("return redis.sha1hex('abc')", &[], &[]),
    ("return redis.sha1hex()", &[], &[]),
    ("return redis.log(redis.LOG_DEBUG,'x')", &[], &[]),
    ("return redis.log(9,'x')", &[], &[]),
    ("return redis.log('x')", &[], &[]),
    ("return redis.log('x','y')", &[], &[]),
    ("return redis.replicate_commands()", &[], &[]),
    ("return redis.REDIS_VERSION_NUM > 0", &[], &[]),
    ("return nosuch", &[], &[]),
    ("x = 1", &[], &[]),
    ("redis.call = nil", &[], &[]),
    ("string.rep = nil", &[], &[]),
    ("_G.x = 1", &[], &[]),
    ("rawset(_G,'x',1)", &[], &[]),
    ("setmetatable(_G,{})", &[], &[]),
    ("return io", &[], &[]),
    ("return os.execute", &[], &[]),
    ("return type(os.clock())", &[], &[]),
    ("return require", &[], &[]),
    ("return dofile", &[], &[]),
    ("return loadfile", &[], &[]),
    ("return print", &[], &[]),
    ("return debug", &[], &[]),
    ("return setfenv", &[], &[]),
    ("return newproxy", &[], &[]),
    ("return loadstring('return 7')()", &[], &[]),
    ("return pcall(function() error('why') end)", &[], &[]),
    (
        "local ok, why = pcall(function() error('why') end) return why",
        &[],
        &[],
    ),
    (
        "local ok, why = pcall(function() error({err='why'}) end) return why",
        &[],
        &[],
    ),
    (
        "local ok, why = pcall(redis.call,'get') return why",
        &[],
        &[],
    ),
    (
        "local ok, why = pcall(redis.call,'nosuch') return {ok, why}",
        &[],
        &[],
    ),
    ("error('why')", &[], &[]),
    ("error({err='MY why'})", &[], &[]),
    ("error({err='why'})", &[], &[]),
    ("error()", &[], &[]),
    ("\n\nerror('third line')", &[], &[]),
    (
        "local function f() return redis.call('incr','l') end\nreturn f()",
        &[],
        &[],
    ),
    ("local t = nil; return t.x", &[], &[]),
    ("return 1 +", &[], &[]),
    ("this is not lua", &[], &[]),
    ("return ('x'):rep(3)", &[], &[]),
    ("return string.format('%d', 3)", &[], &[]),
    ("local t = {3,1,2} table.sort(t) return t", &[], &[]),
    ("return {unpack({1,2})}", &[], &[]),
    ("return tostring(1e15)", &[], &[]),
    ("return redis.call('set','n',2^53)", &[], &[]),
    ("return redis.call('get','n')", &[], &[]),
    (
        "redis.call('set','n',0.1) return redis.call('get','n')",
        &[],
        &[],
    ),
    (
        "local c = coroutine.wrap(function() coroutine.yield(redis.call('get','n')) end) return c()",
        &[],
        &[],
    ),
    ("#!lua\nreturn 1", &[], &[]),
    (
        "#!lua flags=no-writes\nreturn redis.call('set','a','b')",
        &[],
        &[],
    ),
    (
        "#!lua flags=no-writes\nreturn redis.call('get','a')",
        &[],
        &[],
    ),
    ("#!lua flags=bad\nreturn 1", &[], &[]),
    ("#!lua wrong\nreturn 1", &[], &[]),
    ("#!python\nreturn 1", &[], &[]),
    ("#!lua", &[], &[]),
    ("#!lua\nreturn nosuch", &[], &[]),
];

fn words(line: &str) -> Vec<Vec<u8>> {
    line.split(' ').map(|it| it.as_bytes().to_vec()).collect()
}

fn eval(name: &str, it: &(&str, &[&str], &[&str])) -> Vec<Vec<u8>> {
    let (script, keys, arguments) = *it;
    let count = keys.len().to_string();
    let head = [name, script, &count].into_iter();
    let all = head
        .chain(keys.iter().copied())
        .chain(arguments.iter().copied());
    all.map(|it| it.as_bytes().to_vec()).collect()
}

#[test]
fn scripts_have_the_same_replies() {
    let mut commands = Vec::new();
    for version in ["2", "3"] {
        commands.push(words(&format!("hello {version}")));
        commands.push(words("flushall"));
        for script in SCRIPTS {
            commands.push(eval("eval", script));
            commands.push(eval("eval_ro", script));
        }
        // Within a transaction, the reply contains those of the scripts.
        commands.push(words("multi"));
        commands.extend(SCRIPTS.iter().map(|script| eval("eval", script)));
        commands.push(words("exec"));
        commands.push(words("get undeclared"));
    }
    compare_words("scripts", &commands);
}

#[test]
fn scripts_are_known_by_their_names() {
    let name = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"; // return 1
    let name2 = "7f923f79fe76194c868d7e1d0820de36700eb649";
    let lines = [
        format!("evalsha {name} 0"),
        format!("script exists {name} {name2}"),
        format!("evalsha {name} 0"),
        format!("evalsha_ro {} 0", name.to_ascii_uppercase()),
        "script flush maybe".to_owned(),
        "script flush async x".to_owned(),
        "script flush sync".to_owned(),
        format!("script exists {name}"),
        format!("evalsha {name} 0"),
        "script kill".to_owned(),
        "script nosuch".to_owned(),
        "script load".to_owned(),
        "evalsha x 0".to_owned(),
        "eval x".to_owned(),
        "eval x y".to_owned(),
        "eval x -1".to_owned(),
        "eval x 1".to_owned(),
        "eval_ro x 2 y".to_owned(),
        "script load x".to_owned(),
        "command getkeys eval x 2 a b c".to_owned(),
        "multi".to_owned(),
        "eval x 1".to_owned(),
        "evalsha nosuch 0".to_owned(),
        "exec".to_owned(),
    ];
    let mut commands: Vec<Vec<Vec<u8>>> = lines.iter().map(|it| words(it)).collect();
    let load = |text: &str| {
        let all = ["script", "load", text];
        all.map(|it| it.as_bytes().to_vec()).to_vec()
    };
    commands.insert(1, load("return 1"));
    commands.insert(2, load("this is not lua"));
    compare_words("names", &commands);
}

#[test]
fn a_long_script_keeps_others_waiting_until_it_is_killed() {
    let server = Server::ours(&["--reactors", "2"]);
    let mut clients: Vec<_> = (0..6).map(|_| server.client()).collect();
    let mut of_script = server.client();
    assert_eq!(clients[0].ask("CONFIG SET lua-time-limit 300"), "+OK");
    let begun = Instant::now();
    let endless = [
        "EVAL",
        "while true do pcall(function() while true do end end) end",
        "0",
    ];
    let text: Vec<String> = endless
        .iter()
        .map(|it| format!("${}\r\n{it}\r\n", it.len()))
        .collect();
    of_script.send(&format!("*3\r\n{}", text.concat().trim_end()));
    clients[0].until("SET a b", "-BUSY");
    for client in &mut clients {
        let reply = client.ask("SET a b");
        assert!(reply.starts_with("-BUSY"), "{reply}");
    }
    assert!(begun.elapsed() >= Duration::from_millis(300));
    assert!(clients[0].ask("EVAL x 0").starts_with("-BUSY"));
    assert_eq!(clients[1].ask("SCRIPT KILL"), "+OK");
    let reply = of_script.reply();
    assert!(
        reply.contains("Script killed by user with SCRIPT KILL"),
        "{reply}"
    );
    assert_eq!(clients[2].ask("SET a b"), "+OK");
    assert!(clients[3].ask("SCRIPT KILL").starts_with("-NOTBUSY"));
    // A script that has written cannot be killed. A script that requests too much memory ends on
    // its own.
    assert_eq!(clients[0].ask("CONFIG SET lua-time-limit 5000"), "+OK");
    let much = [
        "EVAL",
        "local t = {} while true do t[#t+1] = ('x'):rep(1000000) .. #t end",
        "0",
    ];
    let reply = clients[4].ask_words(&much);
    assert!(reply.contains("not enough memory"), "{reply}");
    assert_eq!(clients[5].ask("GET a"), "b");
}

/// A script that does not end has locked a key that other clients watch. Ending the watch must not
/// block the thread that serves these clients.
#[test]
fn who_has_watched_a_key_of_a_script_does_not_hold_others_back() {
    let server = Server::ours(&["--reactors", "1"]);
    let (mut other, mut of_script) = (server.client(), server.client());
    assert_eq!(other.ask("CONFIG SET lua-time-limit 100"), "+OK");
    let mut watching: Vec<_> = (0..4).map(|_| server.client()).collect();
    for client in &mut watching {
        assert_eq!(client.ask("WATCH key"), "+OK");
    }
    assert_eq!(watching[2].ask("MULTI"), "+OK");
    of_script.send("*4\r\n$4\r\nEVAL\r\n$17\r\nwhile true do end\r\n$1\r\n1\r\n$3\r\nkey");
    common::nodes::wait(|| other.ask("GET x").starts_with("-BUSY"));
    for (client, (line, reply)) in watching.iter_mut().zip([
        ("UNWATCH", "+OK"),
        ("RESET", "+RESET"),
        ("DISCARD", "+OK"),
        ("WATCH key", "-BUSY"),
    ]) {
        let answer = client.ask(line);
        assert!(answer.starts_with(reply), "{line}: {answer}");
    }
    drop(watching);
    assert_eq!(other.ask("SCRIPT KILL"), "+OK");
    assert!(of_script.reply().contains("killed by user"));
    assert_eq!(other.ask("SET key x"), "+OK");
}

#[test]
fn scripts_of_many_clients_are_atomic() {
    const TIMES: usize = 200;
    let server = Server::ours(&["--reactors", "2"]);
    let script = "local n = tonumber(redis.call('get',KEYS[1]) or 0) \
        redis.call('set',KEYS[1],n+1) redis.call('set','other',n+1) \
        return redis.call('get','other') == redis.call('get',KEYS[1])";
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut client = server.client();
                for _ in 0..TIMES {
                    assert_eq!(client.ask_words(&["EVAL", script, "1", "count"]), ":1");
                    assert!(!client.ask("INCR beside").starts_with('-'));
                    assert!(!client.ask("SET other x").starts_with('-'));
                }
            });
        }
    });
    let mut client = server.client();
    assert_eq!(client.ask("GET count"), (8 * TIMES).to_string());
    assert_eq!(client.ask("GET beside"), (8 * TIMES).to_string());
}
