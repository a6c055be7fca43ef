//! Reads any text as an Erlang source, and generates Rust and JSON Schemas from its forms.
#![no_main]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use otp_codegen::{Options, Overrides, generate, outside_options, schema};
use otp_fuzz::seeds;
use otp_specs::{NoIncludes, Trusting, parse_source, resolve};

static OPTIONS: LazyLock<Options> = LazyLock::new(|| Options {
    functions: true,
    ..outside_options(
        "crate::otp",
        "the fuzz target `generate`",
        "29",
        BTreeMap::new(),
    )
});

fuzz_target!(init: otp_fuzz::prepare(seeds::text), |bytes: &[u8]| {
    let parsed = parse_source("m.erl", bytes, &NoIncludes, &otp_specs::Options::default());
    let (module, _) = resolve(&parsed.module, &mut Trusting);
    if module.types.is_empty() && module.callbacks.is_empty() && module.functions.is_empty() {
        return;
    }
    let name = module.name.clone();
    let modules = [module];
    let output = generate(&modules, &OPTIONS);
    for diagnostic in &output.diagnostics {
        assert_ne!(diagnostic.code, "E0705", "{diagnostic:?}");
    }
    let _ = schema::schemas(&modules, &Overrides::default(), &name).map(|schema| schema.document.to_string());
});
