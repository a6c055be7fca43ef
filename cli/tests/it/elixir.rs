//! `otp-rs` with modules from the compilers of Elixir and Gleam.

use std::process::Command;

use crate::support::{Said, Scratch, otp_rs, said, target};

/// Whether Elixir is installed. If not, this prints a line that the test is left out.
#[expect(
    clippy::print_stderr,
    reason = "whoever runs the test should see that it is left out"
)]
pub(crate) fn has_elixir() -> bool {
    let has = Command::new("elixirc").arg("--version").output().is_ok();
    if !has {
        eprintln!("skipped: Elixir is not installed (`cargo xtask test` installs it)");
    }
    has
}

fn run(scratch: &Scratch, arguments: &[&str]) -> Said {
    let mut command = otp_rs(arguments);
    command.current_dir(scratch.path(""));
    said(command)
}

/// The lines are in the text, in this order.
#[track_caller]
fn assert_lines(text: &str, lines: &[&str]) {
    let mut rest = text;
    for line in lines {
        let Some(at) = rest.find(line) else {
            panic!("{line} in {rest}");
        };
        rest = &rest[at + line.len()..];
    }
}

#[test]
fn elixirs_own_modules_are_found_by_their_names_there() {
    if !has_elixir() {
        return;
    }
    let scratch = Scratch::new();
    let arguments = [
        "gen-types",
        "URI",
        "GenServer",
        "Enum",
        "--functions",
        "--out",
        "out",
    ];
    run(&scratch, &arguments).succeeded();
    let uri = scratch.read("out/uri.rs");
    let lines = [
        "from Elixir.URI (elixir-",
        "pub struct Uri {",
        "#[term(key = \"__struct__\")]",
        "pub host: rt::OrNil<rt::Binary>,",
        "impl Default for Uri {",
        "host: rt::OrNil(None),",
        "pub fn new_bang(",
    ];
    assert_lines(&uri, &lines);
    let server = scratch.read("out/gen_server.rs");
    let lines = ["pub trait GenServer: Sized", "pub trait HandleCall<"];
    assert_lines(&server, &lines);
    assert_lines(&scratch.read("out/enum_.rs"), &["pub fn empty<"]);
}

#[test]
fn a_module_that_elixir_does_not_have_gets_near_names() {
    if !has_elixir() {
        return;
    }
    let failed = run(&Scratch::new(), &["types", "GenServr"]);
    assert_eq!(failed.code, Some(1));
    let lines = [
        "there is no module `GenServr` in OTP or Elixir",
        "`Elixir.GenServer`?",
    ];
    assert_lines(&failed.err, &lines);
}

/// Two modules in the style of the Gleam compiler.
fn gleams_modules(scratch: &Scratch) {
    scratch.write(
        "erlang/shop@item.erl",
        r#"-module(shop@item).
-compile([no_auto_import, nowarn_unused_vars, nowarn_unused_function, nowarn_nomatch, inline]).
-define(FILEPATH, "src/shop/item.gleam").
-export([new/2, price/1, map_note/2]).
-export_type([item/0, outcome/1, currency/0]).

-if(?OTP_RELEASE >= 27).
-define(MODULEDOC(Str), -moduledoc(Str)).
-define(DOC(Str), -doc(Str)).
-else.
-define(MODULEDOC(Str), -compile([])).
-define(DOC(Str), -compile([])).
-endif.

?MODULEDOC(" Things that are sold.\n").

-type currency() :: yen | euro.

-type item() :: {item, binary(), integer(), 'gleam@option':option(binary())} |
    {gift, binary()}.

-type outcome(HJF) :: {done, HJF} | {failed, list(binary())}.

-file("src/shop/item.gleam", 12).
?DOC(" A new item.\n").
-spec new(binary(), integer()) -> item().
new(Name, Price) ->
    {item, Name, Price, none}.

-file("src/shop/item.gleam", 17).
-spec price(item()) -> {ok, integer()} | {error, nil}.
price({item, _, Price, _}) ->
    {ok, Price};
price({gift, _}) ->
    {error, nil}.

-file("src/shop/item.gleam", 25).
-spec map_note(item(), fun((binary()) -> HJK)) -> outcome(HJK).
map_note({item, _, _, {some, Note}}, Fun) ->
    {done, Fun(Note)};
map_note(_, _) ->
    {failed, [<<"no note"/utf8>>]}.
"#,
    );
    scratch.write(
        "erlang/gleam@option.erl",
        "-module(gleam@option).
-compile([no_auto_import, nowarn_unused_vars]).
-export_type([option/1]).
-type option(FB) :: {some, FB} | none.
",
    );
}

#[test]
fn gleams_erlang_is_read_generated_and_compiled() {
    let scratch = Scratch::with_application_named("gleaming");
    gleams_modules(&scratch);
    let out = ["--src", "erlang", "--out", "gleaming/src/gleam"];
    let arguments = ["gen-types", "shop@item", "--functions"];
    run(&scratch, &[&arguments[..], &out].concat()).succeeded();
    let item = scratch.read("gleaming/src/gleam/shop_item.rs");
    let lines = [
        "pub enum Currency {",
        "pub enum Item {",
        "        super::gleam_option::Option<rt::Binary>,",
        "Gift(#[from(into)] rt::Binary),",
        "pub enum Outcome<",
        "#[rt::bindings(module = \"shop@item\")]",
        "pub fn price(item: impl Into<Item>) -> rt::OkWith<rt::Integer, atoms::nil>;",
    ];
    assert_lines(&item, &lines);

    let lib = scratch.read("gleaming/src/lib.rs");
    let lib = lib.replace("pub mod stroot;", "pub mod gleam;\npub mod stroot;");
    scratch.write("gleaming/src/lib.rs", &lib);
    let mut build = Command::new(env!("CARGO"));
    build
        .args(["clippy", "--", "-D", "warnings"])
        .current_dir(scratch.path("gleaming"))
        .env("CARGO_TARGET_DIR", target());
    said(build).succeeded();
}
