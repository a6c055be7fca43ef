//! Reads any text as an Erlang source that may include itself as a header, a few times. Each form
//! is printed, and the printed form must be read as an equal form.
#![no_main]

use std::cell::Cell;
use std::fmt::Write;
use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use otp_specs::{
    Include, NoIncludes, Options, Parsed, Release, Trusting, Unit, json, parse_source, print,
    resolve,
};

fuzz_target!(init: otp_fuzz::prepare(otp_fuzz::seeds::text), |bytes: &[u8]| {
    // The release depends only on the input.
    let release = Release([25, 29][bytes.len() % 2]);
    let options = Options { release, ..Options::default() };
    let unit = Arc::new(Unit::read("file.erl", bytes, release));
    // A file that includes itself five times is included 5^8 times, also by epp.
    let includes_left = Cell::new(20);
    let itself = |_: &Include<'_>| {
        includes_left.set(includes_left.get() - 1);
        (includes_left.get() >= 0).then(|| Arc::clone(&unit))
    };
    let parsed = parse_source("file.erl", bytes, &itself, &options);
    let mut said = String::new();
    for diagnostic in &parsed.diagnostics {
        write!(said, "{diagnostic}").expect("a string grows");
    }
    let _ = resolve(&parsed.module, &mut Trusting);
    printed_forms_are_read_again(&parsed, &options);
});

fn printed_forms_are_read_again(parsed: &Parsed, options: &Options) {
    for entry in &parsed.module.forms {
        let text = print::form(&entry.form);
        let form = json::form(&entry.form);
        // A default of a record's field is kept only if it is a literal.
        if form.is_empty() || text.contains("'_default'") {
            continue;
        }
        // Without this comment, the text itself could name another encoding.
        let source = format!("%% coding: utf-8\n{text}");
        let again = parse_source("file.erl", source.as_bytes(), &NoIncludes, options);
        let forms: Vec<String> = again
            .module
            .forms
            .iter()
            .map(|it| json::form(&it.form))
            .collect();
        assert_eq!(forms, [form], "{text}: {:?}", again.diagnostics);
    }
}
