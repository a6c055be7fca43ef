//! How the plan of an upgrade shows two types of a state.

use std::path::Path;
use std::process::Command;

use crate::support::{Scratch, said};

/// The plan's texts for a state whose type changes.
fn shown(scratch: &Scratch, old: &str, new: &str) -> [String; 2] {
    let call = format!(
        "Line = otp_rs_upgrader:plan(node(), [{{srv, {{changed, <<\"{old}\">>, <<\"{new}\">>}}, []}}]), \
         file:write_file(\"line\", unicode:characters_to_binary(Line)), halt()."
    );
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-eval", &call])
        .current_dir(scratch.path(""));
    said(erl).succeeded();
    let line = scratch.read("line");
    let fields: Vec<&str> = line.trim_end_matches('\n').split('\t').collect();
    let [.., old, new] = fields[..] else {
        panic!("{line}")
    };
    [old.to_owned(), new.to_owned()]
}

#[test]
fn of_two_long_types_only_what_differs_is_shown() {
    let scratch = Scratch::new();
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("../erlang/tools/otp_rs_upgrader.erl");
    let mut erlc = Command::new("erlc");
    erlc.arg("-o").arg(scratch.path("")).arg(module);
    said(erlc).succeeded();

    let short = ["#{a := integer()}", "#{a := binary()}"];
    assert_eq!(shown(&scratch, short[0], short[1]), short);

    let field = |name: &str| format!("{name} := non_neg_integer()");
    let state = |names: &[&str]| {
        let fields: Vec<String> = names.iter().map(|name| field(name)).collect();
        format!("#{{{}}}", fields.join(", "))
    };
    let old = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
    let new = [
        "alpha", "beta", "gamma", "added", "delta", "epsilon", "zeta",
    ];
    let (gamma, added) = (field("gamma"), field("added"));
    assert_eq!(
        shown(&scratch, &state(&old), &state(&new)),
        [format!("…, {gamma}, …"), format!("…, {gamma}, {added}, …")]
    );
    // They differ at both ends.
    let other = state(&old).replace("#{alpha", "#{omega").replace('}', "|}");
    assert_eq!(shown(&scratch, &state(&old), &other), [state(&old), other]);
}
