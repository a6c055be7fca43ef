//! A type depends only on its definition and the types that it refers to: it is the same alone,
//! beside any other modules, and with functions.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use otp_codegen::{Options, Output, Requested, function_references, generate, references};
use otp_specs::types::Module;
use quote::ToTokens;
use support::{installed, module_named, options};

/// All modules that can be read, by their names.
type World = BTreeMap<String, Module>;

/// The files of the requested modules, generated with all modules that these refer to.
fn output(world: &World, requested: &[&str], functions: bool) -> Output {
    let requested: BTreeSet<String> = requested.iter().map(|name| (*name).to_owned()).collect();
    let mut open: Vec<String> = requested.iter().cloned().collect();
    let mut seen = requested.clone();
    let mut modules = Vec::new();
    while let Some(name) = open.pop() {
        let Some(module) = world.get(&name) else {
            continue;
        };
        let mut named = references(module);
        if functions && requested.contains(&name) {
            named.extend(function_references(module));
        }
        open.extend(named.into_iter().filter(|name| seen.insert(name.clone())));
        modules.push(module.clone());
    }
    let options = Options {
        requested: Requested::Modules(requested),
        functions,
        ..options()
    };
    let output = generate(&modules, &options);
    assert_eq!(output.diagnostics, []);
    output
}

/// The text of each type in each file, with its implementations.
fn types(output: &Output) -> BTreeMap<(String, String), String> {
    let mut types: BTreeMap<(String, String), String> = BTreeMap::new();
    for (file, text) in output.files.iter() {
        if ["atoms.rs", "mod.rs"].contains(&file) {
            continue;
        }
        for item in syn::parse_file(text).expect("Rust").items {
            let name = match &item {
                syn::Item::Struct(item) => item.ident.to_string(),
                syn::Item::Enum(item) => item.ident.to_string(),
                syn::Item::Type(item) => item.ident.to_string(),
                // Return values belong to the callback.
                syn::Item::Impl(item) if is_returned(item) => continue,
                syn::Item::Impl(item) => {
                    let name = item.self_ty.to_token_stream().to_string();
                    name.split(' ').next().unwrap_or_default().to_owned()
                }
                _ => continue,
            };
            let all = types.entry((file.to_owned(), name)).or_default();
            all.push_str(&item.to_token_stream().to_string());
            all.push('\n');
        }
    }
    types
}

/// Whether the implemented trait describes the return values of a callback.
fn is_returned(item: &syn::ItemImpl) -> bool {
    let path = item.trait_.as_ref().map(|(path, _)| path);
    let name = path.and_then(|path| path.segments.last());
    name.is_some_and(|name| name.ident.to_string().ends_with("Return"))
}

/// Compares each module alone, in pairs, and all together, with functions and without.
fn same_everywhere(world: &World, names: &[&str]) {
    let whole = types(&output(world, names, false));
    let check = |requested: &[&str], functions: bool| {
        let found = types(&output(world, requested, functions));
        for name in requested {
            let file = format!("{name}.rs");
            let named = |all: &BTreeMap<(String, String), String>| -> BTreeSet<String> {
                let of_file = all.keys().filter(|(of, _)| *of == file);
                of_file.map(|(_, name)| name.clone()).collect()
            };
            assert!(named(&whole).is_subset(&named(&found)), "{requested:?}");
        }
        for (key, text) in &found {
            if let Some(other) = whole.get(key) {
                assert_eq!(
                    text, other,
                    "{key:?} of {requested:?}, functions: {functions}"
                );
            }
        }
    };
    check(names, true);
    for (index, name) in names.iter().enumerate() {
        check(&[name], false);
        check(&[name], true);
        for other in &names[index + 1..] {
            check(&[name, other], false);
        }
    }
}

fn world(modules: &[(&str, &str)]) -> World {
    let modules = modules.iter();
    modules
        .map(|(name, forms)| ((*name).to_owned(), module_named(name, forms)))
        .collect()
}

