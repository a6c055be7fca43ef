//! Reads any JSON as each kind of type and as any term. The value is written, read again and
//! compared.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use otp_fuzz::json::{self, All};

static TYPES: LazyLock<All> = LazyLock::new(All::new);

fuzz_target!(
    init: otp_fuzz::prepare_with(|_| TYPES.seeds(12), json::learn),
    |bytes: &[u8]| {
        TYPES.read(bytes);
    }
);

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    json::mutate(data, size, max_size, seed, fuzzer_mutate)
});
