//! `otp-rs schema`

use serde_json::Value;

use crate::support::{Said, Scratch, otp_rs, said};

fn schema(scratch: &Scratch, ty: &str) -> Said {
    let mut command = otp_rs(&["schema", ty]);
    command.current_dir(scratch.path(""));
    said(command)
}

fn document(said: &Said) -> Value {
    said.succeeded();
    serde_json::from_str(&said.out).expect("JSON")
}

#[test]
fn a_type_of_otp_is_described_with_those_that_it_refers_to() {
    let scratch = Scratch::new();
    let document = document(&schema(&scratch, "supervisor:child_spec"));
    assert_eq!(document["$ref"], "#/$defs/supervisor:child_spec()");
    let restart = &document["$defs"]["supervisor:restart()"];
    assert_eq!(
        restart["enum"],
        serde_json::json!(["permanent", "transient", "temporary"])
    );
}

#[test]
fn types_of_other_modules_are_followed() {
    let scratch = Scratch::new();
    scratch.write(
        "one.erl",
        "-module(one).\n-type t() :: {two:t(), inet:port_number()}.\n",
    );
    scratch.write(
        "two.erl",
        "-module(two).\n-export_type([t/0]).\n-type t() :: far | one:t().\n",
    );
    let document = document(&schema(&scratch, "one.erl:t"));
    let definitions = document["$defs"].as_object().expect("definitions");
    let names: Vec<&str> = definitions.keys().map(String::as_str).collect();
    assert_eq!(names, ["inet:port_number()", "one:t()", "two:t()"]);
    assert_eq!(definitions["inet:port_number()"]["maximum"], 65535);
}

#[test]
fn a_module_alone_gives_all_its_types() {
    let scratch = Scratch::new();
    scratch.write(
        "m.erl",
        "-module(m).\n-type a() :: ok.\n-type b(T) :: [T].\n",
    );
    let document = document(&schema(&scratch, "./m.erl"));
    let definitions = document["$defs"].as_object().expect("definitions");
    assert!(definitions.contains_key("m:a()"), "{definitions:?}");
    assert!(definitions.contains_key("m:b(term())"), "{definitions:?}");
}

#[test]
fn what_is_not_there_is_said_with_what_is_near() {
    let scratch = Scratch::new();
    schema(&scratch, "supervisr:child_spec").refused(&["did you mean `supervisor`"]);
    schema(&scratch, "supervisor:child_specs").refused(&[
        "`supervisor` has no type `child_specs`",
        "did you mean `child_spec`",
    ]);
    schema(&scratch, "supervisor:child_spec/x").refused(&["`x`", "is not an arity"]);
    schema(&scratch, "supervisor:child_spec/3").refused(&[
        "`supervisor` has no type `child_spec/3`",
        "`supervisor:child_spec/0`",
    ]);
}
