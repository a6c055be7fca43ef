//! Small modules, read from Erlang text.
#![allow(dead_code)]
#![allow(clippy::disallowed_methods, reason = "the tests ask the installed OTP")]

pub(crate) mod parts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use otp_codegen::{Options, Output, add_callbacks, bridge_options, generate, outside_options};
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

/// A module with these forms, and its diagnostics.
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

/// Rust of the module `m`, starting at its first item.
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

/// A module of kernel or stdlib, with the folder of its application.
pub(crate) fn behaviour(libraries: &Path, name: &str) -> (String, Module) {
    let application = std::fs::read_dir(libraries)
        .expect("OTP's libraries")
        .map(|entry| entry.expect("an entry").path())
        .find(|folder| {
            let file = folder.file_name().unwrap_or_default().to_string_lossy();
            let base = file.starts_with("stdlib-") || file.starts_with("kernel-");
            base && folder.join("ebin").join(format!("{name}.beam")).is_file()
        })
        .expect("kernel or stdlib");
    let path = application.join("ebin").join(format!("{name}.beam"));
    let bytes = std::fs::read(&path).expect("a module of kernel or stdlib");
    let mut parsed = otp_specs::parse_beam(&path.to_string_lossy(), &bytes);
    assert_eq!(parsed.diagnostics, []);
    add_callbacks(&mut parsed.module).expect("the forms are read");
    let (module, diagnostics) = otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting);
    assert_eq!(diagnostics, []);
    let application = application.file_name().unwrap_or_default();
    (application.to_string_lossy().into_owned(), module)
}

/// A module of kernel or stdlib of the installed OTP.
pub(crate) fn installed_module(name: &str) -> Module {
    let (stdlib, _) = installed();
    behaviour(stdlib.parent().expect("OTP's libraries"), name).1
}

/// Every module of the installed OTP that has `-callback` forms.
pub(crate) fn installed_behaviours() -> Vec<Module> {
    let (stdlib, _) = installed();
    let files = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten();
    let applications = files(stdlib.parent().expect("OTP's libraries").to_owned());
    let mut paths: Vec<PathBuf> = applications
        .flat_map(|application| files(application.path().join("ebin")))
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "beam")
        })
        .collect();
    paths.sort();
    let behaviour = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("a module of OTP");
        let name = b"behaviour_info";
        let has_name = bytes.windows(name.len()).any(|window| window == name);
        let parsed = has_name.then(|| otp_specs::parse_beam(&path.to_string_lossy(), &bytes))?;
        let (module, _) = otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting);
        (!module.callbacks.is_empty()).then_some(module)
    };
    paths.into_iter().filter_map(behaviour).collect()
}
