//! Names of modules, which `cargo otp build` finds in the library.

use crate::support::Scratch;

#[test]
fn a_root_that_is_not_a_supervisor_of_the_code_is_told_both_sides() {
    let scratch = Scratch::with_application_named("odd");
    let config = scratch.read("odd/otp.toml");
    scratch.write("odd/otp.toml", &config.replace("\"stroot\"", "\"strot\""));
    scratch.cargo_otp("odd", &["build"]).refused(&[
        "error[E0920]: otp.toml and the code disagree",
        "`strot`: otp.toml:3 says that it is the root supervisor (`system.stroot`), but the code has no such module",
        "did you mean `stroot`?",
    ]);
    scratch
        .cargo_otp("odd", &["add", "counter", "gen_server"])
        .succeeded();
    for name in ["one", "another"] {
        scratch
            .cargo_otp("odd", &["add", name, "application"])
            .succeeded();
    }
    scratch.write("odd/otp.toml", &config.replace("\"stroot\"", "\"counter\""));
    scratch.cargo_otp("odd", &["run"]).refused(&[
        "`counter`: otp.toml:3 says",
        "but `odd::counter::Counter` is of the behaviour `gen_server`",
        "error[E0918]: 2 modules are of the behaviour `application`, and only one may be",
    ]);
}

/// All mistakes are reported at once, each at its attribute.
#[test]
fn modules_whose_names_are_taken_are_told_their_lines() {
    let scratch = Scratch::with_application_named("misnamed");
    for name in ["first", "second", "third"] {
        scratch
            .cargo_otp("misnamed", &["add", name, "gen_server"])
            .succeeded();
    }
    scratch.write("misnamed/erlang/walker.erl", "-module(walker).\n");
    let rename = |file: &str, attribute: &str, new: &str| {
        let path = format!("misnamed/src/{file}.rs");
        let text = scratch.read(&path);
        let (before, _) = text.split_once(attribute).expect(attribute);
        scratch.write(&path, &text.replace(attribute, new));
        format!("src/{file}.rs:{}:1", before.matches('\n').count() + 1)
    };
    let server = |name: &str| format!("#[gen_server(module = \"{name}\")]");
    let first = rename("first", "#[gen_server]", &server("lists"));
    let second = rename("second", "#[gen_server]", &server("walker"));
    let third = rename("third", "#[gen_server]", &server("misnamed_run"));
    scratch.cargo_otp("misnamed", &["build"]).refused(&[
        "OTP has a module `lists`",
        &first,
        &format!("{}\n   | ^", server("lists")),
        "the name `walker` is taken: erlang/walker.erl is this module",
        &second,
        "the name `misnamed_run` is taken",
        &third,
        "write `module = \"…\"` into its attribute",
    ]);
    let _ = rename("first", &server("lists"), &server("same"));
    let second = rename("second", &server("walker"), &server("same"));
    rename("third", &server("misnamed_run"), "#[gen_server]");
    rename("stroot", "type Args = Vec<String>;", "type Args = u64;");
    rename(
        "stroot",
        "fn init(_args: Vec<String>)",
        "fn init(_args: u64)",
    );
    scratch.cargo_otp("misnamed", &["build"]).refused(&[
        "the name `same` is taken: both `misnamed::first::First` (src/first.rs:",
        &second,
        "error[E0919]: `misnamed::stroot::Stroot` does not take the command line",
        "--> src/stroot.rs:8:1",
        "write `type Args = Vec<String>;`",
    ]);
}
