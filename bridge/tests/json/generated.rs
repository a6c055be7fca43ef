//! Generated types
