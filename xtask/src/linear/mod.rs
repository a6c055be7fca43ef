//! `cargo xtask linear`: checks that reading a term takes steps in proportion to its size, for
//! every type of kernel and stdlib. Also checks that a giant form takes memory in proportion to its
//! text.

mod giant_form;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use otp_codegen::{GeneratedName, NameKind, Output, outside_options};

use crate::erlang;
use crate::library::{Library, write_modules};
use crate::step::{Outcome, applications_target, cargo, root, run, target};

/// The applications with the types to read.
const APPLICATIONS: [&str; 2] = ["kernel", "stdlib"];

/// Modules whose syntax trees are read as their type, `erl_parse:abstract_form()`.
const FORMS: [&str; 3] = ["lists", "gen_server", "erl_lint"];

/// Writes the syntax tree of each of these modules, without its last form, the end of the file.
const WRITE_FORMS: &str = "\
    [begin \
        {ok, {_, [{abstract_code, {_, Forms}}]}} = beam_lib:chunks(code:which(Module), [abstract_code]), \
        Written = term_to_binary([Form || Form <- Forms, element(1, Form) =/= eof]), \
        ok = file:write_file(atom_to_list(Module) ++ \".forms\", Written) \
     end || Module <- [lists, gen_server, erl_lint]], halt().";

/// Rust modules that are compiled with the types.
const SHARED: [(&str, &str); 5] = [
    ("counting", "bridge/tests/terms/counting.rs"),
    ("every_type", "tests/tests/expectations/every_type.rs"),
    ("growth", "tests/tests/expectations/growth.rs"),
    ("oracle", "tests/tests/expectations/oracle.rs"),
    ("sample", "tests/tests/expectations/sample.rs"),
];

/// The maximum growth of the cost if a size doubles.
const MOST_GROWTH: f64 = 2.3;

/// Generates the types of these applications, by default kernel and stdlib, and reads terms of
/// each.
pub(crate) fn task(applications: &[&str]) -> Outcome {
    let applications = match applications {
        ["--giant-form", kind, parts] => return giant_form::measure(kind, parts),
        [] => &APPLICATIONS[..],
        named => named,
    };
    giant_form::check()?;
    let libraries = erlang::to_read()?;
    let library = Library::new(&libraries)?;
    let mut wanted = BTreeSet::new();
    for name in applications {
        wanted.extend(library.application(name)?.1);
    }
    let release = erlang::release(&libraries)?;
    let mut options = outside_options(
        "crate::otp",
        "cargo xtask linear",
        &release,
        BTreeMap::new(),
    );
    // Reads the generator's own types instead of the types in otp-bridge.
    options.provided = BTreeMap::new();
    let output = otp_codegen::generate(&library.closure(wanted.clone(), false), &options);
    let folder = target().join("linear");
    write(&folder, &output, &wanted).map_err(|error| format!("{}: {error}", folder.display()))?;
    run(Command::new("erl")
        .args(["-noinput", "-eval", WRITE_FORMS])
        .current_dir(&folder))?;
    let mut cargo = cargo(&folder, &["run", "--quiet"]);
    run(cargo.env("CARGO_TARGET_DIR", applications_target()))
}

/// Writes the crate.
fn write(folder: &Path, output: &Output, wanted: &BTreeSet<String>) -> std::io::Result<()> {
    write_modules(&folder.join("src/otp"), &output.files)?;
    let here = |path: &str| root().join(path);
    let manifest = format!(
        "[package]\nname = \"linear\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\notp-bridge = {{ path = {:?} }}\notp-bridge-novm = {{ path = {:?} }}\n\
         otp-specs = {{ path = {:?} }}\n\n[profile.dev.package.linear]\ndebug = false\n\n[workspace]\n",
        here("bridge"),
        here("bridge/novm"),
        here("specs"),
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    // Uses the versions that are already built.
    fs::copy(here("Cargo.lock"), folder.join("Cargo.lock"))?;
    fs::write(folder.join("src/main.rs"), main(output, wanted))
}

/// Returns the crate's root, with a list of all types.
fn main(output: &Output, wanted: &BTreeSet<String>) -> String {
    let mut rust =
        String::from("#![allow(warnings)]\n\nuse otp_bridge_novm as _;\n\npub mod otp;\n");
    for (module, path) in SHARED {
        let path = root().join(path);
        _ = writeln!(rust, "#[path = {path:?}]\nmod {module};");
    }
    rust += "\nuse every_type::Typed;\n\nfn main() {\n    every_type::check(&[\n";
    for name in output
        .names
        .iter()
        .filter(|name| wanted.contains(&name.module))
    {
        if let Some(path) = path(name, output) {
            let shown = format!("{}:{}", name.module, name.rust);
            _ = writeln!(rust, "        Typed::of::<{path}>({shown:?}),");
        }
    }
    rust += "    ]);\n";
    if wanted.contains("erl_parse") {
        rust += &format!(
            "    for module in {FORMS:?} {{\n        \
             let bytes = std::fs::read(format!(\"{{module}}.forms\")).expect(\"its forms\");\n        \
             every_type::read_all::<otp::erl_parse::AbstractForm>(module, &bytes);\n    }}\n"
        );
    }
    rust + "}\n"
}

/// Returns the type, with `Term` for each of its parameters. `None` if the name does not belong to
/// a type that the module defines.
pub(crate) fn path(name: &GeneratedName, output: &Output) -> Option<String> {
    let of_kind = |kind| output.names.iter().filter(move |it| it.kind == kind);
    let module = &of_kind(NameKind::Module)
        .find(|it| it.erlang == name.module)?
        .rust;
    let text = output.files.get(&format!("{module}.rs"))?;
    let is_defined = ["struct", "enum", "type"].iter().any(|keyword| {
        let definition = format!("\npub {keyword} {}", name.rust);
        let is_longer = |rest: &str| rest.starts_with(|it: char| it.is_alphanumeric() || it == '_');
        text.split(&definition).skip(1).any(|rest| !is_longer(rest))
    });
    let is_parameter = |it: &&GeneratedName| it.module == name.module && it.within == name.rust;
    let arguments = match of_kind(NameKind::Parameter).filter(is_parameter).count() {
        0 => String::new(),
        count => format!("<{}>", vec!["otp_bridge::Term"; count].join(", ")),
    };
    (name.kind == NameKind::Type && is_defined)
        .then(|| format!("otp::{module}::{}{arguments}", name.rust))
}
