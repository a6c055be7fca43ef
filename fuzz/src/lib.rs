//! What the fuzz targets share. Each target is a program in `src/bin`, run by `cargo xtask fuzz`.
//!
//! Most targets read terms. Bytes that are changed anywhere are seldom terms, so [`mutate`] changes
//! the term that they are: it puts a part of another term in, repeats an element, wraps one. The
//! parts come from the seeds, which [`prepare`] gets from the installed OTP at each start.
#![cfg(feature = "targets")]

// The run time links without a VM.
use otp_bridge_novm as _;

#[allow(missing_docs)]
pub mod derived;
pub mod json;
mod mutate;
#[path = "../../tests/tests/expectations/oracle.rs"]
#[allow(dead_code)]
mod oracle;
mod random;
#[path = "../../tests/tests/expectations/sample.rs"]
#[allow(dead_code)]
mod sample;
pub mod seeds;
mod tree;
pub mod typed;

/// Generated types of every kind.
#[path = "../../tests/expectations/rust/mod.rs"]
pub mod kinds;

use std::path::{Path, PathBuf};
use std::{env, fs};

pub use mutate::mutate;

/// The folders with Erlang applications, separated as those of `PATH`.
pub const LIBRARIES: &str = "OTP_FUZZ_LIBRARIES";
/// The folder to which the seeds are written, if there is one.
pub const SEEDS: &str = "OTP_FUZZ_SEEDS";

/// Gets the seeds of a target before it starts, and keeps the parts of them that are terms.
pub fn prepare(seeds: impl FnOnce(&[PathBuf]) -> Vec<Vec<u8>>) {
    prepare_with(seeds, mutate::learn);
}

/// Gets the seeds of a target before it starts, and lets `learn` keep what is of use of them.
pub fn prepare_with(
    seeds: impl FnOnce(&[PathBuf]) -> Vec<Vec<u8>>,
    learn: impl FnOnce(&[Vec<u8>]),
) {
    let Some(libraries) = env::var_os(LIBRARIES) else {
        return;
    };
    let libraries: Vec<PathBuf> = env::split_paths(&libraries).collect();
    let mut seeds = seeds(&libraries);
    seeds.retain(|seed| seed.len() <= seeds::longest());
    learn(&seeds);
    if let Some(folder) = env::var_os(SEEDS) {
        write(Path::new(&folder), &seeds);
    }
}

fn write(folder: &Path, seeds: &[Vec<u8>]) {
    for (number, seed) in seeds.iter().enumerate() {
        let path = folder.join(format!("seed-{number:05}"));
        if let Err(error) = fs::write(&path, seed) {
            panic!("{}: {error}", path.display());
        }
    }
}
