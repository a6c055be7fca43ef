//! Tasks that wait for a time.
//!
//! Called from outside: by the executor, which looks for those whose time has come, and by `process`.

pub(super) mod sleep;
pub(super) mod wheel;
