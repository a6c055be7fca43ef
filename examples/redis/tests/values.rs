//! Compares bit fields, HyperLogLogs, places and common subsequences with redis-server.

mod common;

use common::peer::{compare, compare_words};
use otp_bridge_novm as _;

#[test]
fn numbers_within_strings() {
    compare(
        "bitfield",
        &[
            "bitfield b set u8 0 255",
            "bitfield b get u8 0",
            "bitfield b get i8 0",
            "bitfield b get u4 #1",
            "bitfield b incrby u2 100 1",
            "bitfield b incrby u2 100 1 overflow sat incrby u2 102 1",
            "bitfield b incrby u2 100 1 overflow sat incrby u2 102 1",
            "bitfield b overflow fail incrby u2 102 1 incrby u2 102 5",
            "bitfield b overflow wrap incrby i5 3 12",
            "get b",
            "strlen b",
            "bitfield b set i64 #2 -1",
            "bitfield b get i64 #2 get u63 129",
            "bitfield b incrby i64 #2 9223372036854775807",
            "bitfield b overflow sat incrby i64 #2 9223372036854775807",
            "bitfield b overflow fail incrby i64 #2 9223372036854775807",
            "bitfield b set u63 0 -1",
            "bitfield b overflow sat set u8 0 -1",
            "bitfield b overflow fail set u8 0 256",
            "bitfield b overflow sat set i8 0 -200",
            "bitfield b get u64 0",
            "bitfield b get i65 0",
            "bitfield b get x8 0",
            "bitfield b get u0 0",
            "bitfield b get u8 -1",
            "bitfield b get u8 #-1",
            "bitfield b get u8 x",
            "bitfield b set u8 0",
            "bitfield b foo",
            "bitfield b overflow foo",
            "bitfield b set u8 0 x",
            "bitfield b",
            "bitfield nokey get u8 0",
            "exists nokey",
            "bitfield_ro b get u8 0",
            "bitfield_ro b set u8 0 1",
            "bitfield_ro nokey get u8 1",
            "lpush l 1",
            "bitfield l get u8 0",
            "bitfield b get u8 4294967296",
            "bitfield b get u8 #536870911",
            "bitfield ex set u8 0 1",
            "expire ex 1000",
            "bitfield ex set u8 0 2",
            "persist ex",
            "get ex",
        ],
    );
}

#[test]
fn different_elements_are_counted_alike() {
    let mut commands: Vec<Vec<Vec<u8>>> = Vec::new();
    let words = |line: &str| {
        line.split(' ')
            .map(|it| it.as_bytes().to_vec())
            .collect::<Vec<_>>()
    };
    for line in [
        "pfadd h",
        "get h",
        "pfadd h",
        "pfcount h",
        "get h",
        "pfadd h a b c",
        "get h",
        "pfadd h a",
        "pfcount h nokey",
        "get h",
    ] {
        commands.push(words(line));
    }
    // From a few runs to all registers.
    for (step, count) in [1, 3, 10, 100, 300, 600, 1500, 5000]
        .into_iter()
        .enumerate()
    {
        let mut add = words("pfadd h");
        add.extend((0..count).map(|it| format!("{step}:{it}").into_bytes()));
        commands.push(add);
        commands.push(words("pfcount h"));
    }
    for line in [
        "get h",
        "pfadd i x y z",
        "pfmerge m h i nokey",
        "pfcount m",
        "get m",
        "pfcount h i",
        "pfmerge i",
        "get i",
        "pfmerge new",
        "get new",
        "set s foo",
        "pfadd s a",
        "pfcount s",
        "pfmerge h s",
        "lpush l a",
        "pfadd l a",
        "pfcount l",
        "pfcount nokey",
        "pfadd",
        "pfmerge e i",
        "pfadd e x",
        "get e",
    ] {
        commands.push(words(line));
    }
    compare_words("loglog", &commands);
}

