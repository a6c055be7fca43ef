//! `cargo otp build` and `run` if they end before a library is built.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use crate::support::{Scratch, cargo_otp, said};

#[test]
fn outside_an_application_there_is_nothing_to_build() {
    let scratch = Scratch::new();
    for verb in ["build", "run"] {
        scratch
            .cargo_otp("", &[verb])
            .refused(&["not inside an application"]);
    }
    assert!(scratch.everything().is_empty());
}

#[test]
fn a_configuration_without_a_crate_is_refused() {
    let scratch = Scratch::with_application();
    fs::remove_file(scratch.path("shop/Cargo.toml")).expect("removed");
    scratch
        .cargo_otp("shop", &["build"])
        .refused(&["no Cargo.toml beside it"]);
}

#[test]
fn a_broken_cargo_toml_is_told_by_cargo() {
    let scratch = Scratch::with_application();
    scratch.write("shop/Cargo.toml", "[package\n");
    scratch
        .cargo_otp("shop", &["build"])
        .refused(&["Cargo.toml:1:9", "see its message above"]);
}

#[test]
fn a_library_that_no_vm_can_load_is_refused_before_it_is_built() {
    let scratch = Scratch::with_application();
    let manifest = scratch.read("shop/Cargo.toml").replace("\"cdylib\", ", "");
    scratch.write("shop/Cargo.toml", &manifest);
    scratch
        .cargo_otp("shop", &["build"])
        .refused(&["not a `cdylib`", "crate-type = [\"cdylib\", \"rlib\"]"]);
}

#[test]
fn names_edited_by_hand_are_checked_again() {
    let scratch = Scratch::with_application();
    let config = scratch.read("shop/otp.toml");
    scratch.write("shop/otp.toml", &config.replace("\"stroot\"", "\"Shelf\""));
    scratch
        .cargo_otp("shop", &["build"])
        .refused(&["`Shelf` cannot name a module", "otp.toml:3:10"]);
    let listed = format!("{config}\n[behaviours]\nstroot = \"supervisor\"\n");
    scratch.write("shop/otp.toml", &listed);
    scratch.cargo_otp("shop", &["build"]).refused(&[
        "error[E0907]: otp.toml no longer has a section `[behaviours]`",
        "otp.toml:5:2",
        "remove the section",
    ]);
    let own = format!("{config}\n[application]\napplications = [\"shop\"]\n");
    scratch.write("shop/otp.toml", &own);
    scratch.cargo_otp("shop", &["build"]).refused(&[
        "`application.applications` must be a list of other applications, without `shop` itself",
    ]);
    scratch.write("shop/otp.toml", &config);
    let manifest = scratch
        .read("shop/Cargo.toml")
        .replace("\"shop\"", "\"Shop\"");
    scratch.write("shop/Cargo.toml", &manifest);
    scratch
        .cargo_otp("shop", &["build"])
        .refused(&["`Shop` cannot name an application"]);
}

#[test]
fn an_argument_that_is_no_text_is_refused() {
    let scratch = Scratch::with_application();
    for verb in ["run", "check"] {
        let mut command = cargo_otp(&scratch.path("shop"), &[verb, "--"]);
        command.arg(OsStr::from_bytes(b"a\xff"));
        said(command).refused(&["error[E0805]: an argument after `--` is not UTF-8 text"]);
    }
}

/// An application whose crate has no dependencies: quick to build, although a VM could not run it.
pub(crate) fn without_dependencies(name: &str, lib: &str) -> Scratch {
    let scratch = Scratch::with_application_named(name);
    let manifest = scratch.read(&format!("{name}/Cargo.toml"));
    let bare: Vec<&str> = manifest
        .lines()
        .filter(|line| !line.starts_with("otp-bridge"))
        .collect();
    scratch.write(&format!("{name}/Cargo.toml"), &bare.join("\n"));
    scratch.write(&format!("{name}/src/lib.rs"), lib);
    scratch
}

#[test]
fn a_library_that_does_not_compile_is_told_by_rustc() {
    let scratch = without_dependencies("broken", "pub fn f() -> u8 { \"text\" }\n");
    for verb in ["build", "run"] {
        let refused = scratch.cargo_otp("broken", &[verb]);
        refused.refused(&["error[E0308]: mismatched types", "src/lib.rs:1:"]);
        assert!(!refused.err.contains("E1003"), "rustc has said it");
    }
}

#[test]
fn a_library_without_an_entry_for_the_vm_is_told_the_line_to_write() {
    let scratch = without_dependencies("empty", "");
    scratch.cargo_otp("empty", &["build"]).refused(&[
        "error[E1007]: the library has no entry for the Erlang VM",
        "write this line into src/lib.rs: otp_bridge::application!();",
    ]);
}

/// Otherwise the compiler would blame the generated module.
#[test]
fn a_hand_written_type_that_is_no_erlang_is_told_with_its_line() {
    let scratch = Scratch::with_application_named("illtyped");
    let root = scratch.read("illtyped/src/stroot.rs");
    let root = root.replace("Vec<String>", "Words");
    let words = "
/// A fact that no Erlang type expresses.
pub struct Words;

impl otp_bridge::term::ErlangType for Words {
    fn erlang_type() -> String {
        \"a few words\".to_owned()
    }
}

impl otp_bridge::ToTerm for Words {
    fn to_term<H: otp_bridge::term::Heap>(&self, heap: H) -> H::Term {
        ok.to_term(heap)
    }
}

impl otp_bridge::FromTerm for Words {
    fn from_term<'a, V: otp_bridge::term::View<'a>>(
        _: V,
    ) -> std::result::Result<Self, otp_bridge::term::DecodeError> {
        Ok(Words)
    }
}
";
    scratch.write("illtyped/src/stroot.rs", &format!("{root}{words}"));
    scratch.cargo_otp("illtyped", &["build"]).failed(&[
        "error[E1010]: an Erlang type in the callbacks of `illtyped::stroot::Stroot` is not valid Erlang",
        "syntax error before `few`",
        "-spec init(a few words) ->",
        "look at what a hand-written `ErlangType` returns",
    ]);
}
