//! The messages between masters and replicas.

use bytes::Bytes;
use otp_bridge::Atom;
use otp_bridge::gen_server::prelude::*;

use super::Replicator;

/// A replica's request, sent to all nodes. Only its master answers.
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

/// The master's answer: the changes will start at this offset of a history. A copy of this many
/// bytes comes first.
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

/// A part of the copy.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Copied {
    pub(super) asked: u64,
    pub(super) bytes: Bytes,
}

/// Changes, as commands.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Changes {
    pub(super) asked: u64,
    pub(super) offset: u64,
    pub(super) bytes: Bytes,
}

/// The replica's progress: how much of the copy it has received, and then its offset.
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

/// The replica has stopped following this master.
#[derive(Debug, Clone, Term)]
#[term(record)]
pub struct Left {
    pub(super) node: String,
    pub(super) asked: u64,
}
