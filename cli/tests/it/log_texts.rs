//! VMs and reports write texts beyond Latin-1 as texts, not as lists of numbers.

use std::process::Command;

use crate::settings::{application, run};
use crate::support::{Scratch, otp_rs, said, target};

/// A report of the library as OTP's own handlers write it, in a VM without `+pc unicode`.
const REPORT: &str = r#"
    latin1 = io:printable_range(),
    Who = [26085, 26412],
    Text = unicode:characters_to_binary(Who),
    Reason = {bad, Who, #{Text => [Text, {Who, 1.5} | Text]}, [Who, 1 | a], <<>>, <<"a">>, "b", [], self},
    Report = #{label => {otp_rs, bad_message}, module => m, function => f, arity => 1, message => <<>>, reason => Reason,
        suppressed => 0},
    {Format, Arguments} = otp_rs:format(Report),
    io:format("~ts~n", [io_lib:format(Format, Arguments)]),
    io:format("~ts~n", [otp_rs:written(lists:duplicate(100000, Who), 20)]),
    io:format("~ts~n", [otp_rs:written(lists:duplicate(100000, 26085), 5)]),
    halt()."#;

#[test]
fn a_report_has_texts_beyond_latin_1_wherever_it_is_written() {
    let scratch = application("worded", "[env]\nport = 1\n");
    let worker = scratch.read("worded/src/worker.rs");
    let worker = worker.replace("\"prices\"", "\"日本\"");
    scratch.write("worded/src/worker.rs", &worker);
    let failed = run(&scratch.path("worded"), &["--", "fail"]);
    failed.failed(&["{no_such_file,<<\"日本\"/utf8>>}"]);

    let mut erl = Command::new("erl");
    erl.args(["+pc", "latin1", "+fnu", "-noinput", "-pa"])
        .arg(target().join("otp/debug/worded/ebin"))
        .args(["-eval", "io:setopts([{encoding, unicode}])."])
        .args(["-eval", REPORT]);
    let written = said(erl);
    written.succeeded();
    let reason = "{bad,\"日本\",#{<<\"日本\"/utf8>> => [<<\"日本\"/utf8>>,{\"日本\",1.5}|<<\"日本\"/utf8>>]},\
                  [\"日本\",1|a],<<>>,<<\"a\">>,\"b\",[],self}";
    let lines: Vec<_> = written.out.lines().collect();
    assert!(lines[0].ends_with(reason), "{}", written.out);
    assert_eq!(lines[1], "[\"日本\",\"日本\",\"日本\",\"日本\",...]");
    assert_eq!(lines[2], "\"日日日日日\"...");
}

#[test]
fn mistakes_in_sources_of_others_are_one_line_each_with_their_count() {
    let scratch = Scratch::new();
    for name in ["one", "two", "three"] {
        let text = format!(
            "-module({name}).\n-export_type([t/0]).\n-include(\"none_{name}.hrl\").\n-include(\"none.hrl\").\n\
             -type hidden() :: ok.\n-type t() :: two:hidden().\n"
        );
        scratch.write(&format!("src/{name}.erl"), &text);
    }
    let mut command = otp_rs(&[
        "gen-types",
        "one",
        "two",
        "three",
        "--src",
        "src",
        "--out",
        "out",
    ]);
    command.current_dir(scratch.path(""));
    let said = said(command);
    said.succeeded();
    let notes: Vec<_> = said.err.lines().filter(|line| line.contains('[')).collect();
    let [includes, unexported] = notes[..] else {
        panic!("{}", said.err)
    };
    assert!(
        includes.contains("src/one.erl:3:10: error[E0210]"),
        "{includes}"
    );
    assert!(includes.ends_with("; 6 like it in 3 files"), "{includes}");
    assert!(unexported.contains("[E0505]"), "{unexported}");
    assert!(
        unexported.ends_with("; 2 like it in 2 files"),
        "{unexported}"
    );
}
