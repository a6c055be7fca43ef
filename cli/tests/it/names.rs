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

/// A module of functions with this name in Rust.
fn geometry(name: &str) -> String {
    format!(
        "\n/// Geometry.\n#[otp_bridge::module(\"geometry\")]\npub mod {name} {{\n    /// One.\n    pub fn one() -> u64 \
         {{\n        1\n    }}\n}}\n"
    )
}

/// Builds the application `pair`, two of whose modules have one name.
fn refused(scratch: &Scratch, both: [&str; 2]) {
    let said = scratch.cargo_otp("pair", &["build"]);
    said.refused(&[
        "the name `geometry` is taken: both `",
        both[0],
        both[1],
        "are this module",
        "write another name into the attribute of one of them: `#[module(\"…\")]`",
    ]);
    assert_eq!(said.err.matches("error").count(), 1, "{}", said.err);
}

#[test]
fn two_modules_of_functions_with_one_name_are_told_wherever_they_are() {
    let scratch = Scratch::with_application_named("pair");
    let lib = scratch.read("pair/src/lib.rs");
    let refused = |both| refused(&scratch, both);
    // In one file.
    let both = geometry("flat") + &geometry("round");
    scratch.write("pair/src/lib.rs", &(lib.clone() + &both));
    refused(["pair::flat", "pair::round"]);
    // In two Rust modules.
    let outside = format!(
        "{lib}\n/// Other shapes.\npub mod other;\n{}",
        geometry("flat")
    );
    scratch.write("pair/src/lib.rs", &outside);
    scratch.write(
        "pair/src/other.rs",
        &format!("//! Others.\n{}", geometry("flat")),
    );
    refused(["pair::flat", "pair::other::flat"]);
    // In two crates of the application.
    let manifest = scratch.read("pair/Cargo.toml");
    let bridge = manifest
        .lines()
        .find(|line| line.starts_with("otp-bridge ="));
    let bridge = bridge.expect("the dependency on the bridge");
    let shapes =
        "[package]\nname = \"shapes\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n";
    scratch.write("shapes/Cargo.toml", &format!("{shapes}{bridge}\n"));
    scratch.write(
        "shapes/src/lib.rs",
        &format!("//! Shapes.\n{}", geometry("round")),
    );
    let with = "[dependencies]\nshapes = { path = \"../shapes\" }";
    scratch.write("pair/Cargo.toml", &manifest.replace("[dependencies]", with));
    let uses = format!("{lib}\npub use shapes::round;\n{}", geometry("flat"));
    scratch.write("pair/src/lib.rs", &uses);
    refused(["pair::flat", "shapes::round"]);
    // Another name.
    scratch.write(
        "pair/src/lib.rs",
        &uses.replace("\"geometry\"", "\"plane\""),
    );
    scratch.cargo_otp("pair", &["build"]).succeeded();
}
