//! The part of the corpus that the check compiles: fixtures, and modules of the installed OTP and
//! Elixir that span the kinds of forms.

use std::collections::BTreeMap;

use super::collection::Collection;
use super::row::PageRow;
use super::survey::{Survey, judge, write_failures};
use super::{BOTH, check};
use crate::erlang;
use crate::step::{Outcome, root, say};

/// What failed once, in few lines.
const FIXTURES: &str = "tests/corpus";
/// Modules of OTP.
const OTP: [&str; 13] = [
    // Behaviours, with all kinds of returned values.
    "gen_statem",
    "supervisor_bridge",
    "ssh_server_channel",
    // Records that ASN.1 and Diameter have made.
    "diameter_gen_base_rfc6733",
    "public_key",
    // Syntax trees: recursion, large unions and tuples.
    "erl_parse",
    "cerl",
    // Types of many modules in one, and unions of them.
    "inet",
    "logger",
    // Type parameters, opaque types and overloaded functions.
    "dict",
    "lists",
    "maps",
    // A name that is not one of Rust's modules.
    "wxFrame",
];
/// Modules of Elixir: structs, exceptions, protocols and macros.
const ELIXIR: [&str; 6] = [
    "Elixir.Calendar.ISO",
    "Elixir.Enum",
    "Elixir.File.Stat",
    "Elixir.GenServer",
    "Elixir.Macro.Env",
    "Elixir.URI",
];

/// Generates and compiles the sample in one crate.
pub(crate) fn sample() -> Outcome {
    check::dependencies()?;
    let survey = Survey::new(collection()?, &BOTH)?;
    say(&PageRow::of(&survey).summary());
    let surveys = [survey];
    write_failures(&surveys)?;
    judge(&surveys)
}

fn collection() -> Outcome<Collection> {
    let mut sample = Collection::of_files("sample", &root().join(FIXTURES))?;
    let installed = Collection::otp(&erlang::to_read()?)?;
    add(&mut sample, &installed.modules, &OTP);
    if let Some(folder) = erlang::elixir() {
        let installed = Collection::elixir(&folder)?;
        add(&mut sample, &installed.modules, &ELIXIR);
    }
    Ok(sample)
}

/// Adds those that are installed: other releases and parts of OTP have other modules.
fn add(sample: &mut Collection, installed: &BTreeMap<String, String>, names: &[&str]) {
    for name in names {
        match installed.get(*name) {
            Some(application) => {
                sample
                    .modules
                    .insert((*name).to_owned(), application.clone());
            }
            None => say(&format!("{name} is left out: it is not installed\n")),
        }
    }
}
