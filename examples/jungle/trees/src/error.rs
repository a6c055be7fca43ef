//! What can be wrong.

use std::fmt;

use otp_bridge::Term;

use crate::node::NodePath;

/// A key or a name is not longer, in bytes.
pub const MAX_KEY: usize = 1 << 10;
/// A value is not longer, in bytes.
pub const MAX_VALUE: usize = 16 << 20;
/// A path is not longer.
pub const MAX_DEPTH: usize = 256;

/// A position is not larger, so that there is a next one.
pub const MAX_POSITION: u64 = u64::MAX - 1;

/// Nothing has changed when a function returns one.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum Error {
    /// `{no_tree, Name}`
    NoTree(String),
    /// `{tree_exists, Name}`
    TreeExists(String),
    /// `{no_node, Path}`: the longest beginning of the path that does not exist.
    NoNode(NodePath),
    /// `{child_exists, Path}`: there is a node where one is to be added.
    ChildExists(NodePath),
    /// `{no_attribute, Key}`
    NoAttribute(String),
    /// `{not_indexed, Key}`: the tree was created without an index of it.
    NotIndexed(String),
    /// `{no_version, Name}`
    NoVersion(String),
    /// `{too_large, What, Limit}`
    TooLarge(String, u64),
    /// `{storage, Why}`: the disk.
    Storage(String),
    /// `{corrupt, Why}`: what is stored is not what was written. The text begins with the file.
    Corrupt(String),
    /// `{panicked, Message}`: the function that was to change the root.
    Panicked(String),
    /// `{changed, Number}`: somebody else has made this version meanwhile.
    Changed(u64),
    /// `{bad_pattern, Why}`
    BadPattern(String),
    /// `nested`: a function that is to change a root asked for another change of the same tree, which
    /// would have to wait for the function.
    Nested,
    /// `replicated`: the tree has copies on several nodes, and is changed by `jungle_replica`.
    Replicated,
    /// `closed`: the folder is not open any more. What was read can still be read.
    Closed,
}

/// A result of a function of this database.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoTree(name) => write!(f, "there is no tree `{name}`"),
            Error::TreeExists(name) => write!(f, "there is a tree `{name}` already"),
            Error::NoNode(path) => write!(f, "there is no node {path:?}"),
            Error::ChildExists(path) => write!(f, "there is a node {path:?} already"),
            Error::NoAttribute(key) => write!(f, "the node has no attribute `{key}`"),
            Error::NotIndexed(key) => write!(f, "the tree has no index of `{key}`"),
            Error::NoVersion(name) => write!(f, "the tree has no version `{name}`"),
            Error::TooLarge(what, limit) => write!(f, "the {what} is larger than {limit}"),
            Error::Storage(why) => write!(f, "the changes cannot be stored: {why}"),
            Error::Corrupt(what) => write!(f, "the folder cannot be opened: {what}"),
            Error::Changed(number) => write!(f, "the tree has version {number} meanwhile"),
            Error::BadPattern(why) => write!(f, "the pattern cannot be used: {why}"),
            Error::Nested => write!(
                f,
                "the function that changes the tree asked for another change of it: return both as one root"
            ),
            Error::Replicated => write!(f, "the tree is changed by its replicas alone"),
            Error::Closed => write!(f, "the database is closed"),
            Error::Panicked(message) => write!(f, "the function has panicked: {message}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<jungle_disk::Error> for Error {
    fn from(error: jungle_disk::Error) -> Self {
        let text = error.to_string();
        match error {
            jungle_disk::Error::Io(..) => Error::Storage(text),
            jungle_disk::Error::Corrupt(..) => Error::Corrupt(text),
        }
    }
}

/// An error, if something is larger than its limit.
pub(crate) fn limited(what: &str, size: usize, limit: usize) -> Result<()> {
    match size > limit {
        true => Err(Error::TooLarge(what.to_owned(), limit as u64)),
        false => Ok(()),
    }
}
