//! The External Term Format as a tree whose leaves are bytes. That is enough to change terms
//! without decoding their leaves. A leaf keeps its encoding, because some terms have several.

/// The kind of a node, which determines how its children are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A term without parts, or with parts that are left as they are: an atom, a pid, a fun
    Leaf,
    Tuple,
    /// A list. The last child is its tail.
    List,
    /// A map. Its children are keys and values in turn.
    Map,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// The bytes of a leaf.
    pub(crate) bytes: Vec<u8>,
    pub(crate) children: Vec<Node>,
}

/// The most levels of a term that is read.
const DEEPEST: usize = 400;
const VERSION: u8 = 131;

impl Node {
    pub(crate) fn leaf(bytes: impl Into<Vec<u8>>) -> Node {
        Node {
            kind: Kind::Leaf,
            bytes: bytes.into(),
            children: Vec::new(),
        }
    }

    pub(crate) fn of(kind: Kind, children: Vec<Node>) -> Node {
        Node {
            kind,
            bytes: Vec::new(),
            children,
        }
    }

    pub(crate) fn nil() -> Node {
        Node::leaf([106])
    }

    /// Returns an atom. The text has fewer than 256 bytes.
    pub(crate) fn atom(text: &str) -> Node {
        let length = u8::try_from(text.len()).unwrap_or(u8::MAX);
        let text = &text.as_bytes()[..usize::from(length)];
        Node::leaf([&[119, length], text].concat())
    }

    pub(crate) fn list(mut elements: Vec<Node>) -> Node {
        if elements.is_empty() {
            return Node::nil();
        }
        elements.push(Node::nil());
        Node::of(Kind::List, elements)
    }

    /// Returns the elements of a proper list.
    pub(crate) fn elements(&self) -> &[Node] {
        match self.children.split_last() {
            Some((_, elements)) if self.kind == Kind::List => elements,
            _ => &[],
        }
    }

    /// Returns whether the node is this atom, in any encoding.
    pub(crate) fn is_atom(&self, text: &str) -> bool {
        let header = match self.bytes.first() {
            Some(115 | 119) => 2,
            Some(100 | 118) => 3,
            _ => return false,
        };
        self.bytes.get(header..) == Some(text.as_bytes())
    }

    /// Returns the number of nodes, including this one.
    pub(crate) fn count(&self) -> usize {
        1 + self.children.iter().map(Node::count).sum::<usize>()
    }

    /// Returns the node with this number. A node comes before its children.
    pub(crate) fn nth(&mut self, number: usize) -> Option<&mut Node> {
        let Some(mut left) = number.checked_sub(1) else {
            return Some(self);
        };
        for child in &mut self.children {
            let count = child.count();
            if left < count {
                return child.nth(left);
            }
            left -= count;
        }
        None
    }

    /// Returns the bytes with the version in front.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = vec![VERSION];
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut Vec<u8>) {
        let mut header = |tag, count: usize| {
            out.push(tag);
            out.extend(u32::try_from(count).unwrap_or(u32::MAX).to_be_bytes());
        };
        match self.kind {
            Kind::Leaf => return out.extend(&self.bytes),
            Kind::Tuple => match u8::try_from(self.children.len()) {
                Ok(arity) => out.extend([104, arity]),
                Err(_) => header(105, self.children.len()),
            },
            Kind::List => header(108, self.children.len().saturating_sub(1)),
            Kind::Map => header(116, self.children.len() / 2),
        }
        for child in &self.children {
            child.write(out);
        }
    }

    /// Returns the term at the start of `bytes`.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Node> {
        let (version, rest) = bytes.split_first()?;
        (*version == VERSION).then_some(())?;
        Reader { rest }.node(0)
    }
}

struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn count(&mut self) -> Option<usize> {
        let bytes = self.take(4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    }

    fn node(&mut self, depth: usize) -> Option<Node> {
        (depth < DEEPEST).then_some(())?;
        let (kind, count) = match *self.rest.first()? {
            104 => (Kind::Tuple, usize::from(self.take(2)?[1])),
            tag @ (105 | 108 | 116) => {
                self.take(1)?;
                let count = self.count()?;
                match tag {
                    105 => (Kind::Tuple, count),
                    108 => (Kind::List, count.checked_add(1)?),
                    _ => (Kind::Map, count.checked_mul(2)?),
                }
            }
            _ => {
                let length = leaf_length(self.rest)?;
                return Some(Node::leaf(self.take(length)?));
            }
        };
        // Each element has at least one byte.
        (count <= self.rest.len()).then_some(())?;
        let children = (0..count).map(|_| self.node(depth + 1));
        Some(Node::of(kind, children.collect::<Option<_>>()?))
    }
}

/// Returns the number of bytes of the leaf at the start of `bytes`.
fn leaf_length(bytes: &[u8]) -> Option<usize> {
    let byte = |at: usize| bytes.get(at).copied().map(usize::from);
    let word = |at: usize| Some(byte(at)? << 8 | byte(at + 1)?);
    let long = |at: usize| Some(word(at)? << 16 | word(at + 2)?);
    let after = |at: usize, more: usize| Some(at + leaf_length(bytes.get(at..)?)? + more);
    Some(match byte(0)? {
        97 => 2,
        98 => 5,
        70 => 9,
        99 => 32,
        106 => 1,
        100 | 118 | 107 => 3 + word(1)?,
        115 | 119 => 2 + byte(1)?,
        109 => 5 + long(1)?,
        77 => 6 + long(1)?,
        110 => 3 + byte(1)?,
        111 => 6 + long(1)?,
        103 => after(1, 9)?,
        88 | 120 => after(1, 12)?,
        102 => after(1, 5)?,
        89 => after(1, 8)?,
        114 => after(3, 1 + 4 * word(1)?)?,
        90 => after(3, 4 + 4 * word(1)?)?,
        112 => 1 + long(1)?,
        113 => {
            let name = after(1, 0)?;
            after(after(name, 0)?, 0)?
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_written_as_it_was_read() {
        let atom = Node::atom("ok");
        let list = Node::list(vec![atom.clone(), Node::leaf([97, 1])]);
        let map = Node::of(Kind::Map, vec![atom.clone(), list.clone()]);
        let tree = Node::of(Kind::Tuple, vec![list, map, Node::nil()]);
        let bytes = tree.encode();
        assert_eq!(Node::decode(&bytes).as_ref(), Some(&tree));
        assert_eq!(tree.count(), 12);
        assert!(tree.clone().nth(2).is_some_and(|node| node.is_atom("ok")));
        for end in 0..bytes.len() {
            assert_eq!(Node::decode(&bytes[..end]), None);
        }
    }
}
