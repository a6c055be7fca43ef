//! Checks for every mapping of types that the number of decoding steps is proportional to the size
//! of the term.

use otp_bridge::Term;

use crate::agreement::{trip, types};
use crate::counting::read;
use crate::growth::{self, size};
use crate::modules;
use crate::oracle::Oracle;
use crate::sample::{Random, changed, sample};
use crate::trips::Trip;

/// Maximum nesting of the terms.
const DEPTH: usize = 24;

/// Number of terms of each type.
const TERMS: u64 = 40;

/// Number of these terms that grow.
const GROWING: u64 = 4;

/// Maximum number of steps for each part of a term: about the number of members of the types.
const STEPS: u64 = 100;

#[test]
fn each_part_of_a_term_takes_a_bounded_number_of_steps() {
    let modules = modules();
    let oracle = Oracle::new(&modules);
    // The decoder compares the tags of `Trip` one after another.
    let tags = types(&modules).count() as u64;
    let mut largest = 0;
    for (module, definition) in types(&modules) {
        for seed in 1..=TERMS {
            let mut random = Random::new(seed);
            let Some(term) = sample(&oracle, &definition.body, &mut random, DEPTH) else {
                continue;
            };
            let near = changed(&term, &mut random);
            for term in [term, near] {
                let size = size(&term);
                let (_, steps) = read::<Trip>(&trip(module, definition, term));
                largest = largest.max(size);
                let limit = STEPS * size + 2 * tags;
                assert!(
                    steps <= limit,
                    "{}: {steps} steps for {size}",
                    definition.erlang
                );
            }
        }
    }
    assert!(largest > 100, "{largest}");
}

/// `cargo xtask linear` does the same for every type of kernel and stdlib.
#[test]
fn steps_grow_with_a_term_however_it_grows() {
    let modules = modules();
    let oracle = Oracle::new(&modules);
    let mut count = 0;
    for (module, definition) in types(&modules) {
        let read = |term: &Term| {
            let (value, steps) = read::<Trip>(&trip(module, definition, term.clone()));
            (value.is_ok(), steps)
        };
        for seed in 1..=GROWING {
            let mut random = Random::new(seed);
            let Some(term) = sample(&oracle, &definition.body, &mut random, DEPTH / 4) else {
                continue;
            };
            match growth::check(&term, &read, &mut random) {
                Ok(terms) => count += terms,
                Err(error) => panic!("{}: {error}", definition.erlang),
            }
        }
    }
    assert!(count > 1000, "{count}");
}
