//! `otp-rs term`, and types on the command line.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::otp_rs;

fn term(arguments: &[&str]) -> Command {
    otp_rs(&[&["term"], arguments].concat())
}

fn printed(arguments: &[&str]) -> String {
    let output = term(arguments).output().expect("otp-rs runs");
    let complained = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {complained}");
    String::from_utf8(output.stdout).expect("text")
}

fn refused(arguments: &[&str]) -> String {
    let output = term(arguments).output().expect("otp-rs runs");
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).expect("text")
}

/// The output of Erlang.
fn erl(expressions: &str) -> String {
    let output = Command::new("erl")
        .args(["-noshell", "-eval", &format!("{expressions}, halt().")])
        .output()
        .expect("erl runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{printed}");
    printed
}

#[test]
fn a_term_is_printed_in_all_ways() {
    let term = "{ok, #{a => [1, <<\"text\">>]}}";
    let bytes = format!("Bytes = term_to_binary({term}, [{{minor_version, 1}}])");
    let hex = erl(&format!(
        "{bytes}, [io:format(\"~2.16.0b\", [Byte]) || <<Byte>> <= Bytes]"
    ));
    let base64 = erl(&format!("{bytes}, io:put_chars(base64:encode(Bytes))"));
    let expected = format!(
        "Erlang  {{ok,#{{a => [1,<<\"text\">>]}}}}\n\
         hex     {hex}\n\
         base64  {base64}\n\
         JSON    {{\"$ok\":[{{\"a\":[1,{{\"@text\":\"text\"}}]}}]}}\n\
         Rust    Term::of(&(atom!(\"ok\"), Term::Map(TermMap::from_iter([(Term::of(&atom!(\"a\")), \
         Term::List([Term::of(&1_i64), Term::of(&\"text\")].into()))])),))\n"
    );
    assert_eq!(printed(&[term]), expected);
}

/// Erlang itself decides what the bytes mean.
#[test]
fn erlang_writes_bytes_and_reads_ours() {
    let term = "{ok, #{a => [1, -2.5, $c], 'b c' => <<1,2,3:4>>}, \"text\"}";
    let bytes = erl(&format!(
        "io:put_chars(base64:encode(term_to_binary({term}))), \
         true = {term} =:= binary_to_term(base64:decode(\"{}\"))",
        printed(&[term, "--to", "base64"]).trim()
    ));
    assert_eq!(
        printed(&[&bytes, "--from", "etf", "--to", "erlang"]),
        "{ok,#{a => [1,-2.5,99],'b c' => <<1,2,3:4>>},\"text\"}\n"
    );
}

#[test]
fn bytes_are_given_in_four_ways() {
    for text in [
        "836400026f6b",
        "83 64 00 02 6F 6B\n",
        "g2QAAm9r",
        "<<131,100,0,2,\"ok\">>",
    ] {
        assert_eq!(
            printed(&[text, "--from", "etf", "--to", "erlang"]),
            "ok\n",
            "{text}"
        );
    }
    let mut running = term(&["--from", "etf", "--to", "etf"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("otp-rs runs");
    let bytes = [131, 104, 1, 97, 255];
    let mut input = running.stdin.take().expect("a pipe");
    input.write_all(&bytes).expect("it reads");
    drop(input);
    let output = running.wait_with_output().expect("it ends");
    assert_eq!(output.stdout, bytes);
}

#[test]
fn a_term_is_checked_against_a_type() {
    for (term, ty) in [
        ("[{a, 1}, {b, 2}]", "orddict:orddict(atom(), integer())"),
        (
            "#{strategy => one_for_one, intensity => 3}",
            "supervisor:sup_flags()",
        ),
        ("{one_for_all, 1, 5}", "supervisor:sup_flags()"),
        (
            "#{id => x, start => {m, f, [1]}}",
            "supervisor:child_spec()",
        ),
        ("[1, [<<\"a\">>] | <<\"b\">>]", "iodata()"),
        ("{127,0,0,1}", "inet:ip_address()"),
        (
            "#{a => 1, 2 => b}",
            "#{a := integer(), integer() => atom()}",
        ),
        ("fun lists:map/2", "fun((term(), list()) -> list())"),
        ("<<1,2:4>>", "<<_:4, _:_*8>>"),
        ("16#ffffffffffffffffffff", "non_neg_integer()"),
        ("-1", "-1..1"),
    ] {
        printed(&[term, "--type", ty, "--to", "erlang"]);
    }
    for (term, ty, message) in [
        (
            "{ok, 1.5}",
            "{ok, integer()} | error",
            "2: expected `integer()`, got `1.5`",
        ),
        (
            "[{a, 1}, {b, c}]",
            "orddict:orddict(atom(), integer())",
            "[2].2: expected `integer()`, got `c`",
        ),
        (
            "#{strategy => one, intensity => 3}",
            "supervisor:sup_flags()",
            "strategy: expected ",
        ),
        (
            "#{intensity => a}",
            "supervisor:sup_flags()",
            "intensity: expected `non_neg_integer()`, got `a`",
        ),
        ("#{b => 1}", "#{a := integer()}", "has no key `b`"),
        ("#{}", "#{a := integer()}", "the key `a` is missing"),
        ("256", "byte()", "expected `0..255`, got `256`"),
        // The member whose keys and tag match was meant.
        (
            "#{id => x, restrt => soon, start => {m, f, []}}",
            "supervisor:child_spec()",
            "has no key `restrt`",
        ),
        (
            "#{id => x}",
            "supervisor:child_spec()",
            "the key `start` is missing",
        ),
        (
            "#{type => b, value => wrong}",
            "#{type := a, value := wrong} | #{type := b, value := 1..9} | #{type := b}",
            "value: expected `1..9`, got `wrong`",
        ),
        (
            "fun lists:map/2",
            "fun((list()) -> list())",
            "got `fun lists:map/2`",
        ),
    ] {
        let said = refused(&[term, "--type", ty]);
        assert!(said.contains("E0847") && said.contains(message), "{said}");
    }
}

#[test]
fn a_schema_is_made_of_a_type_that_is_typed() {
    let mut command = otp_rs(&["schema", "orddict:orddict(atom(), integer())"]);
    let output = command.output().expect("otp-rs runs");
    let schema: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(schema["title"], "orddict:orddict(atom(), integer())");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for (term, fits) in [
        ("[{a, 1}]", true),
        ("[]", true),
        ("[{a, b}]", false),
        ("[{1, 1}]", false),
    ] {
        let json = serde_json::from_str(&printed(&[term, "--to", "json"])).expect("JSON");
        assert_eq!(validator.is_valid(&json), fits, "{term}");
    }
}

#[test]
fn nothing_that_is_typed_overflows_a_stack() {
    for open in ["[", "{", "#{a=>", "<<", "- ", "A::", "1+"] {
        let deep = open.repeat(20_000);
        assert!(refused(&[&deep]).contains("E0846"), "{open}");
        assert!(refused(&["1", "--type", &deep]).contains("E0845"), "{open}");
    }
    let levels = 5_000;
    let deep = ["83", &"6c00000001".repeat(levels), &"6a".repeat(levels + 1)].concat();
    assert_eq!(
        printed(&[&deep, "--from", "etf", "--to", "hex"]).trim(),
        deep
    );
    for to in ["erlang", "json", "rust"] {
        printed(&[&deep, "--from", "etf", "--to", to]);
    }
}
