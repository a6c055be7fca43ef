//! Runs any text as a script of `examples/redis`, which may read keys, and uses the text as a
//! pattern. The server must reply, and must be able to run the next script.
#![no_main]

use std::sync::LazyLock;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use redis::client::{Client, Next};
use redis::resp::Replies;
use redis::server::Server;

static SERVER: LazyLock<Server> = LazyLock::new(|| {
    // Kills a script that does not end.
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(Duration::from_millis(200));
            let _ = SERVER.scripts.gate.kill();
        }
    });
    Server::default()
});

const MATCHES: &[u8] = b"local half = #ARGV[1] / 2 \
    local pattern, text = ARGV[1]:sub(1, half), ARGV[1]:sub(half + 1) \
    for _, run in ipairs({string.find, string.match}) do pcall(run, text, pattern) end \
    pcall(string.gsub, text, pattern, text) pcall(string.gsub, text, pattern, function(...) return ... end) \
    for it in string.gmatch(text, pattern) do end";

fuzz_target!(init: otp_fuzz::prepare_with(|_| seeds(), |_| {}), |bytes: &[u8]| {
    reply(&[b"EVAL_RO", bytes, b"0", b"argument"]);
    reply(&[b"EVAL_RO", MATCHES, b"0", bytes]);
    reply(&[b"SCRIPT", b"FLUSH"]);
});

fn reply(words: &[&[u8]]) {
    let mut request = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        request.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
        request.extend_from_slice(word);
        request.extend_from_slice(b"\r\n");
    }
    let (mut client, mut ranges, mut replies) = (Client::default(), Vec::new(), Replies::default());
    let (done, next) = client.answer_alone(&SERVER, &request, &mut ranges, &mut replies);
    assert_eq!((done, next), (request.len(), Next::Stays));
    assert!(replies.bytes.ends_with(b"\r\n"));
}

fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "return {1, 'two', {ok = 'three'}, redis.call('get', KEYS[1] or 'a')}",
        "local t = {} for i = 1, 9 do t[i] = {t} end return cjson.encode(t)",
        "return cjson.decode(ARGV[1]) or cmsgpack.unpack(cmsgpack.pack({a = 1, 2}))",
        "return loadstring('return ' .. ARGV[1], 'name')",
        "return load(function() return '\\27Lua' end)",
        "return struct.unpack('>I4s', struct.pack('>I4s', 7, 'x')), bit.bor(1, 2)",
        "local c = coroutine.wrap(function(...) return coroutine.yield(...) end) return c(c)",
        "return setmetatable({}, {__index = function(t, k) return t[k + 1] end})[1]",
        "return select('#', unpack({}, 1, 7)), string.format('%5.2f %q', 1, 'x')",
        "(a*(.)%w(%s*))%b()%f[%a][^%d-x]+-?$",
    ];
    texts.map(|it| it.as_bytes().to_vec()).to_vec()
}
