//! The module `steiner`, for Erlang and Elixir.

use otp_bridge::module;

/// Minimum Steiner trees: the lightest tree within a graph that joins given nodes.
///
/// ```text
/// 1> Graph = #{nodes => 4, edges => [{0, 1, 2}, {1, 2, 2}, {0, 3, 1}, {1, 3, 1}, {2, 3, 1}]}.
/// 2> steiner:solve(Graph, [0, 1, 2]).
/// {ok,#{edges => [{0,3,1},{1,3,1},{2,3,1}],weight => 3}}
/// ```
#[module("steiner")]
pub mod functions {
    use otp_bridge::Cx;

    use crate::dreyfus_wagner::minimum_tree;
    use crate::graph::{Graph, NoTree, Node, Tree};
    use crate::pace::{Relentless, at_once};

    /// A minimum tree that joins all terminals. However long it takes, other processes go on: it gives its scheduler
    /// back each millisecond.
    pub async fn solve(graph: Graph, terminals: Vec<Node>, cx: &Cx<'_>) -> Result<Tree, NoTree> {
        minimum_tree(&graph, &terminals, cx).await
    }

    /// The same on a dirty scheduler.
    #[dirty(cpu)]
    pub fn solve_dirty(graph: &Graph, terminals: &[Node]) -> Result<Tree, NoTree> {
        at_once(minimum_tree(graph, terminals, &Relentless))
    }

    /// The same, as one should not: it holds its scheduler for as long as it takes.
    pub fn solve_impolitely(graph: &Graph, terminals: &[Node]) -> Result<Tree, NoTree> {
        at_once(minimum_tree(graph, terminals, &Relentless))
    }
}
