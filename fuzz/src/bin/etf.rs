//! Reads any bytes as a term. The term is written, read again and compared.
#![no_main]

use std::cmp::Ordering;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use otp_bridge::Term;
use otp_bridge::term::etf::{self, Encoding};
use otp_fuzz::seeds;

fuzz_target!(init: otp_fuzz::prepare(seeds::terms), |bytes: &[u8]| {
    let term = match etf::decode(bytes) {
        Ok(term) => term,
        Err(error) => {
            assert!(error.offset() <= bytes.len(), "{error}");
            let _ = error.to_string();
            return;
        }
    };
    for encoding in [Encoding::Otp25, Encoding::Otp26] {
        let written = etf::encode_as(&term, encoding);
        let again = etf::decode(&written).unwrap_or_else(|error| panic!("{term}: {error}"));
        assert_eq!(again, term);
        assert_eq!(again.cmp(&term), Ordering::Equal, "{term}");
        assert_eq!(etf::encode_as(&again, encoding), written, "{term}");
    }
    assert_eq!(term.decode::<Term>().as_ref(), Ok(&term));
    let _ = term.to_string();
    if let Term::List(parts) | Term::Tuple(parts) = &term {
        are_in_one_order(parts);
    }
});

/// Checks the order of two terms, and of three.
fn are_in_one_order(parts: &[Term]) {
    for (index, one) in parts.iter().enumerate().take(4) {
        for other in &parts[..index] {
            assert_eq!(
                one.cmp(other),
                other.cmp(one).reverse(),
                "{one} and {other}"
            );
            assert_eq!(one == other, one.cmp(other).is_eq(), "{one} and {other}");
        }
    }
    if let [a, b, c, ..] = parts
        && a <= b
        && b <= c
    {
        assert!(a <= c, "{a}, {b}, {c}");
    }
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    otp_fuzz::mutate(data, size, max_size, seed, fuzzer_mutate)
});
