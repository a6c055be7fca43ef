//! Walks through the nodes whose paths match a pattern.

use crate::map::range::Entries;
use crate::node::{Node, NodePath, Position};

use super::pattern::{Pattern, States};

/// A walk in the order of the paths: a node comes before its descendants.
pub struct Walk<'n> {
    pattern: Pattern,
    /// For each node on the path, the children that are still to be visited.
    levels: Vec<Level<'n>>,
    path: NodePath,
    /// The root, if it is still to be visited.
    root: Option<&'n Node>,
}

struct Level<'n> {
    states: States,
    rest: Rest<'n>,
}

enum Rest<'n> {
    All(Entries<'n, Position, Node>),
    /// The children from a position on that can match the pattern.
    Some(&'n Node, Option<Position>),
}

/// Result of one step.
pub(crate) enum Walked<'n> {
    Match(NodePath, &'n Node),
    Other,
    End,
}

impl<'n> Walk<'n> {
    /// Starts a walk at the root, or after a path, which does not have to exist.
    #[must_use]
    pub fn new(root: &'n Node, pattern: Pattern, after: Option<&[Position]>) -> Self {
        let mut walk = Walk {
            pattern,
            levels: Vec::new(),
            path: NodePath::new(),
            root: None,
        };
        let Some(after) = after else {
            walk.root = Some(root);
            return walk;
        };
        let (mut node, mut states) = (root, walk.pattern.begin());
        for position in after {
            walk.enter(node, states, position.checked_add(1));
            let Some(child) = node.child(*position) else {
                return walk;
            };
            states = walk.pattern.below(states, *position, child);
            walk.path.push(*position);
            node = child;
        }
        walk.enter(node, states, Some(0));
        walk
    }

    pub(crate) fn into_pattern(self) -> Pattern {
        self.pattern
    }

    fn enter(&mut self, node: &'n Node, states: States, from: Option<Position>) {
        let rest = match from {
            Some(from) if self.pattern.is_wide(states) => Rest::All(node.entries_from(from)),
            from => Rest::Some(node, from),
        };
        self.levels.push(Level { states, rest });
    }

    /// Visits the next node.
    pub(crate) fn step(&mut self) -> Walked<'n> {
        if let Some(root) = self.root.take() {
            let states = self.pattern.begin();
            self.enter(root, states, Some(0));
            return match self.pattern.is_match(states) {
                true => Walked::Match(NodePath::new(), root),
                false => Walked::Other,
            };
        }
        let depth = self.levels.len();
        let Some(level) = self.levels.last_mut() else {
            return Walked::End;
        };
        // Drop the position of the child that was entered last.
        self.path.truncate(depth - 1);
        let states = level.states;
        let next = match &mut level.rest {
            Rest::All(entries) => entries.next().map(|(position, child)| (*position, child)),
            Rest::Some(node, from) => {
                let candidate = from.and_then(|from| self.pattern.candidate(states, from));
                let found = candidate.and_then(|at| node.children_from(at).next());
                *from = found.and_then(|(position, _)| position.checked_add(1));
                found
            }
        };
        let Some((position, child)) = next else {
            self.levels.pop();
            return Walked::Other;
        };
        let below = self.pattern.below(states, position, child);
        if below.is_empty() {
            return Walked::Other;
        }
        self.path.push(position);
        self.enter(child, below, Some(0));
        match self.pattern.is_match(below) {
            true => Walked::Match(self.path.clone(), child),
            false => Walked::Other,
        }
    }
}
