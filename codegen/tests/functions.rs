//! Bindings of functions: names, overloads, variables, results.

mod support;

use otp_codegen::{Output, SkipReason, generate};
use support::{module, options};

fn bound(forms: &str) -> Output {
    let mut options = options();
    options.functions = true;
    generate(&[module(forms)], &options)
}

/// The declarations of the functions for `forms`, each on one line.
fn signatures(forms: &str) -> Vec<String> {
    let output = bound(forms);
    assert_eq!(output.diagnostics, []);
    let text = output.files.get("m.rs").expect("the module's file");
    text.split("pub fn ")
        .skip(1)
        .map(|function| {
            let end = function.find(";\n").expect("the end of a declaration");
            let words: Vec<&str> = function[..end].split_whitespace().collect();
            let line = words.join(" ").replace(",)", ")").replace("( ", "(");
            line.replace(", ) ->", ") ->")
                .replace("< ", "<")
                .replace(", >", ">")
        })
        .collect()
}

#[test]
fn functions_are_declared_in_one_block() {
    let output = bound(
        "-export([put/2, match/1, flag/2]).
        -spec put(Key :: term(), Value) -> undefined | Value.
        -spec match(pid()) -> ok.
        -spec flag(trap_exit, Boolean) -> boolean() when Boolean :: boolean();
                  (priority, Level) -> ok when Level :: byte().",
    );
    let text = output.files.get("m.rs").expect("the module's file");
    let (_, block) = text.split_once("#[rt::bindings").expect("a block");
    insta::assert_snapshot!(block, @r#"
    (module = "m")]
    extern "Erlang" {
        /// `-spec put(Key :: term(), Value) -> undefined | Value.`
        pub fn put<Value: rt::ToTerm + rt::FromTerm, Key: rt::ToTerm>(key: Key, value: Value) -> Option<Value>;

        /// `-spec match(pid()) -> ok.`
        pub fn r#match(pid: rt::Pid) -> atoms::ok;

        /// `-spec flag(trap_exit, Boolean :: boolean()) -> boolean().`
        #[erlang("flag", atoms::trap_exit, boolean)]
        pub fn flag_trap_exit(boolean: bool) -> bool;

        /// `-spec flag(priority, Level :: byte()) -> ok.`
        #[erlang("flag", atoms::priority, level)]
        pub fn flag_priority(level: u8) -> atoms::ok;
    }
    "#);
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
            "insert<Value: rt::ToTerm>(table: impl Into<Tab>, value: Value) -> bool",
            "look(table: impl Into<Tab>) -> Vec<rt::Tuple>",
            "open(name: impl Into<rt::ErlangString>) -> rt::OkWith<Tab, EnoentOrEacces>",
            "close(tab: impl Into<Tab>) -> rt::OkOrError<rt::Term>",
            "read(pid: rt::Pid) -> rt::OkElements<(rt::Binary, ::core::num::NonZeroU64), rt::Atom>",
            "halt() -> rt::Never",
            "both(pid: rt::Pid) -> OkOrOkWithOrError",
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
        "send_with_options",
        "match_with_continuation",
        "r#match",
        "match_with_limit",
        "self_",
    ];
    assert_eq!(names, expected);
}

#[test]
fn variables_of_opaque_types_are_said_where_a_value_comes_out() {
    let forms = "
        -export([from_list/1, to_list/1, get/2, set/3, resize/2, size/1]).
        -export_type([array/1]).
        -opaque array(Type) :: {pos_integer(), [Type]}.
        -spec from_list(List :: [Type]) -> array(Type).
        -spec to_list(Array :: array(Type)) -> [Type].
        -spec get(I :: byte(), Array :: array(Type)) -> Value :: Type.
        -spec set(I :: byte(), Value :: Type, Array :: array(Type)) -> array(Type).
        -spec resize(Size :: byte(), Array :: array(Type)) -> array(Type).
        -spec size(Array :: array(term())) -> byte().";
    assert_eq!(
        signatures(forms),
        [
            "from_list<Type: rt::ToTerm>(list: Vec<Type>) -> Array",
            "to_list<Type: rt::FromTerm>(array: impl Into<Array>) -> Vec<Type>",
            "get<Type: rt::FromTerm>(i: u8, array: impl Into<Array>) -> Type",
            "set<Type: rt::ToTerm>(i: u8, value: Type, array: impl Into<Array>) -> Array",
            "resize(size: u8, array: impl Into<Array>) -> Array",
            "size(array: impl Into<Array>) -> u8",
        ]
    );
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
            "flag_trap_exit(boolean: bool) -> bool",
            "flag_priority(level: u8) -> u8",
            "one(binary_or_pid: impl Into<BinaryOrPid>) -> atoms::ok",
            "same(atom: impl Into<rt::Atom>) -> OkOrPid",
            "info(pid: rt::Pid) -> Vec<rt::Atom>",
            "info_item(pid: rt::Pid, item: impl Into<rt::Atom>) -> rt::Atom",
            "info_item_list(pid: rt::Pid, item_list: impl Into<Vec<rt::Atom>>) -> Vec<rt::Atom>",
        ]
    );
}

#[test]
fn clauses_with_one_tag_are_named_by_more_of_their_arguments() {
    let forms = "
        -export([info/1, flag/2]).
        -spec info(cpu) -> pid(); ({cpu, Id :: byte()}) -> byte(); (memory | {memory, a | b | c | d}) -> float();
                  (load | load_average | load_average_of_the_hour) -> integer().
        -spec flag(nodes, term()) -> boolean(); ({nodes, byte()}, term()) -> byte().";
    assert_eq!(
        signatures(forms),
        [
            "info_cpu() -> rt::Pid",
            "info_cpu_id(cpu: (atoms::cpu, u8)) -> u8",
            "info_memory(value: impl Into<MemoryOrMemoryWith>) -> f64",
            "info_load(value: impl Into<InfoValue>) -> rt::Integer",
            "flag_nodes<Term: rt::ToTerm>(term: Term) -> bool",
            "flag_nodes_integer<Term: rt::ToTerm>(nodes: (atoms::nodes, u8), term: Term) -> u8",
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
            "reverse<T: rt::ToTerm + rt::FromTerm>(list: Vec<T>) -> Vec<T>",
            "member<T: rt::ToTerm>(elem: T, list: Vec<T>) -> bool",
            "put<Value: rt::ToTerm + rt::FromTerm, Key: rt::ToTerm>(key: Key, value: Value) -> Option<Value>",
            "fresh() -> rt::Term",
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
            .contains("rt::bindings")
    );
}
