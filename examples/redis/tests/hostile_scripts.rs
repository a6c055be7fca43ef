//! Scripts that try to harm the server.

use otp_bridge_novm as _;

mod common;

use common::Server;
use common::nodes::wait;
use common::ours::Ours;
use common::peer::compare_words;

fn request(words: &[&[u8]]) -> Vec<u8> {
    let mut request = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        request.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
        request.extend_from_slice(word);
        request.extend_from_slice(b"\r\n");
    }
    request
}

fn reply(ours: &mut Ours, words: &[&[u8]]) -> String {
    let reply = ours.reply(&request(words));
    String::from_utf8_lossy(&reply).into_owned()
}

/// Returns the bytecode that Lua itself produces for a text.
fn bytecode(text: &str) -> Vec<u8> {
    let lua = mlua::Lua::new();
    let function = lua.load(text).into_function();
    function.expect("it is right").dump(true)
}

#[test]
fn bytecode_is_refused_wherever_code_is_loaded() {
    let mut ours = Ours::default();
    let code = bytecode("return 7");
    assert!(reply(&mut ours, &[b"EVAL", &code, b"0"]).starts_with("-ERR Error compiling script"));
    assert!(reply(&mut ours, &[b"SCRIPT", b"LOAD", &code]).starts_with("-ERR Error compiling"));
    for script in [
        "return tostring(loadstring(ARGV[1]))",
        "return tostring(loadstring(ARGV[1], '@user_script'))",
        "local done return tostring(load(function() if done then return nil end done = true return ARGV[1] end))",
        "local at = 0 return tostring(load(function() at = at + 1 local it = ARGV[1]:sub(at, at) return it ~= '' and it or nil end))",
        "local t = setmetatable({}, {__call = function() return ARGV[1] end}) return tostring(select(2, pcall(load, t)) and nil)",
        "return tostring(coroutine.wrap(function() return (loadstring(ARGV[1])) end)())",
    ] {
        let reply = reply(&mut ours, &[b"EVAL", script.as_bytes(), b"0", &code]);
        assert_eq!(reply, "$3\r\nnil\r\n", "{script}");
    }
    let right = "local pieces = {'ret', 'urn ', 7} local at = 0 \
        return {loadstring('return 7')(), load(function() at = at + 1 return pieces[at] end)()}";
    let reply = reply(&mut ours, &[b"EVAL", right.as_bytes(), b"0"]);
    assert_eq!(reply, "*2\r\n:7\r\n:7\r\n");
}

#[test]
fn nothing_that_makes_bytecode_or_loads_files_is_there() {
    let mut ours = Ours::default();
    for script in [
        "return string.dump",
        "return ('').dump",
        "return rawget(string, 'dump')",
        "return getmetatable('').dump",
    ] {
        let reply = reply(&mut ours, &[b"EVAL", script.as_bytes(), b"0"]);
        let is_nothing = reply == "$-1\r\n" || reply.starts_with("-ERR");
        assert!(is_nothing, "{script}: {reply}");
    }
    for name in [
        "dofile", "loadfile", "require", "module", "package", "io", "os", "debug", "getfenv",
        "setfenv", "newproxy", "print",
    ] {
        let script = format!("return {name}");
        let reply = reply(&mut ours, &[b"EVAL", script.as_bytes(), b"0"]);
        assert!(reply.contains("nonexistent global variable"), "{reply}");
        let script = format!("return rawget(_G, '{name}')");
        assert_eq!(reply_of(&mut ours, &script), "$-1\r\n", "{name}");
    }
}

fn reply_of(ours: &mut Ours, script: &str) -> String {
    reply(ours, &[b"EVAL", script.as_bytes(), b"0"])
}

