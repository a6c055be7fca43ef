//! Bindings of functions: names, overloads, variables, results.

mod support;

use otp_codegen::{Output, SkipReason, generate};
use support::{module, options};

fn bound(forms: &str) -> Output {
    let mut options = options();
    options.functions = true;
    generate(&[module(forms)], &options)
}

/// The signatures of the functions that `forms` give, each on one line, without what is the same in all:
/// the context and its lifetime.
fn signatures(forms: &str) -> Vec<String> {
    let whole = whole_signatures(forms);
    let short = whole.iter().map(|line| {
        line.replace("<'call>", "")
            .replace("<'call, ", "<")
            .replace("cx: &'call rt::Cx<'_>, ", "")
            .replace("cx: &'call rt::Cx<'_>", "")
            .replace("rt::functions::", "")
    });
    short.collect()
}

fn whole_signatures(forms: &str) -> Vec<String> {
    let output = bound(forms);
    assert_eq!(output.diagnostics, []);
    let text = output.files.get("m.rs").expect("the module's file");
    text.split("pub fn ")
        .skip(1)
        .map(|function| {
            let end = function.find(" {\n").expect("a body");
            let words: Vec<&str> = function[..end].split_whitespace().collect();
            let line = words.join(" ").replace(",)", ")").replace("( ", "(");
            line.replace(", ) ->", ") ->")
                .replace("< ", "<")
                .replace(", >", ">")
        })
        .collect()
}

#[test]
fn a_call_borrows_the_context() {
    let forms = "
        -export([put/2]).
        -spec put(Key :: term(), Value) -> undefined | Value.";
    assert_eq!(
        whole_signatures(forms),
        [
            "put<'call, Value: rt::ToTerm + rt::FromTerm, Key: rt::ToTerm>(\
             cx: &'call rt::Cx<'_>, key: Key, value: Value) -> \
             rt::functions::Calling<'call, Option<Value>, (Key, Value)>"
        ]
    );
}

#[test]
fn types_terms_and_results() {
    let forms = "
        -export([insert/2, look/1, open/1, close/1, read/1, halt/0, both/1]).
        -type tab() :: atom() | reference().
        -spec insert(Table :: tab(), Value :: term()) -> true.
        -spec look(Table :: tab()) -> [tuple()].
        -spec open(Name :: string()) -> {ok, tab()} | {error, enoent} | {error, eacces}.
        -spec close(tab()) -> ok | {error, term()}.
        -spec read(pid()) -> {ok, binary(), pos_integer()} | {error, atom()}.
        -spec halt() -> no_return().
        -spec both(pid()) -> ok | {ok, pid()} | {error, term()}.";
    assert_eq!(
        signatures(forms),
        [
            "insert<Value: rt::ToTerm>(table: impl Into<Tab>, value: Value) -> Calling<bool, (Tab, Value)>",
            "look(table: impl Into<Tab>) -> Calling<Vec<rt::Tuple>, (Tab)>",
            "open(name: impl Into<rt::ErlangString>) -> \
             Calling<Result<Tab, EnoentOrEacces>, (rt::ErlangString), OkWith<Tab, EnoentOrEacces>>",
            "close(tab: impl Into<Tab>) -> Calling<Result<(), rt::Term>, (Tab), OkOrError<rt::Term>>",
            "read(pid: rt::Pid) -> Calling<Result<(rt::Binary, ::core::num::NonZeroU64), rt::Atom>, \
             (rt::Pid), OkElements<(rt::Binary, ::core::num::NonZeroU64), rt::Atom>>",
            "halt() -> Calling<rt::Never, ()>",
            "both(pid: rt::Pid) -> Calling<OkOrOkWithOrError, (rt::Pid)>",
        ]
    );
}

