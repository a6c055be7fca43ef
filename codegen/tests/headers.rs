//! Types and records of headers: one Rust type for all modules with equal definitions.

mod support;

use std::collections::BTreeSet;
use std::sync::Arc;

use otp_codegen::{Options, Output, Requested, Target, TypeOverride, generate};
use otp_specs::types::Module;
use otp_specs::{Include, Unit, parse_source, resolve};
use support::options;

/// A module that includes headers of these names and texts.
fn module(name: &str, forms: &str, headers: &[(&str, &str)]) -> Module {
    let options = otp_specs::Options::default();
    let find = |include: &Include<'_>| {
        let found = headers.iter().find(|(header, _)| *header == include.name);
        let unit = |(header, text): &(&str, &str)| {
            Arc::new(Unit::read(header, text.as_bytes(), options.release))
        };
        found.map(unit)
    };
    let source = format!("-module('{name}').\n{forms}\n");
    let parsed = parse_source(
        &format!("src/{name}.erl"),
        source.as_bytes(),
        &find,
        &options,
    );
    assert_eq!(parsed.diagnostics, []);
    let (module, diagnostics) = resolve(&parsed.module, &mut otp_specs::Trusting);
    assert_eq!(diagnostics, []);
    module
}

fn output(modules: &[Module]) -> Output {
    let output = generate(modules, &options());
    assert_eq!(output.diagnostics, []);
    output
}

/// The lines of a file that define types.
fn defined(output: &Output, file: &str) -> Vec<String> {
    let text = output.files.get(file).unwrap_or_default();
    let lines = text.lines().filter(|line| line.starts_with("pub "));
    let name = |line: &str| line.trim_end_matches([' ', '{']).to_owned();
    lines.map(name).collect()
}

const HEADER: &str = "-type id() :: binary() | undefined.\n\
    -record(jid, {user = none :: none | id(), parts = [] :: [id() | integer()]}).\n\
    -type jid() :: #jid{}.\n";

#[test]
fn what_several_modules_include_is_one_rust_type() {
    let headers = [("../include/xmpp.hrl", HEADER), ("xmpp.hrl", HEADER)];
    let one =
        "-include(\"../include/xmpp.hrl\"). -export_type([jid/0]). -type t() :: {one, jid()}.";
    let other = "-include(\"xmpp.hrl\"). -type u() :: [jid() | #jid{}]. -type v() :: one:jid().";
    let output = output(&[
        module("one", one, &headers),
        module("other", other, &headers),
    ]);
    assert_eq!(
        defined(&output, "xmpp_hrl.rs"),
        [
            "pub type Id = Option<rt::Binary>;",
            "pub type Jid = JidRecord;",
            "pub enum NoneOrId",
            "pub enum IdOrInteger",
            "pub struct JidRecord"
        ]
    );
    assert_eq!(
        defined(&output, "one.rs"),
        ["pub struct T(#[from(into)] pub super::xmpp_hrl::Jid);"]
    );
    assert_eq!(
        defined(&output, "other.rs"),
        [
            "pub type U = Vec<UElement>;",
            "pub enum UElement",
            "pub type V = super::xmpp_hrl::Jid;"
        ]
    );
    assert_eq!(output.report.headers, []);
    assert_eq!(output.report.fallbacks(), 0);
}

#[test]
fn a_definition_that_a_macro_changes_is_a_rust_type_for_each() {
    let header = "-type same() :: 1..2. -record(r, {a :: ?KIND}). -type r() :: #r{}.";
    let headers = [("r.hrl", header)];
    let forms = |kind: &str| {
        format!("-define(KIND, {kind}).\n-include(\"r.hrl\").\n-type t() :: {{r(), same()}}.")
    };
    let of = |name, kind| module(name, &forms(kind), &headers);
    let modules = [of("a", "atom()"), of("b", "binary()"), of("c", "binary()")];
    let output = output(&modules);
    // The definition of most modules is named after the header alone.
    assert_eq!(
        defined(&output, "r_hrl.rs"),
        [
            "pub type Same = rt::Ranged<u8, 1, 2>;",
            "pub type R = RRecord;",
            "pub struct RRecord"
        ]
    );
    assert_eq!(
        defined(&output, "r_hrl_of_a.rs"),
        ["pub type R = RRecord;", "pub struct RRecord"]
    );
    for (file, path) in [
        ("a.rs", "super::r_hrl_of_a::R"),
        ("c.rs", "super::r_hrl::R"),
    ] {
        let text = output.files.get(file).expect("the module's file");
        assert!(
            text.contains(path) && text.contains("super::r_hrl::Same"),
            "{text}"
        );
    }
    let shown = output
        .report
        .headers
        .iter()
        .map(|one| (one.definition.as_str(), one.modules.len()));
    assert_eq!(shown.collect::<Vec<_>>(), [("r/0", 2), ("#r{}", 2)]);
}

