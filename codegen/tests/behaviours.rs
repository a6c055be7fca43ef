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

/// Roles are determined by names, so that this crate contains no behaviour's shape.
#[test]
fn roles_of_arguments() {
    let output = generate(&[module(SERVER)], &options());
    let text = output.files.get("m.rs").expect("the module's file");
    for roles in [
        "arguments = [args Args];",
        "arguments = [open Request, hidden From, state State];",
        "arguments = [open Request, caller From, state State];",
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

/// The suggestion for a method without a result: the type, and its first value by a function that
/// every prelude has.
#[test]
fn the_result_of_a_callback() {
    let text = rust(SERVER);
    for (callback, result) in [
        ("[args Args]", "[\"Init<Self>\", \"Init::Ok(…)\"]"),
        (
            "[open Request, hidden From, state State]",
            "[\"HandleCall<…>\", \"reply(…)\"]",
        ),
        (
            "[open Request, state State]",
            "[\"HandleCast\", \"noreply()\"]",
        ),
    ] {
        let lines = format!("arguments = {callback};\n                    result = {result};");
        assert!(text.contains(&lines), "{lines}\n{text}");
    }
    // Any term, including the empty tuple.
    assert!(text.contains("state State];\n                    erlang = \"-callback terminate("));
}

#[test]
fn callbacks_of_one_name_and_several_arities() {
    let text = rust(
        "-callback format(pid(), pid()) -> ok | error.\n-callback format(pid()) -> ok | error.",
    );
    for line in [
        "pub enum FormatWithSecondPid {",
        "pub enum Format {",
        "fn format_with_second_pid<'call>(",
        "method = format_with_second_pid;",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// Two enums that differ in the elements of a clause have a constructor each.
#[test]
fn constructors_of_one_clause_are_shared() {
    let text = rust(SERVER);
    for line in [
        "type Init<State>;",
        "#[clause_of(Init, HandleCallNoreply, HandleCast)]\n        \
         pub fn stop(reason: impl rt::ToTerm) -> impl IsStop;",
        "#[clause_of(HandleCallNoreply, HandleCast)]\n        pub fn noreply() -> impl IsNoreply;",
        "#[clause_of(Init)]\n        pub fn ignore() -> impl IsIgnore;",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// The prelude has no atoms, because a unit struct in scope forbids a binding of its name.
#[test]
fn the_prelude_has_functions_traits_and_types() {
    let text = rust(SERVER);
    let (_, prelude) = text.split_once("pub mod prelude {").expect("a prelude");
    let (prelude, _) = prelude.split_once("\n}").expect("its end");
    let words: Vec<&str> = prelude.split_whitespace().collect();
    insta::assert_snapshot!(words.join(" "), @"pub use super::clause::{stop, ignore, reply, noreply, noreply_with}; pub use super::{ HandleCall, HandleCallNoreply, HandleCallNoreplyReturn, HandleCallReturn, HandleCast, HandleCastReturn, Init, InitReturn, M, TerminateReturn, };");
}

/// A request whose caller is an argument is replied to through the caller, any other by the return
/// value.
#[test]
fn a_call_with_and_without_its_caller() {
    let text = rust(SERVER);
    for line in [
        "pub enum HandleCall<Reply> {\n    /// `{reply, Reply, NewState}`\n    \
         #[returned(atoms::reply, self.0, state)]\n    Reply(Reply),\n}",
        "impl<Reply> HandleCallReturn<Reply> for (atoms::reply, Reply) {",
        "impl HandleCallNoreplyReturn for atoms::noreply {",
        "fn handle_call_noreply<'call>(",
        "type Reply;",
        "from: rt::Caller<Reply>,",
        "let from = call.caller::<Reply>(1, \"From\")?;",
        "method = handle_call_noreply;\n                    written = handle_call;",
        "note = \"with an argument `Caller<Reply>`, the callback replies through it, and not by its return value\"",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert_eq!(
        text.matches("                    call;\n").count(),
        2,
        "{text}"
    );
}

/// Only exported functions that receive the callback module start a process of it.
#[test]
fn start_functions() {
    let text = rust(SERVER);
    assert!(
        text.contains(r#"arguments: &["Module", "Args"],"#),
        "{text}"
    );
    assert_eq!(text.matches("rt::StartFunction {").count(), 1, "{text}");
}

/// A result of one type that is not a clause needs no enum. Types that convert into it may be
/// returned.
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

/// An atom distinguishes clauses. It may be one of Rust's keywords, and so may the callback's name.
#[test]
fn clauses_told_apart_by_keywords() {
    let text = rust(
        "-callback '__info__'(struct) -> atom(); (type) -> integer().\n\
         -callback match(self) -> atom(); (other) -> integer().",
    );
    for method in ["info_struct", "info_type", "match_self", "match_other"] {
        let defined = text.contains(&format!("fn {method}<'call>("));
        assert!(defined, "{method}\n{text}");
    }
}

/// Results behind a name with arguments are resolved, since an argument may be the state.
#[test]
fn a_result_behind_a_name() {
    let text = rust(
        "-type result(S) :: {ok, S} | {stop, Reason :: term()}.\n\
         -callback init() -> {made, State :: term()}.\n\
         -callback run(Event :: term(), State :: term()) -> result(NewState :: term()).",
    );
    assert!(text.contains("impl RunReturn for atoms::ok {"), "{text}");
}

const MACHINE: &str = "\
-type state() :: name() | term().
-type name() :: atom().
-type data() :: term().
-type event() :: {call, From :: gen_server:from()} | cast | timeout().
-callback init(Args :: term()) -> {ok, State :: state(), Data :: data()} | ignore.
-callback handle(enter, OldState :: state(), CurrentState, data()) ->
                    {next, CurrentState, NewData :: data()} | keep;
                (event(), Content :: term(), CurrentState :: state(), data()) ->
                    {next, NextState :: state(), NewData :: data()} | {keep, Actions :: [atom()]}.
-callback name(event(), Content :: term(), data()) -> {next, name, NewData :: data()}.
-callback code_change(OldState :: state(), OldData :: data()) -> {ok, NewState :: state(), NewData :: data()}.
-callback terminate(Reason :: term(), state(), data()) -> any().";

/// The data is the implementation, and the state is a type that it chooses. Each clause of a form
/// that an atom distinguishes is a callback. The data is left out unless the callback makes it.
#[test]
fn a_state_machine() {
    let text = rust(MACHINE);
    for line in [
        // Facts
        "chosen = State;",
        "arguments = [literal FirstArgument, chosen OldState, chosen CurrentState, state Data];",
        "arguments = [discriminant Event, open Content, chosen CurrentState, state Data];",
        "arguments = [open Reason, chosen SecondState, state Data];",
        "method = handle_enter;",
        "any_name;",
        // Types
        "    type State: rt::IsTerm;",
        "pub enum Init<State, Data> {",
        "#[new_state(Data, map_data)]\npub enum Init<State, Data> {",
        "    Next(State),",
        "    Keep,",
        "    Keep(Vec<rt::Atom>),",
        "impl HandleEnterReturn for atoms::keep {",
        "note = \"`{{next, CurrentState, NewData}}` is omitted: it could only repeat an argument of the callback\"",
        "impl<State> HandleReturn<State> for (atoms::keep, Vec<rt::Atom>) {",
        "impl<State, Data> CodeChangeReturn<State, Data> for (atoms::ok, State, Data) {",
        "impl<Event: rt::Request> EventOf<Event> for (atoms::call, rt::Caller<Event::Reply>) {}",
        "impl<Event> EventOf<Event> for rt::Timeout {}",
        "        Event: super::EventOf<Content>,",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// Clauses that differ only in unions share one function.
#[test]
fn a_constructor_for_unions_that_differ() {
    let text = rust(
        "-type a() :: one | two.\n-type b() :: one | three.\n\
         -callback init() -> {made, State :: term()}.\n\
         -callback f(State :: term()) -> {ok, NewState :: term(), Action :: a()}.\n\
         -callback g(State :: term()) -> {ok, NewState :: term(), Action :: b()}.",
    );
    for line in [
        "pub fn ok<Action>(action: Action) -> impl IsOk<Action>;",
        "#[clause_of(F, action = super::A)]",
        "#[clause_of(G, action = super::B)]",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// An outer union accepts everything that a union inside it accepts; a reply has the type that its
/// caller waits for.
#[test]
fn conversions_go_through_unions_and_know_replies() {
    let text = rust(
        "-type answer() :: {reply, From :: gen_server:from(), Reply :: term()}.\n\
         -type time() :: {after_, timeout()} | never.\n\
         -type action() :: time() | answer() | {set, time()}.",
    );
    for line in [
        "#[from((atoms::after__, impl Into<rt::Timeout>), atoms::never)]",
        "impl<Reply1: rt::ToTerm> From<(atoms::reply, rt::Caller<Reply1>, Reply1)> for Action {",
        "Set(#[from(into)] Time),",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// Names of a module's own types appear in signatures only if the module exports them.
#[test]
fn signatures_spell_out_what_is_not_exported() {
    let text = rust(
        "-export_type([tree/0]).\n\
         -type tree() :: leaf | {node, tree(), tree()}.\n\
         -type hidden() :: {hidden, hidden(), hidden()} | none | pair(atom()).\n\
         -type pair(A) :: {A, A}.\n\
         -type many(A) :: {pair(A), pair(A), pair(A), pair(A)}.\n\
         -callback init(Args :: term(), tree(), hidden()) -> {ok, State :: term()} | 'Full'.\n\
         -callback change(State :: term()) -> {hidden(), NewState :: term()} | many(many(many(1))).",
    );
    let start = text
        .find("pub const BEHAVIOUR")
        .expect("the behaviour as data");
    let lines = text[start..].lines().map(str::trim);
    let forms: Vec<&str> = lines
        .filter(|line| line.starts_with('"') || line.contains(": &["))
        .filter(|line| !line.starts_with("replies"))
        .collect();
    insta::assert_snapshot!(forms.join("\n"), @r#"
    callbacks: &[
    arguments: &[
    "Args",
    "m:tree()",
    "{hidden, term(), term()} | none | {atom(), atom()}",
    returns: &["{ok, State}", "'Full'"],
    arguments: &["State"],
    returns: &[
    "{{hidden, term(), term()} | none | {atom(), atom()}, State}",
    "{{{term(), term(), term(), term()}, {term(), term(), term(), term()}}, {{term(), term(), term(), term()}, {term(), term(), term(), term()}}, {{term(), term(), term(), term()}, {term(), term(), term(), term()}}, {{term(), term(), term(), term()}, {term(), term(), term(), term()}}}",
    start: &[],
    "#);
}

/// The facts about a callback follow from its form, for any behaviour: this one is not in the
/// table.
#[test]
fn the_facts_of_a_behaviour_that_nobody_knows() {
    let text = rust(
        "-callback open(Args :: term()) -> {ready, Session :: term()} | {error, term()}.\n\
         -callback ask(Question :: term(), gen_server:from(), Session :: term()) ->\n\
             {answer, Reply :: term(), NewSession :: term()} | {later, NewSession :: term()}.\n\
         -callback told(What :: term(), Session :: term()) -> {ok, NewSession :: term()}.\n\
         -callback close(Reason :: term(), Session :: term()) -> term().",
    );
    let facts = |name: &str| {
        let (_, text) = text.split_once(&format!("name: {name:?},")).expect(name);
        let (_, text) = text.split_once("facts: ").expect("facts");
        let (facts, _) = text.split_once("\n        },").expect("an end");
        facts.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let all = ["open", "ask", "told", "close"]
        .map(facts)
        .join("\n")
        .replace("rt::", "");
    insta::assert_snapshot!(all, @r#"
    CallbackFacts { has_error: true, ..CallbackFacts::of(CallbackKind::Init) }, keeps: None, replies: &[],
    CallbackFacts { message: Some(0), caller: Some(1), state: Some(2), ..CallbackFacts::of(CallbackKind::Call) }, keeps: Some("later"), replies: &[ ReplyPosition { tag: "answer", size: 3, index: 1, }, ],
    CallbackFacts { message: Some(0), state: Some(1), ..CallbackFacts::of(CallbackKind::Other) }, keeps: Some("ok"), replies: &[],
    CallbackFacts { state: Some(1), ..CallbackFacts::of(CallbackKind::End) }, keeps: None, replies: &[],
    "#);
}
