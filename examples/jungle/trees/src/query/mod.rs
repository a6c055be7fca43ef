//! Queries: they find nodes whose paths match a pattern and whose attributes satisfy a predicate,
//! in the order of the paths.
//!
//! A search visits only subtrees that can contain matches, and can start after any path, so every
//! page costs as much as the first one. If the predicate requires a value of an indexed attribute,
//! the search visits only the nodes with this value.

pub mod pattern;
pub mod predicate;
pub mod walk;

use otp_bridge::Term;

use crate::error::{Error, Result};
use crate::index::Entries;
use crate::node::{Node, NodePath};
use crate::tree::Version;

use pattern::{Pattern, Step};
use predicate::{Compiled, Predicate};
use walk::{Walk, Walked};

/// Maximum size of a page.
pub const MAX_PAGE: usize = 10_000;

/// A query: `#{pattern => […], predicate => …, 'after' => Path, limit => Number}`. Other keys are
/// refused.
#[derive(Debug, Clone, Default, PartialEq, Term)]
#[term(exact)]
pub struct Query {
    /// Pattern of the paths. Default: all paths.
    #[term(optional)]
    pub pattern: Option<Vec<Step>>,
    /// Predicate of the attributes. Default: all nodes.
    #[term(optional)]
    pub predicate: Option<Predicate>,
    /// Start after this path.
    #[term(optional)]
    pub after: Option<NodePath>,
    /// Maximum number of nodes. Default: 1000.
    #[term(optional)]
    pub limit: Option<usize>,
}

/// A page of the nodes that a query finds: `#{found, next}`.
#[derive(Debug, Clone, PartialEq, Term)]
pub struct Page {
    /// Their paths, in order.
    pub found: Vec<NodePath>,
    /// Value of `after` for the next page; `undefined` if there is none.
    pub next: Option<NodePath>,
}

/// A search in progress. Each step visits one node.
pub struct Search<'v> {
    source: Source<'v>,
    predicate: Compiled,
}

enum Source<'v> {
    Walk(Walk<'v>),
    /// The nodes with one value of an attribute.
    Index {
        entries: Entries<'v>,
        pattern: Pattern,
        root: &'v Node,
    },
}

/// Result of one step of a search.
#[derive(Debug)]
pub enum Progress<'v> {
    /// A node that matches.
    Found(NodePath, &'v Node),
    /// A node that does not match.
    Other,
    /// The search is complete.
    End,
}

impl<'v> Search<'v> {
    /// Starts a search in a version, with its indexes.
    ///
    /// # Errors
    /// `BadPattern`.
    pub fn new(version: &'v Version, query: &Query) -> Result<Self> {
        let mut search = Search::below(&version.node, query)?;
        if let Some((key, value)) = search.predicate.demanded(&version.indexes) {
            let after = query.after.as_ref();
            let entries = version.indexes.with_value(&key, value, after);
            if let (Ok(entries), Source::Walk(walk)) = (entries, search.source) {
                search.source = Source::Index {
                    entries,
                    pattern: walk.into_pattern(),
                    root: &version.node,
                };
            } else {
                search = Search::below(&version.node, query)?;
            }
        }
        Ok(search)
    }

    /// Starts a search at and below a node.
    ///
    /// # Errors
    /// `BadPattern`.
    pub fn below(root: &'v Node, query: &Query) -> Result<Self> {
        let all = [Step::Deep];
        let pattern = Pattern::new(query.pattern.as_deref().unwrap_or(&all))?;
        let predicate = Compiled::new(query.predicate.as_ref().unwrap_or(&Predicate::True))?;
        Ok(Search {
            source: Source::Walk(Walk::new(root, pattern, query.after.as_deref())),
            predicate,
        })
    }

    /// Visits the next node.
    pub fn step(&mut self) -> Progress<'v> {
        let (path, node) = match &mut self.source {
            Source::Walk(walk) => match walk.step() {
                Walked::Match(path, node) => (path, node),
                Walked::Other => return Progress::Other,
                Walked::End => return Progress::End,
            },
            Source::Index {
                entries,
                pattern,
                root,
            } => {
                let Some(path) = entries.next() else {
                    return Progress::End;
                };
                match root.at(path) {
                    Ok(node) if pattern.matches(root, path) => (path.clone(), node),
                    _ => return Progress::Other,
                }
            }
        };
        match self.predicate.holds(node) {
            true => Progress::Found(path, node),
            false => Progress::Other,
        }
    }
}

impl<'v> Iterator for Search<'v> {
    type Item = (NodePath, &'v Node);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.step() {
                Progress::Found(path, node) => return Some((path, node)),
                Progress::Other => {}
                Progress::End => return None,
            }
        }
    }
}

/// Checks the limit of a page.
///
/// # Errors
/// `TooLarge`, if it is more than [`MAX_PAGE`].
pub fn page_size(limit: usize) -> Result<usize> {
    match limit > MAX_PAGE {
        true => Err(Error::TooLarge("limit".to_owned(), MAX_PAGE as u64)),
        false => Ok(limit),
    }
}

impl Query {
    /// Returns the number of nodes on a page.
    ///
    /// # Errors
    /// `TooLarge`.
    pub fn page(&self) -> Result<usize> {
        page_size(self.limit.unwrap_or(1000))
    }

    /// Returns a page of the nodes that the query finds in a version.
    ///
    /// # Errors
    /// `BadPattern` or `TooLarge`.
    pub fn select(&self, version: &Version) -> Result<Page> {
        let limit = self.page()?;
        let found = Search::new(version, self)?.take(limit);
        let found: Vec<NodePath> = found.map(|(path, _)| path).collect();
        Ok(Page::of(found, limit))
    }
}

impl Page {
    /// Builds a page. If the page is full, another one may follow.
    pub fn of(found: Vec<NodePath>, limit: usize) -> Self {
        let is_full = found.len() >= limit;
        let next = found.last().filter(|_| is_full).cloned();
        Page { found, next }
    }
}
