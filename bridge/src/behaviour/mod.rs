//! What each behaviour has beyond its generated shapes: conveniences for writing and calling it.

pub mod gen_server;
pub mod supervisor;
