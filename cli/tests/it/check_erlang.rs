//! `cargo otp check`: supervisors that are written in Erlang

use crate::support::Scratch;

/// A supervisor without a start function of its own, with child specs as before OTP 18.
const IN_ERLANG: &str = "-module(kept).
-behaviour(supervisor).
-export([init/1]).
init([<<\"odd\">>]) -> {ok, {#{}, [{first, nowhere}]}};
init([<<\"deep\">> | _] = Words) ->
    {ok, {#{}, [#{id => deeper, start => {supervisor, start_link, [kept, [<<\"deep\">> | Words]]}}]}};
init(Words) -> {ok, {{one_for_all, 2, 3}, [{first, {pg, start_link, Words}, permanent, 5000, worker, [pg]}]}}.
";

#[test]
fn a_supervisor_in_erlang_is_asked_if_its_arguments_are_known() {
    let scratch = Scratch::with_application_named("checked_erlang");
    scratch.write("checked_erlang/erlang/kept.erl", IN_ERLANG);
    let root = "//! The root supervisor.
use otp_bridge::atom;
use otp_bridge::atoms::{ok, start_link};
use otp_bridge::supervisor::prelude::*;

pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(words: Vec<String>) -> impl InitReturn {
        let kept = ChildSpec::erlang(atom!(\"supervisor\"), start_link, (atom!(\"kept\"), words));
        (ok, (SupFlags::one_for_one(), vec![kept.id(\"kept\")]))
    }
}
";
    scratch.write("checked_erlang/src/stroot.rs", root);
    let ask = |verb: &str, words: &[&str]| {
        let arguments = [&[verb, "--"], words].concat();
        scratch.cargo_otp("checked_erlang", &arguments)
    };
    let said = ask("check", &["group"]);
    said.succeeded();
    let summary = "2 supervisors with 2 children, 0 warnings";
    assert!(said.err.contains(summary), "{}", said.err);
    ask("check", &["1", "2", "3"]).refused(&[
        "the child `first` of `kept` cannot start: `pg:start_link` has no arity 3, but 0 and 1",
    ]);
    ask("check", &["odd"]).refused(&["error[E0941]: `kept` cannot start: "]);
    let deep = ask("check", &["deep"]);
    let text = "the children of `kept` are not known: it is 100 supervisors deep";
    assert!(deep.err.contains(text), "{}", deep.err);

    let tree = "\
checked_erlang
└── stroot supervisor, one_for_one
    └── <<\"kept\">> (kept) worker, one_for_all, permanent
        └── first (pg) worker, permanent
";
    let said = ask("tree", &["group"]);
    assert_eq!(said.out, tree, "{}", said.err);
    let odd = ask("tree", &["odd"]);
    odd.succeeded();
    assert!(odd.out.contains("… children refused: "), "{}", odd.out);
}