#[test]
fn a_type_is_the_same_whatever_is_generated_beside_it() {
    let modules = [
        // The possible values of another module's type determine the Rust type of a union with it.
        (
            "xmpp",
            "-export_type([jid/0, id/0]). -type jid() :: {jid, binary()}. -type id() :: undefined | binary().",
        ),
        (
            "user",
            "-type t() :: undefined | xmpp:jid(). -type u() :: undefined | xmpp:id(). -type v() :: nil | away:t().",
        ),
        ("away", "-export_type([t/0]). -type t() :: 1..3 | user:u()."),
        // A private type has the name that a type of another module would get otherwise.
        (
            "names",
            "-export_type([b/0, c/0, 'T_x'/0]). -type a() :: [jid() | pid()]. -type jid() :: 1. \
            -type b() :: [xmpp:jid() | pid()]. -type c() :: {pid() | xmpp:jid() | port()}. \
            -type 'tX'() :: 1. -type 'T_x'() :: 2. -type option() :: b. -type box() :: {box, [box()], box()}. \
            -type 'some'() :: #{a := none}. -spec f(X :: pid() | port()) -> [a() | port()].",
        ),
        (
            "uses",
            "-type t() :: [names:b()]. -type u() :: {names:c(), names:'T_x'()}. \
            -record(r, {a :: undefined | names:c(), b = 1 :: 1..2}). -type r() :: #r{}. -spec g(#r{}) -> names:b().",
        ),
        // Atoms with equal spellings.
        ("minus", "-type t() :: 'a-b' | {'a.b', 1} | '+'."),
        ("plain", "-type t() :: a_b | {a_b_, 1} | plus."),
        // Maps that only their keys distinguish.
        (
            "small",
            "-export_type([t/0]). -type t() :: #{a := integer()}.",
        ),
        (
            "large",
            "-type t() :: small:t() | #{a := integer(), b := integer()}. -spec f() -> t().",
        ),
        // Circles through several modules.
        (
            "one",
            "-export_type([t/1]). -type t(A) :: {A, two:t(A)} | nil.",
        ),
        (
            "two",
            "-export_type([t/1]). -type t(A) :: [one:t(A)] | {one:t([A])}.",
        ),
        (
            "behaves",
            "-export_type([t/0]). -type t() :: ok | option(). -type option() :: undefined | some. \
            -callback default(t()) -> undefined | t(). -callback clone(X :: pid() | t()) -> ok.",
        ),
        ("names_it", "-type t() :: undefined | behaves:t()."),
    ];
    let world = world(&modules);
    let names: Vec<&str> = world.keys().map(String::as_str).collect();
    same_everywhere(&world, &names);
}

#[test]
fn what_is_not_there_is_the_only_thing_that_changes_a_type() {
    let modules = [("user", "-type t() :: undefined | xmpp:jid().")];
    let alone = output(&world(&modules), &["user"], false);
    assert_eq!(alone.report.fallbacks(), 1);
}

#[test]
#[allow(
    clippy::disallowed_methods,
    reason = "the test reads the installed OTP"
)]
fn types_of_otp_are_the_same_alone_and_together() {
    let (stdlib, _) = installed();
    let libraries = stdlib.parent().expect("OTP's libraries");
    let mut world = World::new();
    for application in ["kernel", "stdlib", "ssl", "public_key", "crypto", "inets"] {
        let folder = std::fs::read_dir(libraries).expect("OTP's libraries");
        let folders = folder.map(|entry| entry.expect("an entry").path());
        let of_application = |path: &std::path::PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.strip_prefix(application)
                .is_some_and(|rest| rest.starts_with('-'))
        };
        for folder in folders.filter(of_application) {
            read_all(&folder.join("ebin"), &mut world);
        }
    }
    let names = ["gen_tcp", "httpc", "inet", "supervisor"];
    same_everywhere(&world, &names);
}

#[allow(
    clippy::disallowed_methods,
    reason = "the test reads the installed OTP"
)]
fn read_all(folder: &Path, world: &mut World) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path
            .extension()
            .is_some_and(|extension| extension == "beam")
        {
            let bytes = std::fs::read(&path).expect("a module");
            let parsed = otp_specs::parse_beam(&path.to_string_lossy(), &bytes);
            let (module, _) = otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting);
            world.insert(module.name.clone(), module);
        }
    }
}
