//! Helpers for tests of named trees with coloured children.

use std::collections::BTreeMap;

use jungle::error::{Error, Result};
use jungle::jungle::Jungle;
use jungle::node::{Node, NodePath};
use jungle::tree::Tree;

pub fn no_tree<T>(name: &str) -> Result<T> {
    Err(Error::NoTree(name.to_owned()))
}

/// Adds a child with a colour.
pub fn plant(jungle: &Jungle, tree: &str, colour: &'static str) -> Result<u64> {
    jungle.update_root_node_with(tree, move |root| {
        let at = [root.next_position()];
        root.add_child_at(&[])?
            .put_attribute(&at, "colour", colour.as_bytes())
    })
}

/// Returns the red nodes by the index of colours.
pub fn red(tree: &Tree) -> Result<Vec<NodePath>> {
    tree.read().indexes.find("colour", b"red", None, 1000)
}

/// Returns the red nodes without an index.
pub fn red_children(root: &Node) -> Vec<NodePath> {
    let children = root.assoc_children(&[]).unwrap().into_iter();
    let red = children.filter(|(_, child)| {
        let colour = child.get_attributes(&[], "colour").unwrap();
        colour.map(|it| &**it) == Some(&b"red"[..])
    });
    red.map(|(position, _)| vec![position]).collect()
}

/// Everything that a folder has: for each tree its version, its root, its indexes, and its named
/// versions.
pub type State = BTreeMap<String, (u64, Node, Vec<String>, Vec<(u64, Option<String>)>)>;

pub fn state(jungle: &Jungle) -> State {
    let trees = jungle.trees().into_iter().map(|name| {
        let tree = jungle.tree(&name).unwrap();
        let version = tree.read();
        if version.indexes.has("colour") {
            assert_eq!(red(&tree).unwrap(), red_children(&version.node));
        }
        let root = version.node.clone();
        let keys = version.indexes.keys();
        let named = tree.versions().into_iter();
        let named = named.filter(|(_, name)| name.is_some()).collect();
        (name, (version.number, root, keys, named))
    });
    trees.collect()
}
