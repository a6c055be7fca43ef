//! `cargo otp schema`

use clap::{Args, ValueEnum};

use super::BuildArgs;

/// Print the messages and replies of the application's processes as JSON Schema or AsyncAPI.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp schema
  cargo otp schema counter > counter.schema.json
  cargo otp schema --format asyncapi > asyncapi.json

Each call, cast, event and other message of a gen_server, gen_statem or gen_event has a type:
counter:'call add'(), counter:'call add reply'(), counter:'cast reset'(), and counter:call() for all
calls. $defs contains these types and the types to which they refer. docs/json.md explains how terms are
written in JSON. With `--format asyncapi`, the command prints an AsyncAPI 3.0 document with a channel for
each module and an operation for each message.")]
pub(crate) struct Protocols {
    /// Modules to describe, instead of all
    #[arg(value_name = "MODULE")]
    pub(crate) modules: Vec<String>,
    /// Type of the document
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ProtocolsFormat::JsonSchema)]
    pub(crate) format: ProtocolsFormat,
    #[command(flatten)]
    pub(crate) built: BuildArgs,
}

/// How `cargo otp schema` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProtocolsFormat {
    /// JSON Schema, draft 2020-12
    JsonSchema,
    /// AsyncAPI 3.0
    Asyncapi,
}
