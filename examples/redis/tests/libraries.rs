//! Compares `bit`, `struct`, `cjson` and `cmsgpack` in scripts with redis-server.

use otp_bridge_novm as _;

mod common;

use common::Server;
use common::peer::compare_words;

const BIT: &[&str] = &[
    "return bit.tobit()",
    "return bit.tobit('x')",
    "return bit.tobit({})",
    "return {bit.tobit('12'), bit.tobit(0xffffffff), bit.tobit(2^40+5), bit.tobit(1.5), bit.tobit(2.5)}",
    "return {bit.tobit(1e300), bit.tobit(-1), bit.tobit(-2^31), bit.tobit(2^31)}",
    "return {bit.tohex(255), bit.tohex(255,4), bit.tohex(255,-4), bit.tohex(-1,99), bit.tohex(1,0)}",
    "return bit.band()",
    "return {bit.bnot(0), bit.band(7,14,4), bit.bor(1,2,4), bit.bxor(1,2,4,7)}",
    "return {bit.lshift(1,33), bit.rshift(-1,4), bit.arshift(-16,2)}",
    "return {bit.rol(0x12345678,12), bit.ror(0x12345678,12), bit.bswap(0x12345678)}",
    "return bit.lshift(1)",
    "bit.band = nil",
    "return bit.nosuch",
];

const STRUCT: &[&str] = &[
    "return struct.pack('q',1)",
    "return struct.pack('i33',1)",
    "return struct.pack('!3',1)",
    "return struct.pack('i')",
    "return struct.pack('i','x')",
    "return struct.pack()",
    "return struct.pack('c5','abc')",
    "return struct.pack('c','')",
    "return struct.pack('s','a\\0b')",
    "return struct.pack('>I2<I2bBhHiIlLT',258,258,-1,-1,-2,2,-3,3,-4,4,5)",
    "return struct.pack('>i16<i3',-2,0x123456)",
    "return struct.pack('dfs>d>f',1.5,1.5,'x',0.1,0.1)",
    "return struct.pack('!8bdxi',1,2,3)",
    "return struct.pack('!bi8 c3 c0',1,2,'abcd','whole')",
    "return struct.unpack('>I2','\\1')",
    "return {struct.unpack('>I2','\\1\\2\\3')}",
    "return {struct.unpack('>I2','\\1\\2\\3',0)}",
    "return {struct.unpack('>I2','\\1\\2\\3',5)}",
    "return {struct.unpack('>I2','\\1\\2\\3',2)}",
    "return {struct.unpack('c0','abc')}",
    "return {struct.unpack('Bc0','\\2abc')}",
    "return {struct.unpack('Bc0','\\9abc')}",
    "return {struct.unpack('s','abc')}",
    "return {struct.unpack('sb','abc\\0\\255')}",
    "return {struct.unpack('xbBhH','\\1\\255\\255\\254\\255\\254\\255')}",
    "return {struct.unpack('>xbBhH','\\1\\255\\255\\254\\255\\254\\255')}",
    "return {struct.unpack('i3i12','\\255\\255\\255\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0')}",
    "return {struct.unpack('dfs>d>f',struct.pack('dfs>d>f',3,4,'x',5,6))}",
    "return {struct.size('!8bd'), struct.size('bd'), struct.size('!bi8'), struct.size('T'), struct.size('c7x')}",
    "return #{struct.unpack(('b'):rep(8100),('\\1'):rep(8100))}",
    "return struct.size('s')",
    "return struct.size('c0')",
    "return struct.size('i99999999999')",
    "return struct.unpack('c99999999999','x')",
];

