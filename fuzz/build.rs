//! Lists the types that terms are decoded as: all derived ones of some generated files.

use std::path::Path;
use std::{env, fs};

/// The modules of `otp-bindings` with types of many kinds.
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let kinds = root.join("tests/expectations/rust");
    write("kinds.rs", "crate::kinds", &kinds, |name| {
        !["mod", "atoms"].contains(&name)
    });
    let bindings = root.join("bindings/src/generated");
    write("bindings.rs", "otp_bindings", &bindings, |name| {
        MODULES.contains(&name)
    });
}

/// Writes the list of the types in the files of a folder.
fn write(list: &str, path: &str, folder: &Path, is_read: impl Fn(&str) -> bool) {
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(folder).expect("the generated files");
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut rust = String::from("&[\n");
    for file in files {
        let module = file.file_stem().and_then(|name| name.to_str());
        let module = module.expect("a file's name").to_owned();
        if !is_read(&module) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a generated file");
        for name in derived(&text) {
            let (path, shown) = (
                format!("{path}::{module}::{name}"),
                format!("{module}::{name}"),
            );
            rust += &format!("Typed::of::<{path}>(\"{shown}\"),\n");
        }
    }
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join(list), rust + "]").expect("the list");
}

/// The types with `derive(Term)` and without parameters.
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
