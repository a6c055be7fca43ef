//! Minimum Steiner trees by the algorithm of Dreyfus and Wagner: O(3^k n + 2^k m log n) for n
//! nodes, m edges and k + 1 terminals.
//!
//! One terminal is the root. For each set of the other terminals and each node, a table has the
//! weight of the lightest tree that connects the set with the node. Such a tree either consists of
//! an edge and a smaller tree, or of two trees for smaller sets that meet in the node.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::graph::{Edge, Graph, NoTree, Node, Tree};
use crate::pace::Pace;

/// Maximum number of cells in a table. A cell takes 24 bytes.
pub const CELLS: u64 = 1 << 22;

/// Amount of work between two checkpoints. It takes some microseconds, so that checkpoints cost
/// next to no time. The unit is the examination of one subset.
const STRETCH: usize = 1 << 12;

/// Cost of examining a neighbour, in the same unit. It may involve an operation on the queue.
const NEIGHBOUR: usize = 16;

/// A set of terminals: one bit for each.
type Set = usize;

/// The way in which the tree of a cell is composed.
#[derive(Debug, Clone, Copy)]
enum Origin {
    /// There is no tree, or it consists of the terminal alone.
    Nothing,
    /// Two trees meet: one of this set, and one of the remaining terminals.
    Meeting(Set),
    /// The tree of a neighbour, and the edge to it.
    Edge(Node, u64),
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Weight of the tree; `u64::MAX` means that there is none.
    weight: u64,
    origin: Origin,
}

/// The cell of a node that no terminal reaches.
const NONE: Cell = Cell {
    weight: u64::MAX,
    origin: Origin::Nothing,
};

struct Table<'graph> {
    roads: &'graph [Vec<(Node, u64)>],
    /// The cells of a set are contiguous, one for each node. The sets follow each other in the
    /// order in which they are computed.
    cells: Vec<Cell>,
    /// Queue of Dijkstra's algorithm for the present set, with the lightest tree first.
    reached: BinaryHeap<Reverse<(u64, Node)>>,
}

/// Returns a minimum tree of `graph` that contains all `terminals`.
///
/// # Errors
/// See [`NoTree`].
pub async fn minimum_tree(
    graph: &Graph,
    terminals: &[Node],
    pace: &impl Pace,
) -> Result<Tree, NoTree> {
    let mut terminals = terminals.to_vec();
    terminals.sort_unstable();
    terminals.dedup();
    for &terminal in &terminals {
        graph.check(terminal)?;
    }
    let cells = u128::from(graph.nodes) << terminals.len().clamp(1, 64) >> 1;
    if cells > u128::from(CELLS) {
        let cells = u64::try_from(cells).unwrap_or(u64::MAX);
        return Err(NoTree::TooLarge(cells, CELLS));
    }
    let roads = graph.roads(pace).await?;
    let Some((&root, others)) = terminals.split_last() else {
        return Ok(Tree::default());
    };
    let sets: Set = 1 << others.len();
    let mut table = Table::new(&roads, sets);
    let mut done = 0;
    for set in 1..sets {
        for node in table.nodes() {
            done += table.join(set, node, others);
            if done > STRETCH {
                done = 0;
                pace.checkpoint().await;
            }
        }
        while let Some(more) = table.spread(set) {
            done += more;
            if done > STRETCH {
                done = 0;
                pace.checkpoint().await;
            }
        }
    }
    table.tree(sets - 1, root, pace).await
}

impl<'graph> Table<'graph> {
    /// Creates a table with the trees for the empty set, each a single node, and reserves space for
    /// all sets.
    fn new(roads: &'graph [Vec<(Node, u64)>], sets: Set) -> Self {
        let alone = Cell { weight: 0, ..NONE };
        let mut cells = Vec::with_capacity(roads.len() * sets);
        cells.resize(roads.len(), alone);
        let reached = BinaryHeap::new();
        Table {
            roads,
            cells,
            reached,
        }
    }

    fn index_of(&self, set: Set, node: Node) -> usize {
        set * self.roads.len() + node as usize
    }

    fn cell(&mut self, set: Set, node: Node) -> &mut Cell {
        let index = self.index_of(set, node);
        &mut self.cells[index]
    }

    fn weight(&self, set: Set, node: Node) -> u64 {
        self.cells[self.index_of(set, node)].weight
    }