const JSON: &[&str] = &[
    "return cjson.encode({1,2,3})",
    "return cjson.encode({a=1})",
    "return cjson.encode('x/y\\127\\0\\1\\8\\9\\10\\12\\13\\\\\\34 \\228')",
    "return cjson.encode({[1]=1,[20]=2})",
    "return cjson.encode({[1]=1,[5]=2})",
    "return cjson.encode({{},{{}},'',{x={}}})",
    "return cjson.encode(0/0)",
    "return cjson.encode(1/0)",
    "return cjson.encode(redis.call)",
    "return cjson.encode({[true]=1})",
    "return cjson.encode({1,a=2})",
    "return cjson.encode({[1.5]=2})",
    "return cjson.encode({[0]=2})",
    "return cjson.encode({cjson.null,true,false})",
    "return cjson.encode(nil)",
    "return cjson.encode()",
    "return cjson.encode(1,2)",
    "return cjson.encode({1e15,12345678901234567,0.1,-0.5,1e-7,1e300,2^53,100,-0})",
    "local t = {} for i = 1, 1001 do t = {t} end return cjson.encode(t)",
    "local t = {} for i = 1, 999 do t = {t} end return cjson.encode(t)",
    "return cjson.decode('{')",
    "return cjson.decode('[1,')",
    "return cjson.decode('[1,]')",
    "return cjson.decode('[1 2]')",
    "return cjson.decode('{\"a\" 1}')",
    "return cjson.decode('{\"a\":1 \"b\"}')",
    "return cjson.decode('{1:2}')",
    "return cjson.decode('{\"a\":}')",
    "return cjson.decode('x')",
    "return cjson.decode('')",
    "return cjson.decode('   ')",
    "return cjson.decode('-')",
    "return cjson.decode('+1')",
    "return cjson.decode('+x')",
    "return cjson.decode('tru')",
    "return cjson.decode('truex')",
    "return cjson.decode('[1] x')",
    "return cjson.decode('\"abc')",
    "return cjson.decode('\"\\\\x\"')",
    "return cjson.decode('\"\\\\u12\"')",
    "return cjson.decode('\"\\\\ud800\"')",
    "return cjson.decode('\"\\\\udc00\"')",
    "return cjson.decode('\"\\\\ud800\\\\u0041\"')",
    "return cjson.decode('\"\\\\ud83d\\\\ude00 \\\\u00e4 \\\\u4e2d \\\\b\\\\f\\\\n\\\\r\\\\t\\\\/\\\\\\\\\\\\\"\"')",
    "return cjson.decode('\"\\255\\254\"')",
    "return cjson.decode('\\0[1]')",
    "return cjson.decode('[1\\0]')",
    "return cjson.decode('[0x10,01,1.5e3,-0.25,1e,1.,.5]')",
    "return cjson.decode('[0x10,01,15e2,-25,0e10,Inf,-infinity,NaN]')",
    "return tostring(cjson.decode('1e400'))",
    "return table.concat(cjson.decode('[0.0, -5e3, -1, 0.3e-3, -1023.2, 0e10]'), '|')",
    "return cjson.decode('{\"a\":[1,{\"b\":\"c\"}]}').a[2].b",
    "return {cjson.decode('null') == cjson.null, cjson.decode('[null,1]')}",
    "return cjson.decode()",
    "return cjson.decode(1)",
    "return cjson.decode({})",
    "return cjson.decode(('['):rep(1000)..(']'):rep(1000)) ~= nil",
    "return cjson.decode(('['):rep(1001)..(']'):rep(1001))",
    "return pcall(cjson.decode,'x')",
    "local ok, why = pcall(function() return (cjson.decode('x')) end) return why",
    "return {cjson._NAME, cjson._VERSION, type(cjson.null)}",
    "return {cjson.encode_max_depth(), cjson.decode_max_depth(), cjson.encode_number_precision()}",
    "return {cjson.encode_sparse_array()}",
    "return {cjson.decode_invalid_numbers(), cjson.encode_keep_buffer(), cjson.encode_invalid_numbers()}",
    "return cjson.encode_max_depth(0)",
    "return cjson.encode_max_depth('x')",
    "return cjson.encode_max_depth(1,2)",
    "return cjson.encode_invalid_numbers('maybe')",
    "cjson.encode_max_depth(5) return cjson.encode({{{{{{1}}}}}})",
    "cjson.encode_max_depth(1000) return cjson.encode({{{{{{1}}}}}})",
    "cjson.decode_max_depth(2) return cjson.decode('[[[1]]]')",
    "cjson.decode_max_depth(1000) return cjson.decode('[[[1]]]')",
    "cjson.encode_number_precision(3) return cjson.encode({1/3, 12345})",
    "cjson.encode_number_precision(14) return cjson.encode(1/3)",
    "cjson.encode_sparse_array(true) return cjson.encode({[1]=1,[20]=2})",
    "cjson.encode_sparse_array(false,0) return cjson.encode({[1]=1,[20]=2})",
    "return {cjson.encode_sparse_array(false,2,10)}",
    "cjson.encode_invalid_numbers('null') return cjson.encode({1/0,2})",
    "return cjson.encode_invalid_numbers()",
    "cjson.encode_invalid_numbers(true) return cjson.encode({1/0,-1/0})",
    "return cjson.encode_invalid_numbers(false)",
    "cjson.decode_invalid_numbers(false) return cjson.decode('[01]')",
    "return cjson.decode('[nan]')",
    "return cjson.decode_invalid_numbers('on')",
    "cjson.encode = nil",
    "return cjson.nosuch",
];

