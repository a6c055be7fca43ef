//! Checks the list of corrected forms of OTP in the running VM. OTP's own form excludes a call that
//! works, or has a part that OTP ignores; the corrected form does not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use otp_bridge::Term;
use otp_bridge::term::etf;
use otp_specs::types::{Clause, Module};
use otp_tests::application::{root, text};

use crate::oracle::Oracle;

#[path = "../../../xtask/src/codegen/corrections.rs"]
mod list;

use list::{Correction, correct, corrections};

/// A call, and its result.
struct Call {
    evidence: String,
    /// Whether OTP ignores a part of the call, although its form has that part.
    is_ignored: bool,
    module: String,
    function: String,
    arguments: Vec<Term>,
    result: Term,
}

#[test]
fn the_page_names_each_corrected_form() {
    let read = |file| std::fs::read_to_string(root().join(file)).expect("it is there");
    let (list, page) = (
        read("xtask/src/codegen/corrections.txt"),
        read("docs/functions.md"),
    );
    let forms = list.lines().filter_map(|line| line.strip_prefix("form: "));
    let names = forms.filter_map(|form| form.split(' ').nth(1)?.split('/').next());
    let names: BTreeSet<&str> = names.collect();
    assert!(!names.is_empty());
    for name in names {
        assert!(page.contains(&format!("`{name}")), "{name}");
    }
}

#[test]
fn otp_is_wrong_about_each_call_of_the_corrections_and_the_corrected_forms_are_not() {
    let (libraries, release) = installed();
    let corrections = corrections(&release).expect("the list");
    let calls = calls(&corrections);
    let called = calls.iter().map(|call| call.module.clone());
    let called: BTreeSet<String> = called.collect();
    let modules = modules(&libraries, &called, &[]);
    let otp = Oracle::new(&modules);
    let corrected_modules = self::modules(&libraries, &called, &corrections);
    let corrected = Oracle::new(&corrected_modules);
    assert_eq!(calls.is_empty(), corrections.is_empty());
    for call in &calls {
        let result = &call.result;
        assert_eq!(
            call.fits(&otp, &modules),
            call.is_ignored,
            "OTP's own form: {} = {result}",
            call.evidence
        );
        assert_eq!(
            call.fits(&corrected, &corrected_modules),
            !call.is_ignored,
            "not corrected: {} = {result}",
            call.evidence
        );
    }
}

impl Call {
    /// Returns whether a clause of the function's `-spec` has these arguments and this result.
    fn fits(&self, oracle: &Oracle<'_>, modules: &[Module]) -> bool {
        let module = modules.iter().find(|module| module.name == self.module);
        let functions = &module.expect("the module that is called").functions;
        let function = functions.iter().find(|function| {
            function.name == self.function && function.arity == self.arguments.len()
        });
        let has = |clause: &Clause| {
            let mut arguments = clause.params.iter().zip(&self.arguments);
            arguments.all(|(ty, argument)| oracle.accepts(ty, argument))
                && oracle.accepts(&clause.result, &self.result)
        };
        function.expect("a `-spec`").clauses.iter().any(has)
    }
}

/// Returns the folder of OTP's applications, and the release.
fn installed() -> (PathBuf, String) {
    let program =
        "io:format(\"~s~n~s\", [code:lib_dir(), erlang:system_info(otp_release)]), halt().";
    let output = Command::new("erl")
        .args(["-noinput", "-boot", "start_clean", "-eval", program])
        .output()
        .expect("`erl` is on PATH: `cargo xtask test` installs it");
    let printed = text(&output.stdout);
    let (libraries, release) = printed.split_once('\n').expect("two lines");
    (PathBuf::from(libraries), release.to_owned())
}

/// Runs the evidence of all entries.
fn calls(corrections: &[Correction]) -> Vec<Call> {
    let shown = corrections.iter().flat_map(|entry| {
        let evidence = entry.evidence.iter().map(|call| (call.as_str(), false));
        evidence.chain(entry.ignored.iter().map(|call| (call.as_str(), true)))
    });
    let (evidence, ignored): (Vec<&str>, Vec<bool>) = shown.unzip();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [asked, made] = ["corrections.txt", "corrections.terms"].map(|name| folder.join(name));
    std::fs::write(&asked, evidence.join("\n")).expect("the file can be written");
    let output = Command::new("escript")
        .arg(root().join("tests/live/corrections.escript"))
        .args([&asked, &made])
        .output()
        .expect("escript runs");
    assert!(
        output.status.success(),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    let terms = etf::decode(&std::fs::read(made).expect("the calls")).expect("terms");
    let Term::List(terms) = terms else {
        panic!("{terms} is not a list")
    };
    assert_eq!(terms.len(), evidence.len());
    let evidence = evidence.into_iter().zip(ignored);
    terms.iter().zip(evidence).map(call).collect()
}

fn call((term, (evidence, is_ignored)): (&Term, (&str, bool))) -> Call {
    let elements = match term {
        Term::Tuple(elements) => elements.as_slice(),
        _ => &[],
    };
    let [
        Term::Atom(module),
        Term::Atom(function),
        Term::List(arguments),
        result,
    ] = elements
    else {
        panic!("{term} is not a call")
    };
    Call {
        evidence: evidence.to_owned(),
        is_ignored,
        module: module.text().to_owned(),
        function: function.text().to_owned(),
        arguments: arguments.iter().cloned().collect(),
        result: result.clone(),
    }
}

/// Returns the called modules and all that their forms refer to, corrected.
fn modules(libraries: &Path, called: &BTreeSet<String>, corrections: &[Correction]) -> Vec<Module> {
    let beams = beams(libraries);
    let mut seen = called.clone();
    let mut open: Vec<String> = called.iter().cloned().collect();
    let mut modules = Vec::new();
    while let Some(name) = open.pop() {
        let Some(beam) = beams.get(&name) else {
            continue;
        };
        let bytes = std::fs::read(beam).expect("a module");
        let mut parsed = otp_specs::parse_beam(&name, &bytes);
        correct(&mut parsed.module, corrections).expect("forms as the list has them");
        let (module, _) = otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting);
        let more = otp_codegen::references(&module).into_iter();
        let more = more.chain(otp_codegen::function_references(&module));
        open.extend(more.filter(|name| seen.insert(name.clone())));
        modules.push(module);
    }
    modules
}

/// Returns all installed modules: name and file.
fn beams(libraries: &Path) -> BTreeMap<String, PathBuf> {
    let entries = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries(libraries.to_owned()).map(|entry| entry.path().join("ebin"));
    let beams = folders.flat_map(entries).map(|entry| entry.path());
    beams
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "beam")
        })
        .map(|path| {
            (
                text(path.file_stem().unwrap_or_default().as_encoded_bytes()),
                path,
            )
        })
        .collect()
}