#[test]
fn what_names_a_type_of_the_including_module_stays_there() {
    let header =
        "-type free() :: 1..2. -type bound() :: {own(), free()}. -type through() :: [bound()].";
    let headers = [("h.hrl", header)];
    let forms = "-include(\"h.hrl\"). -type own() :: ok.";
    let output = output(&[module("a", forms, &headers), module("b", forms, &headers)]);
    assert_eq!(
        defined(&output, "h_hrl.rs"),
        ["pub type Free = rt::Ranged<u8, 1, 2>;"]
    );
    let own = [
        "pub struct Bound(pub Own, #[from(number = u8)] pub super::h_hrl::Free);",
        "pub type Through = Vec<Bound>;",
        "pub type Own = atoms::ok;",
    ];
    assert_eq!(defined(&output, "a.rs"), own);
    assert_eq!(defined(&output, "b.rs"), own);
}

#[test]
fn headers_of_one_name_in_two_folders_do_not_mix() {
    let headers = [
        ("a/types.hrl", "-type t() :: 1..2. -type u() :: [t()]."),
        ("b/types.hrl", "-type t() :: pid(). -type u() :: [t()]."),
    ];
    let one = module("one", "-include(\"a/types.hrl\").", &headers);
    let other = module("other", "-include(\"b/types.hrl\").", &headers);
    let output = output(&[one, other]);
    assert_eq!(
        defined(&output, "types_hrl.rs"),
        ["pub type T = rt::Ranged<u8, 1, 2>;", "pub type U = Vec<T>;"]
    );
    assert_eq!(
        defined(&output, "types_hrl_of_other.rs"),
        ["pub type T = rt::Pid;", "pub type U = Vec<T>;"]
    );
}

#[test]
fn a_header_is_the_same_alone_and_beside_others() {
    let headers = [("xmpp.hrl", HEADER)];
    let one = module(
        "one",
        "-include(\"xmpp.hrl\"). -type t() :: #jid{}.",
        &headers,
    );
    let other = module(
        "other",
        "-include(\"xmpp.hrl\"). -type u() :: {jid()}.",
        &headers,
    );
    let alone = output(std::slice::from_ref(&one));
    let both = output(&[one, other]);
    assert_eq!(
        alone.files.get("xmpp_hrl.rs"),
        both.files.get("xmpp_hrl.rs")
    );
    assert_eq!(alone.files.get("one.rs"), both.files.get("one.rs"));
}

#[test]
fn of_a_header_that_is_not_requested_only_what_is_named_is_there() {
    let headers = [("xmpp.hrl", HEADER)];
    let one = module(
        "one",
        "-include(\"xmpp.hrl\"). -export_type([jid/0]). -type t() :: ok.",
        &headers,
    );
    let user = module("user", "-type t() :: undefined | one:jid().", &[]);
    let requested = BTreeSet::from(["user".to_owned()]);
    let options = Options {
        requested: Requested::Modules(requested),
        ..options()
    };
    let output = generate(&[one, user], &options);
    assert_eq!(
        defined(&output, "user.rs"),
        ["pub type T = Option<super::xmpp_hrl::Jid>;"]
    );
    assert_eq!(output.files.get("one.rs"), None);
}

#[test]
fn an_override_reaches_a_type_by_its_module_and_by_its_header() {
    let headers = [("xmpp.hrl", HEADER)];
    let modules = ["one", "other"].map(|name| module(name, "-include(\"xmpp.hrl\").", &headers));
    for (module, name) in [("one", "jid"), ("other", "jid"), ("xmpp.hrl", "jid")] {
        let mut options = options();
        options.overrides.types.push(TypeOverride {
            target: Target {
                module: module.to_owned(),
                name: name.to_owned(),
                arity: None,
            },
            rename: Some("Address".to_owned()),
            ..TypeOverride::default()
        });
        let output = generate(&modules, &options);
        assert_eq!(output.override_diagnostics, [], "{module}");
        let defined = defined(&output, "xmpp_hrl.rs");
        assert!(
            defined.contains(&"pub type Address = JidRecord;".to_owned()),
            "{defined:?}"
        );
    }
}
