//! Callbacks and the Rust that is generated from them.

mod support;

use otp_codegen::generate;
use support::{inside, module, options, rust};

const SERVER: &str = "\
-type action() :: timeout() | {continue, term()}.
-callback init(Args :: term()) -> {ok, State :: term()} | {stop, Reason :: term()} | ignore.
-callback handle_call(Request :: term(), From :: gen_server:from(), State :: term()) ->
    {reply, Reply :: term(), NewState :: term()} |
    {noreply, NewState :: term()} |
    {noreply, NewState :: term(), hibernate | {continue, term()}} |
    {stop, Reason :: term(), NewState :: term()}.
-callback handle_cast(Request :: term(), State :: term()) ->
    {noreply, NewState :: term()} |
    {noreply, NewState :: term(), hibernate | {continue, term()}} |
    {stop, Reason :: term(), NewState :: term()}.
-callback terminate(Reason :: normal | term(), State :: term()) -> term().
-optional_callbacks([terminate/2]).
-export([start_link/2, start/2]).
-spec start_link(Module :: module(), Args :: term()) -> {ok, pid()}.
-spec start_link(Name :: atom(), Module :: module(), Args :: term()) -> {ok, pid()}.
-spec start_link(Args :: term()) -> {ok, pid()}.
start_link(_, _) -> {ok, self()}.";

#[test]
fn a_behaviour() {
    assert_types!(SERVER);
}

/// Roles are told by names, so that no behaviour's shape stands in this crate.
#[test]
fn roles_of_arguments() {
    let output = generate(&[module(SERVER)], &options());
    let text = output.files.get("m.rs").expect("the module's file");
    for roles in [
        "arguments = [args Args];",
        "arguments = [open Request, fixed From, state State];",
        "arguments = [open Request, state State];",
        "arguments = [open Reason, state State];",
    ] {
        assert!(text.contains(roles), "{roles}");
    }
    assert!(text.contains("pub enum TerminateReason {"));
}

/// In `otp-bridge` itself: other paths, an exported macro, no prelude.
#[test]
fn a_behaviour_in_the_bridge() {
    let output = generate(&[module(SERVER)], &inside());
    let text = output.files.get("m.rs").expect("the module's file");
    for line in [
        "use crate::__private as rt;",
        "#[macro_export]\nmacro_rules! __describe_m {",
        "$crate::__private::implement! {",
        "path = $crate::m;",
    ] {
        assert!(text.contains(line), "{line}");
    }
    assert!(!text.contains("pub mod prelude"));
}

#[test]
fn callbacks_of_one_name_and_several_arities() {
    let text = rust(
        "-callback format(pid(), pid()) -> ok | error.\n-callback format(pid()) -> ok | error.",
    );
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
    let text = rust(SERVER);
    assert!(
        text.contains("pub fn stop<Value: IsStop<State>, State>("),
        "{text}"
    );
    assert!(
        text.contains("pub fn init_stop<Value: IsInitStop>(reason: impl rt::ToTerm)"),
        "{text}"
    );
}

/// Only exported functions that are given the callback module start a process of it.
#[test]
fn start_functions() {
    let text = rust(SERVER);
    assert!(
        text.contains(r#"arguments: &["Module", "Args"],"#),
        "{text}"
    );
    assert_eq!(text.matches("rt::StartFunction {").count(), 1, "{text}");
}

/// A result of one type that is no clause needs no enum; what converts into it may be returned.
#[test]
fn a_result_of_one_type() {
    let text = rust(
        "-type mode() :: state_functions | [state_enter].\n-callback mode() -> mode().\n\
         -callback names() -> [atom()].",
    );
    for line in [
        "fn into_return(self) -> Result<Mode, rt::Exit>;",
        "impl ModeReturn for atoms::state_functions {",
        "fn into_return(self) -> Result<Vec<rt::Atom>, rt::Exit>;",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// Results behind a name with arguments are seen through, since an argument may be the state.
#[test]
fn a_result_behind_a_name() {
    let text = rust(
        "-type result(S) :: {ok, S} | {stop, Reason :: term()}.\n\
         -callback run(Event :: term(), State :: term()) -> result(NewState :: term()).",
    );
    assert!(
        text.contains("impl<State> RunReturn<State> for (atoms::ok, State) {"),
        "{text}"
    );
}