/// Each of these needs much of the stack that C and Rust functions share.
const DEEP: &[&str] = &[
    "local f f = function(s) return (s:gsub('.', f)) end return f('x')",
    "return (('a'):rep(20000)):find(('a?'):rep(20000))",
    "return (('a'):rep(2000)):find('^' .. ('a-'):rep(5000) .. '$')",
    "local f f = function() return pcall(f) end f() local g g = function() pcall(g) end g() return 1",
    "local f f = function() return xpcall(f, f) end f() return 1",
    "return tostring(loadstring('return ' .. ('f{ function(...) return '):rep(98) .. '1' .. (' end}'):rep(98)))",
    "return tostring(loadstring('return ' .. ('('):rep(100000) .. '1'))",
    "local t = {} for i = 1, 1000000 do t = {t} end return {t, tostring(pcall(cmsgpack.pack, t))}",
    "local t = {} for i = 1, 990 do t = {t} end return #cjson.encode(cjson.decode(cjson.encode(t)))",
    "cjson.encode_max_depth(2^31 - 1) cjson.decode_max_depth(2^31 - 1) \
        local t = {} for i = 1, 100000 do t = {t} end pcall(cjson.encode, t) \
        pcall(cjson.decode, ('['):rep(1000000)) return 1",
    "return tostring(pcall(cmsgpack.unpack, ('\\145'):rep(100000)))",
    "local t = {} for i = 1, 100000 do t = setmetatable({}, {__index = t}) end return tostring(t.x)",
    "local m = {} m.__index = function(t, k) return t[k + 1] end return setmetatable({}, m)[1]",
    "local f f = function(n) return coroutine.wrap(function() return f(n + 1) end)() end return f(1)",
    "local s s = function() table.sort({3, 2, 1}, s) return false end s() return 1",
    "return tostring(pcall(unpack, {}, -2, 2147483646))",
    "local t = {} for i = 1, 250 do t[i] = 'p' .. i end \
        return loadstring('return function(' .. table.concat(t, ',', 1, 190) .. ', ...) return select(\"#\", ...) end')()()",
    "return ('x'):rep(2147483647)",
    "return ('x'):rep(200000000):gsub('.*', '%0%0%0%0')",
    "return #(''):rep(2147483647)",
    "return string.format('%99.99f', 1e308)",
];

#[test]
fn no_depth_of_a_script_overflows_the_stack() {
    let server = Server::ours(&["--reactors", "1"]);
    let mut client = server.client();
    for script in DEEP {
        let reply = client.ask_words(&["EVAL", script, "0"]);
        assert!(!reply.is_empty(), "the server has gone: {script}");
        assert_eq!(client.ask("PING"), "+PONG", "{script}");
    }
    assert_eq!(client.ask_words(&["EVAL", "return 7", "0"]), ":7");
}

#[test]
fn a_script_that_runs_out_of_memory_harms_no_other_script() {
    let server = Server::ours(&["--reactors", "2"]);
    let mut client = server.client();
    for greedy in [
        "local t = {} while true do t[#t + 1] = ('x'):rep(100000) .. #t end",
        "local t = {} for i = 1, 1e9 do t[i] = {} end",
        "collectgarbage('stop') local t = {} while true do t[#t + 1] = {} end",
        "local s = 'x' while true do s = s .. s end",
        "return cjson.encode(('x'):rep(200000000))",
        "return redis.call('set', 'k', ('x'):rep(250000000)) .. nil",
    ] {
        let reply = client.ask_words(&["EVAL", greedy, "0"]);
        assert!(reply.starts_with('-'), "{greedy}: {reply}");
        for _ in 0..3 {
            let made = "local t = {} for i = 1, 1000 do t[i] = ('y'):rep(1000) .. i end return #t";
            assert_eq!(client.ask_words(&["EVAL", made, "0"]), ":1000", "{greedy}");
        }
    }
    // The garbage of one script must not count for the next one.
    for _ in 0..4 {
        let much = "local t = {} for i = 1, 180 do t[i] = ('x'):rep(1000000) .. i end return #t";
        assert_eq!(client.ask_words(&["EVAL", much, "0"]), ":180");
    }
}

/// Patterns that are slow to match.
const SLOW: &[&str] = &[
    "return ('a'):rep(200):find(('a*'):rep(40) .. 'b')",
    "return ('a'):rep(200):match(('a-'):rep(40) .. 'b')",
    "return ('a'):rep(200):gsub(('a?'):rep(200) .. ('a'):rep(200) .. 'b', '')",
    "return ('a'):rep(200):gsub(('a*'):rep(40) .. 'b', function() end)",
    "for it in ('a'):rep(200):gmatch(('a+'):rep(40) .. 'b') do end",
    "return ('('):rep(10000000):find(('%b()'):rep(40) .. 'b')",
    "local t = {} for i = 1, 200000 do t[i] = ('x'):rep(10000) .. i % 2 end table.sort(t) while true do table.sort(t) end",
];

#[test]
fn a_slow_function_keeps_nobody_from_the_answer_busy_and_can_be_killed() {
    let server = Server::ours(&["--reactors", "2"]);
    let mut clients: Vec<_> = (0..4).map(|_| server.client()).collect();
    assert_eq!(clients[0].ask("CONFIG SET lua-time-limit 100"), "+OK");
    for script in SLOW {
        let mut slow = server.client();
        let text = request(&[b"EVAL", script.as_bytes(), b"0"]);
        slow.send(String::from_utf8_lossy(&text).trim_end());
        // These requests arrive before the time limit, and wait until it has passed.
        wait(|| clients[0].ask("GET a").starts_with("-BUSY"));
        for client in &mut clients {
            assert!(client.ask("SET a b").starts_with("-BUSY"), "{script}");
        }
        assert_eq!(clients[1].ask("SCRIPT KILL"), "+OK", "{script}");
        let reply = slow.reply();
        assert!(reply.contains("killed by user"), "{script}: {reply}");
        assert_eq!(clients[2].ask("SET a b"), "+OK");
    }
}

