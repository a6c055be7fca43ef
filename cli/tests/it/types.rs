//! `otp-rs types`

use crate::support::{Said, Scratch, otp_rs, said};

fn types(scratch: &Scratch, columns: &str, what: &str) -> Said {
    let mut command = otp_rs(&["types", what]);
    command
        .current_dir(scratch.path(""))
        .env("COLUMNS", columns);
    said(command)
}

#[test]
fn a_type_stands_beside_its_rust() {
    let scratch = Scratch::new();
    let said = types(&scratch, "120", "supervisor:restart");
    said.succeeded();
    assert_eq!(
        said.out,
        "\
type supervisor:restart/0
  -type restart() :: permanent | transient | temporary. │ pub enum Restart {
                                                        │     Permanent,
                                                        │     Transient,
                                                        │     Temporary,
                                                        │ }
"
    );
    let said = types(&scratch, "60", "supervisor:restart/0");
    assert_eq!(
        said.out,
        "\
type supervisor:restart/0
  -type restart() :: permanent | transient | temporary.

  pub enum Restart {
      Permanent,
      Transient,
      Temporary,
  }
"
    );
}

#[test]
fn a_callback_shows_its_trait_and_what_it_may_return() {
    let scratch = Scratch::new();
    let said = types(&scratch, "200", "gen_event:handle_call");
    said.succeeded();
    for text in [
        "callback gen_event:handle_call/2\n",
        "-callback handle_call(Request :: term(), State :: term()) ->",
        "pub trait HandleCall<",
        "impl HandleCallReturn<",
        "pub enum HandleCall<",
        "    SwapHandler(",
    ] {
        assert!(said.out.contains(text), "no `{text}` in\n{}", said.out);
    }
}

#[test]
fn records_and_types_of_other_modules() {
    let scratch = Scratch::new();
    let said = types(&scratch, "200", "file:file_info");
    said.succeeded();
    assert!(
        said.out.contains("record #file_info{} of file\n"),
        "{}",
        said.out
    );
    assert!(
        said.out.contains("pub struct FileInfoRecord {"),
        "{}",
        said.out
    );
    let said = types(&scratch, "200", "gen_event:option");
    assert!(said.out.contains("Vec<proc_lib::"), "{}", said.out);
}

/// Every type and callback of these modules has Rust.
#[test]
fn whole_modules() {
    let scratch = Scratch::new();
    for module in [
        "gen_statem",
        "supervisor",
        "application",
        "inet",
        "calendar",
        "gen",
    ] {
        let said = types(&scratch, "100", module);
        said.succeeded();
        assert!(!said.out.contains("nothing is generated"), "{module}");
        assert!(said.out.contains("pub "), "{module}");
    }
}

#[test]
fn a_file_of_ones_own() {
    let scratch = Scratch::new();
    scratch.write(
        "src/shop.erl",
        "-module(shop).\n-export_type([t/1]).\n-include(\"shop.hrl\").\n\
         -type t(A) :: {item, A, ?PRICE} | stock:t().\n",
    );
    scratch.write("include/shop.hrl", "-define(PRICE, 1..100).\n");
    scratch.write(
        "src/stock.erl",
        "-module(stock).\n-export_type([t/0]).\n-type t() :: full | empty.\n",
    );
    for what in ["src/shop.erl", "src/shop.erl:t", "src/shop.erl:t/1"] {
        let said = types(&scratch, "80", what);
        said.succeeded();
        assert!(
            said.out.contains("{item, A, 1..100} | stock:t()."),
            "{}",
            said.out
        );
        assert!(said.out.contains("pub enum T<A> {"), "{}", said.out);
        assert!(said.out.contains("stock::T"), "{}", said.out);
    }
    scratch.write("src/odd.erl", "-module(odd).\n-type t() :: .\n");
    types(&scratch, "80", "src/odd.erl").refused(&["src/odd.erl:2:14", "syntax error"]);
}

#[test]
fn what_is_not_there_gets_near_names() {
    let scratch = Scratch::new();
    for (what, texts) in [
        (
            "supervsor:restart",
            ["no module `supervsor`", "did you mean `supervisor`"],
        ),
        (
            "supervisor:restrat",
            [
                "no type, callback or function with a -spec `restrat`",
                "did you mean `restart`?",
            ],
        ),
        (
            "supervisor:xyzzy",
            [
                "no type, callback or function with a -spec `xyzzy`",
                "`otp-rs types supervisor` shows all",
            ],
        ),
        (
            "dict:dict/7",
            [
                "no type, callback or function with a -spec `dict/7`",
                "`dict:dict/0`, `dict:dict/2`",
            ],
        ),
        ("dict:dict/x", ["`x` is not an arity", "MODULE:NAME/ARITY"]),
        (
            "erl_eval:no_such",
            ["no type, callback or function", "`no_such`"],
        ),
    ] {
        types(&scratch, "80", what).refused(&texts);
    }
}

