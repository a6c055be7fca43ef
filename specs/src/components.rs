//! Strongly connected components of a graph.

/// Returns the number of each node's strongly connected component: two nodes have the same number
/// if and only if each reaches the other. `edges` has the targets of every node.
///
/// The search takes time linear in the edges (Tarjan's algorithm). It does not recurse, since a
/// chain of definitions may be as long as a file.
#[must_use]
pub fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut search = Search {
        numbers: vec![None; edges.len()],
        lowest: vec![0; edges.len()],
        open: Vec::new(),
        components: vec![None; edges.len()],
        next: 0,
    };
    for start in 0..edges.len() {
        if search.numbers[start].is_none() {
            search.from(start, edges);
        }
    }
    search.components.into_iter().flatten().collect()
}

struct Search {
    /// The order in which nodes were met.
    numbers: Vec<Option<usize>>,
    /// The first node that each can reach among the open ones.
    lowest: Vec<usize>,
    /// Nodes whose component is not known yet.
    open: Vec<usize>,
    components: Vec<Option<usize>>,
    next: usize,
}

impl Search {
    fn from(&mut self, start: usize, edges: &[Vec<usize>]) {
        let mut path = vec![(start, 0)];
        self.enter(start);
        while let Some((node, position)) = path.last_mut() {
            let node = *node;
            let Some(&target) = edges[node].get(*position) else {
                path.pop();
                if let Some((parent, _)) = path.last() {
                    self.lowest[*parent] = self.lowest[*parent].min(self.lowest[node]);
                }
                self.leave(node);
                continue;
            };
            *position += 1;
            match self.numbers[target] {
                None => {
                    self.enter(target);
                    path.push((target, 0));
                }
                Some(number) if self.components[target].is_none() => {
                    self.lowest[node] = self.lowest[node].min(number);
                }
                Some(_) => {}
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.numbers[node] = Some(self.next);
        self.lowest[node] = self.next;
        self.next += 1;
        self.open.push(node);
    }

    /// Closes a component once its first node is left.
    fn leave(&mut self, node: usize) {
        if self.numbers[node] != Some(self.lowest[node]) {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.components[member] = Some(node);
            if member == node {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_that_reach_each_other_are_one_component() {
        // 0 -> 1 <-> 2, 3 -> 3, 4 -> 0, 5
        let edges = [vec![1], vec![2], vec![1], vec![3], vec![0], vec![]];
        let found = components(&edges);
        assert_eq!(found[1], found[2]);
        let different: std::collections::BTreeSet<usize> = found.into_iter().collect();
        assert_eq!(different.len(), 5);
        let circle: Vec<Vec<usize>> = (0..100_000)
            .map(|node| vec![(node + 1) % 100_000])
            .collect();
        let found = components(&circle);
        assert!(found.iter().all(|one| *one == found[0]));
    }
}