#[test]
fn patterns_match_as_those_of_redis() {
    const ATOMS: &[&str] = &[
        "a", "b", ".", "%a", "%d", "%s", "%W", "%z", "[ab]", "[^a]", "[a-c]", "[%d-]", "[]]",
        "[^]b]", "(", ")", "()", "^", "$", "*", "+", "-", "?", "%b()", "%bxy", "%f[%a]", "%f[^b]",
        "%1", "%2", "%", "[", "[a", "[%", "%f", "%b", "%.", "%%", "ab", "[a-]", "[-a]", "[%a-z]",
        "é", ".-", "(.-)", "(a*)", "(()b)", "[z-a]", "%0", "%P",
    ];
    const TEXTS: &[&str] = &[
        "",
        "a",
        "b",
        "ab",
        "aab",
        "abab",
        "((a)b)",
        "xaxy",
        "a b  c1",
        "é",
        "a]b",
        "--",
        "THE (quick) fox",
        "aaaa",
        "1-2",
        "%a.",
        "a\\0b",
    ];
    const USES: &[&str] = &[
        "return {pcall(string.find, T, P)}",
        "return {pcall(string.find, T, P, -2)}",
        "return {pcall(string.find, T, P, 2, true)}",
        "return {pcall(string.match, T, P, 2)}",
        "return {pcall(string.gsub, T, P, '<%1%0%%>')}",
        "return {pcall(string.gsub, T, P, '%2', 1)}",
        "return {pcall(string.gsub, T, P, function(...) if (...) == 'a' then return end return '[' .. table.concat({...}, ',') .. ']' end)}",
        "return {pcall(string.gsub, T, P, {a = 'A', b = false, ab = 3}, 2)}",
        "return {pcall(function() local t = {} for a, b in T:gmatch(P) do t[#t + 1] = tostring(a) t[#t + 1] = tostring(b) end return table.concat(t, ';') end)}",
    ];
    let mut random = fastrand::Rng::with_seed(7);
    let mut commands = Vec::new();
    for at in 0..6000 {
        let count = random.usize(0..5);
        let pattern: String = (0..count)
            .filter_map(|_| random.choice(ATOMS).copied())
            .collect();
        let text = TEXTS[random.usize(..TEXTS.len())];
        let script = USES[at % USES.len()];
        let script = format!("local T, P = \"{text}\", ARGV[1] {script}");
        let words = [b"eval", script.as_bytes(), b"0", pattern.as_bytes()];
        commands.push(words.map(<[u8]>::to_vec).to_vec());
    }
    for script in [
        "return {pcall(function() local it = string.find() return it end)}",
        "return {pcall(function() local it = string.find('a') return it end)}",
        "return {pcall(function() local it = string.find({}, 'a') return it end)}",
        "return {pcall(function() local it = string.find(12321, 2) return it end)}",
        "return {pcall(function() local it = string.find('a', 'a', 'x') return it end)}",
        "return {pcall(function() local it = string.gmatch('a') return it end)}",
        "return {pcall(function() local it = string.gsub('a', 'a') return it end)}",
        "return {pcall(function() local it = string.gsub('a', 'a', true) return it end)}",
        "return {pcall(function() local it = string.gsub('a', 'a', 5) return it end)}",
        "return {pcall(string.gsub, 'a', 'a', function() return {} end)}",
        "return {pcall(string.gsub, 'a', 'a', function() error({err = 'MY why'}) end)}",
        "return {pcall(string.gsub, 'a', 'a', function() return redis.call('nosuch') end)}",
        "return ('a'):gsub('a', function() error('why') end)",
        "return {pcall(function() local it = string.rep('a') return it end)}",
        "return {pcall(function() local it = string.rep('ab', -1) return it end)}",
        "return {pcall(function() local it = string.rep('ab', '3') return it end)}",
        "return {pcall(table.sort, {3, 'a'})}",
        "local t = {'c', 'a', 'b'} table.sort(t) return t",
        "return {loadstring('x =')}",
        "return {loadstring('x =', '=name')}",
        "return {loadstring('x =', '@name')}",
        "return {load(function() return nil end)}",
        "return {load(function() error('why', 0) end)}",
        "return {load(function() return {} end)}",
        "return {pcall(function() local it = load(5) return it end)}",
        "return {pcall(function() local it = loadstring({}) return it end)}",
        "return {pcall(function() local it = loadstring() return it end)}",
        "return {pcall(loadstring('error(\"why\")'))}",
    ] {
        let words = [b"eval", script.as_bytes(), b"0"];
        commands.push(words.map(<[u8]>::to_vec).to_vec());
    }
    compare_words("patterns", &commands);
}
