//! Properties of every output: it depends only on its input, and no input makes it fail.

mod support;

use otp_codegen::{Reason, check, generate};
use otp_specs::types::{Builtin, Module, Type};
use support::{inside, module, module_named, options, output, read};

fn two_modules() -> Vec<Module> {
    vec![
        module_named("a", "-type t() :: a | b:t()."),
        module_named("b", "-type t() :: {b, a:t()}."),
    ]
}

/// A union accepts types that convert into its members, and so uses atoms of another module's
/// types.
#[test]
fn a_module_that_names_atoms_of_another_one_imports_them() {
    let modules = [
        module_named(
            "a",
            "-export_type([t/0, u/0]).\n-type t() :: {fd, pid()} | inet.\n-type u() :: {raw, pid()}.",
        ),
        module_named("m", "-type options() :: [a:t() | a:u()]."),
    ];
    let output = generate(&modules, &options());
    let text = output.files.get("m.rs").expect("the module's file");
    assert!(text.contains("(atoms::fd, rt::Pid), atoms::inet"), "{text}");
    assert!(text.contains("use super::atoms;"), "{text}");
}

#[test]
fn the_order_of_modules_does_not_matter() {
    let modules = two_modules();
    let reversed: Vec<Module> = modules.iter().rev().cloned().collect();
    for options in [options(), inside()] {
        let first = generate(&modules, &options);
        assert_eq!(first, generate(&reversed, &options));
        assert_eq!(check(&first.files, &generate(&modules, &options).files), []);
    }
}

#[test]
fn types_of_other_modules_are_paths_when_generated_together() {
    let output = generate(&two_modules(), &options());
    assert_eq!(output.report.fallbacks(), 0);
    let a = output.files.get("a.rs").expect("a.rs");
    assert!(a.contains("T(Box<super::b::T>)"), "{a}");
    let b = output.files.get("b.rs").expect("b.rs");
    assert!(b.contains("pub struct T(pub Box<super::a::T>);"), "{b}");
}

#[test]
fn what_is_not_precise_is_counted_with_its_reason() {
    let output = output(
        "-type t() :: #{other := elsewhere:t(), precise := number(), \
         mixed := #{atom() => 1, pid() => 2}, tail := nonempty_improper_list(atom(), list())}.",
    );
    let report = &output.report.modules["m"];
    let found: Vec<(&str, &str, Reason)> = report
        .fallbacks
        .iter()
        .map(|found| (found.position.as_str(), found.erlang.as_str(), found.reason))
        .collect();
    let mixed = "#{atom() => 1, pid() => 2}";
    let tail = "nonempty_improper_list(atom(), list())";
    assert_eq!(
        found,
        [
            ("T.Other", "elsewhere:t()", Reason::OtherModule),
            ("T.Mixed", mixed, Reason::OpenMap),
            ("T.Tail", tail, Reason::ListTail),
        ]
    );
    // Besides those three: the number, and the parts of the map.
    assert_eq!(report.positions, 3 + 1 + 3);
}

#[test]
fn one_bad_type_never_stops_the_others() {
    let (module, messages) = read(
        "m",
        "-type bad() :: missing().\n-type bad() :: again.\n-type good() :: pid().",
    );
    assert!(!messages.is_empty());
    let output = generate(&[module], &options());
    let text = output.files.get("m.rs").expect("m.rs");
    assert!(text.contains("pub type Good = rt::Pid;"), "{text}");
    assert_eq!(text.matches("pub type Bad").count(), 1, "{text}");
    assert!(!output.diagnostics.is_empty());
}

#[test]
fn types_nested_beyond_measure_end_in_the_dynamic_term() {
    let mut body = Type::Builtin(Builtin::Pid);
    for _ in 0..500 {
        body = Type::List(Box::new(Type::Tuple(vec![body])));
    }
    let mut module = module("-type t() :: pid().");
    module.types[0].body = body;
    let report = generate(&[module], &options()).report;
    assert_eq!(report.modules["m"].fallbacks[0].reason, Reason::TooDeep);
}

#[test]
fn odd_names_are_legal_and_do_not_meet() {
    let odd = [
        "Elixir.Foo",
        "größe",
        "a-b",
        "a_b",
        "1st",
        "",
        "fn",
        "self",
        "u8",
        "💡",
    ];
    let union: Vec<String> = odd.iter().map(|name| format!("'{name}'")).collect();
    let forms: Vec<String> = odd
        .iter()
        .map(|name| {
            format!(
                "-type '{name}'(_V) :: {}.\n-callback '{name}'(V_ :: term(), _) -> '{name}'.",
                union.join(" | ")
            )
        })
        .collect();
    let module = module_named("Elixir.M", &forms.join("\n"));
    for options in [options(), inside()] {
        let output = generate(std::slice::from_ref(&module), &options);
        assert_eq!(output.diagnostics, []);
        assert!(
            output.files.get("m.rs").is_some(),
            "{:?}",
            output.files.0.keys()
        );
    }
}

#[test]
fn a_module_may_have_the_name_of_a_generated_file() {
    let modules = ["atoms", "mod"].map(|name| module_named(name, "-type t() :: pid()."));
    let output = generate(&modules, &options());
    let paths: Vec<&str> = output.files.iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["atoms.rs", "atoms_.rs", "mod.rs", "mod_.rs"]);
}

/// rustc refuses `mod größe;` without the attribute: E0754.
#[test]
fn a_module_whose_name_is_not_ascii_has_a_path() {
    let output = generate(&[module_named("größe", "-type t() :: t.")], &options());
    assert!(output.files.get("größe.rs").is_some());
    let declared = output.files.get("mod.rs").expect("mod.rs");
    let line = "#[path = \"größe.rs\"]\npub mod größe;\n";
    assert!(declared.contains(line), "{declared}");
}

#[test]
fn a_mapping_to_no_path_is_reported() {
    let mut options = options();
    for mapped in options.types.0.values_mut() {
        mapped.path = "not a path".to_owned();
    }
    let output = generate(&[], &options);
    assert_eq!(output.diagnostics.len(), options.types.0.len());
    for diagnostic in &output.diagnostics {
        assert!(diagnostic.label.contains("is mapped to `not a path`"));
        assert_eq!(diagnostic.code, "E0704");
    }
}

/// If two types of a module have the same name, `specs` returns only the first one.
#[test]
fn a_type_that_a_program_gives_twice_is_reported() {
    let mut module = module_named("m", "-type t() :: pid().");
    module.types.push(module.types[0].clone());
    let output = generate(&[module], &options());
    let codes: Vec<&str> = output.diagnostics.iter().map(|one| one.code).collect();
    assert_eq!(codes, ["E0701"]);
}

/// Members without informative names, and atoms of letters that cannot begin a name in Rust.
#[test]
fn every_member_of_a_union_has_a_name() {
    for text in [
        "-type t() :: [atom() | {pid()} | {}].",
        "-type t() :: atom() | {module()} | {module(), arity()} | {}.",
        "-type t() :: 'callback' | '\u{8ff}@c' | '@@\\x00' | ''.",
    ] {
        let output = output(text);
        assert_eq!(output.diagnostics, [], "{text}");
        let file = output.files.get("m.rs").expect("m.rs");
        assert!(file.contains("pub enum"), "{file}");
    }
}
