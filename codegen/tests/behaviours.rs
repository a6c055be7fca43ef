//! Callbacks and the Rust that is generated from them.

mod support;

use otp_codegen::generate;
use otp_specs::types::{Builtin, Module, Type};
use support::*;

/// `{noreply, NewState} | {noreply, NewState, timeout() | {continue, term()}} | {stop, Reason, NewState}`
fn noreply() -> Vec<Type> {
    let action = union(vec![
        builtin(Builtin::Timeout),
        tuple(vec![atom("continue"), Type::Any]),
    ]);
    vec![
        tuple(vec![atom("noreply"), term("NewState")]),
        tuple(vec![atom("noreply"), term("NewState"), action]),
        tuple(vec![atom("stop"), term("Reason"), term("NewState")]),
    ]
}

fn server() -> Module {
    let reply = tuple(vec![atom("reply"), term("Reply"), term("NewState")]);
    Module {
        callbacks: vec![
            callback(
                "init",
                vec![term("Args")],
                union(vec![
                    tuple(vec![atom("ok"), term("State")]),
                    tuple(vec![atom("stop"), term("Reason")]),
                    atom("ignore"),
                ]),
                "-callback init(Args :: term()) -> {ok, State :: term()} | {stop, Reason :: term()} | ignore.",
            ),
            callback(
                "handle_call",
                vec![
                    term("Request"),
                    annotated("From", remote("gen_server", "from", vec![])),
                    term("State"),
                ],
                union([vec![reply], noreply()].concat()),
                "-callback handle_call(Request :: term(), From :: from(), State :: term()) -> {reply, Reply :: term(), NewState :: term()} | {noreply, NewState :: term()} | {noreply, NewState :: term(), timeout() | {continue, term()}} | {stop, Reason :: term(), NewState :: term()}.",
            ),
            callback(
                "handle_cast",
                vec![term("Request"), term("State")],
                union(noreply()),
                "-callback handle_cast(Request :: term(), State :: term()) -> {noreply, NewState :: term()} | {noreply, NewState :: term(), timeout() | {continue, term()}} | {stop, Reason :: term(), NewState :: term()}.",
            ),
            callback(
                "terminate",
                vec![
                    annotated("Reason", union(vec![atom("normal"), Type::Any])),
                    term("State"),
                ],
                Type::Any,
                "-callback terminate(Reason :: normal | term(), State :: term()) -> term().",
            ),
        ],
        ..module("m")
    }
}

#[test]
fn a_behaviour() {
    insta::assert_snapshot!(shown(server()));
}

/// Roles are told by names, so that no behaviour's shape stands in this crate.
#[test]
fn roles_of_arguments() {
    let output = generate(&[server()], &options());
    let text = output.files.get("m.rs").expect("the module's file");
    for roles in [
        "arguments = [args Args];",
        "arguments = [open Request, fixed From, state State];",
        "arguments = [open Reason, state State];",
    ] {
        assert!(text.contains(roles), "{roles}");
    }
    assert!(text.contains("pub enum TerminateReason {"));
}

#[test]
fn callbacks_of_one_name_and_several_arities() {
    let format = |params: Vec<Type>, erlang: &str| {
        callback(
            "format",
            params,
            union(vec![atom("ok"), atom("error")]),
            erlang,
        )
    };
    let pid = || builtin(Builtin::Pid);
    let module = Module {
        callbacks: vec![
            format(
                vec![pid(), pid()],
                "-callback format(pid(), pid()) -> ok | error.",
            ),
            format(vec![pid()], "-callback format(pid()) -> ok | error."),
        ],
        ..module("m")
    };
    let text = rust(module);
    for line in [
        "pub enum Format2 {",
        "pub enum Format {",
        "fn format_2(",
        "method = format_2;",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// Two enums that differ in the elements of a clause have a constructor each.
#[test]
fn constructors_of_one_clause_are_shared() {
    let text = rust(server());
    assert!(
        text.contains("pub fn stop<Value: IsStop<State>, State>("),
        "{text}"
    );
    assert!(
        text.contains("pub fn init_stop<Value: IsInitStop>(reason: impl rt::ToTerm)"),
        "{text}"
    );
}
