//! Reads any term as the debug information of a BEAM file, and any bytes as a complete BEAM file.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use otp_fuzz::seeds::{self, container};
use otp_specs::{Trusting, json, parse_beam, print, resolve};

fuzz_target!(init: otp_fuzz::prepare(seeds::beam), |bytes: &[u8]| {
    let parsed = match bytes.first() {
        Some(131) => parse_beam("file.beam", &container(b"Dbgi", bytes)),
        _ => parse_beam("file.beam", bytes),
    };
    let mut lines = String::new();
    for entry in &parsed.module.forms {
        json::line(&mut lines, "file.beam", None, entry);
        let _ = print::form(&entry.form);
    }
    let _ = resolve(&parsed.module, &mut Trusting);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    otp_fuzz::mutate(data, size, max_size, seed, fuzzer_mutate)
});
