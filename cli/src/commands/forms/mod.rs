//! `otp-rs forms FILE…`: the type-level forms of files, one a line.

mod lines;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;

use otp_specs::ast::Entry;
use otp_specs::{Options, Parsed, Release};

use crate::args::{Forms, FormsFormat};
use crate::files::read_bounded;
use crate::installation::{Applications, Installation};
use crate::report::{Diagnostic, Progress, Result, Ui, Unit, catalog};
use crate::sources::excerpts::Excerpts;
use crate::sources::headers::Headers;
use crate::sources::{Panicked, alone, in_order, is_source, parse_by_form};
use lines::Lines;

/// Maximum number of diagnostics of one file that are shown.
const MOST_SHOWN: usize = 1_000;

pub(crate) fn execute(options: &Forms, ui: &Ui) -> Result<()> {
    let reader = Reader::new(options)?;
    let threads = match options.threads {
        Some(threads) => threads.get(),
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    let mut printer = Printer {
        ui,
        files: &options.files,
        next: 0,
        shown: BTreeSet::new(),
        tally: Tally::default(),
    };
    let printed = match options.files.as_slice() {
        // A single file is printed while it is read, because it may be large.
        [file] => {
            let read = alone(|| reader.read(file, &mut |text| ui.write(text)));
            printer.print(read)
        }
        files => ui.counting("Reading", "forms", Unit::Things("files"), |progress| {
            progress.begin(files.len() as u64);
            print_in_order(files, &reader, threads, (&mut printer, progress))
        }),
    };
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(catalog::STANDARD_OUTPUT.with(&[&error]))
        }
        // A reader that has closed the pipe (`| head`) is not an error.
        _ => printer.tally.outcome(options.files.len()),
    }
}

