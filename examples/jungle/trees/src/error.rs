//! Errors and limits of the database.

use std::fmt;

use otp_bridge::Term;

use crate::node::NodePath;

/// Maximum length of a key or a name in bytes.
pub const MAX_KEY: usize = 1 << 10;
/// Maximum length of a value in bytes.
pub const MAX_VALUE: usize = 16 << 20;
/// Maximum length of a path.
pub const MAX_DEPTH: usize = 256;

/// Maximum position. There is always a next one.
pub const MAX_POSITION: u64 = u64::MAX - 1;

/// An error. The function that returns it has changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum Error {
    /// `{no_tree, Name}`
    NoTree(String),
    /// `{tree_exists, Name}`
    TreeExists(String),
    /// `{no_node, Path}`: the shortest prefix of the path that does not exist.
    NoNode(NodePath),
    /// `{child_exists, Path}`: the new child's path is taken.
    ChildExists(NodePath),
    /// `{no_attribute, Key}`
    NoAttribute(String),
    /// `{not_indexed, Key}`: the tree has no index of this attribute.
    NotIndexed(String),
    /// `{no_version, Name}`
    NoVersion(String),
    /// `{too_large, What, Limit}`
    TooLarge(String, u64),
    /// `{storage, Why}`: an error of the disk.
    Storage(String),
    /// `{corrupt, Why}`: a file does not have the content that was written. The text begins with
    /// its path.
    Corrupt(String),
    /// `{panicked, Message}`: the function that edits the root panicked.
    Panicked(String),
    /// `{changed, Number}`: another writer has made this version in the meantime.
    Changed(u64),
    /// `{bad_pattern, Why}`
    BadPattern(String),
    /// `nested`: a function that edits a root tried to change the same tree again. It would wait
    /// for itself.
    Nested,
    /// `replicated`: the tree has copies on several nodes. Use `jungle_replica` to change it.
    Replicated,
    /// `closed`: the folder is closed. Nodes that were read before stay readable.
    Closed,
}

/// Result of a function of this database.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoTree(name) => write!(f, "there is no tree `{name}`"),
            Error::TreeExists(name) => write!(f, "there is a tree `{name}` already"),
            Error::NoNode(path) => write!(f, "there is no node at the path {path:?}"),
            Error::ChildExists(path) => write!(f, "there is a node at the path {path:?} already"),
            Error::NoAttribute(key) => write!(f, "the node has no attribute `{key}`"),
            Error::NotIndexed(key) => write!(f, "the tree has no index of `{key}`"),
            Error::NoVersion(name) => write!(f, "the tree has no version `{name}`"),
            Error::TooLarge(what, limit) => f.write_str(&too_large(what, *limit)),
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

/// Returns the text for an argument, or a part of one, that is larger than its limit.
#[must_use]
pub fn too_large(what: &str, limit: u64) -> String {
    match what {
        "name" | "key" | "value" | "change" => {
            format!("the {what} is longer than {limit} bytes")
        }
        "path" => format!("the path, or what is put there, is deeper than {limit} levels"),
        "diff" => format!("the nodes differ in more than {limit} changes"),
        _ => format!("the {what} is larger than {limit}"),
    }
}

/// Returns an error if the size exceeds the limit.
pub(crate) fn limited(what: &str, size: usize, limit: usize) -> Result<()> {
    match size > limit {
        true => Err(Error::TooLarge(what.to_owned(), limit as u64)),
        false => Ok(()),
    }
}
