//! Calls the database from Erlang: runs `from_erlang.escript` with the built application.

mod common;

use common::{Folder, build, escript};
use otp_bridge_novm as _;

/// The refusal of a query with an unknown key, which is this argument.
fn unknown(argument: usize) -> String {
    format!(
        "unknown_key=<<\"*** argument {argument}: Query.limitt: expected no such key \
         (known: pattern, predicate, after, limit), got 1\">>"
    )
}

#[test]
fn erlang_has_the_whole_interface() {
    let folder = Folder::new("erlang");
    let ebin = build();
    let path = folder.0.display().to_string();
    let output = escript("from_erlang.escript", &ebin, &[&path]).output();
    let output = output.expect("escript runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}\n{said}");
    let expected = [
        "create=ok",
        "update={ok,1}",
        "old_size=1",
        "size=3",
        "attribute={ok,<<\"oak\">>}",
        "no_attribute={ok,undefined}",
        "attributes={ok,[{<<\"name\">>,<<\"oak\">>}]}",
        "child={0,{ok,1}}",
        "newest={ok,[{<<\"name\">>,<<\"oak\">>}]}",
        "none={ok,undefined}",
        "less=2",
        "bare={ok,[]}",
        "large=true",
        "no_tree={error,{no_tree,<<\"field\">>}}",
        "tree_exists={error,{tree_exists,<<\"garden\">>}}",
        "no_node={error,{no_node,[0,7]}}",
        "no_child={error,{no_node,[7]}}",
        "no_key={error,{no_attribute,<<\"colour\">>}}",
        "position={error,{too_large,<<\"position\">>,18446744073709551614}}",
        "key={error,{too_large,<<\"key\">>,1024}}",
        "value={error,{too_large,<<\"value\">>,16777216}}",
        "badarg=badarg",
        "not_a_node=badarg",
        "planted={ok,1}",
        "taken={error,{child_exists,[0]}}",
        "not_there={error,{no_node,[7]}}",
        "no_change=badarg",
        "heavy={ok,1}",
        "too_heavy={error,{too_large,<<\"value\">>,16777216}}",
        "differences=[{add,[],0},{add,[0],4},{put,[0,4],<<\"name\">>,<<\"fig\">>},{reserve,[],2}]",
        "same={ok,[]}",
        "versions_of_all=true",
        "puts=100",
        "writer=true",
        "busy=true",
        "reasons=[normal]",
        "count={ok,[{<<\"count\">>,<<\"200\">>},{<<\"other\">>,<<\"yes\">>}]}",
        "no_writer={ok,undefined}",
        "nested={ok,202}",
        "other_tree={ok,203}",
        "refused={error,{refused,not_today}}",
        "raised=raised",
        "wrong=wrong",
        "after_all={ok,204}",
        "named={ok,3}",
        "versions={ok,[{3,<<\"three\">>},{4,undefined},{5,undefined}]}",
        "diff={ok,[{add,[],3},{add,[],4}]}",
        "no_version={error,{no_version,<<\"four\">>}}",
        "dropped=ok",
        "dropped_again={error,{no_version,<<\"also five\">>}}",
        "long_name={error,{too_large,<<\"name\">>,1024}}",
        "changed={<<\"history\">>,6,[{add,[0],0}]}",
        "unsubscribed=nothing",
        "all={ok,#{found => [[],[0],[0,0],[1],[1,0],[2],[2,0],[3],[3,0]],next => undefined}}",
        "pattern={ok,#{found => [[1,0],[2,0]],next => undefined}}",
        "having={ok,#{found => [[3,0]],next => undefined}}",
        "predicate={ok,#{found => [[0,0],[2,0]],next => undefined}}",
        "page={ok,#{found => [[0],[1]],next => [1]}}",
        "next_page={ok,#{found => [[2],[3]],next => undefined}}",
        "below={ok,#{found => [[1,0]],next => undefined}}",
        "range=[{<<\"fig\">>,[3,0]},{<<\"pear\">>,[0,0]}]",
        "range_limit={error,{too_large,<<\"limit\">>,10000}}",
        "next_range={ok,#{found => [{<<\"pear\">>,[2,0]}],next => undefined}}",
        "not_indexed={error,{not_indexed,<<\"size\">>}}",
        "bad_pattern={error,{bad_pattern,<<\"2 is after 1\">>}}",
        "not_a_pattern=badarg",
        &unknown(3),
        &unknown(2),
        &unknown(2),
        &unknown(2),
        "bad_path=<<\"*** argument 2: Path[1]: expected non_neg_integer(), got -1\">>",
        "add_index=ok",
        "indexes={ok,[<<\"name\">>]}",
        "by_index={ok,#{found => [{<<\"oak\">>,[0]}],next => undefined}}",
        "drop_index=ok",
        "drop_again={error,{not_indexed,<<\"name\">>}}",
        "name_taken={error,{tree_exists,<<\"garden\">>}}",
        "rename=ok",
        "renamed={<<\"old\">>,<<\"new\">>}",
        "old_name={error,{no_tree,<<\"old\">>}}",
        "delete=ok",
        "deleted=<<\"new\">>",
        "writer={error,{no_tree,<<\"new\">>}}",
        "writer={error,{no_tree,<<\"new\">>}}",
        "held={ok,<<\"oak\">>}",
        "delete_again=<<\"there is no tree `new`\">>",
        "format_error=<<\"there is no node at the path [0, 97]\">>",
        "undocumented=[]",
        "module_doc=true",
        "function_doc=true",
        "signature=true",
        "type_doc=true",
        "memory=ok",
        "memory_update={ok,1}",
        "stopped={error,closed}",
        "kept={ok,[<<\"counter\">>,<<\"first\">>,<<\"garden\">>,<<\"history\">>,<<\"orchard\">>,<<\"second\">>]}",
        "kept_name={ok,<<\"oak\">>}",
        "kept_versions={ok,[{3,<<\"three\">>},{5,<<\"five\">>}]}",
        "kept_diff={ok,[{add,[],3},{add,[],4}]}",
        "in_use=true",
        "missing={<<\"trees.manifest\">>,6}",
        "repaired={ok,[<<\"counter\">>,<<\"first\">>,<<\"garden\">>,<<\"history\">>,<<\"orchard\">>,<<\"second\">>]}",
    ];
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines, expected, "{said}");
}