#[test]
fn a_function_shows_its_binding() {
    let scratch = Scratch::new();
    let said = types(&scratch, "100", "string:find/3");
    said.succeeded();
    for text in [
        "function string:find/3\n",
        "-spec find(String, SearchPattern, Dir) ->",
        "pub fn find_with_dir(\n",
        "pub enum ChardataOrNomatch {\n",
    ] {
        assert!(said.out.contains(text), "no `{text}` in\n{}", said.out);
    }
    let all = types(&scratch, "100", "supervisor");
    all.succeeded();
    for text in [
        "type supervisor:child_spec/0",
        "callback supervisor:init/1",
        "function supervisor:start_child/2",
    ] {
        assert!(all.out.contains(text), "no `{text}`");
    }
}

#[test]
fn overrides_are_followed() {
    let scratch = Scratch::new();
    scratch.write(
        "choices.toml",
        "[types.\"inet:port_number\"]\nrename = \"Port\"\n[types.\"inet:ip_address\"]\nrust = \"std::net::IpAddr\"\n",
    );
    let with = |command: &str, what: &str| {
        let mut command = otp_rs(&[command, what, "--config", "choices.toml"]);
        command.current_dir(scratch.path(""));
        let said = said(command);
        said.succeeded();
        said.out
    };
    let shown = with("types", "inet:port_number");
    assert!(shown.contains("pub type Port = u16;"), "{shown}");
    let schema = with("schema", "inet:socket_address");
    assert!(!schema.contains("inet:ip_address()"), "{schema}");
    assert!(
        schema.contains("inet:port_number()") || schema.contains("term()"),
        "{schema}"
    );
}

#[test]
fn a_type_that_is_not_there_fails_the_command_at_its_end() {
    let scratch = Scratch::new();
    scratch.write(
        "m.erl",
        "-module(m).\n-type a() :: missing().\n-type b() :: pid().\n",
    );
    let said = types(&scratch, "120", "./m.erl");
    said.failed(&[
        "error[E0502]",
        "error[E0840]: 1 type is wrong; the errors above say why",
    ]);
    assert!(said.out.contains("-type b() :: pid()."), "{}", said.out);
}

/// A text without blanks, the layout of attributes, and the paths that `types` leaves out.
fn squeezed(text: &str) -> String {
    let text = text.replace("rt::", "").replace("super::", "");
    text.split_whitespace().collect()
}

/// The sections of `types`' output, each with its heading.
fn sections(out: &str) -> Vec<(&str, Vec<&str>)> {
    let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in out.lines() {
        match (line.starts_with(' '), all.last_mut()) {
            (true, Some((_, lines))) => lines.push(line),
            _ if line.is_empty() => {}
            _ => all.push((line, Vec::new())),
        }
    }
    all
}

/// For each type and function of these modules, `types` shows lines that `gen-types` writes, or a
/// reason why there are none.
#[test]
fn what_is_shown_is_what_gen_types_writes() {
    let scratch = Scratch::new();
    for module in ["erlang", "lists", "file", "dict", "ssh_server_channel"] {
        let out = format!("out_{module}");
        let mut command = otp_rs(&["gen-types", module, "--functions", "--out", &out]);
        command.current_dir(scratch.path(""));
        command.args(["--path", "crate::otp"]);
        said(command).succeeded();
        let written: String = std::fs::read_dir(scratch.path(&out))
            .expect("the files")
            .map(|entry| entry.expect("a file").path())
            .map(|path| std::fs::read_to_string(path).expect("a text"))
            .collect();
        let written = squeezed(&written);
        // The terminal is narrow, so that Erlang and Rust are below each other.
        let shown = types(&scratch, "40", module);
        shown.succeeded();
        let sections = sections(&shown.out);
        assert!(!sections.is_empty(), "{}", shown.out);
        for (heading, lines) in sections {
            let is_rust = |line: &&&str| line.trim_start().starts_with("pub ");
            let shown: Vec<&&str> = lines.iter().filter(is_rust).collect();
            let says_why = lines.iter().any(|line| {
                let line = line.trim_start();
                line.starts_with("// the type of ")
                    || line.starts_with("// nothing is generated for it: ")
            });
            assert!(
                says_why == shown.is_empty(),
                "{module} {heading}\n{lines:#?}"
            );
            let heads = shown
                .iter()
                .filter_map(|line| line.split(['(', '{']).next());
            for head in heads.filter(|head| !head.contains("pub use ")) {
                assert!(written.contains(&squeezed(head)), "{heading}: {head}");
            }
        }
    }
}

#[test]
fn overloads_are_shown_and_what_is_not_bound_says_why() {
    let scratch = Scratch::new();
    let said = types(&scratch, "200", "erlang:process_flag/2");
    said.succeeded();
    for text in [
        "-spec process_flag(trap_exit, Boolean",
        "pub fn process_flag_trap_exit(",
        "pub fn process_flag_priority(",
    ] {
        assert!(said.out.contains(text), "no `{text}` in\n{}", said.out);
    }
    // A parameter of the function's own has the name of a type.
    let monitor_nodes = "pub fn process_flag_monitor_nodes<Term: ToTerm>(term: Term) -> rt::Term;";
    assert!(said.out.contains(monitor_nodes), "{}", said.out);
    for operator in ["'+'", "'--'"] {
        let said = types(&scratch, "200", &format!("erlang:{operator}/2"));
        let reason = "// nothing is generated for it: its name is not a Rust name";
        assert!(said.out.contains(reason), "{}", said.out);
    }
}
