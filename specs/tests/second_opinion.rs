//! Reads every type in OTP's sources with the grammar of sources and with `erlang.pest`, and
//! compares the trees.
#![allow(clippy::disallowed_methods, clippy::print_stderr)]

mod support;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use otp_specs::ast::{
    Entry, Form, FormKind, Location, Name, Type, TypeForm, TypeFormKind, TypeKind,
};
use otp_specs::{json, parse_type, parse_type_at_start};

/// A type of a source, and its location.
struct Written<'a> {
    ty: &'a Type,
    at: Location,
    /// A bracket may be between that location and the `::` in front of the type.
    is_behind_colons: bool,
}

/// The types that are directly in a form.
fn types(form: &FormKind) -> Vec<Written<'_>> {
    let behind_colons = |ty| Written {
        ty,
        at: first_location(ty),
        is_behind_colons: true,
    };
    match form {
        FormKind::Type(form) => vec![behind_colons(&form.body)],
        FormKind::Record(form) => {
            let types = form.fields.iter().filter_map(|field| field.ty.as_ref());
            types.map(behind_colons).collect()
        }
        FormKind::Function(form) => {
            let constraints = form.clauses.iter().flat_map(|clause| &clause.constraints);
            constraints.map(|one| behind_colons(&one.bound)).collect()
        }
        _ => Vec::new(),
    }
}

fn first_location(ty: &Type) -> Location {
    match &ty.kind {
        TypeKind::Infix(_, left, _) | TypeKind::Range(left, _) => first_location(left),
        // `fun((A) -> B)` has the location of `(A)`, and the keyword is in front of it.
        _ => ty.at,
    }
}

/// The text of a file, by lines.
struct Text(Vec<String>);

impl Text {
    fn of(path: &Path) -> Self {
        let bytes = std::fs::read(path).expect("the source is installed");
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            error
                .as_bytes()
                .iter()
                .map(|byte| char::from(*byte))
                .collect()
        });
        Text(text.lines().map(str::to_owned).collect())
    }

    /// The text from a location to the end of its form.
    fn form_at(&self, at: Location) -> String {
        let lines = &self.0[at.line as usize - 1..];
        let ends = |line: &String| {
            line.split('%')
                .next()
                .unwrap_or("")
                .trim_end()
                .ends_with('.')
        };
        let last = lines.iter().position(ends).unwrap_or(lines.len() - 1);
        let first: String = lines[0].chars().skip(at.column as usize - 1).collect();
        let mut text = first;
        for line in &lines[1..=last] {
            text.push('\n');
            text.push_str(line);
        }
        text
    }

    /// The text on the lines up to a location, which may be in the middle of a line.
    fn before(&self, at: Location) -> String {
        let line = at.line as usize - 1;
        let first = line.saturating_sub(8);
        let mut text = self.0[first..line].join("\n");
        text.push('\n');
        text.extend(self.0[line].chars().take(at.column as usize - 1));
        text
    }
}

/// The tree without locations.
fn tree(ty: &Type) -> String {
    let form = TypeForm {
        kind: TypeFormKind::Type,
        name: Name::new_static("t"),
        parameters: Vec::new(),
        body: ty.clone(),
    };
    json::form(&Form::new(Location::default(), FormKind::Type(form)))
}

#[derive(Default)]
struct Found {
    compared: AtomicUsize,
    with_macros: AtomicUsize,
    differences: Mutex<Vec<String>>,
}

impl Found {
    fn compare(&self, path: &Path) {
        let parsed = support::source(path);
        let text = Text::of(path);
        for entry in parsed.module.forms.iter().filter(|one| one.in_main_file) {
            self.compare_form(entry, &text, path);
        }
    }

    fn compare_form(&self, entry: &Entry, text: &Text, path: &Path) {
        let form = &entry.form;
        if text.form_at(form.at).contains('?') {
            let count = types(&form.kind).len();
            self.with_macros.fetch_add(count, Ordering::Relaxed);
            return;
        }
        for written in types(&form.kind) {
            self.compare_type(&written, text, path);
        }
        if let FormKind::Function(function) = &form.kind {
            for clause in &function.clauses {
                let signature = text.form_at(clause.at);
                self.compare_signature(&signature, clause, path);
            }
        }
    }

    fn compare_type(&self, written: &Written<'_>, text: &Text, path: &Path) {
        let mut source = text.form_at(written.at);
        if written.is_behind_colons {
            // Brackets leave no node, so the test searches the text in front of the type for them.
            let before = text.before(written.at);
            let start = before.rfind("::").map_or(before.len(), |start| start + 2);
            source.insert_str(0, &before[start..]);
        }
        let read = parse_type_at_start(&source, support::release()).map(|(ty, _)| ty);
        self.compare_trees(written.ty, read, &source, path);
    }

