//! Any bytes as a documentation chunk. `cargo +nightly fuzz run chunk`
#![no_main]

use libfuzzer_sys::fuzz_target;
use otp_specs::{Trusting, json, parse_chunk, print, resolve};

fuzz_target!(|bytes: &[u8]| {
    let parsed = parse_chunk("file.chunk", bytes);
    let mut lines = String::new();
    for entry in &parsed.module.forms {
        json::line(&mut lines, "file.chunk", None, entry);
        let _ = print::form(&entry.form);
    }
    let _ = resolve(&parsed.module, &mut Trusting);
});
