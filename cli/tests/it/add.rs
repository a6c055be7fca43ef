//! `cargo otp add`

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::Scratch;

#[test]
fn a_module_is_added_in_all_its_places() {
    let scratch = Scratch::with_application();
    let config = scratch.read("shop/otp.toml");
    let said = scratch.cargo_otp("shop/src", &["add", "price_list", "gen_server"]);
    said.succeeded();
    assert!(
        said.err.contains("crate::price_list::PriceList"),
        "{}",
        said.err
    );
    assert!(
        scratch
            .read("shop/src/price_list.rs")
            .contains("impl GenServer for PriceList")
    );
    assert!(
        scratch
            .read("shop/src/lib.rs")
            .contains("\n\npub mod price_list;\npub mod stroot;\n")
    );
    assert_eq!(scratch.read("shop/otp.toml"), config);
}

#[test]
fn a_module_of_functions_is_added() {
    let scratch = Scratch::with_application();
    let said = scratch.cargo_otp("shop", &["add", "geometry", "module"]);
    said.succeeded();
    assert!(said.err.contains("geometry:greet("), "{}", said.err);
    let source = scratch.read("shop/src/geometry.rs");
    assert!(source.contains("#[module(\"geometry\")]"), "{source}");
    assert!(
        scratch
            .read("shop/src/lib.rs")
            .contains("pub mod geometry;\n")
    );
}

#[test]
fn bad_input_changes_nothing() {
    let scratch = Scratch::with_application();
    scratch.write("shop/src/taken.rs", "");
    scratch.write("shop/src/folder/mod.rs", "");
    scratch.write("shop/erlang/walker.erl", "-module(walker).\n");
    let lib = scratch
        .read("shop/src/lib.rs")
        .replace("pub mod stroot;", "pub mod stroot;\nmod elsewhere;");
    scratch.write("shop/src/lib.rs", &lib);
    let before = scratch.everything();
    let cases: [(&[&str], &[&str]); 11] = [
        (
            &["counter", "gen_sever"],
            &[
                "there is no template for a behaviour `gen_sever`",
                "did you mean `gen_server`?",
            ],
        ),
        (
            &["counter", "actor"],
            &[
                "there is no template for a behaviour `actor`",
                "`gen_server`, `gen_statem`, `supervisor`",
            ],
        ),
        (
            &["Counter", "gen_server"],
            &["cannot name a module", "`counter`"],
        ),
        (
            &["stroot", "supervisor"],
            &["`stroot` is taken", "src/stroot.rs"],
        ),
        (
            &["walker", "gen_server"],
            &["`walker` is taken", "erlang/walker.erl"],
        ),
        (
            &["taken", "gen_server"],
            &["`taken` is taken", "src/taken.rs"],
        ),
        (
            &["folder", "gen_server"],
            &["`folder` is taken", "src/folder"],
        ),
        (
            &["elsewhere", "gen_server"],
            &["`elsewhere` is taken", "src/lib.rs"],
        ),
        (&["lists", "gen_server"], &["OTP has a module `lists`"]),
        (&["shop_nif", "gen_server"], &["`shop_nif` is taken"]),
        (&["main", "gen_server"], &["cargo gives this name"]),
    ];
    for (arguments, texts) in cases {
        let mut all = vec!["add"];
        all.extend(arguments);
        scratch.cargo_otp("shop", &all).refused(texts);
        assert_eq!(scratch.everything(), before, "{arguments:?}");
    }
}

#[test]
fn outside_an_application_there_is_nothing_to_add_to() {
    let scratch = Scratch::new();
    scratch
        .cargo_otp("", &["add", "counter", "gen_server"])
        .refused(&["not inside an application", "cargo otp new NAME"]);
    assert!(scratch.everything().is_empty());
}

#[test]
fn a_broken_configuration_is_shown_with_its_line() {
    let scratch = Scratch::with_application();
    scratch.write("shop/otp.toml", "[system]\nstroot = \"stroot\n");
    let before = scratch.everything();
    scratch
        .cargo_otp("shop", &["add", "counter", "gen_server"])
        .refused(&["otp.toml:2:", "stroot = \"stroot\n"]);
    assert_eq!(scratch.everything(), before);
}

#[test]
fn a_missing_lib_rs_changes_nothing() {
    let scratch = Scratch::with_application();
    fs::remove_file(scratch.path("shop/src/lib.rs")).expect("removed");
    let before = scratch.everything();
    scratch
        .cargo_otp("shop", &["add", "counter", "gen_server"])
        .refused(&["src/lib.rs"]);
    assert_eq!(scratch.everything(), before);
}

#[test]
fn a_file_that_is_write_protected_is_not_replaced() {
    let scratch = Scratch::with_application();
    let lib = scratch.path("shop/src/lib.rs");
    fs::set_permissions(&lib, fs::Permissions::from_mode(0o444)).expect("it is ours");
    let before = scratch.everything();
    scratch
        .cargo_otp("shop", &["add", "counter", "gen_server"])
        .refused(&["error[E0811]: this file is write-protected", "src/lib.rs"]);
    assert_eq!(scratch.everything(), before);
}
