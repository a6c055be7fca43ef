//! Small modules, read from Erlang text.
#![allow(dead_code)]
#![allow(clippy::disallowed_methods, reason = "the tests ask the installed OTP")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use otp_codegen::{Options, Output, bridge_options, generate, outside_options};
use otp_specs::types::Module;

/// The module `m` with these forms.
pub(crate) fn module(forms: &str) -> Module {
    module_named("m", forms)
}

/// A module with these forms, which must all be good.
pub(crate) fn module_named(name: &str, forms: &str) -> Module {
    let (module, messages) = read(name, forms);
    assert_eq!(messages, Vec::<String>::new());
    module
}

/// A module with these forms, and what is wrong with them.
pub(crate) fn read(name: &str, forms: &str) -> (Module, Vec<String>) {
    let source = format!("-module('{name}').\n{forms}\n");
    let parsed = otp_specs::parse_source(
        "m.erl",
        source.as_bytes(),
        &otp_specs::NoIncludes,
        &otp_specs::Options::default(),
    );
    let (module, resolving) = otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting);
    let messages = parsed
        .diagnostics
        .iter()
        .chain(&resolving)
        .map(ToString::to_string)
        .collect();
    (module, messages)
}

pub(crate) fn options() -> Options {
    outside_options("crate::otp", "otp-rs gen-types m", "25", BTreeMap::new())
}

pub(crate) fn inside() -> Options {
    bridge_options("25", BTreeMap::new())
}

/// The output for the module `m`.
pub(crate) fn output(forms: &str) -> Output {
    generate(&[module(forms)], &options())
}

/// Rust of the module `m`, from its first item on.
pub(crate) fn rust(forms: &str) -> String {
    let output = output(forms);
    assert_eq!(output.diagnostics, []);
    let text = output
        .files
        .get("m.rs")
        .expect("the module's file")
        .to_owned();
    let start = text.find("\n///").expect("an item");
    text[start + 1..].to_owned()
}

/// Erlang and the Rust that is generated from it, as a snapshot shows them.
pub(crate) fn shown(forms: &str) -> String {
    format!("{}\n\n{}", forms.trim(), rust(forms))
}

/// A snapshot of Erlang forms beside their Rust.
#[macro_export]
macro_rules! assert_types {
    ($forms:expr) => {
        insta::assert_snapshot!(support::shown($forms))
    };
}

/// The folder of stdlib and the release of the OTP whose `erl` is on PATH.
pub(crate) fn installed() -> (PathBuf, String) {
    let program =
        "io:format(\"~ts~n~ts\", [code:lib_dir(stdlib), erlang:system_info(otp_release)]), halt().";
    let output = Command::new("erl")
        .args(["-noinput", "-boot", "start_clean", "-eval", program])
        .output()
        .expect("`erl` is on PATH: `cargo xtask test` installs it");
    let text = String::from_utf8(output.stdout).expect("paths are UTF-8");
    let (folder, release) = text.trim().split_once('\n').expect("two lines");
    (PathBuf::from(folder), release.to_owned())
}
