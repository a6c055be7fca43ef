//! Reads any text as otp.toml: its tables, and its overrides of generated types and functions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use otp_fuzz::seeds;

fuzz_target!(init: otp_fuzz::prepare(seeds::otp_toml), |bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        otp_cli::__read_otp_toml(text);
    }
});
