//! The append-only file: the folder `appendonlydir` as redis-server 7 writes it, with a manifest
//! that names its files.
//!
//! ```text
//! commands ── under their locks ──> AppendLog ──> Writer (write, sync) ──────> appendonly.aof.2.incr.aof
//!                                                    └─ wakes waiting clients  appendonly.aof.2.base.aof <── Rewriter (a copy of the keys)
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