    fn nodes(&self) -> std::ops::Range<Node> {
        // The cast is lossless, because the graph has this many nodes.
        0..self.roads.len() as Node
    }

    /// Finds the lightest pair of trees of two subsets that meet in the node. Returns the amount of
    /// work.
    fn join(&mut self, set: Set, node: Node, terminals: &[Node]) -> usize {
        let mut best = NONE;
        if set.is_power_of_two() && terminals[set.ilog2() as usize] == node {
            best.weight = 0;
        }
        let mut looks = 1;
        // Visit half of the subsets. The other half are their complements.
        let mut part = (set - 1) & set;
        while part > set ^ part && set ^ part != 0 {
            let weight = self.weight(part, node);
            let weight = weight.saturating_add(self.weight(set ^ part, node));
            if weight < best.weight {
                let origin = Origin::Meeting(part);
                best = Cell { weight, origin };
            }
            looks += 1;
            part = (part - 1) & set;
        }
        self.cells.push(best);
        if best.weight < u64::MAX {
            self.reached.push(Reverse((best.weight, node)));
        }
        looks
    }

    /// Makes a step of Dijkstra's algorithm, from the lightest node to its neighbours. Returns the
    /// amount of work, or `None` at the end.
    fn spread(&mut self, set: Set) -> Option<usize> {
        let Reverse((weight, node)) = self.reached.pop()?;
        if weight > self.weight(set, node) {
            return Some(NEIGHBOUR);
        }
        let roads = &self.roads[node as usize];
        for &(neighbour, road) in roads {
            let weight = weight.saturating_add(road);
            let cell = self.cell(set, neighbour);
            if weight < cell.weight {
                let origin = Origin::Edge(node, road);
                *cell = Cell { weight, origin };
                self.reached.push(Reverse((weight, neighbour)));
            }
        }
        Some(NEIGHBOUR * (1 + roads.len()))
    }

    /// Assembles the tree of a cell from the trees that it is composed of.
    async fn tree(&self, set: Set, node: Node, pace: &impl Pace) -> Result<Tree, NoTree> {
        if self.weight(set, node) == u64::MAX {
            return Err(NoTree::NotConnected);
        }
        let mut joined = Joined(HashMap::new());
        let mut edges: Vec<Edge> = Vec::new();
        let mut parts = vec![(set, node)];
        while let Some((set, node)) = parts.pop() {
            pace.checkpoint().await;
            match self.cells[self.index_of(set, node)].origin {
                Origin::Nothing => {}
                Origin::Meeting(part) => parts.extend([(part, node), (set ^ part, node)]),
                Origin::Edge(from, weight) => {
                    parts.push((set, from));
                    // Two trees that meet may share nodes, if the paths to these weigh nothing.
                    if joined.join(from, node) {
                        edges.push((from.min(node), from.max(node), weight.cast_signed()));
                    }
                }
            }
        }
        edges.sort_unstable();
        let weight = edges
            .iter()
            .map(|(_, _, weight)| weight.unsigned_abs())
            .sum();
        Ok(Tree { weight, edges })
    }
}

/// The connected components (union-find): each node leads to the representative of its component.
struct Joined(HashMap<Node, Node>);

impl Joined {
    fn group(&mut self, mut node: Node) -> Node {
        while let Some(&next) = self.0.get(&node) {
            if let Some(&after) = self.0.get(&next) {
                self.0.insert(node, after);
            }
            node = next;
        }
        node
    }

