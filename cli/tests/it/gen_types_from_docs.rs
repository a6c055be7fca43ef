//! `otp-rs gen-types --from docs`

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::support::{Said, Scratch, applications_of_otp, otp_rs, said};

fn gen_types(scratch: &Scratch, arguments: &[&str]) -> Said {
    let mut command = otp_rs(&["gen-types"]);
    command.args(arguments).current_dir(scratch.path(""));
    said(command)
}

/// The generated text without the head lines, sorted, because a chunk has forms in another order
/// than the code.
fn lines(said: &Said) -> Vec<&str> {
    let mut lines: Vec<&str> = said.out.lines().collect();
    lines.retain(|line| !line.starts_with("//"));
    lines.sort_unstable();
    lines
}

/// The documentation chunk of a module of OTP's stdlib.
fn chunk(module: &str) -> PathBuf {
    let is_stdlib = |folder: &PathBuf| folder.to_string_lossy().contains("/stdlib-");
    let stdlib = applications_of_otp().into_iter().find(is_stdlib);
    let chunks = stdlib.expect("stdlib").join("doc/chunks");
    chunks.join(format!("{module}.chunk"))
}

/// Runs Erlang in the scratch folder.
fn erlang(scratch: &Scratch, code: &str) {
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-eval", &format!("{code}, halt().")]);
    erl.current_dir(scratch.path(""));
    said(erl).succeeded();
}

#[test]
fn where_a_chunk_holds_every_type_it_gives_what_the_code_gives() {
    let scratch = Scratch::new();
    for module in ["calendar", "proc_lib", "queue", "rand", "timer"] {
        let docs = gen_types(&scratch, &[module, "--from", "docs"]);
        docs.succeeded();
        let code = gen_types(&scratch, &[module]);
        code.succeeded();
        assert_eq!(lines(&docs), lines(&code), "{module}");
        let head = format!("`otp-rs gen-types {module} --from docs`");
        assert!(docs.out.contains(&head), "{:.200}", docs.out);
        assert!(!docs.err.contains("documentation"), "{}", docs.err);
    }
}

#[test]
fn functions_are_bound_from_a_chunk_file_too() {
    let scratch = Scratch::new();
    fs::copy(chunk("queue"), scratch.path("queue.chunk")).expect("the chunk of queue");
    let arguments = ["queue.chunk", "--from", "docs", "--functions", "--docs"];
    let docs = gen_types(&scratch, &arguments);
    docs.succeeded();
    let code = gen_types(&scratch, &["queue", "--functions"]);
    let functions = |said: &Said| {
        let all = said
            .out
            .lines()
            .filter(|line| line.trim_start().starts_with("pub fn "));
        let mut all: Vec<String> = all.map(str::to_owned).collect();
        all.sort();
        all
    };
    assert!(functions(&docs).len() > 20);
    // An exported but undocumented function is only in the code.
    let in_code = functions(&code);
    let only_docs = functions(&docs)
        .into_iter()
        .find(|one| !in_code.contains(one));
    assert_eq!(only_docs, None);
    assert!(
        docs.out.contains("/// `-opaque queue(Item)"),
        "{}",
        docs.out
    );
}

#[test]
fn what_a_chunk_does_not_hold_is_told() {
    let scratch = Scratch::new();
    let said = gen_types(&scratch, &["supervisor", "--from", "docs"]);
    said.succeeded();
    for text in [
        "the documentation of `supervisor` lacks the forms of these callbacks: init/1\n",
        "to types that no documentation holds, such as records",
        "undefined record `#child`",
        "`supervisor` has no -callback: it gives types only",
        "supervisor:child_rec/0: could not be resolved",
    ] {
        assert!(said.err.contains(text), "no `{text}` in\n{}", said.err);
    }
    assert!(said.out.contains(" SupFlags,"), "{}", said.out);
    assert!(!said.out.contains("trait Init"), "{}", said.out);
}

/// As if Debian's `erlang-doc` is installed, but not the application.
#[test]
fn a_module_of_which_only_the_documentation_is_installed() {
    let scratch = Scratch::new();
    scratch.write("otp/OTP_VERSION", "26.0\n");
    scratch.write("otp/lib/stdlib-5.0/src/lists.erl", "-module(lists).\n");
    scratch.write("otp/lib/more-1.0/doc/chunks/README", "");
    let copy = scratch.path("otp/lib/more-1.0/doc/chunks/queue.chunk");
    fs::copy(chunk("queue"), copy).expect("the chunk of queue");
    let arguments = ["queue", "--otp-root", "otp"];
    gen_types(&scratch, &arguments).refused(&["there is no module `queue` in OTP"]);
    let said = gen_types(&scratch, &[&arguments[..], &["--from", "docs"]].concat());
    said.succeeded();
    assert!(
        said.out.contains("from queue (more-1.0, Erlang/OTP 26)"),
        "{}",
        said.out
    );
    assert!(said.out.contains("pub struct Queue"), "{}", said.out);
}

#[test]
fn without_a_chunk_it_says_what_to_install() {
    let scratch = Scratch::new();
    scratch.write("door.erl", "-module(door).\n-type key() :: ok.\n");
    gen_types(&scratch, &["door.erl", "--from", "docs"]).refused(&[
        "no documentation chunk of `door` is installed",
        "door.erl",
        "edoc_doclet_chunks",
    ]);
    scratch.write("otp/OTP_VERSION", "26.0\n");
    scratch.write("otp/lib/stdlib-5.0/src/door.erl", "-module(door).\n");
    gen_types(&scratch, &["door", "--from", "docs", "--otp-root", "otp"]).refused(&[
        "no documentation chunk of `door` is installed",
        "`erlang-doc`",
        "DOC_TARGETS=chunks",
    ]);
    gen_types(&scratch, &["queue", "--from", "dogs"]).refused(&["dogs", "code, docs"]);
}

/// The format of documentation since OTP 27.
#[test]
fn words_without_forms_give_nothing() {
    let scratch = Scratch::new();
    scratch.write(
        "ebin/door.erl",
        "-module(door).\n-export([f/0]).\nf() -> ok.\n",
    );
    erlang(
        &scratch,
        "Docs = {docs_v1, [{file, \"door.erl\"}], erlang, <<\"text/markdown\">>,
                 #{<<\"en\">> => <<\"A door.\">>}, #{},
                 [{{function, f, 0}, 1, [<<\"f()\">>], #{<<\"en\">> => <<\"Opens.\">>}, #{}}]},
         Bytes = term_to_binary(Docs),
         {ok, door, Code} = compile:file(\"ebin/door.erl\", [binary, debug_info]),
         {ok, _, Chunks} = beam_lib:all_chunks(Code),
         {ok, Beam} = beam_lib:build_module([{\"Docs\", Bytes} | Chunks]),
         ok = file:write_file(\"ebin/door.beam\", Beam),
         ok = file:write_file(\"door.chunk\", Bytes)",
    );
    gen_types(&scratch, &["door", "--pa", "ebin", "--from", "docs"]).refused(&[
        "error[E0834]: the documentation of `door` contains text but no types",
        "ebin/door.beam",
        "since OTP 27",
    ]);
    gen_types(&scratch, &["door.chunk", "--from", "docs"]).refused(&[
        "the documentation of `door` contains text but no types",
        "door.chunk",
    ]);
}
