//! `cargo xtask corpus`: generates and compiles Rust for every module of OTP, of Elixir, of
//! Debian's Erlang packages and of other folders.

mod check;
mod collection;
mod debian;
mod generate;
mod memory;
mod messages;
mod page;
mod row;
mod sample;
mod survey;

use std::path::Path;

use collection::Collection;
use row::PageRow;
pub(crate) use sample::sample;
use survey::Survey;

use crate::erlang;
use crate::step::{Outcome, cargo, root, run, say};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask corpus [--page | --json-only | --no-json] [otp | elixir | debian | DIR]...
       cargo xtask corpus --sample

Generates Rust, including functions, for every module of the installed OTP and Elixir, of Debian's Erlang packages, or of the given
collections and folders. In a folder, it reads all .beam files, and the sources in folders named `src`. `otp-rs gen-types` writes
crates of up to 250 modules, and `cargo check` compiles each crate with and without the feature `json`. If rustc finds an error in
the file of a module, the crate is checked again without that module, because one error can hide others.
The command prints how many modules compile, which types became a dynamic term and why, and the time and memory used. For each
failure, target/corpus/failures has the module, rustc's error and the Erlang form.
--json-only leaves out the builds without `json`, because the builds with `json` contain all of their code. --no-json leaves out the
builds with `json`.
--page writes docs/corpus.md for these collections and those with numbers in target/corpus/rows; `--page` alone uses the existing
numbers. --sample checks a few modules and fixtures.
";

pub(crate) fn task(arguments: &[&str]) -> Outcome {
    match arguments {
        ["--sample"] => build_generator().and_then(|()| sample()),
        ["--page"] => page::write(),
        ["--page", names @ ..] => survey(names, &BOTH, true),
        ["--no-json", names @ ..] => survey(names, &BOTH[..1], false),
        ["--json-only", names @ ..] => survey(names, &BOTH[1..], false),
        names => survey(names, &BOTH, false),
    }
}

/// Both values of the feature `json`.
const BOTH: [bool; 2] = [false, true];

fn survey(names: &[&str], features: &[bool], is_page: bool) -> Outcome {
    let names = match names {
        [] => &["otp", "elixir", "debian"],
        names => names,
    };
    if names.iter().any(|name| name.starts_with('-')) {
        return Err(USAGE.to_owned());
    }
    build_generator()?;
    check::dependencies()?;
    let mut surveys = Vec::new();
    for name in names {
        let Some(collection) = collection(name)? else {
            continue;
        };
        let survey = Survey::new(collection, features)?;
        let row = PageRow::of(&survey);
        say(&row.summary());
        row.keep()?;
        surveys.push(survey);
    }
    survey::write_failures(&surveys)?;
    if is_page {
        page::write()?;
    }
    survey::judge(&surveys)
}

/// Returns the collection that a word of the command line names. Prints a message and returns
/// `None` if this machine lacks the collection.
fn collection(name: &str) -> Outcome<Option<Collection>> {
    match name {
        "otp" => Collection::otp(&erlang::to_read()?).map(Some),
        "elixir" => match erlang::elixir() {
            Some(folder) => Collection::elixir(&folder).map(Some),
            None => {
                say("left out: Elixir is not installed\n");
                Ok(None)
            }
        },
        "debian" => debian::collection(),
        folder => Collection::folder(Path::new(folder)).map(Some),
    }
}

/// Builds `otp-rs`, because the corpus generates modules as a user would.
fn build_generator() -> Outcome {
    run(&mut cargo(root(), &["build", "--package", "otp-cli"]))
}
