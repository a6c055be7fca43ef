//! The module `steiner`, for Erlang and Elixir.

use otp_bridge::module;

/// Minimum Steiner trees: the lightest tree within a graph that connects given nodes.
///
/// ```text
/// 1> Graph = #{nodes => 4, edges => [{0, 1, 2}, {1, 2, 2}, {0, 3, 1}, {1, 3, 1}, {2, 3, 1}]}.
/// 2> steiner:solve(Graph, [0, 1, 2]).
/// {ok,#{edges => [{0,3,1},{1,3,1},{2,3,1}],weight => 3}}
/// ```
#[module("steiner")]
pub mod functions {
    use otp_bridge::{Cx, Exit, try_join_all};

    use crate::dreyfus_wagner::minimum_tree;
    use crate::graph::{Graph, NoTree, Node, Tree};
    use crate::pace::{Relentless, at_once};
    use crate::worker::POOL;

    /// Returns a minimum tree that connects all terminals. It yields to the scheduler every
    /// millisecond, so that other processes run however long it takes.
    pub async fn solve(graph: Graph, terminals: Vec<Node>, cx: &Cx<'_>) -> Result<Tree, NoTree> {
        minimum_tree(&graph, &terminals, cx).await
    }

    /// Returns a minimum tree for each graph, in order, computed on all cores. A failure does not
    /// affect the other graphs.
    pub async fn solve_all(
        graphs: Vec<(Graph, Vec<Node>)>,
        cx: &Cx<'_>,
    ) -> Result<Vec<Result<Tree, NoTree>>, Exit> {
        let solve = |(graph, terminals): (Graph, Vec<Node>)| {
            POOL.spawn_anywhere(cx, async move |cx| {
                Ok(minimum_tree(&graph, &terminals, cx).await)
            })
        };
        try_join_all(graphs.into_iter().map(solve).collect::<Vec<_>>()).await
    }

    /// Like `solve`, but runs on a dirty scheduler.
    #[dirty(cpu)]
    pub fn solve_dirty(graph: &Graph, terminals: &[Node]) -> Result<Tree, NoTree> {
        at_once(minimum_tree(graph, terminals, &Relentless))
    }

    /// A bad example: like `solve`, but never yields, and holds its scheduler all the time.
    pub fn solve_impolitely(graph: &Graph, terminals: &[Node]) -> Result<Tree, NoTree> {
        at_once(minimum_tree(graph, terminals, &Relentless))
    }
}
