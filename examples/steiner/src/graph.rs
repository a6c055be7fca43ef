//! What is asked and answered.

use otp_bridge::Term;

use crate::pace::Pace;

/// A node: a number from 0.
pub type Node = u32;

/// Two nodes and the weight of the edge between them.
pub type Edge = (Node, Node, i64);

/// `#{nodes := Number, edges := [{Node, Node, Weight}]}`: an undirected graph.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct Graph {
    /// How many nodes there are: 0, 1, …
    pub nodes: u32,
    /// Edges, each once.
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

/// Why there is no tree.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum NoTree {
    /// `{no_such_node, Node}`: a terminal, or an end of an edge, that the graph does not have.
    NoSuchNode(Node),
    /// `{negative_weight, Edge}`
    NegativeWeight(Edge),
    /// `not_connected`: no path joins the terminals.
    NotConnected,
    /// `too_heavy`: the edges together weigh more than 64 bits can say.
    TooHeavy,
    /// `{too_large, Cells, Limit}`: the table would have more cells than are allowed.
    TooLarge(u64, u64),
}

impl Graph {
    /// The path 0 – 1 – … of `nodes` nodes, whose edges weigh 1.
    #[must_use]
    pub fn path(nodes: u32) -> Self {
        let edges = (1..nodes).map(|node| (node - 1, node, 1)).collect();
        Graph { nodes, edges }
    }

    /// The edges of each node.
    ///
    /// # Errors
    /// An edge has a negative weight or an end that is not a node, or all together are too heavy.
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
