//! Terms: their Rust types, their text, their bytes and their order, compared with the installed
//! Erlang.

use otp_bridge_novm as _;

mod counting;
mod definitions;
mod derive;
mod derived_maps;
mod derived_unions;
mod environment;
mod errors;
mod etf;
mod generate;
mod linear;
mod narrow_types;
mod oracle;
mod order;
#[cfg(feature = "text")]
mod read_text;
mod redacted;
mod resources;
mod shapes;
mod text;
mod types;
