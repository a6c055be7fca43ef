//! `cargo xtask values`: PropEr generates and checks terms of the types of whole applications. The
//! command converts them to Rust, to JSON and back.

mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use otp_codegen::{GeneratedName, NameKind, Output, outside_options};

use crate::erlang;
use crate::library::{Library, write_modules};
use crate::step::{Outcome, applications_target, cargo, root, run, say, target};

/// The applications with the public types to compare.
const APPLICATIONS: [&str; 5] = ["stdlib", "kernel", "ssl", "inets", "elixir"];
/// The file with the results of an application, in its folder.
const LISTED: &str = "differences";
/// The modules that the check compares: types of every kind, from modules that compile quickly.
const SAMPLE: [&str; 12] = [
    "calendar",
    "gen_server",
    "inet",
    "logger",
    "proplists",
    "queue",
    "sets",
    "supervisor",
    "unicode",
    "uri_string",
    "Elixir.Date",
    "Elixir.URI",
];

pub(crate) const USAGE: &str = "\
Usage: cargo xtask values [--values N] [--mutations N] [--page] [APP...]
       cargo xtask values --sample

PropEr (Debian's erlang-proper) generates values of each public type of these applications, by default of stdlib, kernel, ssl, inets and
elixir, and mutations of each value (100 of each by default). The command checks three conditions: a value survives the conversion to Rust
and back, and to JSON and back; Rust decodes a mutation exactly if PropEr accepts it as an instance of the type; and the JSON Schema accepts
the same JSON as decoding. Differences are counted by kind, and listed in target/values/APP/differences.
--page writes docs/values.md, with the last results of the applications that are not named; --sample compares a few modules.
";

/// The number of terms to compare, and their types.
struct Request<'a> {
    values: &'a str,
    mutations: &'a str,
    is_page: bool,
    applications: Vec<&'a str>,
}

pub(crate) fn task(arguments: &[&str]) -> Outcome {
    if let ["--sample"] = arguments {
        return sample();
    }
    let request = request(arguments)?;
    let mut tables = BTreeMap::new();
    for application in &request.applications {
        let library = Library::new(&erlang::to_read()?)?;
        let modules = library.application(application)?.1;
        let counts = [request.values, request.mutations];
        let table = compare(application, &library, modules, counts)?;
        say(&table.summary(application));
        tables.insert((*application).to_owned(), table);
    }
    if request.is_page {
        for application in APPLICATIONS {
            let listed = target().join("values").join(application).join(LISTED);
            let known = fs::read_to_string(listed);
            if let (Ok(known), false) = (known, tables.contains_key(application)) {
                tables.insert(application.to_owned(), page::Comparison::read(&known));
            }
        }
        page::write(&tables, request.values, request.mutations)?;
    }
    Ok(())
}

fn request<'a>(mut arguments: &[&'a str]) -> Outcome<Request<'a>> {
    let mut request = Request {
        values: "100",
        mutations: "100",
        is_page: false,
        applications: Vec::new(),
    };
    loop {
        arguments = match arguments {
            [] => break,
            ["--values", count, rest @ ..] => {
                request.values = count;
                rest
            }
            ["--mutations", count, rest @ ..] => {
                request.mutations = count;
                rest
            }
            ["--page", rest @ ..] => {
                request.is_page = true;
                rest
            }
            [option, ..] if option.starts_with('-') => return Err(USAGE.to_owned()),
            [application, rest @ ..] => {
                request.applications.push(application);
                rest
            }
        };
    }
    if request.applications.is_empty() {
        request.applications = APPLICATIONS.to_vec();
    }
    Ok(request)
}

/// Compares a few modules. Allows only differences with a documented reason.
pub(crate) fn sample() -> Outcome {
    let library = Library::new(&erlang::to_read()?)?;
    if library.version("proper_typeserver").is_none() {
        say("left out: PropEr is not installed (Debian: erlang-proper)\n");
        return Ok(());
    }
    let is_there = |module: &&str| library.version(module).is_some();
    let modules = SAMPLE.into_iter().filter(is_there).map(str::to_owned);
    let table = compare("sample", &library, modules.collect(), ["10", "20"])?;
    say(&table.summary("sample"));
    table.judge()
}

