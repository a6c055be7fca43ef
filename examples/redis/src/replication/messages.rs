//! What masters and replicas tell each other.

use bytes::Bytes;
use otp_bridge::Atom;
use otp_bridge::gen_server::prelude::*;

use super::Replicator;

/// A replica asks all nodes; its master answers.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Follow {
    pub(super) from: Server<Replicator>,
    pub(super) node: String,
    pub(super) port: u16,
    pub(super) to_node: String,
    pub(super) to_port: u16,
    pub(super) asked: u64,
    pub(super) id: String,
    pub(super) offset: u64,
}

/// The master answers: what follows begins at an offset of a history. A copy of so many bytes comes
/// first.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Continues {
    pub(super) asked: u64,
    pub(super) from: Server<Replicator>,
    pub(super) node: Atom,
    pub(super) id: String,
    pub(super) offset: u64,
    pub(super) copy: u64,
}

/// A part of a copy.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Copied {
    pub(super) asked: u64,
    pub(super) bytes: Bytes,
}

/// Commands.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Changes {
    pub(super) asked: u64,
    pub(super) offset: u64,
    pub(super) bytes: Bytes,
}

/// A replica says how far it is: what it has of a copy, and then its offset.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Acknowledged {
    pub(super) from: Server<Replicator>,
    pub(super) node: String,
    pub(super) asked: u64,
    pub(super) copied: u64,
    pub(super) offset: Option<u64>,
}

/// The replica has to ask again.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Lost {
    pub(super) asked: u64,
}

/// A replica does not follow any more.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Left {
    pub(super) node: String,
    pub(super) asked: u64,
}
