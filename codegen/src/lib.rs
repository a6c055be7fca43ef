//! Writes Rust, JSON Schema and Erlang from resolved Erlang types.
//!
//! The entry point is [`generate`]: it turns resolved modules and [`Options`] into [`Files`], and
//! returns a [`Report`] of positions that it could not translate precisely. The crate does no IO;
//! callers write the files, or compare them with existing ones by [`check`].
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use otp_codegen::{generate, outside_options};
//! use otp_specs::{NoIncludes, Options, Trusting, parse_source, resolve};
//!
//! let text = b"-module(m).\n-type by() :: 1..10 | reset.\n";
//! let parsed = parse_source("m.erl", text, &NoIncludes, &Options::default());
//! let (module, _) = resolve(&parsed.module, &mut Trusting);
//! let options = outside_options("crate::otp", "an example", "27", BTreeMap::new());
//! let output = generate(&[module], &options);
//! assert!(output.files.get("m.rs").is_some_and(|rust| rust.contains("pub enum By {")));
//! ```

mod additions;
pub mod atoms;
pub mod catalog;
pub mod changes;
mod complete;
pub mod erlang;
mod facts;
mod files;
mod functions;
mod generate;
mod ir;
mod listing;
mod lower;
mod names;
mod options;
mod overrides;
mod prose;
mod report;
pub mod schema;
mod text;
mod types;
mod write;
mod writer;

pub use additions::add_callbacks;
pub use facts::references::references;
pub use facts::scope::function_references;
pub use files::{Difference, Files, Recorded, check, recorded};
pub use functions::{FunctionReport, SkipReason, Skipped};
pub use generate::{Output, generate};
pub use listing::{GeneratedName, NameKind};
pub use options::{
    BINDINGS, BRIDGE_BEHAVIOURS, Destination, FunctionOverride, Head, MappedType, Options,
    OverrideId, Overrides, Requested, Target, TypeMap, TypeOverride, bindings_options,
    bridge_options, outside_options,
};
pub use prose::add_documentation;
pub use report::{
    Diagnostic, Fallback, HeaderDifference, ModuleReport, OverrideDiagnostic, Reason, Report,
};
pub use text::quoted as type_text;
