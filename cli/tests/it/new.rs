//! `cargo otp new`

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::Scratch;

#[test]
fn a_new_application_is_complete() {
    let scratch = Scratch::new();
    let said = scratch.cargo_otp("", &["new", "counting"]);
    said.succeeded();
    assert!(
        said.err.contains("cd counting && cargo otp run"),
        "{}",
        said.err
    );
    for file in [
        "Cargo.toml",
        "otp.toml",
        ".gitignore",
        "src/lib.rs",
        "src/stroot.rs",
    ] {
        assert!(scratch.path("counting").join(file).is_file(), "{file}");
    }
    let mode = fs::metadata(scratch.path("counting"))
        .expect("a folder")
        .permissions()
        .mode();
    assert_eq!(mode & 0o500, 0o500);
    assert_eq!(
        fs::read_dir(scratch.path("")).expect("a folder").count(),
        1,
        "nothing else"
    );
}

#[test]
fn a_name_that_is_no_atom_is_refused_and_nothing_written() {
    let scratch = Scratch::new();
    for (name, text) in [
        ("Counting", "for example `counting`"),
        ("my-app", "for example `my_app`"),
        ("../up", "not an Erlang atom"),
        ("1st", "not an Erlang atom"),
        ("", "not an Erlang atom"),
        ("fn", "keyword of Rust"),
        ("receive", "reserved word of Erlang"),
        ("std", "cargo gives this name a meaning"),
    ] {
        scratch
            .cargo_otp("", &["new", name])
            .refused(&["cannot name an application", text]);
    }
    assert!(scratch.everything().is_empty());
}

#[test]
fn a_name_of_otp_is_refused() {
    let scratch = Scratch::new();
    scratch
        .cargo_otp("", &["new", "stdlib"])
        .refused(&["OTP has an application `stdlib`"]);
    scratch
        .cargo_otp("", &["new", "lists"])
        .refused(&["OTP has a module `lists`", "lists.beam"]);
    assert!(scratch.everything().is_empty());
}

#[test]
fn what_is_there_is_never_touched() {
    let scratch = Scratch::new();
    scratch.write("mine/file", "text");
    scratch.write("other", "text");
    fs::create_dir(scratch.path("empty")).expect("a folder");
    std::os::unix::fs::symlink("/nowhere/at/all", scratch.path("dangling")).expect("a link");
    let before = || {
        let mut names: Vec<_> = fs::read_dir(scratch.path(""))
            .expect("a folder")
            .flatten()
            .map(|e| e.path())
            .collect();
        names.sort();
        names
    };
    let names = before();
    for name in ["mine", "other", "empty", "dangling"] {
        scratch
            .cargo_otp("", &["new", name])
            .refused(&["is taken", name]);
    }
    assert_eq!(before(), names);
    assert_eq!(scratch.read("mine/file"), "text");
}

#[test]
fn an_application_inside_another_is_its_own() {
    let scratch = Scratch::with_application();
    scratch.cargo_otp("shop", &["new", "inner"]).succeeded();
    assert!(scratch.path("shop/inner/otp.toml").is_file());
}
