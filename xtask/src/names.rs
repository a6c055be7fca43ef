//! `cargo xtask names`: every name that the generator makes for these applications.

use std::collections::{BTreeMap, BTreeSet};

use otp_codegen::{outside_options, with_bindings};

use crate::coverage::Library;
use crate::erlang;
use crate::step::{Outcome, say};

/// Prints all names.
pub(crate) fn show(applications: &[&str]) -> Outcome {
    let libraries = erlang::libraries().ok_or("there is no Erlang: run `cargo xtask test` once")?;
    let library = Library::new(&libraries)?;
    let mut wanted = BTreeSet::new();
    for name in applications {
        wanted.extend(library.application(name)?.1);
    }
    let modules = with_bindings(library.closure(wanted.clone(), true), &wanted);
    let release = erlang::release(&libraries)?;
    let mut options = outside_options("crate::otp", "cargo xtask names", &release, BTreeMap::new());
    options.functions = true;
    options.provided = BTreeMap::new();
    let output = otp_codegen::generate(&modules, &options);
    for name in &output.names {
        say(&format!(
            "{}\t{:?}\t{}\t{}\t{}\n",
            name.module, name.kind, name.within, name.rust, name.erlang
        ));
    }
    Ok(())
}
