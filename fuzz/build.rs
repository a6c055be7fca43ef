//! Lists the types that the targets decode terms as: all types with `derive(Term)` in some
//! generated files.

use std::path::Path;
use std::{env, fs};

/// Modules of `otp-bindings` that have types of many kinds.
const MODULES: &[&str] = &[
    "application",
    "calendar",
    "crypto",
    "erl_eval",
    "file",
    "gen_tcp",
    "gen_udp",
    "httpc",
    "inet",
    "io_lib",
    "logger",
    "mnesia",
    "os",
    "public_key",
    "rand",
    "socket",
    "ssl",
    "supervisor",
    "sys",
    "timer",
    "unicode",
];

fn main() {
    if env::var_os("CARGO_FEATURE_TARGETS").is_none() {
        return;
    }
    if env::var_os("CARGO_FEATURE_ENGINE").is_none() {
        // Without the fuzzing engine, the programs have no `main`. They are only built, and never
        // run.
        println!("cargo::rustc-link-arg-bins=-Wl,--unresolved-symbols=ignore-all");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let kinds = root.join("tests/expectations/rust");
    let kinds = types("crate::kinds", &kinds, |name| {
        !["mod", "atoms"].contains(&name)
    });
    let bindings = root.join("bindings/src/generated");
    let bindings = types("otp_bindings", &bindings, |name| MODULES.contains(&name));
    write("kinds.rs", "Typed", &kinds);
    write("bindings.rs", "Typed", &bindings);
    write("represented.rs", "Represented", &kinds);
}

/// Returns the paths of the types in the files of a folder.
fn types(path: &str, folder: &Path, is_read: impl Fn(&str) -> bool) -> Vec<String> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(folder).expect("the generated files");
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut types = Vec::new();
    for file in files {
        let module = file.file_stem().and_then(|name| name.to_str());
        let module = module.expect("a file's name").to_owned();
        if is_read(&module) {
            let text = fs::read_to_string(&file).expect("a generated file");
            let names = derived(&text).into_iter();
            types.extend(names.map(|name| format!("{path}::{module}::{name}")));
        }
    }
    types
}

/// Writes a list of types. Each type is displayed by its path inside the crate.
fn write(list: &str, of: &str, types: &[String]) {
    let mut rust = String::from("&[\n");
    for path in types {
        let shown = path.trim_start_matches("crate::");
        let shown = shown.split_once("::").map_or(shown, |(_, inside)| inside);
        rust += &format!("{of}::of::<{path}>(\"{shown}\"),\n");
    }
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join(list), rust + "]").expect("the list");
}

/// Returns the types with `derive(Term)` and without parameters.
fn derived(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_derived = false;
    for line in text.lines() {
        if line.starts_with("#[derive(") {
            is_derived =
                line.contains("::otp_bridge::Term,") || line.contains("::otp_bridge::Term)");
        }
        let item = line.strip_prefix("pub struct ");
        let Some(item) = item.or_else(|| line.strip_prefix("pub enum ")) else {
            continue;
        };
        let end = item.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (name, rest) = item.split_at(end.unwrap_or(item.len()));
        if is_derived && !rest.starts_with('<') {
            names.push(name.to_owned());
        }
        is_derived = false;
    }
    names
}