#[test]
fn places_are_found() {
    compare(
        "geo",
        &[
            "geoadd g 13.361389 38.115556 Palermo 15.087269 37.502669 Catania",
            "geoadd g nx 13 38 Palermo",
            "geoadd g xx ch 13.5 38.2 Palermo",
            "geoadd g nx xx 1 1 a",
            "geoadd g 1 1",
            "geoadd g 200 1 a",
            "geoadd g x 1 a",
            "geoadd g 1 x a",
            "geoadd g 2.349014 48.864716 Paris",
            "geoadd g -0.127758 51.507351 London",
            "geopos g Palermo nobody London",
            "geopos nokey a",
            "geohash g Palermo Catania nobody Paris London",
            "geohash nokey a",
            "geodist g Palermo Catania",
            "geodist g Palermo Catania km",
            "geodist g Palermo Catania mi",
            "geodist g Palermo Catania ft",
            "geodist g Palermo Catania x",
            "geodist g Palermo nobody",
            "geodist nokey a b",
            "zscore g Palermo",
            "zrange g 0 -1 withscores",
            "geosearch g fromlonlat 15 37 byradius 200 km asc",
            "geosearch g fromlonlat 15 37 byradius 200 km desc withdist withcoord withhash",
            "geosearch g frommember Paris bybox 2000 2000 km asc withdist",
            "geosearch g fromlonlat 15 37 bybox 400 400 km asc withcoord withdist",
            "geosearch g frommember nobody byradius 1 km",
            "geosearch g byradius 1 km asc asc",
            "geosearch g frommember Paris asc asc asc",
            "geosearch g frommember Paris byradius 5000 km asc count 2",
            "geosearch g frommember Paris byradius 5000 km asc count 0",
            "geosearch g frommember Paris byradius 5000 km any",
            "geosearch g frommember Paris byradius -1 km",
            "geosearch g frommember Paris byradius x km",
            "geosearch g frommember Paris bybox -1 1 km",
            "geosearch g frommember Paris bybox 1 x km",
            "geosearch g frommember Paris byradius 1 x",
            "geosearch g frommember Paris frommember London byradius 1 km",
            "geosearch g fromlonlat 200 0 byradius 1 km",
            "geosearch nokey fromlonlat 1 1 byradius 1 km",
            "geosearchstore d g fromlonlat 15 37 byradius 400 km",
            "zrange d 0 -1 withscores",
            "geosearchstore d g fromlonlat 15 37 byradius 400 km storedist asc",
            "zcard d",
            "geosearchstore d g fromlonlat 15 37 byradius 1 m",
            "exists d",
            "geosearchstore d g fromlonlat 15 37 byradius 400 km withdist",
            "georadius g 15 37 200 km asc",
            "georadius g 15 37 200 km withdist withcoord withhash count 1",
            "georadius g 15 37 200 km asc store d",
            "zrange d 0 -1",
            "georadius g 15 37 200 km storedist d withdist",
            "georadius_ro g 15 37 200 km asc",
            "georadius_ro g 15 37 200 km store d",
            "georadiusbymember g Palermo 300 km asc",
            "georadiusbymember_ro g Palermo 300 km desc withdist",
            "georadiusbymember g nobody 1 km",
            "georadius g 15 37 x km",
            "georadius g 15 37 -1 km",
            "georadius g 15 37 1 x",
            "georadius nokey 15 37 1 km",
            "set s 1",
            "geoadd s 1 1 a",
            "geosearch s fromlonlat 1 1 byradius 1 km",
            "hello 3",
            "geopos g Palermo",
            "geosearch g frommember Paris byradius 5000 km asc withdist withcoord",
        ],
    );
}

#[test]
fn common_subsequences() {
    compare(
        "lcs",
        &[
            "mset a ohmytext b mynewtext",
            "lcs a b",
            "lcs a b len",
            "lcs a b idx",
            "lcs a b idx minmatchlen 4",
            "lcs a b idx minmatchlen 4 withmatchlen",
            "lcs a b idx len",
            "lcs a b foo",
            "lcs a b minmatchlen",
            "lcs a b minmatchlen x",
            "lcs a nokey",
            "lcs a nokey idx",
            "lcs nokey nokey len",
            "lpush l 1",
            "lcs a l",
            "mset c abcbdabxyz d bdcababxz",
            "lcs c d",
            "lcs c d idx withmatchlen",
            "lcs d c idx",
            "hello 3",
            "lcs c d idx withmatchlen",
        ],
    );
}
