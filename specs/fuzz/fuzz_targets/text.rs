//! Any bytes as Erlang source, for the oldest and the newest release, with a header that is the
//! file itself. `cargo +nightly fuzz run text`
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use otp_specs::{Include, Options, Release, Trusting, Unit, json, parse_unit, print, resolve};

fuzz_target!(|bytes: &[u8]| {
    for release in [Release(25), Release(29)] {
        let unit = Arc::new(Unit::read("file.erl", bytes, release));
        let itself = |_: &Include<'_>| Some(Arc::clone(&unit));
        let options = Options { release, ..Options::default() };
        let parsed = parse_unit(&unit, &itself, &options);
        let mut lines = String::new();
        for entry in &parsed.module.forms {
            json::line(&mut lines, "file.erl", None, entry);
            let _ = print::form(&entry.form);
        }
        let _ = resolve(&parsed.module, &mut Trusting);
    }
});
