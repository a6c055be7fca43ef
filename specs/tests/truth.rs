//! Compares every form of every installed module with the forms that OTP itself reads.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

#[path = "truth/elixir.rs"]
mod elixir;
#[path = "truth/others.rs"]
mod others;
mod support;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;

use otp_specs::ast::{Form, FormKind, Location, Name};
use otp_specs::{Options, Severity, json, parse_beam, parse_chunk, parse_source};

/// Files that may differ, each with its reason. The list may only shrink.
const EXCEPTIONS: &str = include_str!("truth_exceptions.txt");
/// The number of exceptions. Lower it when one is removed; never raise it.
const MOST: usize = 0;

fn exceptions() -> impl Iterator<Item = &'static str> {
    let lines = EXCEPTIONS.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_whitespace().next())
}

#[test]
fn exceptions_only_become_fewer() {
    assert_eq!(exceptions().count(), MOST);
}

/// Runs OTP's own reader: returns lines of JSON for each file, and with `errors` the lines of its
/// errors.
fn truth(files: &[PathBuf], includes: &[PathBuf], errors: bool) -> BTreeMap<String, Vec<String>> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let kind = files[0]
        .extension()
        .and_then(|kind| kind.to_str())
        .unwrap_or_default();
    let parts: Vec<(Vec<&PathBuf>, PathBuf)> = (0..2)
        .map(|part| {
            let out = folder.join(format!("truth-{kind}-{}-{part}.jsonl", files.len()));
            (files.iter().skip(part).step_by(2).collect(), out)
        })
        .collect();
    let answers: Vec<String> = thread::scope(|scope| {
        let ask = |part| {
            scope.spawn(move || {
                let (files, out): &(Vec<&PathBuf>, PathBuf) = part;
                ask_otp(files, includes, out)
            })
        };
        let asked: Vec<_> = parts.iter().map(ask).collect();
        asked
            .into_iter()
            .map(|one| one.join().expect("OTP answers"))
            .collect()
    });
    let mut lines: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for answer in answers {
        let mut file = String::new();
        for line in answer.lines() {
            match line.split_at(2) {
                ("@ ", name) => {
                    file = name.to_owned();
                    lines.insert(file.clone(), Vec::new());
                }
                ("! ", place) if errors => {
                    lines
                        .entry(file.clone())
                        .or_default()
                        .push(format!("! {place}"));
                }
                ("! ", _) => {}
                _ => lines.entry(file.clone()).or_default().push(line.to_owned()),
            }
        }
    }
    lines
}

fn ask_otp(files: &[&PathBuf], includes: &[PathBuf], out: &Path) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/forms.escript");
    let mut escript = Command::new("escript")
        .arg(script)
        .arg(out)
        .args(includes)
        .stdin(Stdio::piped())
        .spawn()
        .expect("escript starts");
    let mut input = String::new();
    for file in files {
        writeln!(input, "{}", file.display()).expect("a string grows");
    }
    let mut stdin = escript.stdin.take().expect("standard input is piped");
    stdin
        .write_all(input.as_bytes())
        .expect("escript reads its input");
    drop(stdin);
    assert!(escript.wait().expect("escript ends").success());
    fs::read_to_string(out).expect("escript writes its answer")
}

/// The folders that every module may include from. A build would name the folders that it needs.
fn includes() -> Vec<PathBuf> {
    let folders = ["include", "src"];
    let all = |name| {
        support::applications()
            .iter()
            .map(move |folder| folder.join(name))
    };
    folders
        .into_iter()
        .flat_map(all)
        .filter(|folder| folder.is_dir())
        .collect()
}

/// The modules' files with that ending.
fn installed(ending: &str) -> Vec<PathBuf> {
    support::files_below(&support::root().join("lib"), ending)
}

fn lines_of(parsed: &otp_specs::Parsed, file: &str) -> Vec<String> {
    let mut text = String::new();
    for entry in &parsed.module.forms {
        json::line(&mut text, file, parsed.module.name.as_deref(), entry);
    }
    text.lines().map(str::to_owned).collect()
}

