//! The append-only file: a folder as redis-server 7 has it, `appendonlydir`, with a manifest that
//! names the files.
//!
//! ```text
//! commands ── under their locks ──> AppendLog ──> Writer (write, sync) ──> appendonly.aof.2.incr.aof
//!                                                    └─ wakes who waits     appendonly.aof.2.base.aof <── Rewriter (a copy of the keys)
//! ```

mod files;
mod load;
mod rewriter;
mod saver;
mod writer;

pub use files::Files;
pub use load::load;
pub use rewriter::{Rewriter, Wish};
pub use saver::{Saved, Saver};
pub use writer::Writer;