#[test]
fn arities_are_told_apart_by_what_they_add() {
    let forms = "
        -export([send/2, send/3, match/1, match/2, match/3, self/0]).
        -spec send(Dest :: pid(), Msg :: term()) -> ok.
        -spec send(Dest :: pid(), Msg :: term(), Options :: [atom()]) -> ok.
        -spec match(Continuation :: term()) -> ok.
        -spec match(Table :: atom(), Pattern :: term()) -> ok.
        -spec match(Table :: atom(), Pattern :: term(), Limit :: byte()) -> ok.
        -spec self() -> pid().";
    let names: Vec<String> = signatures(forms)
        .iter()
        .map(|line| line.split(['<', '(']).next().unwrap_or_default().to_owned())
        .collect();
    let expected = [
        "send",
        "send_options",
        "r#match",
        "match_2",
        "match_limit",
        "self_",
    ];
    assert_eq!(names, expected);
}

#[test]
fn overloads_are_one_function_or_one_for_each_clause() {
    let forms = "
        -export([flag/2, one/1, same/1, info/2, info/1]).
        -spec flag(trap_exit, Boolean) -> OldBoolean when Boolean :: boolean(), OldBoolean :: boolean();
                  (priority, Level) -> OldLevel when Level :: byte(), OldLevel :: byte().
        -spec one(binary()) -> ok; (pid()) -> ok.
        -spec same(atom()) -> ok; (atom()) -> pid().
        -spec info(pid()) -> [atom()].
        -spec info(pid(), Item :: atom()) -> atom(); (pid(), ItemList :: [atom()]) -> [atom()].";
    assert_eq!(
        signatures(forms),
        [
            "flag_trap_exit(boolean: bool) -> Calling<bool, (atoms::trap_exit, bool)>",
            "flag_priority(level: u8) -> Calling<u8, (atoms::priority, u8)>",
            "one(argument: impl Into<BinaryOrPid>) -> Calling<atoms::ok, (BinaryOrPid)>",
            "same(atom: impl Into<rt::Atom>) -> Calling<OkOrPid, (rt::Atom)>",
            "info(pid: rt::Pid) -> Calling<Vec<rt::Atom>, (rt::Pid)>",
            "info_item(pid: rt::Pid, item: impl Into<rt::Atom>) -> Calling<rt::Atom, (rt::Pid, rt::Atom)>",
            "info_item_list(pid: rt::Pid, item_list: Vec<rt::Atom>) -> \
             Calling<Vec<rt::Atom>, (rt::Pid, Vec<rt::Atom>)>",
        ]
    );
}

#[test]
fn variables_that_tie_types_together_are_generic() {
    let forms = "
        -export([reverse/1, member/2, put/2, fresh/0]).
        -spec reverse(List) -> List2 when List :: [T], List2 :: [T], T :: term().
        -spec member(Elem :: T, List :: [T]) -> boolean().
        -spec put(Key :: term(), Value) -> undefined | Value.
        -spec fresh() -> T when T :: term().";
    assert_eq!(
        signatures(forms),
        [
            "reverse<T: rt::ToTerm + rt::FromTerm>(list: Vec<T>) -> Calling<Vec<T>, (Vec<T>)>",
            "member<T: rt::ToTerm>(elem: T, list: Vec<T>) -> Calling<bool, (T, Vec<T>)>",
            "put<Value: rt::ToTerm + rt::FromTerm, Key: rt::ToTerm>(key: Key, value: Value) -> \
             Calling<Option<Value>, (Key, Value)>",
            "fresh() -> Calling<rt::Term, ()>",
        ]
    );
}

#[test]
fn what_has_no_rust_name_is_counted() {
    let output = bound(
        "-export(['+'/2, f/0]).
        -spec '+'(number(), number()) -> number().
        -spec f() -> ok.
        -spec not_exported() -> ok.",
    );
    let report = &output.functions["m"];
    assert_eq!((report.bound, report.written), (1, 1));
    let [skipped] = report.skipped.as_slice() else {
        panic!("{report:?}");
    };
    assert_eq!(
        (skipped.function.as_str(), skipped.reason),
        ("'+'/2", SkipReason::Name)
    );
}

#[test]
fn without_the_option_there_are_none() {
    let output = generate(&[module("-export([f/0]). -spec f() -> ok.")], &options());
    assert!(output.functions.is_empty());
    assert!(
        !output
            .files
            .get("m.rs")
            .expect("the file")
            .contains("rt::functions")
    );
}
