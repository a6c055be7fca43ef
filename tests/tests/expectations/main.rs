//! Checks that the generated Rust of `tests/expectations` compiles, that its types accept exactly
//! the terms that Erlang's types contain, and that decoded terms are encoded unchanged.

use std::path::{Path, PathBuf};

use otp_bridge_novm as _;
use otp_specs::types::Module;

mod agreement;
mod corrections;
#[path = "../../../bridge/tests/terms/counting.rs"]
mod counting;
mod growth;
#[cfg(feature = "json")]
mod limits;
mod linear;
mod live;
#[cfg(feature = "json")]
mod odd;
mod oracle;
#[path = "../../expectations/rust/mod.rs"]
pub mod rust;
mod sample;
#[cfg(feature = "json")]
mod schemas;
#[path = "../../expectations/trips.rs"]
pub mod trips;

/// Returns the folder of the expectations.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("expectations")
}

/// Returns all Erlang of `docs/mapping.md` as the module `mapping`.
fn page_module(page: &str) -> String {
    let blocks = page.split("```erlang\n").skip(1);
    let erlang = blocks.filter_map(|block| block.split("```").next());
    erlang.fold("-module(mapping).\n".to_owned(), |module, block| {
        module + block
    })
}

/// Returns the Erlang modules, and that of the page, resolved.
pub(crate) fn modules() -> Vec<Module> {
    let entries = std::fs::read_dir(folder().join("erlang")).expect("the Erlang modules");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths.push(folder().join("../../docs/mapping.md"));
    let module = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a module");
        let bytes = match path.extension().is_some_and(|extension| extension == "md") {
            true => page_module(&text).into_bytes(),
            false => text.into_bytes(),
        };
        let name = path.to_string_lossy();
        let options = otp_specs::Options::default();
        let parsed = otp_specs::parse_source(&name, &bytes, &otp_specs::NoIncludes, &options);
        otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting).0
    };
    paths.iter().map(module).collect()
}
