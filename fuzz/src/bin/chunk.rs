//! Reads any term as a documentation chunk.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use otp_fuzz::seeds;
use otp_specs::{Trusting, json, parse_chunk, print, resolve};

fuzz_target!(init: otp_fuzz::prepare(seeds::chunk_files), |bytes: &[u8]| {
    let parsed = parse_chunk("file.chunk", bytes);
    let mut lines = String::new();
    for entry in &parsed.module.forms {
        json::line(&mut lines, "file.chunk", None, entry);
        let _ = print::form(&entry.form);
    }
    let _ = resolve(&parsed.module, &mut Trusting);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    otp_fuzz::mutate(data, size, max_size, seed, fuzzer_mutate)
});
