//! Tests with redis-py, if Python has it or can install it.

mod common;

use std::process::Command;

use common::nodes::has_redis_py;
use common::{Folder, Server};
use otp_bridge_novm as _;

const SCRIPT: &str = r#"
import sys, threading, redis
for protocol in (2, 3):
    r = redis.Redis(port=int(sys.argv[1]), protocol=protocol, decode_responses=True)
    r.flushall()
    assert r.set("a", "1", ex=100) and r.incr("a") == 2 and 90 < r.ttl("a") <= 100
    assert r.hset("h", mapping={"x": 1, "y": 2}) == 2 and r.hgetall("h") == {"x": "1", "y": "2"}
    r.zadd("z", {"a": 1.5, "b": 2})
    assert [(m, float(s)) for m, s in r.zrange("z", 0, -1, withscores=True)] == [("a", 1.5), ("b", 2.0)]
    r.geoadd("g", (13.361389, 38.115556, "Palermo", 15.087269, 37.502669, "Catania"))
    assert r.geodist("g", "Palermo", "Catania", unit="km") == 166.2742
    assert r.geosearch("g", longitude=15, latitude=37, radius=200, unit="km", sort="ASC") == ["Catania", "Palermo"]
    first = r.xadd("s", {"k": "v"})
    r.xgroup_create("s", "readers", id="0")
    assert first in str(r.xreadgroup("readers", "one", {"s": ">"}))
    assert r.xpending("s", "readers")["pending"] == 1 and r.xack("s", "readers", first) == 1
    assert r.xinfo_stream("s")["length"] == 1 and r.xinfo_groups("s")[0]["name"] == "readers"
    with r.pipeline() as pipe:
        pipe.watch("a")
        pipe.multi()
        pipe.incr("a").lpush("l", 1, 2).pfadd("p", "x", "y").pfcount("p")
        assert pipe.execute() == [3, 2, 1, 2]
    r.restore("copy", 0, redis.Redis(port=int(sys.argv[1])).dump("l"))
    assert r.lrange("copy", 0, -1) == ["2", "1"] and sorted(r.scan_iter("[hl]")) == ["h", "l"]
    messages = r.pubsub(ignore_subscribe_messages=True)
    messages.subscribe("news")
    while messages.get_message(timeout=0.1):
        pass
    threading.Timer(0.2, lambda: r.publish("news", "hello")).start()
    found = None
    for _ in range(100):
        found = found or messages.get_message(timeout=0.1)
    assert found["data"] == "hello", found
    messages.close()
    r.client_setname("python")
    assert r.client_getname() == "python" and any(it["name"] == "python" for it in r.client_list())
    assert r.bitfield("f").set("u8", 0, 255).get("u4", 0).execute() == [0, 15]
    assert r.command_count() > 200 and r.info()["redis_version"].startswith("7.0")
    assert r.acl_setuser("bob", enabled=True, passwords=["+pw"], commands=["+get"], keys=["a*"])
    bob = redis.Redis(port=int(sys.argv[1]), username="bob", password="pw", protocol=protocol)
    assert bob.get("a") == b"3"
    try:
        bob.get("h")
        raise AssertionError("bob may not")
    except redis.exceptions.NoPermissionError:
        pass
    r.acl_deluser("bob")
print("done")
"#;

#[test]
fn redis_py_is_served() {
    let folder = Folder::new("python");
    let path = folder.0.display().to_string();
    if !has_redis_py(&path) {
        eprintln!("redis-py is not there and cannot be installed: nothing was tried");
        return;
    }
    let server = Server::ours(&["--reactors", "2"]);
    let ran = Command::new("python3")
        .args(["-c", SCRIPT, &server.port.to_string()])
        .env("PYTHONPATH", &path)
        .output()
        .expect("python3 was there");
    let (out, error) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    assert!(ran.status.success() && out.contains("done"), "{out}{error}");
}
