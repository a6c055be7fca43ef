//! The input and the output: graphs and trees.

use otp_bridge::Term;

use crate::pace::Pace;

/// A node, numbered from 0.
pub type Node = u32;

/// Two nodes, and the weight of the edge between them.
pub type Edge = (Node, Node, i64);

/// `#{nodes := Number, edges := [{Node, Node, Weight}]}`: an undirected graph.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct Graph {
    /// Number of nodes: 0, 1, …
    pub nodes: u32,
    /// The edges. Each one occurs once.
    pub edges: Vec<Edge>,
}

/// `#{weight := Weight, edges := [{Node, Node, Weight}]}`: a tree within a graph.
#[derive(Debug, Clone, Default, PartialEq, Eq, Term)]
pub struct Tree {
    /// The sum of the weights of its edges.
    pub weight: u64,
    /// Its edges, sorted.
    pub edges: Vec<Edge>,
}

/// Reason why there is no tree.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum NoTree {
    /// `{no_such_node, Node}`: the graph lacks a terminal, or the end of an edge.
    NoSuchNode(Node),
    /// `{negative_weight, Edge}`
    NegativeWeight(Edge),
    /// `not_connected`: no tree connects the terminals.
    NotConnected,
    /// `too_heavy`: the total weight of the edges does not fit into 64 bits.
    TooHeavy,
    /// `{too_large, Cells, Limit}`: the table would exceed the limit.
    TooLarge(u64, u64),
}

impl Graph {
    /// Returns the path 0 – 1 – … of `nodes` nodes. All its edges weigh 1.
    #[must_use]
    pub fn path(nodes: u32) -> Self {
        let edges = (1..nodes).map(|node| (node - 1, node, 1)).collect();
        Graph { nodes, edges }
    }

    /// Returns the edges of each node.
    ///
    /// # Errors
    /// An edge has a negative weight, or an end that is not a node; or the total weight is too
    /// large.
    pub(crate) async fn roads(&self, pace: &impl Pace) -> Result<Vec<Vec<(Node, u64)>>, NoTree> {
        let mut roads = vec![Vec::new(); self.nodes as usize];
        let mut sum = 0_i64;
        for &(one, other, weight) in &self.edges {
            pace.checkpoint().await;
            self.check(one)?;
            self.check(other)?;
            let Ok(road) = u64::try_from(weight) else {
                return Err(NoTree::NegativeWeight((one, other, weight)));
            };
            sum = sum.checked_add(weight).ok_or(NoTree::TooHeavy)?;
            roads[one as usize].push((other, road));
            roads[other as usize].push((one, road));
        }
        Ok(roads)
    }

    /// # Errors
    /// The graph has no such node.
    pub(crate) fn check(&self, node: Node) -> Result<(), NoTree> {
        match node < self.nodes {
            true => Ok(()),
            false => Err(NoTree::NoSuchNode(node)),
        }
    }
}
