//! Placement: choosing the nodes that store a replicated tree.

/// Returns the nodes that store copies of a tree, best first: those with the highest scores
/// (rendezvous hashing). When a node joins or leaves, only the trees on that node change their
/// places.
#[must_use]
pub fn nodes_of<'n>(
    tree: &str,
    nodes: impl Iterator<Item = &'n str>,
    copies: usize,
) -> Vec<&'n str> {
    let mut scored: Vec<_> = nodes.map(|node| (score(tree, node), node)).collect();
    scored.sort_unstable_by(|one, other| other.cmp(one));
    scored.truncate(copies);
    scored.into_iter().map(|(_, node)| node).collect()
}

/// Hashes with FNV-1a, and a last step that spreads the bits. All builds must compute equal scores.
fn score(tree: &str, node: &str) -> u64 {
    let bytes = node.bytes().chain([0]).chain(tree.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 33)
}

#[cfg(test)]
mod tests {
    use super::nodes_of;

    #[test]
    fn trees_are_spread_and_a_node_that_goes_moves_only_its_own() {
        let nodes = ["a@h", "b@h", "c@h", "d@h"];
        let mut count = [0; 4];
        for number in 0..4000 {
            let tree = format!("tree{number}");
            let before = nodes_of(&tree, nodes.into_iter(), 2);
            let after = nodes_of(&tree, nodes.into_iter().filter(|node| *node != "d@h"), 2);
            assert_eq!(before.len(), 2);
            if !before.contains(&"d@h") {
                assert_eq!(before, after);
            }
            let first = nodes.iter().position(|node| *node == before[0]);
            count[first.unwrap()] += 1;
        }
        assert!(
            count.iter().all(|trees| (800..1200).contains(trees)),
            "{count:?}"
        );
    }
}
