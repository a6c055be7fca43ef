//! Any bytes as a BEAM file. `cargo +nightly fuzz run beam`
#![no_main]

use libfuzzer_sys::fuzz_target;
use otp_specs::{Trusting, json, parse_beam, print, resolve};

fuzz_target!(|bytes: &[u8]| {
    let parsed = parse_beam("file.beam", bytes);
    let mut lines = String::new();
    for entry in &parsed.module.forms {
        json::line(&mut lines, "file.beam", None, entry);
        let _ = print::form(&entry.form);
    }
    let _ = resolve(&parsed.module, &mut Trusting);
});