/// Compares file by file and fails with the first difference of each file.
fn compare(what: &str, ours: BTreeMap<String, Vec<String>>, theirs: BTreeMap<String, Vec<String>>) {
    let mut different = Vec::new();
    let (mut forms, mut equal) = (0usize, 0usize);
    let none = Vec::new();
    for (file, theirs) in &theirs {
        let ours = ours.get(file).unwrap_or(&none);
        forms += theirs.len();
        if ours == theirs {
            equal += theirs.len();
            continue;
        }
        equal += theirs
            .iter()
            .zip(ours)
            .filter(|(one, other)| one == other)
            .count();
        let first = (0..theirs.len().max(ours.len()))
            .find(|index| ours.get(*index) != theirs.get(*index))
            .unwrap_or_default();
        different.push((file, ours.get(first).cloned(), theirs.get(first).cloned()));
    }
    println!("{what}: {equal} of {forms} forms, {} files", theirs.len());
    let excused = |file: &str| exceptions().any(|name| file.ends_with(name));
    let unexplained: Vec<_> = different
        .iter()
        .filter(|(file, ..)| !excused(file))
        .collect();
    let mut report = String::new();
    for (file, ours, theirs) in unexplained.iter().take(5) {
        writeln!(report, "{file}\n  ours   {ours:?}\n  theirs {theirs:?}").expect("a string grows");
    }
    assert!(
        unexplained.is_empty(),
        "{} files differ\n{report}",
        unexplained.len()
    );
    assert!(forms > 90, "OTP's files are installed");
}

#[test]
fn sources() {
    let (files, includes) = (installed("erl"), includes());
    let headers = support::Headers::new(includes.clone());
    let options = Options {
        release: support::release(),
        ..Options::default()
    };
    let ours = files.iter().map(|file| {
        let name = file.to_string_lossy().into_owned();
        let bytes = fs::read(file).expect("the source is installed");
        let parsed = parse_source(&name, &bytes, &headers, &options);
        let lines = lines_of(&parsed, &name);
        (name, lines)
    });
    let ours = ours.collect();
    compare("sources", ours, truth(&files, &includes, false));
}

#[test]
fn beam_files() {
    let files = installed("beam");
    let ours = files.iter().map(|file| {
        let name = file.to_string_lossy().into_owned();
        let parsed = parse_beam(&name, &fs::read(file).expect("the module is installed"));
        let errors = parsed
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error);
        assert_eq!(errors.count(), 0, "{name}");
        let lines = lines_of(&parsed, &name);
        (name, lines)
    });
    let ours = ours.collect();
    compare("BEAM files", ours, truth(&files, &[], false));
}

#[test]
fn documentation_chunks() {
    let folders = support::applications()
        .iter()
        .map(|folder| folder.join("doc/chunks"));
    let files: Vec<_> = folders
        .flat_map(|folder| support::files_below(&folder, "chunk"))
        .collect();
    if files.is_empty() {
        return; // Erlang may be installed without its documentation.
    }
    let ours = files.iter().map(|file| {
        let name = file.to_string_lossy().into_owned();
        let parsed = parse_chunk(&name, &fs::read(file).expect("the chunk is installed"));
        assert_eq!(parsed.diagnostics, [], "{name}");
        let lines = lines_of(&parsed, &name);
        (name, lines)
    });
    let ours = ours.collect();
    compare("chunks", ours, truth(&files, &[], false));
}

/// Whether a file's name, such as `odd27.erl`, names no release later than the installed one. For
/// features that are newer than the release, OTP's names of the errors differ from specs'.
fn is_of_this_release(file: &Path) -> bool {
    let stem = file
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default();
    stem.trim_start_matches("odd")
        .parse()
        .map_or(true, |of| support::release().0 >= of)
}

/// Legal but rare shapes, and errors of every kind, at their lines.
#[test]
fn odd_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/odd");
    let files = support::files_below(&folder, "erl");
    let headers = support::Headers::new(Vec::new());
    let options = Options {
        release: support::release(),
        ..Options::default()
    };
    let ours = files.iter().map(|file| {
        let name = file.to_string_lossy().into_owned();
        let bytes = fs::read(file).expect("the source is checked in");
        let parsed = parse_source(&name, &bytes, &headers, &options);
        let mut lines = lines_of(&parsed, &name);
        if is_of_this_release(file) {
            let diagnostics = parsed.diagnostics.iter();
            lines.extend(diagnostics.map(|diagnostic| format!("! {}", diagnostic.line)));
        }
        (name, lines)
    });
    let ours = ours.collect();
    let mut theirs = truth(&files, &[], true);
    for (file, lines) in &mut theirs {
        if !is_of_this_release(Path::new(file)) {
            lines.retain(|line| !line.starts_with("! "));
        }
        lines.sort_by_key(|line| line.starts_with("! "));
        // epp reports twice that a file is not UTF-8.
        lines.dedup_by(|line, last| line == last && line.starts_with("! "));
    }
    compare("odd sources", ours, theirs);
}