    /// Compares the types of `(A, B) -> C` one by one.
    fn compare_signature(&self, source: &str, clause: &otp_specs::ast::Clause, path: &Path) {
        let parameters = clause.signature.parameters.iter().flatten();
        let mut rest = source.strip_prefix('(').expect("a clause opens with `(`");
        let count = clause.signature.parameters.as_ref().map_or(0, Vec::len);
        for (index, ty) in parameters.enumerate() {
            let Some(behind) = self.compare_start(ty, rest, path) else {
                return;
            };
            rest = blank(behind);
            let mark = if index + 1 == count { ')' } else { ',' };
            let Some(behind) = rest.strip_prefix(mark) else {
                self.differs(path, rest, &format!("no `{mark}`"));
                return;
            };
            rest = behind;
        }
        let result = rest.split_once("->").map_or("", |(_, result)| result);
        self.compare_start(&clause.signature.result, result, path);
    }

    fn compare_start<'s>(&self, ty: &Type, source: &'s str, path: &Path) -> Option<&'s str> {
        match parse_type_at_start(source, support::release()) {
            Ok((read, end)) => {
                self.compare_trees(ty, Ok(read), source, path);
                Some(&source[end..])
            }
            Err(error) => {
                self.differs(path, source, &error.to_string());
                None
            }
        }
    }

    fn compare_trees(
        &self,
        expected: &Type,
        read: Result<Type, otp_specs::TypeTextError>,
        source: &str,
        path: &Path,
    ) {
        self.compared.fetch_add(1, Ordering::Relaxed);
        match read {
            Ok(read) if tree(&read) == tree(expected) => {}
            Ok(read) => self.differs(
                path,
                source,
                &format!("{}\n{}", tree(&read), tree(expected)),
            ),
            Err(error) => self.differs(path, source, &error.to_string()),
        }
    }

    fn differs(&self, path: &Path, source: &str, difference: &str) {
        let mut differences = self.differences.lock().expect("no thread has panicked");
        differences.push(format!("{}: {source}\n{difference}", path.display()));
    }
}

/// A text without the blanks and comments that may be between two words.
fn blank(mut text: &str) -> &str {
    loop {
        let trimmed = text.trim_start();
        match trimmed.strip_prefix('%') {
            Some(comment) => text = comment.split_once('\n').map_or("", |(_, rest)| rest),
            None => return trimmed,
        }
    }
}

#[test]
fn both_grammars_read_every_type_of_otp_alike() {
    let files: Vec<PathBuf> = support::applications()
        .iter()
        .flat_map(|application| support::files_below(&application.join("src"), "erl"))
        .collect();
    assert!(files.len() > 800, "erlang-src is installed");
    let (found, next) = (Found::default(), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    found.compare(path);
                }
            });
        }
    });
    let differences = found
        .differences
        .into_inner()
        .expect("no thread has panicked");
    let shown: Vec<&str> = differences.iter().map(String::as_str).take(10).collect();
    assert!(
        differences.is_empty(),
        "{}: {}",
        differences.len(),
        shown.join("\n\n")
    );
    let (compared, with_macros) = (found.compared.into_inner(), found.with_macros.into_inner());
    assert!(compared > 30_000, "{compared}");
    assert!(with_macros * 20 < compared, "{with_macros} of {compared}");
    eprintln!("{compared} types are the same, {with_macros} have a macro in their form");
}

#[test]
fn unions_and_annotations_are_held_as_in_sources() {
    let release = support::release();
    for text in [
        "a | (b | c)",
        "(a | b) | c",
        "a | (b | c) | d",
        "a | B :: b | c",
        "A :: B :: (a | b) | c",
        "a | B :: (b | c)",
        "1 + 2 * - 3 bsl 4 .. 16#ff",
        "fun((...) -> fun(() -> A :: b))",
        "<<_:8, _:_*1>> | <<>> | <<_:_*8>>",
        "#r{f :: a | b, g :: #{a => b, c := d}}",
        "$a..$\\n | 'two words':t('x y') | [t(), ...] | [] | {}",
    ] {
        let source = format!("-module(m).\n-type t() ::\n {text}.\n");
        let parsed = otp_specs::parse_source(
            "m.erl",
            source.as_bytes(),
            &otp_specs::NoIncludes,
            &otp_specs::Options::default(),
        );
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let FormKind::Type(form) = &parsed.module.forms[1].form.kind else {
            panic!("{text}");
        };
        // Locations are equal as well.
        let read = parse_type(&format!("\n\n {text}"), release);
        assert_eq!(read.as_ref(), Ok(&form.body), "{text}");
    }
}

#[test]
fn a_type_does_not_become_too_high_for_a_stack() {
    for text in ["1 + ", "- ", "A :: ", "1 * "] {
        let read = parse_type(&format!("{}1", text.repeat(2_000)), support::release());
        let error = read.unwrap_err().to_string();
        assert!(error.contains(": more than 256 operators"), "{error}");
    }
}