const MESSAGE_PACK: &[&str] = &[
    "return cmsgpack.pack()",
    "return cmsgpack.pack(1,'x',nil,true,false)",
    "return cmsgpack.pack({0,127,128,255,256,65535,65536,2^32-1,2^32,2^52})",
    "return cmsgpack.pack({-1,-32,-33,-128,-129,-32768,-32769,-2^31,-2^31-1,-2^62})",
    "return cmsgpack.pack({0.5,0.1,1e300,-0.25,1/0,-1/0,2^63,-2^63,2^64})",
    "return cmsgpack.pack({('x'):rep(31),('x'):rep(32),('x'):rep(255),('x'):rep(256),('x'):rep(65536)})",
    "return cmsgpack.pack({},{a=1},{[1]=1,[3]=3},{[0]=1},{[1.5]=1},{true,{false,{}}})",
    "local t={} for i = 1, 70000 do t[i]=1 end return cmsgpack.pack(t)",
    "local t={} t[1]=t return cmsgpack.pack(t)",
    "local t={} for i = 1, 15 do t={x=t} end return cmsgpack.pack(t)",
    "return cmsgpack.pack(redis.call, cjson.null)",
    "return cmsgpack.unpack()",
    "return cmsgpack.unpack(1)",
    "return cmsgpack.unpack('\\204')",
    "return {cmsgpack.unpack('')}",
    "return {cmsgpack.unpack('\\1\\2\\3')}",
    "return {cmsgpack.unpack('\\199\\1\\2')}",
    "return {cmsgpack.unpack('\\193')}",
    "return {cmsgpack.unpack('\\196\\2ab\\197\\0\\1c')}",
    "return {cmsgpack.unpack('\\221\\0\\0\\0\\2\\1\\2')}",
    "return {cmsgpack.unpack('\\221\\255\\255\\255\\255\\1\\2')}",
    "return {cmsgpack.unpack('\\129\\192\\1')}",
    "return {cmsgpack.unpack(cmsgpack.pack(-1,-33,-129,-32769,-2^31-1,200,300,70000,2^40,'x',true,false,{1,{2}}))}",
    "return cmsgpack.unpack(cmsgpack.pack({a={b={1,2,'c'}}})).a.b",
    "return tostring(cmsgpack.unpack(cmsgpack.pack(0.1)))",
    "return tostring(cmsgpack.unpack(cmsgpack.pack(0.5)))",
    "return cmsgpack.unpack(('\\145'):rep(900)..'\\1')[1][1] ~= nil",
    "return {cmsgpack.unpack_one('\\1\\2\\3')}",
    "return {cmsgpack.unpack_one('\\1\\2\\3',2)}",
    "return {cmsgpack.unpack_one('\\1\\2\\3',3)}",
    "return {cmsgpack.unpack_one('\\1\\2\\3',4)}",
    "return {cmsgpack.unpack_limit('\\1\\2\\3',2)}",
    "return {cmsgpack.unpack_limit('\\1\\2\\3',-1)}",
    "return {cmsgpack.unpack_limit('\\1\\2\\3',2,1)}",
    "return {cmsgpack.unpack_limit('\\1\\2\\3',0,0)}",
    "return {cmsgpack.unpack_limit('\\1\\2\\3',1,-1)}",
    "return #{cmsgpack.unpack(('\\1'):rep(7900))}",
    "return #{cmsgpack.unpack(('\\1'):rep(8100))}",
    "return cmsgpack.unpack_limit('x')",
    "return {cmsgpack._NAME, cmsgpack._VERSION}",
    "cmsgpack.pack = nil",
];

#[test]
fn libraries_have_the_same_replies() {
    let all = [BIT, STRUCT, JSON, MESSAGE_PACK].concat();
    let eval = |script: &&str| {
        ["eval", script, "0"]
            .map(|it| it.as_bytes().to_vec())
            .to_vec()
    };
    let commands: Vec<Vec<Vec<u8>>> = all.iter().map(eval).collect();
    // Four times the stack that the VM gives to scripts.
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    let compared = thread.spawn(move || compare_words("libraries", &commands));
    compared.expect("a thread").join().expect("equal replies");
}

#[test]
fn a_script_may_return_more_values_than_lua_can_hold_for_others() {
    let server = Server::ours(&["--reactors", "1"]);
    let mut client = server.client();
    let script = "local t = {} for i = 1, 20000 do t[i] = tostring(i) end return t";
    let reply = client.ask_words(&["EVAL", script, "0"]);
    let expected: Vec<String> = (1..=20_000).map(|it| it.to_string()).collect();
    assert!(reply == expected.join("\n"), "{} bytes", reply.len());
}

/// The memory limit of scripts bounds the values they make, and nesting is limited.
#[test]
fn scripts_cannot_use_libraries_to_take_all_memory() {
    let server = Server::ours(&["--reactors", "1"]);
    let mut client = server.client();
    let doubled = "local t = {('x'):rep(100000)} for i = 1, N do t = {t, t} end return #F(t)";
    for (function, depth, expected) in [
        ("cjson.encode", "40", "not enough memory"),
        ("cmsgpack.pack", "14", "not enough memory"),
        ("cmsgpack.pack", "4", ":1600"),
    ] {
        let script = doubled.replace('F', function).replace('N', depth);
        let reply = client.ask_words(&["EVAL", &script, "0"]);
        assert!(reply.contains(expected), "{function}: {reply}");
    }
    let deep = "return cmsgpack.unpack(('\\145'):rep(1000000)..'\\1')";
    let reply = client.ask_words(&["EVAL", deep, "0"]);
    assert!(reply.contains("stack overflow"), "{reply}");
    assert_eq!(client.ask("PING"), "+PONG");
}
