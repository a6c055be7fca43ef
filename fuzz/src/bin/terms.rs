//! Reads any term as each kind of type. The term is read exactly if it is of the Erlang type. The
//! value is written as a term that is read as an equal value.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use otp_fuzz::typed::{DERIVED, KINDS, Types};

static TYPES: LazyLock<Types> = LazyLock::new(|| Types::new(&[KINDS, DERIVED]));

fuzz_target!(init: otp_fuzz::prepare(|_| TYPES.seeds(12)), |bytes: &[u8]| {
    TYPES.read(bytes);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    otp_fuzz::mutate(data, size, max_size, seed, fuzzer_mutate)
});
