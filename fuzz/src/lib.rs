//! Code that the fuzz targets share. Each target is a program in `src/bin`, which
//! `cargo xtask fuzz` runs.
//!
//! Most targets read terms. If bytes are changed at random, they are seldom a term any more. So
//! [`mutate`] changes the decoded term: it inserts a part of another term, or repeats or wraps an
//! element. The parts come from the seeds, which [`prepare`] reads from the installed OTP at each
//! start.
#![cfg(feature = "targets")]

// The targets link the run time without a VM.
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

/// The variable with the folders of Erlang applications, separated as in `PATH`.
pub const LIBRARIES: &str = "OTP_FUZZ_LIBRARIES";
/// The variable with the folder for the seeds. Without it, they are not written.
pub const SEEDS: &str = "OTP_FUZZ_SEEDS";

/// Reads the seeds of a target before it starts, and keeps their parts that are terms.
pub fn prepare(seeds: impl FnOnce(&[PathBuf]) -> Vec<Vec<u8>>) {
    prepare_with(seeds, mutate::learn);
}

/// Reads the seeds of a target before it starts, and lets `learn` keep their useful parts.
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
