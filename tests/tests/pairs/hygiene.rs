//! Hygiene: no name in scope changes the expansion of a macro, neither a user's name nor that of an
//! Erlang atom, which is a unit struct.
//!
//! A program uses every macro of the bridge, both by hand and in generated modules. The test
//! collects each identifier of its expansion, and compiles the program again with a unit struct of
//! each of these names in scope. Only the macros' own variables begin with [`OURS`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use otp_contract::rust::is_keyword;
use otp_specs::{NoIncludes, Options, Trusting, parse_source, resolve};
use proc_macro2::{TokenStream, TokenTree};

use crate::compiler;

/// Prefixes of the names of variables, types and statics that the macros create.
const OURS: [&str; 3] = ["__otp_", "__Otp", "__OTP_"];

/// Prefixes of the program's own names.
const PROGRAM: [&str; 3] = ["own_", "Own", "OWN_"];

/// Tools whose attributes have no other path than `#[diagnostic::…]`, so that an item of this name
/// hides them from every macro. Generated atoms have other names.
const TOOLS: [&str; 2] = ["diagnostic", "rustfmt"];

/// Handwritten uses of every macro.
const PROGRAM_TEXT: &str = include_str!("hygiene_program.rs.in");

/// A module with types of every shape, functions and callbacks.
const ERLANG: &str = "
-type own_union() :: {view, 1} | {heap, 2} | {ok, json} | diagnostic | [own_map()] | binary() | pos_integer().
-type own_map() :: #{value := own_union(), name => binary(), element0 => 1..9, atom() => any()}.
-type own_pair(A) :: {A, own_map()}.
-spec own_call(Cx :: own_union(), Call :: own_map(), FUNCTION :: pos_integer()) -> {ok, own_map()} | {error, heap}.
-spec own_call(own_union()) -> ok | {error, view}.
-callback init(Args :: term()) -> {ok, State :: term()} | {error, Reason :: term()}.
-callback visit(Heap :: term(), State :: term()) -> ok | {view, [heap | own_union()]} | {ok, NewState :: term()}.
";

#[test]
fn no_name_in_scope_changes_an_expansion() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let generated = generated(folder.path());
    write_program(folder.path(), &BTreeSet::new(), &generated);
    let expanded = compiler::run(folder.path(), &["-Zunpretty=expanded"]);
    let names = names(&expanded.unwrap_or_else(|message| panic!("{message}")));
    assert!(names.len() > 500, "the program is expanded: {names:?}");
    write_program(folder.path(), &names, &generated);
    if let Err(message) = compiler::run(folder.path(), &[]) {
        panic!("{message}");
    }
}

/// Returns the names that may be in a user's scope.
fn names(text: &str) -> BTreeSet<String> {
    let tokens: TokenStream = text.parse().expect("tokens");
    let mut names = BTreeSet::new();
    collect(tokens, &mut names);
    let is_free = |name: &String| {
        let has = |one: &&str| name.starts_with(*one);
        !OURS.iter().chain(&PROGRAM).any(has)
            && !name.starts_with("r#")
            && name != "_"
            && !TOOLS.contains(&name.as_str())
            && !is_keyword(name)
    };
    names.into_iter().filter(is_free).collect()
}

fn collect(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                names.insert(name.to_string());
            }
            TokenTree::Group(group) => collect(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Writes the generated modules. Returns the names in them.
fn generated(folder: &Path) -> BTreeSet<String> {
    let source = format!("-module(own_behaviour).\n{ERLANG}");
    let parsed = parse_source(
        "own.erl",
        source.as_bytes(),
        &NoIncludes,
        &Options::default(),
    );
    assert_eq!(parsed.diagnostics, []);
    let (module, _) = resolve(&parsed.module, &mut Trusting);
    let mut options =
        otp_codegen::outside_options("crate::own_generated", "test", "25", BTreeMap::new());
    options.functions = true;
    let output = otp_codegen::generate(&[module], &options);
    let mut found = BTreeSet::new();
    for (path, text) in output.files.iter() {
        let path = folder.join("own_generated").join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        let imported =
            format!("{text}\n#[allow(unused_imports)]\nuse crate::own_other_words::*;\n");
        fs::write(&path, imported).expect("it can be written");
        found.extend(names(text));
    }
    found
}

/// Writes the program with unit structs of these names. Generated modules use their own names for
/// the items that they define and import, so only the other names are in scope there.
fn write_program(folder: &Path, names: &BTreeSet<String>, generated: &BTreeSet<String>) {
    let mut atoms = String::new();
    for name in names {
        write!(atoms, "{name:?} => {name}, ").expect("a string takes text");
    }
    let others: Vec<&str> = names.difference(generated).map(String::as_str).collect();
    let others = others.join(", ");
    let text = format!(
        "#![recursion_limit = \"4096\"]\n#![allow(warnings)]\n\
         pub mod own_words {{\n::otp_bridge::atoms! {{ {atoms} }}\n}}\n\
         pub mod own_other_words {{\npub use super::own_words::{{{others}}};\n}}\n\
         pub mod own_generated;\npub mod own_program {{\nuse crate::own_words::*;\n{PROGRAM_TEXT}\n}}\n"
    );
    fs::write(folder.join("lib.rs"), text).expect("it can be written");
}
