//! Users can follow the advice of a message literally, and then the message does not appear any
//! more.

use crate::support::{Said, Scratch, otp_rs, said};

fn run(scratch: &Scratch, arguments: &[&str]) -> Said {
    let mut command = otp_rs(arguments);
    command.current_dir(scratch.path(""));
    said(command)
}

fn with(files: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::new();
    for (name, text) in files {
        scratch.write(name, text);
    }
    scratch
}

#[test]
fn names_that_are_suggested_can_be_typed() {
    let text = "-module(odd).\n-export(['a name'/1]).\n-type 'a type'() :: a.\n\
        -type 'a type'(A) :: A.\n-type t() :: b.\n-spec 'a name'(a) -> b.\n";
    let scratch = with(&[("odd.erl", text)]);
    let types = |what: &str| run(&scratch, &["types", what]);
    types("./odd.erl:'a nam'").refused(&["E0838", "did you mean `'a name'`?"]);
    types("./odd.erl:'a name'/2").refused(&["E0838", "there is `./odd.erl:'a name'/1`"]);
    types("./odd.erl:'a name'/1").succeeded();
    let schema = |what: &str| run(&scratch, &["schema", what]);
    schema("./odd.erl:'a type'").refused(&[
        "E0839",
        "there is `./odd.erl:'a type'/0` and `./odd.erl:'a type'/1`",
    ]);
    schema("./odd.erl:'a type'/0").succeeded();
    schema("./odd.erl:'a typ'").refused(&["E0838", "did you mean `'a type'`?"]);
    schema("./odd.erl:t/2").refused(&["E0838", "`odd` has no type `t/2`", "`./odd.erl:t/0`"]);
    schema("./odd.erl:none").refused(&["it has `'a type'`, `t`"]);
}

#[test]
fn a_type_on_a_command_line_is_mended_there() {
    let scratch = Scratch::new();
    let typed = |ty: &str| run(&scratch, &["term", "1", "--type", ty]);
    typed("child_spec()").refused(&["E0845", "in front of a type that is not predefined"]);
    typed("supervisor:child_spec").refused(&["a type has parentheses: supervisor:child_spec()"]);
    typed("supervisor:child_spec()").refused(&["E0847"]);
    typed("supervisor:child_specs()").refused(&["`otp-rs types MODULE` shows"]);
    typed("no_such_module:t()").refused(&["unknown module", "--pa and --src name folders"]);
    let record = typed("#state{}");
    record.refused(&[
        "undefined record `#state`",
        "name a type of the record's module",
    ]);
    assert!(!record.err.contains("include"), "{}", record.err);
}

#[test]
fn a_header_is_put_where_the_hint_says() {
    let text = "-module(shop).\n-include(\"shop.hrl\").\n-type t() :: item().\n";
    let scratch = with(&[("shop/src/shop.erl", text)]);
    let types = || run(&scratch, &["types", "shop/src/shop.erl"]);
    types().refused(&["E0210", "into the folder `include` of its application"]);
    scratch.write("shop/include/shop.hrl", "-type item() :: binary().\n");
    types().succeeded();
}

#[test]
fn a_module_whose_forms_are_wrong_has_forms() {
    let text = "-module(m).\n-spec f(a) -> ok; (a, b) -> ok.\n";
    let said = run(&with(&[("m.erl", text)]), &["types", "./m.erl"]);
    said.failed(&["E0514", "E0840"]);
    assert!(!said.err.contains("E0837"), "{}", said.err);
}

#[test]
fn functions_without_types_are_bound_by_an_option() {
    let scratch = with(&[("m.erl", "-module(m).\n-export([f/0]).\n-spec f() -> ok.\n")]);
    run(&scratch, &["gen-types", "./m.erl"]).refused(&["E0836", "--functions binds"]);
    run(&scratch, &["gen-types", "./m.erl", "--functions"]).succeeded();
    let scratch = with(&[("shop.erl", "-behaviour(gen_server).\n")]);
    run(&scratch, &["gen-types", "./shop.erl"]).refused(&[
        "`shop` has no -callback",
        "name the module that defines the behaviour",
    ]);
}

#[test]
fn a_damaged_module_is_not_said_to_lack_debug_info() {
    let scratch = with(&[("ebin/m.beam", "-module(m).\n")]);
    let said = run(&scratch, &["types", "m", "--pa", "ebin"]);
    said.refused(&["E0401", "not a BEAM file", "ebin/m.beam"]);
    assert!(!said.err.contains("debug_info"), "{}", said.err);
}

#[test]
fn a_line_of_a_binary_file_is_not_shown() {
    let scratch = Scratch::new();
    let expression = "Docs = [{{function, f, 0}, 1, [], none, \
        #{signature => [{attribute, 1, spec, unknown}]}}], \
        Chunk = {docs_v1, 1, erlang, <<\"text/markdown\">>, none, #{}, Docs}, \
        ok = file:write_file(\"m.chunk\", term_to_binary(Chunk)), halt().";
    let mut erl = std::process::Command::new("erl");
    erl.args(["-noshell", "-eval", expression])
        .current_dir(scratch.path(""));
    assert!(erl.status().expect("erl runs").success());
    for command in ["forms", "types"] {
        let said = run(&scratch, &[command, "./m.chunk"]);
        said.failed(&["E0404", "./m.chunk:1"]);
        assert!(!said.err.contains("m.chunk:1:0"), "{}", said.err);
        assert!(!said.err.contains("docs_v1"), "{}", said.err);
    }
}

#[test]
fn a_temporary_file_is_not_named() {
    let scratch = Scratch::new();
    let report = [
        "gen-types",
        "gen_event",
        "--out",
        "otp",
        "--report",
        "none/report.json",
    ];
    let said = run(&scratch, &report);
    said.refused(&["E0810", "none/report.json"]);
    assert!(!said.err.contains("at path"), "{}", said.err);
}