/// Generates the types of some modules, compiles them, and compares them with PropEr's terms.
fn compare(
    name: &str,
    library: &Library,
    modules: BTreeSet<String>,
    counts: [&str; 2],
) -> Outcome<page::Comparison> {
    let release = erlang::release(&erlang::to_read()?)?;
    let command = "cargo xtask values";
    let mut options = outside_options("crate::otp", command, &release, BTreeMap::new());
    // Compares the generator's own types instead of the types in otp-bridge.
    options.provided = BTreeMap::new();
    let output = otp_codegen::generate(&library.closure(modules.clone(), false), &options);
    let folder = target().join("values").join(name);
    let compiled = write(&folder, &output, &modules)
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut oracle = Command::new("escript");
    oracle
        .arg(root().join("xtask/src/values/oracle.escript"))
        .arg(folder.join("cases"))
        .args(counts)
        .arg(paths())
        .args(&compiled);
    run(&mut oracle)?;
    let mut cargo = cargo(&folder, &["run", "--quiet"]);
    let output = cargo
        .env("CARGO_TARGET_DIR", applications_target())
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let listed = folder.join(LISTED);
    fs::write(&listed, &*text).map_err(|error| format!("{}: {error}", listed.display()))?;
    Ok(page::Comparison::read(&text))
}

/// Returns folders with modules outside Erlang's own path.
fn paths() -> String {
    let elixir = erlang::elixir().map(|folder| folder.join("elixir/ebin"));
    let paths: Vec<PathBuf> = elixir.into_iter().collect();
    let texts: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    texts.join(":")
}

/// Writes the crate, and returns the modules to compare.
fn write(
    folder: &Path,
    output: &Output,
    modules: &BTreeSet<String>,
) -> std::io::Result<BTreeSet<String>> {
    write_modules(&folder.join("src/otp"), &output.files)?;
    let here = |path: &str| root().join(path);
    let manifest = format!(
        "[package]\nname = \"values\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [features]\ndefault = [\"json\"]\njson = []\n\n\
         [dependencies]\notp-bridge = {{ path = {:?}, features = [\"json\"] }}\n\
         otp-bridge-novm = {{ path = {:?} }}\nschemars = \"1\"\nserde_json = \"1\"\n\
         jsonschema = {{ version = \"0.60\", default-features = false }}\n\n\
         [profile.dev.package.values]\ndebug = false\n\n[workspace]\n",
        here("bridge"),
        here("bridge/novm"),
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    // Uses the versions that are already built.
    fs::copy(here("Cargo.lock"), folder.join("Cargo.lock"))?;
    let (main, compared) = main(output, modules);
    fs::write(folder.join("src/main.rs"), main)?;
    Ok(compared)
}

/// Returns the crate's root, with a list of all types.
fn main(output: &Output, modules: &BTreeSet<String>) -> (String, BTreeSet<String>) {
    let checker = root().join("tests/tests/expectations/values.rs");
    let mut rust = format!(
        "#![allow(warnings)]\n#![recursion_limit = \"1024\"]\n\nuse otp_bridge_novm as _;\n\n\
         pub mod otp;\n#[path = {checker:?}]\nmod values;\n\n\
         use values::Typed;\n\nfn main() {{\n    values::compare(&[\n"
    );
    let mut compared = BTreeSet::new();
    let names = output.names.iter();
    for name in names.filter(|name| modules.contains(&name.module)) {
        if let (Some(path), Some((erlang, arity))) =
            (crate::linear::path(name, output), erlang_name(name))
        {
            let module = &name.module;
            let erlang = format!("{module}:{erlang}");
            compared.insert(module.clone());
            _ = writeln!(
                rust,
                "        Typed::of::<{path}>({module:?}, {erlang:?}, {arity}),"
            );
        }
    }
    rust += "    ]);\n}\n";
    (rust, compared)
}

/// Returns the name and arity of a type, from its form.
fn erlang_name(name: &GeneratedName) -> Option<(String, usize)> {
    if name.kind != NameKind::Type {
        return None;
    }
    let forms = ["-type ", "-opaque ", "-nominal "];
    let form = forms
        .iter()
        .find_map(|form| name.erlang.strip_prefix(form))?;
    let (erlang, rest) = form.split_once('(')?;
    let (parameters, _) = rest.split_once(')')?;
    let arity = parameters.split(',').filter(|text| !text.trim().is_empty());
    Some((erlang.trim_matches('\'').to_owned(), arity.count()))
}
