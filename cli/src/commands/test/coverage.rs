//! `cargo otp test --coverage`: reports which clauses have run in the tests.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use otp_contract::manifest::{Callback, Clause, Location, Manifest, Module};

use crate::report::{Error, Result};

/// The clauses that have run, as recorded by the processes of the tests: a line for each
/// (`otp_contract::testing::COVERAGE`).
pub(super) struct Ran(BTreeSet<String>);

/// Reads the records of the processes. There is no file if no clause has run.
pub(super) fn read(file: &Path) -> Result<Ran> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Ran::of(&text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Ran::of("")),
        Err(error) => Err(Error::io("read", file, &error)),
    }
}

impl Ran {
    fn of(text: &str) -> Self {
        Ran(text.lines().map(str::to_owned).collect())
    }

    fn has(&self, module: &Module, callback: &Callback, index: usize) -> bool {
        let (module, name, arity) = (&module.module, &callback.name, callback.arity);
        self.0
            .contains(&format!("{module}\t{name}\t{arity}\t{index}"))
    }
}

/// The counts of a module.
struct Counted<'m> {
    module: &'m Module,
    clauses: usize,
    missing: Vec<(&'m Callback, &'m Clause)>,
}

impl<'m> Counted<'m> {
    fn of(module: &'m Module, ran: &Ran) -> Self {
        let callbacks = module.callbacks.iter();
        let all = callbacks.flat_map(|callback| {
            let clauses = callback.clauses.iter().enumerate();
            clauses.map(move |(index, clause)| (callback, index, clause))
        });
        let missing = all
            .clone()
            .filter(|(callback, index, _)| !ran.has(module, callback, *index))
            .map(|(callback, _, clause)| (callback, clause));
        Counted {
            module,
            clauses: all.count(),
            missing: missing.collect(),
        }
    }

    fn ran(&self) -> usize {
        self.clauses - self.missing.len()
    }
}

/// Returns a line for each module, and one for each of its clauses that has not run.
pub(super) fn report(manifest: &Manifest, ran: &Ran) -> String {
    let modules = manifest.modules.iter();
    let counted = modules.map(|module| Counted::of(module, ran));
    let counted: Vec<Counted<'_>> = counted.filter(|it| it.clauses > 0).collect();
    let mut text = "\nclauses that have run:\n".to_owned();
    for module in &counted {
        let (name, number) = (&module.module.module, of(module.ran(), module.clauses));
        text += &format!("  {name}: {number}\n");
        for (callback, clause) in &module.missing {
            text += &format!("    not run: {}\n", shown(callback, clause));
        }
    }
    let all: usize = counted.iter().map(|it| it.clauses).sum();
    let ran: usize = counted.iter().map(Counted::ran).sum();
    text + &format!("  in all: {}\n", of(ran, all))
}

fn of(ran: usize, all: usize) -> String {
    let plural = if all == 1 { "" } else { "s" };
    format!("{ran} of {all} clause{plural}")
}

/// `handle_call/3 of Add, src/counter.rs:41`
fn shown(callback: &Callback, clause: &Clause) -> String {
    let message = match clause.message.as_str() {
        "" => String::new(),
        message => format!(" of {message}"),
    };
    let Location { file, line, .. } = &clause.location;
    format!(
        "{}/{}{message}, {file}:{line}",
        callback.name, callback.arity
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn callback(name: &str, clauses: &[(&str, u32)]) -> String {
        let clauses = clauses.iter().map(|(message, line)| {
            let location = at(*line);
            let signature = r#"{"arguments": [], "returns": []}"#;
            format!(
                r#"{{"message": "{message}", "location": {location}, "signature": {signature}}}"#
            )
        });
        let clauses: Vec<String> = clauses.collect();
        format!(
            r#"{{"id": 0, "name": "{name}", "arity": 1, "signature": {{"arguments": [], "returns": []}}, "clauses": [{}]}}"#,
            clauses.join(", ")
        )
    }

    fn at(line: u32) -> String {
        format!(r#"{{"file": "src/shop.rs", "line": {line}, "column": 1}}"#)
    }

    fn module(name: &str, callbacks: &[String]) -> String {
        format!(
            r#"{{"module": "{name}", "behaviour": null, "rust_path": "shop::{name}", "location": {}, "state": null, "types": [], "callbacks": [{}], "start": []}}"#,
            at(1),
            callbacks.join(", ")
        )
    }

    #[test]
    fn clauses_that_have_not_run_are_named() {
        let shop = [
            callback("init", &[("", 3)]),
            callback("handle_cast", &[("Buy", 7), ("Sell", 11)]),
        ];
        let modules = [
            module("shop", &shop),
            module("till", &[callback("open", &[("", 20)])]),
        ];
        let text = format!(r#"{{"modules": [{}]}}"#, modules.join(", "));
        let manifest = Manifest::from_json(&text).expect("a manifest");
        // Two processes have run the first clause, and another module has a clause of the same
        // name.
        let ran = Ran::of(
            "shop\tinit\t1\t0\nshop\tinit\t1\t0\nshop\thandle_cast\t1\t1\nother\topen\t1\t0\n",
        );
        let expected = "
clauses that have run:
  shop: 2 of 3 clauses
    not run: handle_cast/1 of Buy, src/shop.rs:7
  till: 0 of 1 clause
    not run: open/1, src/shop.rs:20
  in all: 2 of 4 clauses
";
        assert_eq!(report(&manifest, &ran), expected);
    }
}
