//! Changes a term into another one.

use std::sync::OnceLock;

use crate::random::Random;
use crate::tree::{Kind, Node};

/// Parts of seeds, small and large.
static PARTS: OnceLock<Vec<Node>> = OnceLock::new();

/// The most parts that are kept, and the most nodes of a part.
const MOST_PARTS: usize = 50_000;
const LARGEST_PART: usize = 60;

/// Integers at the bounds of types.
const EDGES: [i64; 14] = [
    0,
    1,
    -1,
    127,
    255,
    256,
    65_535,
    0xD800,
    0x10_FFFF,
    i32::MAX as i64,
    u32::MAX as i64,
    (1 << 59) - 1,
    i64::MAX,
    i64::MIN,
];

/// Keeps the parts of these terms, if none are kept yet.
pub(crate) fn learn(seeds: &[Vec<u8>]) {
    let mut parts = Vec::new();
    for tree in seeds.iter().filter_map(|seed| Node::decode(seed)) {
        gather(&tree, &mut parts);
    }
    // If it was called before, the parts of the first call stay.
    let _ = PARTS.set(parts);
}

fn gather(node: &Node, parts: &mut Vec<Node>) {
    if parts.len() < MOST_PARTS && node.count() <= LARGEST_PART {
        parts.push(node.clone());
    }
    node.children.iter().for_each(|child| gather(child, parts));
}

/// Changes the first `size` bytes in place, and returns their new number, which is at most `most`.
/// If the bytes are a term, the term is changed; otherwise, `bytewise` changes the bytes.
pub fn mutate(
    data: &mut [u8],
    size: usize,
    most: usize,
    seed: u32,
    bytewise: impl FnOnce(&mut [u8], usize, usize) -> usize,
) -> usize {
    let mut random = Random::new(seed);
    if !random.chance(4)
        && let Some(tree) = Node::decode(&data[..size])
        && let Some(changed) = changed(tree, most, &mut random)
    {
        data[..changed.len()].copy_from_slice(&changed);
        return changed.len();
    }
    bytewise(data, size, most)
}

/// Returns the bytes of the changed tree, or `None` if there are too many.
fn changed(mut tree: Node, most: usize, random: &mut Random) -> Option<Vec<u8>> {
    for _ in 0..=random.below(3) {
        let number = random.below(tree.count());
        let other = tree.nth(random.below(number + 1)).cloned();
        let node = tree.nth(number)?;
        change(node, other, random);
    }
    let bytes = tree.encode();
    (bytes.len() <= most).then_some(bytes)
}

/// Changes one node. `other` is another node of the tree.
fn change(node: &mut Node, other: Option<Node>, random: &mut Random) {
    match random.below(10) {
        0 => *node = other.unwrap_or_else(Node::nil),
        1 | 2 => *node = part(random),
        3 => *node = edge(random),
        4 => wrap(node, random),
        5 => {
            if let Some(child) = random.pick(&node.children) {
                *node = child.clone();
            }
        }
        6 | 7 if node.kind == Kind::Leaf => bytes(node, random),
        _ => children(node, random),
    }
}

fn part(random: &mut Random) -> Node {
    let parts = PARTS.get().map_or(&[][..], Vec::as_slice);
    random.pick(parts).cloned().unwrap_or_else(Node::nil)
}

/// Returns an integer at a bound, or next to one.
fn edge(random: &mut Random) -> Node {
    let value = random.pick(&EDGES).copied().unwrap_or(0);
    let value = i128::from(value) + [-1, 0, 1][random.below(3)];
    if let Ok(value) = u8::try_from(value) {
        return Node::leaf([97, value]);
    }
    if let Ok(value) = i32::try_from(value) {
        return Node::leaf([&[98], &value.to_be_bytes()[..]].concat());
    }
    let magnitude = value.unsigned_abs().to_le_bytes();
    let length = 16
        - magnitude
            .iter()
            .rev()
            .take_while(|byte| **byte == 0)
            .count();
    let header = [110, length as u8, u8::from(value < 0)];
    Node::leaf([&header, &magnitude[..length]].concat())
}

/// Puts the node into a container, sometimes into many.
fn wrap(node: &mut Node, random: &mut Random) {
    let levels = match random.chance(8) {
        true => 1 + random.below(40),
        false => 1,
    };
    let kind = random.below(4);
    for _ in 0..levels {
        let inner = std::mem::replace(node, Node::nil());
        *node = match kind {
            0 => Node::of(Kind::Tuple, vec![inner]),
            1 => Node::of(Kind::Map, vec![part(random), inner]),
            2 => Node::of(Kind::List, vec![part(random), inner]),
            _ => Node::list(vec![inner]),
        };
    }
}

/// Changes the bytes of a leaf behind its header, which contains their number.
fn bytes(node: &mut Node, random: &mut Random) {
    let header = match node.bytes.first() {
        Some(97 | 98 | 70) => 1,
        Some(115 | 119) => 2,
        Some(100 | 107 | 110 | 118) => 3,
        Some(109) => 5,
        _ => 0,
    };
    let place = header + random.below(node.bytes.len().saturating_sub(header));
    if let Some(byte) = node.bytes.get_mut(place) {
        *byte = match random.chance(2) {
            true => random.below(256) as u8,
            false => *byte ^ 1 << random.below(8),
        };
    }
}

/// Changes the contents of a container.
fn children(node: &mut Node, random: &mut Random) {
    let length = node.children.len();
    let (one, other) = (random.below(length), random.below(length));
    match random.below(5) {
        _ if length == 0 => *node = part(random),
        0 => node.children.swap(one, other),
        1 => drop(node.children.remove(one)),
        2 => node.children.insert(one, node.children[other].clone()),
        3 => node.children.insert(one, part(random)),
        _ => {
            node.kind = match random.below(3) {
                0 => Kind::Tuple,
                1 => Kind::List,
                _ => Kind::Map,
            }
        }
    }
    if node.kind == Kind::Map && !node.children.len().is_multiple_of(2) {
        node.children.push(part(random));
    }
    if node.kind == Kind::List && node.children.len() < 2 {
        node.children.push(Node::nil());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_term_is_nearly_always_another_term() {
        let element = Node::of(Kind::Tuple, vec![Node::atom("ok"), Node::leaf([97, 1])]);
        let map = Node::of(Kind::Map, vec![Node::atom("key"), element.clone()]);
        let term = Node::list(vec![element, map]);
        let is_another = |seed: &u32| {
            let bytes = changed(term.clone(), 500, &mut Random::new(*seed));
            let bytes = bytes.filter(|bytes| *bytes != term.encode());
            bytes.is_some_and(|bytes| Node::decode(&bytes).is_some())
        };
        let others = (0..1000).filter(is_another).count();
        assert!(others > 700, "{others}");
    }
}