/// Reads several files in parallel, and prints each after all files before it.
fn print_in_order(
    files: &[PathBuf],
    reader: &Reader,
    threads: usize,
    (printer, progress): (&mut Printer<'_>, &Progress),
) -> io::Result<()> {
    let work = |index: usize| {
        let mut forms = String::new();
        let read = reader.read(&files[index], &mut |text| {
            forms.push_str(text);
            Ok(())
        });
        (forms, read)
    };
    let mut printed = Ok(());
    in_order(files.len(), threads, work, |result| {
        let (forms, read) = match result {
            Ok((forms, read)) => (forms, Ok(read)),
            Err(panicked) => (String::new(), Err(panicked)),
        };
        progress.step();
        printed = printer.print(read).and_then(|()| printer.ui.write(&forms));
        match printed {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    printed
}

/// The result of reading a file, without its forms.
struct Read {
    /// The result of writing the forms.
    written: io::Result<()>,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
}

/// Reads files, any number in parallel.
struct Reader {
    headers: Headers,
    options: Options,
    format: FormsFormat,
}

impl Reader {
    fn new(options: &Forms) -> Result<Self> {
        let otp = match &options.otp_root {
            Some(folder) => Some(Applications::at(folder)?),
            // Reading forms does not require OTP.
            None => Installation::find().ok().map(|otp| Applications::of(&otp)),
        };
        let release = otp
            .as_ref()
            .map_or_else(Release::default, |otp| Release(otp.release));
        Ok(Self {
            headers: Headers::new(otp, options.include.clone(), release),
            options: Options {
                release,
                defines: defines(&options.define)?,
            },
            format: options.format,
        })
    }

    fn read(&self, path: &Path, write: &mut dyn FnMut(&str) -> io::Result<()>) -> Read {
        let bytes = match read_bounded(path) {
            Ok(bytes) => bytes,
            Err(error) => return unreadable(path, &error),
        };
        let file = path.to_string_lossy();
        let mut lines = Lines::new(self.format, &file, write);
        let take = |entry: Entry| lines.push(&entry);
        let parsed = parse_by_form(path, &bytes, &self.headers, &self.options, take);
        let written = lines.finish(parsed.module.name.as_deref());
        let (diagnostics, errors) = diagnostics(path, bytes, &parsed);
        Read {
            written,
            diagnostics,
            errors,
        }
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Read {
    let diagnostic = match error.kind() {
        io::ErrorKind::IsADirectory => Diagnostic::of_file(path, &catalog::NOT_A_FILE, &[]),
        _ => Diagnostic::of_file(path, &catalog::IO, &[&"read", error]),
    };
    Read {
        written: Ok(()),
        diagnostics: vec![diagnostic],
        errors: 1,
    }
}

fn diagnostics(path: &Path, bytes: Vec<u8>, parsed: &Parsed) -> (Vec<Diagnostic>, usize) {
    if parsed.diagnostics.is_empty() {
        return (Vec::new(), 0);
    }
    let mut texts = if is_source(path, &bytes) {
        Excerpts::with(path.to_string_lossy().into_owned(), bytes)
    } else {
        Excerpts::default()
    };
    let shown = parsed.diagnostics.iter().take(MOST_SHOWN);
    let mut diagnostics: Vec<Diagnostic> = shown.map(|one| texts.shown(one)).collect();
    let left = parsed.diagnostics.len() - diagnostics.len();
    if left > 0 {
        diagnostics.push(Diagnostic::of_file(path, &catalog::MORE_ERRORS, &[&left]));
    }
    let is_error = |one: &&otp_specs::Diagnostic| one.severity == otp_specs::Severity::Error;
    (
        diagnostics,
        parsed.diagnostics.iter().filter(is_error).count(),
    )
}

/// `NAME` and `NAME=TERM`.
fn defines(words: &[String]) -> Result<BTreeMap<String, String>> {
    words
        .iter()
        .map(|word| {
            let (name, term) = word.split_once('=').unwrap_or((word, ""));
            let starts = |c: char| c.is_alphabetic() || c == '_';
            let is_name = name.starts_with(starts)
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || c == '_' || c == '@');
            if is_name {
                Ok((name.to_owned(), term.to_owned()))
            } else {
                Err(catalog::MACRO_NAME.with(&[&name]))
            }
        })
        .collect()
}

/// Prints results in order.
struct Printer<'a> {
    ui: &'a Ui,
    files: &'a [PathBuf],
    next: usize,
    /// Diagnostics already shown: a diagnostic in a header concerns many files, and is shown once.
    shown: BTreeSet<Diagnostic>,
    tally: Tally,
}

#[derive(Default)]
struct Tally {
    errors: usize,
    files: usize,
    panics: usize,
}

impl Printer<'_> {
    fn print(&mut self, read: Result<Read, Panicked>) -> io::Result<()> {
        let file = &self.files[self.next];
        self.next += 1;
        let Ok(read) = read else {
            self.tally.panics += 1;
            let panicked = format!("the work on {} panicked", file.display());
            let diagnostic = Diagnostic::of_file(file, &catalog::INTERNAL, &[&panicked]);
            self.ui.diagnostic(&diagnostic);
            return Ok(());
        };
        self.tally.files += usize::from(read.errors > 0);
        self.tally.errors += read.errors;
        for diagnostic in read.diagnostics {
            if !self.shown.contains(&diagnostic) {
                self.ui.diagnostic(&diagnostic);
                self.shown.insert(diagnostic);
            }
        }
        read.written
    }
}

impl Tally {
    fn outcome(&self, files: usize) -> Result<()> {
        let plural = |count: usize, word: &str| match count {
            1 => format!("1 {word}"),
            count => format!("{count} {word}s"),
        };
        if self.panics > 0 {
            let failed = plural(self.panics, "file");
            return Err(catalog::INTERNAL.with(&[&format!("the work on {failed} panicked")]));
        }
        if self.errors == 0 {
            return Ok(());
        }
        let errors = plural(self.errors, "error");
        let of = plural(files, "file");
        let found = match files {
            1 => errors,
            _ => format!("{errors} in {} of {of}", self.files),
        };
        Err(catalog::ERRORS_IN_FILES.with(&[&found]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_of_the_command_line() {
        let words = ["TEST", "Level=2", "x=\"a=b\""].map(str::to_owned);
        let expected = [("TEST", ""), ("Level", "2"), ("x", "\"a=b\"")];
        let expected = expected.map(|(name, term)| (name.to_owned(), term.to_owned()));
        assert_eq!(defines(&words).unwrap(), BTreeMap::from(expected));
        for word in ["", "=1", "1x", "a b", "a-b=1"] {
            assert_eq!(defines(&[word.to_owned()]).unwrap_err().exit_code(), 1);
        }
    }

    #[test]
    fn the_outcome_counts() {
        let outcome = |errors, files, panics, of| {
            let tally = Tally {
                errors,
                files,
                panics,
            };
            tally
                .outcome(of)
                .map_err(|error| (error.what().to_owned(), error.exit_code()))
        };
        assert_eq!(outcome(0, 0, 0, 3), Ok(()));
        assert_eq!(outcome(1, 1, 0, 1), Err(("1 error".to_owned(), 1)));
        let several = "5 errors in 2 of 9 files".to_owned();
        assert_eq!(outcome(5, 2, 0, 9), Err((several, 1)));
        assert_eq!(outcome(5, 2, 1, 9).unwrap_err().1, 2);
    }
}
