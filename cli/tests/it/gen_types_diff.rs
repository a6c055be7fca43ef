//! `otp-rs gen-types --diff`

use crate::support::{Said, Scratch, otp_rs, said};

/// An OTP with one behaviour and a module with its types.
fn otp(scratch: &Scratch, release: u32, forms: &str) {
    scratch.write(&format!("{release}/OTP_VERSION"), &format!("{release}.0\n"));
    scratch.write(
        &format!("{release}/lib/stdlib/src/door.erl"),
        &format!("-module(door).\n{forms}"),
    );
    scratch.write(
        &format!("{release}/lib/stdlib/src/plain.erl"),
        "-module(plain).\n-type t() :: ok.\n",
    );
}

fn diff(scratch: &Scratch, modules: &[&str]) -> Said {
    let mut command = otp_rs(&["gen-types"]);
    command.args(modules).current_dir(scratch.path(""));
    command.args(["--diff", "25", "--otp-root", "27"]);
    said(command)
}

#[test]
fn what_a_callback_may_return_now_is_told_clause_by_clause() {
    let scratch = Scratch::new();
    otp(
        &scratch,
        25,
        "-callback open(Name :: atom()) -> {ok, State :: term()} | {ok, State :: term(), timeout()}
     | gone.
-callback same() -> {ok, Was :: term()} | ignore.
",
    );
    otp(
        &scratch,
        27,
        "-type result(S) :: {ok, S} | {ok, S, action()} | {error, locked | stuck}.
-type action() :: timeout() | {continue, Next :: term()}.
-callback open(Name :: atom()) -> result(State :: term()).
-callback same() -> ignore | {ok, Is :: term()}.
",
    );
    let said = diff(&scratch, &["door"]);
    said.succeeded();
    assert_eq!(
        said.out,
        "door, OTP 25 to OTP 27:
open/1 returns
  + {ok, State, {continue, Next}}
  + {error, locked}
  + {error, stuck}
  - gone

"
    );
}

#[test]
fn what_a_clause_of_both_covers_is_no_news() {
    let scratch = Scratch::new();
    let result = "{next, Next, [now | later]} | {next, Next, once}";
    otp(
        &scratch,
        25,
        &format!("-callback open(Next) -> {result} | {{next, b, stay}}.\n"),
    );
    otp(
        &scratch,
        27,
        &format!("-callback open(Next) -> {result} | {{next, a, [now]}} | {{next, b, stop}}.\n"),
    );
    let said = diff(&scratch, &["door"]);
    said.succeeded();
    assert_eq!(
        said.out,
        "door, OTP 25 to OTP 27:
open/1 returns
  + {next, b, stop}
  - {next, b, stay}

"
    );
}

#[test]
fn callbacks_that_come_go_and_become_optional_are_told() {
    let scratch = Scratch::new();
    let both = "-callback open() -> ok.\n-callback shut() -> ok.\n";
    otp(
        &scratch,
        25,
        &format!("{both}-callback old() -> ok.\n-optional_callbacks([open/0]).\n"),
    );
    otp(
        &scratch,
        27,
        &format!("{both}-callback new() -> ok.\n-optional_callbacks([new/0, shut/0]).\n"),
    );
    let said = diff(&scratch, &["door"]);
    said.succeeded();
    assert_eq!(
        said.out,
        "door, OTP 25 to OTP 27:
new/0 is new and optional
  + -callback new() -> ok.
open/0 is required now
shut/0 is optional now
old/0 is gone
  - -callback old() -> ok.

"
    );
}

#[test]
fn types_inside_of_results_are_told_once() {
    let scratch = Scratch::new();
    let callbacks = "-callback open() -> {ok, flags()}.\n-callback shut() -> {ok, [flags()]}.\n";
    otp(
        &scratch,
        25,
        &format!("{callbacks}-type flags() :: #{{a => 1..3}}.\n"),
    );
    otp(
        &scratch,
        27,
        &format!("{callbacks}-type flags() :: #{{a => 1..4}}.\n"),
    );
    let said = diff(&scratch, &["door"]);
    said.succeeded();
    assert_eq!(
        said.out,
        "door, OTP 25 to OTP 27:
door:flags/0, which callbacks return, is
  + #{a => 1..4}
  - #{a => 1..3}

"
    );
}

