//! `otp-rs gen-types --docs`

use std::path::PathBuf;
use std::process::Command;

use crate::support::{Said, Scratch, applications_of_otp, otp_rs, said, target};

fn gen_types(scratch: &Scratch, arguments: &[&str]) -> Said {
    let mut command = otp_rs(&["gen-types"]);
    command.args(arguments).current_dir(scratch.path(""));
    said(command)
}

fn documented(scratch: &Scratch, folder: &str) {
    scratch.write(
        &format!("{folder}/door.erl"),
        "-module(door).
-moduledoc \"Doors of a house.\".
-export_type([key/0]).
-doc #{since => <<\"2.1\">>}.
-doc \"A key.\n\n    not_a_test(;\n\n```\nnor_this(;\n```\".
-type key() :: {key, 1..9}.
-doc \"Opens the door.\".
-callback open(key()) -> ok | stuck.
-doc false.
-callback shut() -> ok.
",
    );
}

#[test]
fn words_of_doc_attributes_become_doc_comments() {
    let scratch = Scratch::new();
    documented(&scratch, "src");
    let plain = gen_types(&scratch, &["door", "--src", "src"]);
    plain.succeeded();
    assert!(!plain.out.contains("Opens the door."), "{}", plain.out);

    let said = gen_types(&scratch, &["door", "--src", "src", "--docs"]);
    said.succeeded();
    for text in [
        "//! Types and callbacks of `door`.\n//!\n//! Doors of a house.\n",
        "/// `-type key() :: {key, 1..9}.`\n///\n/// A key.\n///\n",
        "/// ```text\n/// nor_this(;\n/// ```\n///\n/// Since 2.1.\n",
        "    /// `-callback open(key()) -> ok | stuck.`\n    ///\n    /// Opens the door.\n",
    ] {
        assert!(said.out.contains(text), "no `{text}` in\n{}", said.out);
    }
    assert_eq!(said.out.matches("Opens the door.").count(), 1);
    assert!(said.out.contains("--docs` from"), "{:.200}", said.out);
    assert!(!said.err.contains("documentation"), "{}", said.err);
}

#[test]
fn what_has_no_documentation_is_told_so() {
    let scratch = Scratch::new();
    scratch.write("bare.erl", "-module(bare).\n-callback f() -> ok.\n");
    let said = gen_types(&scratch, &["bare.erl", "--docs"]);
    said.succeeded();
    assert!(
        said.err.contains("`bare` has no documentation"),
        "{}",
        said.err
    );
}

/// OTP's own documentation is in chunk files, which are packaged separately, or in the chunk Docs.
#[test]
fn documentation_compiles_and_holds_no_tests() {
    let scratch = Scratch::with_application_named("worded");
    documented(&scratch, "worded/erl");
    let folder = scratch.path("worded");
    let mut command = otp_rs(&["gen-types", "gen_event", "supervisor", "door"]);
    command.args(["--src", "erl", "--docs", "--out", "src/otp"]);
    command.current_dir(&folder);
    said(command).succeeded();
    assert!(
        scratch
            .read("worded/src/otp/door.rs")
            .contains("nor_this(;")
    );
    let chunk = |folder: &PathBuf| folder.join("doc/chunks/gen_event.chunk").is_file();
    if applications_of_otp().iter().any(chunk) {
        let text = scratch.read("worded/src/otp/gen_event.rs");
        let init = text.split("pub trait Init<").next().expect("its start");
        let about = init.rsplit("`gen_event:init/1`.").next().expect("its end");
        assert!(about.contains("event handler"), "{about}");
        assert!(text.contains("/// Since OTP "), "no `since`");
    }

    let lib = scratch
        .read("worded/src/lib.rs")
        .replace("pub mod stroot;", "pub mod otp;\npub mod stroot;");
    scratch.write("worded/src/lib.rs", &lib);
    for arguments in [
        &["clippy", "--", "-D", "warnings"][..],
        &["test", "--doc", "--", "--list"],
    ] {
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(arguments)
            .current_dir(&folder)
            .env("CARGO_TARGET_DIR", target());
        let said = said(cargo);
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert!(!said.out.contains("src/otp"), "{}", said.out);
    }
}
