//! Generated Rust of `tests/expectations`: it compiles, its types accept exactly what Erlang's do, and
//! terms come back from it as they went in.

use std::path::{Path, PathBuf};

use otp_bridge_novm as _;
use otp_specs::types::Module;

mod agreement;
mod live;
mod oracle;
#[path = "../../expectations/rust/mod.rs"]
pub mod rust;
mod sample;
#[path = "../../expectations/trips.rs"]
pub mod trips;

/// The folder of the expectations.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("expectations")
}

/// The Erlang modules, resolved.
pub(crate) fn modules() -> Vec<Module> {
    let entries = std::fs::read_dir(folder().join("erlang")).expect("the Erlang modules");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let module = |path: &PathBuf| {
        let bytes = std::fs::read(path).expect("a module");
        let name = path.to_string_lossy();
        let options = otp_specs::Options::default();
        let parsed = otp_specs::parse_source(&name, &bytes, &otp_specs::NoIncludes, &options);
        otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting).0
    };
    paths.iter().map(module).collect()
}