#[test]
fn of_maps_and_records_only_the_fields_that_differ_are_told() {
    let scratch = Scratch::new();
    otp(
        &scratch,
        25,
        "-callback open() -> {ok, flags()} | #lock{}.
-callback shut() -> {ok, #{why := stuck | open, by => pid()}} | #{only_old => 1}.
-callback same() -> {ok, #{a => one | two}}.
-record(lock, {kind :: brass | steel, level :: 1..9, by :: pid()}).
-type flags() :: #{a => 1..3, b => atom(), c := [x | y], d => z, e => #{f => 1, g => 2}}.
",
    );
    otp(
        &scratch,
        27,
        "-callback open() -> {ok, flags()} | #lock{}.
-callback shut() -> {ok, #{why := open | gone, by => pid(), at => 1}} | #{only_new => 1}.
-callback same() -> {ok, #{a => two | one}}.
-record(lock, {kind :: brass | steel | gold, level :: 1..9, by :: node()}).
-type flags() :: #{a => 1..4, b => atom(), c => [x | y], e => #{f => 1, g => 3}}.
",
    );
    let said = diff(&scratch, &["door"]);
    said.succeeded();
    assert_eq!(
        said.out,
        "door, OTP 25 to OTP 27:
open/0 returns
  + #lock{kind :: gold | ..., by :: node(), ...}
  - #lock{by :: pid(), ...}
shut/0 returns
  + {ok, #{why := gone | ..., at => 1, ...}}
  + #{only_new => 1}
  - {ok, #{why := stuck | ..., ...}}
  - #{only_old => 1}
door:flags/0, which callbacks return, is
  + #{a => 1..4, c => [x | y], e => #{g => 3, ...}, ...}
  - #{a => 1..3, c := [x | y], d => z, e => #{g => 2, ...}, ...}

"
    );
}

#[test]
fn types_that_hold_themselves_many_times_end() {
    let scratch = Scratch::new();
    let form = |name: &str| {
        let again: Vec<String> = (0..30).map(|arm| format!("t({{X, {arm}}})")).collect();
        let again = again.join(", ");
        format!("-type t(X) :: {{{name}, X}} | {{all, {again}}}.\n-callback f() -> t(a).\n")
    };
    otp(&scratch, 25, &form("one"));
    otp(&scratch, 27, &form("two"));
    let said = diff(&scratch, &["door"]);
    said.succeeded();
    assert_eq!(
        said.out,
        "door, OTP 25 to OTP 27:\nf/0 returns\n  + {two, a}\n  - {one, a}\n\n"
    );
}

#[test]
fn without_modules_every_behaviour_is_compared() {
    let scratch = Scratch::new();
    otp(&scratch, 25, "-callback f() -> ok.\n");
    otp(&scratch, 27, "-callback f() -> ok.\n");
    scratch.write(
        "27/lib/stdlib/src/window.erl",
        "-module(window).\n-callback f() -> ok.\n",
    );
    let said = diff(&scratch, &[]);
    said.succeeded();
    assert_eq!(said.out, "window, OTP 25 to OTP 27:\nwindow is new\n\n");
    assert!(scratch.path("27/lib/stdlib/src/door.erl").is_file());

    let same = diff(&scratch, &["door"]);
    same.succeeded();
    assert_eq!(same.out, "");
    assert!(same.err.contains("no callback differs"), "{}", same.err);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let scratch = Scratch::new();
    otp(&scratch, 25, "-callback f() -> ok.\n");
    otp(&scratch, 27, "-callback f() -> ok.\n");
    diff(&scratch, &["dor"]).refused(&["no module `dor`", "did you mean `door`"]);
    diff(&scratch, &["door", "--out", "x"]).refused(&["cannot be used"]);
    let mut command = otp_rs(&["gen-types", "--diff", "none"]);
    command.current_dir(scratch.path(""));
    said(command).refused(&["none", "No such file"]);
}

#[test]
fn a_module_that_can_be_read_in_neither_otp_is_told() {
    let scratch = Scratch::new();
    for release in [25, 27] {
        otp(&scratch, release, "");
        scratch.write(&format!("{release}/lib/stdlib/ebin/torn.beam"), "FOR1");
    }
    diff(&scratch, &["torn"]).refused(&["error[E0835]: `torn` cannot be read", "torn.beam"]);
}