/// Whether a source names eunit's header: eunit's parse transform runs only then.
fn names_eunit(source: &[u8]) -> bool {
    let header = b"eunit.hrl\"";
    source.windows(header.len()).any(|window| window == header)
}

/// Removes the one form that eunit's parse transform (`eunit_autoexport`) adds to a compiled
/// module: behind `-module`, at line 0, an export of the tests. All other differences are kept and
/// compared.
fn drop_eunits_export(forms: &mut Vec<Arc<Form>>) {
    let nowhere = Location { line: 0, column: 0 };
    let is_eunits = |form: &Arc<Form>| match &form.kind {
        FormKind::Export(functions) => form.at == nowhere && functions.iter().all(is_test),
        _ => false,
    };
    if forms.get(1).is_some_and(is_eunits) {
        forms.remove(1);
    }
}

/// Whether eunit exports such a function by itself.
fn is_test((name, arity): &(Name, i64)) -> bool {
    let endings = ["_test", "_test_", "_exported_"];
    match (name.as_str(), arity) {
        ("test", 0) | ("eunit_wrapper_", 1) => true,
        (name, 0) => endings.iter().any(|ending| name.ends_with(ending)),
        _ => false,
    }
}

#[test]
fn nothing_but_eunits_own_export_is_excused() {
    let form = |line, kind| {
        let at = Location { line, column: 0 };
        Arc::new(Form::new(at, kind))
    };
    let export = |line, name: &str, arity| form(line, FormKind::Export(vec![(name.into(), arity)]));
    let left = |forms: &[Arc<Form>]| {
        let mut forms = forms.to_vec();
        drop_eunits_export(&mut forms);
        forms.len()
    };
    let module = form(1, FormKind::Module("m".into()));
    assert_eq!(left(&[module.clone(), export(0, "test", 0)]), 1);
    assert_eq!(left(&[module.clone(), export(0, "parses_test_", 0)]), 1);
    // A real line, another function, another arity, another position, another form.
    assert_eq!(left(&[module.clone(), export(2, "test", 0)]), 2);
    assert_eq!(left(&[module.clone(), export(0, "start", 0)]), 2);
    assert_eq!(left(&[module.clone(), export(0, "test", 1)]), 2);
    assert_eq!(left(&[export(0, "test", 0), module.clone()]), 2);
    assert_eq!(left(&[module.clone(), form(0, module.kind.clone())]), 2);
    assert!(names_eunit(b"-include(\"eunit.hrl\")."));
    assert!(!names_eunit(b"% eunit.hrl is not for this one"));
}

/// Compares each module's own forms, including locations, from its source and from its BEAM file.
#[test]
fn sources_and_beam_files_agree() {
    let headers = support::Headers::new(includes());
    let options = Options {
        release: support::release(),
        ..Options::default()
    };
    let mut compared = 0;
    for beam in installed("beam") {
        let (Some(name), Some(folder)) = (beam.file_stem(), beam.parent()) else {
            continue;
        };
        let source = folder.join("../src").join(name).with_extension("erl");
        let Ok(bytes) = fs::read(&source) else {
            continue;
        };
        // Parts of such a file claim to be in other files, whose names depend on how it was
        // compiled.
        if bytes.windows(7).any(|window| window == b"\n-file(") {
            continue;
        }
        let from_source = parse_source(&source.to_string_lossy(), &bytes, &headers, &options);
        let from_beam = parse_beam("", &fs::read(&beam).expect("the module is installed"));
        let own = |parsed: &otp_specs::Parsed| {
            let entries = parsed
                .module
                .forms
                .iter()
                .filter(|entry| entry.in_main_file);
            entries.map(|entry| entry.form.clone()).collect::<Vec<_>>()
        };
        let mut compiled = own(&from_beam);
        if names_eunit(&bytes) {
            drop_eunits_export(&mut compiled);
        }
        assert_eq!(own(&from_source), compiled, "{}", source.display());
        compared += 1;
    }
    assert!(compared > 200, "sources and BEAM files are installed");
}
