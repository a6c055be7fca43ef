//! Trees with copies on three nodes: runs `replicas.escript` with the built application.

mod common;

use common::{Folder, build, escript};
use otp_bridge_novm as _;

/// Number of random edits. Each is on the disk before the next one starts.
const EDITS: &str = "3000";

/// Expected errors: those of a tree with a single copy.
const WRONG: &str = concat!(
    "wrong=[{error,{too_large,<<\"limit\">>,10000}},",
    "{error,{bad_pattern,<<\"2 is after 1\">>}},",
    "{error,{not_indexed,<<\"size\">>}},{error,{no_tree,<<\"sea\">>}},{error,replicated},",
    "{error,{no_node,[7]}},{error,{no_node,{7,7}}},{error,{not_indexed,<<\"size\">>}},",
    "{error,{no_sibling,{7,7}}},{error,{too_large,<<\"key\">>,1024}}]",
);

#[test]
fn nodes_that_were_split_killed_or_late_end_equal() {
    let folder = Folder::new("replicas");
    let ebin = build();
    let path = folder.0.display().to_string();
    let output = escript("replicas.escript", &ebin, &[&path, EDITS]).output();
    let output = output.expect("escript runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}\n{said}");
    let expected = [
        "create=ok",
        "equal=2",
        "both=[true,true]",
        "name={ok,[{<<\"name\">>,<<\"oak\">>}]}",
        "equal=2",
        "overruled=[cycle,written]",
        "known=[<<\"ash\">>,<<\"elm\">>]",
        "is_move=true",
        "indexed=ok",
        "page=true",
        "next=true",
        "pattern=true",
        "range=[<<\"green\">>]",
        "copy=true",
        "blue=true",
        "node_at=true",
        "version=true",
        WRONG,
        "equal=2",
        "watches=ok",
        "from_another=true",
        "equal=2",
        "told=[{written,deleted},{moved,moved}]",
        "gone=true",
        "malformed=true",
        "why=<<\"operation 1@9: it moves the root\">>",
        "unchanged=true",
        "version=<<\"it speaks version 4 of the protocol, and this one 3\">>",
        "equal=2",
        "subscribed=ok",
        "equal=2",
        "equal=2",
        "equal=2",
        "equal=2",
        "settled=[{1,[],[]},{2,[],[]}]",
        "equal=2",
        "full=[{error,storage}]",
        "failed=5",
        "as_before={true,false,[],true}",
        "equal=2",
        "room={ok,[{<<\"here\">>,<<\"too\">>},{<<\"there\">>,<<\"is room\">>}]}",
        "reread=true",
        "equal=2",
        "kept=true",
        "equal=3",
        "made=true",
        "lost=0",
        "equal=3",
        "equal=3",
        "own=true",
        "by={ok,[{<<\"by\">>,<<\"c\">>}]}",
        "values=[<<\"b\">>,<<\"c\">>]",
        "equal=3",
        "next=true",
        "created=[ok]",
        "asked=[ok]",
        "no_tree={error,{no_tree,<<\"field\">>}}",
        "exists={error,{tree_exists,<<\"1\">>}}",
        "no_node={error,{no_node,{7,7}}}",
    ];
    let warned = [&printed, &said]
        .iter()
        .any(|text| text.contains("was away for longer"));
    assert!(warned, "{printed}\n{said}");
    // The nodes may print warnings about what they receive.
    let keys = expected.map(|line| line.split_once('=').expect("a key").0);
    let lines = printed.lines().filter(|line| {
        let key = line.split_once('=').map(|(key, _)| key);
        key.is_some_and(|key| keys.contains(&key))
    });
    assert_eq!(lines.collect::<Vec<_>>(), expected, "{printed}\n{said}");
}
