//! The module `jungle_query` for Erlang and Elixir: searches in a tree.

use otp_bridge::{Cx, Term, module};

use crate::error::Result;
use crate::node::NodePath;
use crate::query::{Page, Progress, Query, Search};

use super::handle::binary;
use otp_bridge::term::Binary;

/// A page of the nodes with values in a range: `#{found, next}`.
#[derive(Debug, Clone, PartialEq, Term)]
pub struct Range {
    /// Values and paths, in the order of the values, then of the paths.
    pub found: Vec<(Binary, NodePath)>,
    /// The start of the next page; `undefined` if there is none.
    pub next: Option<(Binary, NodePath)>,
}

/// Number of nodes that a search visits between two checkpoints.
const BETWEEN: usize = 32;

/// Collects a page of a search. It yields to the scheduler regularly.
pub(super) async fn page(mut search: Search<'_>, limit: usize, cx: &Cx<'_>) -> Page {
    let mut found = Vec::new();
    'all: while found.len() < limit {
        cx.checkpoint().await;
        for _ in 0..BETWEEN {
            match search.step() {
                Progress::Found(path, _) => found.push(path),
                Progress::Other => {}
                Progress::End => break 'all,
            }
            if found.len() >= limit {
                break;
            }
        }
    }
    Page::of(found, limit)
}

/// Collects a page from a root, with or without indexes.
async fn select(search: Result<Search<'_>>, query: &Query, cx: &Cx<'_>) -> Result<Page> {
    let limit = query.page()?;
    Ok(page(search?, limit, cx).await)
}

/// Finds nodes whose paths match a pattern and whose attributes satisfy a predicate, page by page.
///
/// ```text
/// 1> jungle_query:select(Jungle, <<"garden">>, #{pattern => [0, '**', {range, 3, 9}], predicate => {has, <<"name">>}, limit => 2}).
/// {ok,#{found => [[0,3],[0,5]],next => [0,5]}}
/// 2> jungle_query:select(Jungle, <<"garden">>, #{pattern => [0, '**', {range, 3, 9}], predicate => {has, <<"name">>}, 'after' => [0, 5]}).
/// {ok,#{found => [[0,7,4]],next => undefined}}
/// ```
#[module("jungle_query")]
pub mod functions {
    use otp_bridge::term::Binary;
    use otp_bridge::{Cx, Resource};

    use super::{Range, binary, select as search};
    use crate::error::Result;
    use crate::node::NodePath;
    use crate::otp::handle::{Handle, TreeNode};
    use crate::query::{Page, Query, Search, page_size};

    /// Returns a page of the nodes that a query finds in the newest version of a tree. If the
    /// predicate requires a value of an indexed attribute, the index is used.
    pub async fn select(
        jungle: Resource<Handle>,
        tree: String,
        query: Query,
        cx: &Cx<'_>,
    ) -> Result<Page> {
        let version = jungle.read(&tree)?;
        search(Search::new(&version, &query), &query, cx).await
    }

    /// Returns a page of what a query finds at and below a node. A node is immutable, so all pages
    /// of it are consistent with each other.
    pub async fn select_below(node: Resource<TreeNode>, query: Query, cx: &Cx<'_>) -> Result<Page> {
        let node = node.node();
        search(Search::below(node, &query), &query, cx).await
    }

    /// Returns the first nodes whose indexed attribute is between two values, both included, in the
    /// order of the values. A limit of more than 10,000 nodes is an error.
    #[dirty(cpu)]
    pub fn range(
        jungle: &Resource<Handle>,
        tree: &str,
        key: &str,
        from: &[u8],
        to: &[u8],
        limit: usize,
    ) -> Result<Range> {
        range_after(jungle, tree, key, from, to, None, limit)
    }

    /// Like `range`, but starts after a value and a path: returns the next page.
    #[dirty(cpu)]
    #[erlang(name = "range")]
    pub fn range_after(
        jungle: &Resource<Handle>,
        tree: &str,
        key: &str,
        from: &[u8],
        to: &[u8],
        after: Option<(Binary, NodePath)>,
        limit: usize,
    ) -> Result<Range> {
        let limit = page_size(limit)?;
        let version = jungle.read(tree)?;
        let after = after.map(|(value, path)| ((*value).into(), path));
        let indexes = &version.indexes;
        let found = indexes.range(key, from, to, after.as_ref(), limit)?;
        let found = found
            .iter()
            .map(|(value, path)| (binary(value), path.clone()));
        let found: Vec<_> = found.collect();
        let next = found.last().filter(|_| found.len() >= limit).cloned();
        Ok(Range { found, next })
    }
}