    /// Connects two nodes. Returns whether they were in different components.
    fn join(&mut self, one: Node, other: Node) -> bool {
        let (one, other) = (self.group(one), self.group(other));
        if one != other {
            self.0.insert(one, other);
        }
        one != other
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pace::{Relentless, at_once};

    fn solve(graph: &Graph, terminals: &[Node]) -> Result<Tree, NoTree> {
        at_once(minimum_tree(graph, terminals, &Relentless))
    }

    fn graph(nodes: u32, edges: &[Edge]) -> Graph {
        Graph {
            nodes,
            edges: edges.to_vec(),
        }
    }

    /// Returns whether `edges` connect all `terminals` without a cycle.
    fn is_tree(edges: &[Edge], terminals: &[Node]) -> bool {
        let mut joined = Joined(HashMap::new());
        let is_forest = edges.iter().all(|&(one, other, _)| joined.join(one, other));
        let nodes = edges.iter().flat_map(|&(one, other, _)| [one, other]);
        let nodes: Vec<_> = nodes.chain(terminals.iter().copied()).collect();
        let groups = nodes.iter().map(|&node| joined.group(node));
        let mut groups: Vec<_> = groups.collect();
        groups.dedup();
        is_forest && groups.len() <= 1
    }

    /// Returns the minimum weight of all sets of edges that form a tree with all terminals.
    fn by_brute_force(graph: &Graph, terminals: &[Node]) -> Option<u64> {
        let sets = 0..1_u32 << graph.edges.len();
        let edges = |set: u32| -> Vec<Edge> {
            let chosen = graph.edges.iter().enumerate();
            let chosen = chosen.filter(|(bit, _)| set >> bit & 1 == 1);
            chosen.map(|(_, edge)| *edge).collect()
        };
        let trees = sets.map(edges).filter(|edges| is_tree(edges, terminals));
        let weight = |edges: Vec<Edge>| edges.iter().map(|edge| edge.2.unsigned_abs()).sum();
        trees.map(weight).min()
    }

    prop_compose! {
        fn graphs()(nodes in 1..7_u32)(
            edges in prop::collection::vec((0..nodes, 0..nodes, 0..5_i64), 0..11),
            terminals in prop::collection::vec(0..nodes, 0..6),
            nodes in Just(nodes),
        ) -> (Graph, Vec<Node>) {
            (Graph { nodes, edges }, terminals)
        }
    }

    proptest! {
        #[test]
        fn no_tree_is_lighter((graph, terminals) in graphs()) {
            let tree = solve(&graph, &terminals);
            let Some(weight) = by_brute_force(&graph, &terminals) else {
                prop_assert_eq!(tree, Err(NoTree::NotConnected));
                return Ok(());
            };
            let tree = tree.expect("there is one");
            prop_assert_eq!(tree.weight, weight);
            prop_assert!(is_tree(&tree.edges, &terminals), "{:?}", tree);
            for &(one, other, weight) in &tree.edges {
                let is_it = |edge: &&Edge| [(one, other, weight), (other, one, weight)].contains(edge);
                prop_assert!(graph.edges.iter().any(|edge| is_it(&edge)), "{:?}", tree);
            }
        }
    }

    #[test]
    fn a_node_between_terminals_is_used() {
        let star = graph(4, &[(0, 1, 2), (1, 2, 2), (0, 3, 1), (1, 3, 1), (2, 3, 1)]);
        let edges = vec![(0, 3, 1), (1, 3, 1), (2, 3, 1)];
        assert_eq!(solve(&star, &[0, 1, 2]), Ok(Tree { weight: 3, edges }));
        let path = solve(&Graph::path(9), &(0..9).collect::<Vec<_>>());
        assert_eq!(path.map(|tree| tree.weight), Ok(8));
    }

    #[test]
    fn what_has_no_tree_says_why() {
        let apart = graph(3, &[(0, 1, 1)]);
        assert_eq!(solve(&apart, &[0, 2]), Err(NoTree::NotConnected));
        assert_eq!(solve(&apart, &[0, 3]), Err(NoTree::NoSuchNode(3)));
        let outside = graph(2, &[(0, 2, 1)]);
        assert_eq!(solve(&outside, &[0]), Err(NoTree::NoSuchNode(2)));
        let negative = graph(2, &[(0, 1, -1)]);
        assert_eq!(
            solve(&negative, &[0, 1]),
            Err(NoTree::NegativeWeight((0, 1, -1)))
        );
        let heavy = graph(3, &[(0, 1, i64::MAX), (1, 2, 1)]);
        assert_eq!(solve(&heavy, &[0, 2]), Err(NoTree::TooHeavy));
    }

    #[test]
    fn what_needs_too_much_memory_is_refused_before_it_is_taken() {
        let nodes: Vec<Node> = (0..100).collect();
        let large = Err(NoTree::TooLarge(u64::MAX, CELLS));
        assert_eq!(solve(&Graph::path(100), &nodes), large);
        let many = Err(NoTree::TooLarge(u64::from(u32::MAX), CELLS));
        assert_eq!(solve(&graph(u32::MAX, &[]), &[0]), many);
        assert_eq!(solve(&graph(u32::MAX, &[]), &[]), many);
    }
}
