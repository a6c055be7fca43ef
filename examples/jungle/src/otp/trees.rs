//! The module `jungle` for Erlang and Elixir: trees, nodes and edits.

use otp_bridge::module;

/// A database of trees. Nodes are immutable: an edit of a node returns a new node, which shares
/// unchanged parts with the old one. So readers never block writers.
///
/// ```text
/// 1> {ok, Jungle} = jungle:database().
/// 2> ok = jungle:create_tree(Jungle, <<"garden">>).
/// 3> Add = fun(Root) -> {ok, N} = jungle:add_child_at(Root, []), jungle:put_attribute(N, [0], <<"name">>, <<"oak">>) end.
/// 4> jungle:update_root_node_with(Jungle, <<"garden">>, Add).
/// {ok,1}
/// ```
#[module("jungle")]
pub mod functions {
    use std::sync::Arc;
    use std::time::Duration;

    use otp_bridge::term::{Binary, FunOf};
    use otp_bridge::{Cx, Pid, Resource, Term};

    use crate::change::{Change, ChangeTerm};
    use crate::error::{Error, Result};
    use crate::jungle::create_jungle as in_memory;
    use crate::node::{Node, NodePath, Position};
    use crate::otp::database::{DATABASE, GetDatabase};
    use crate::otp::handle::{Handle, TreeNode, binary};
    use crate::otp::reason::{UpdateError, text};
    use crate::tree::Tree;
    use crate::turn::{Take, Turn};

    /// How often the function is called again because a writer without a turn has changed the root.
    const TRIES: usize = 100;

    type Updated = std::result::Result<u64, UpdateError>;

    /// Type of the function that edits a root.
    type Edit = FunOf<fn(Resource<TreeNode>) -> std::result::Result<Resource<TreeNode>, Term>>;

    /// Creates a database in memory, which lives as long as a process refers to it.
    pub fn create_jungle() -> Resource<Handle> {
        Resource::new(Handle::of(in_memory()))
    }

    /// Returns the application's database, which is kept on the disk.
    pub async fn database(cx: &Cx<'_>) -> otp_bridge::Result<Result<Resource<Handle>>> {
        cx.call(&DATABASE, GetDatabase).await
    }

    /// Creates a tree with an empty root.
    pub async fn create_tree(jungle: Resource<Handle>, name: String) -> Result<()> {
        let pending = jungle.jungle()?.begin_tree(&name, &[])?;
        pending.await
    }

    /// Creates a tree with indexes of these attributes.
    #[erlang(name = "create_tree")]
    pub async fn create_tree_with(
        jungle: Resource<Handle>,
        name: String,
        indexed: Vec<String>,
    ) -> Result<()> {
        let pending = jungle.jungle()?.begin_tree(&name, &indexed)?;
        pending.await
    }

    /// Deletes a tree with its versions and indexes. Nodes that were read before stay readable;
    /// writers that are waiting get `no_tree`, and watchers `{deleted, Watch, Tree}`.
    pub async fn delete_tree(jungle: Resource<Handle>, tree: String, cx: &Cx<'_>) -> Result<()> {
        let jungle = jungle.jungle()?;
        let pending = cx.dirty(|| jungle.begin_delete(&tree)).await?;
        pending.await
    }

    /// Renames a tree. It keeps its versions, indexes and writers; watchers get
    /// `{renamed, Watch, Tree, New}`.
    pub async fn rename_tree(
        jungle: Resource<Handle>,
        tree: String,
        new: String,
        cx: &Cx<'_>,
    ) -> Result<()> {
        let jungle = jungle.jungle()?;
        let pending = cx.dirty(|| jungle.begin_rename(&tree, &new)).await?;
        pending.await
    }

    /// Adds an index of an attribute, unless the tree has one. Others can write while the index is
    /// built.
    pub async fn add_index(
        jungle: Resource<Handle>,
        tree: String,
        key: String,
        cx: &Cx<'_>,
    ) -> Result<()> {
        let tree = jungle.tree(&tree)?;
        let pending = cx.dirty(|| tree.begin_add_index(&key)).await?;
        pending.await
    }

    /// Drops an index.
    pub async fn drop_index(
        jungle: Resource<Handle>,
        tree: String,
        key: String,
        cx: &Cx<'_>,
    ) -> Result<()> {
        let tree = jungle.tree(&tree)?;
        let pending = cx.dirty(|| tree.begin_drop_index(&key)).await?;
        pending.await
    }

    /// Returns the attributes that have an index.
    pub fn indexes(jungle: &Resource<Handle>, tree: &str) -> Result<Vec<String>> {
        Ok(jungle.read(tree)?.indexes.keys())
    }

    /// Returns a text for the `Reason` of `{error, Reason}`, from any module of this application.
    /// The text shows paths as lists of positions, although the shell shows `[97]` as `"a"`.
    pub fn format_error(reason: Term) -> String {
        text(&reason)
    }

    /// Returns the names of all trees.
    #[dirty(cpu)]
    pub fn trees(jungle: &Resource<Handle>) -> Result<Vec<String>> {
        Ok(jungle.open()?.trees())
    }

    /// Returns the newest root.
    pub fn get_root_node(jungle: &Resource<Handle>, tree: &str) -> Result<Resource<TreeNode>> {
        Ok(TreeNode::root(&*jungle.read(tree)?))
    }

    /// Replaces the root, and discards changes that others have made since the root was read.
    /// Returns the number of the new version.
    pub async fn update_root_node(
        jungle: Resource<Handle>,
        tree: String,
        node: Resource<TreeNode>,
        cx: &Cx<'_>,
    ) -> Result<u64> {
        let jungle = jungle.jungle()?;
        let (number, pending) = cx
            .dirty(|| jungle.begin_root_node(&tree, node.node().clone()))
            .await?;
        pending.await?;
        Ok(number)
    }

    /// Replaces the root by the function's result. Callers take turns for each tree, in the order
    /// of their calls. If a writer without a turn changes the root during the call, the function is
    /// called again. If the function itself makes this call for the same tree, it gets `{error,
    /// nested}`.
    pub async fn update_root_node_with(
        jungle: Resource<Handle>,
        tree: String,
        edit: Edit,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Updated> {
        match turn(&jungle, &tree, cx) {
            Ok((tree, turn)) => update(tree, turn.await, edit, cx).await,
            Err(error) => Ok(Err(UpdateError::Error(error))),
        }
    }

    /// Like `update_root_node_with/3`, but waits at most this many milliseconds for its turn. Then
    /// it returns `{error, {busy, Process}}` with the process that has the turn.
    #[erlang(name = "update_root_node_with")]
    pub async fn update_root_node_within(
        jungle: Resource<Handle>,
        tree: String,
        edit: Edit,
        milliseconds: u64,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Updated> {
        let (tree, turn) = match turn(&jungle, &tree, cx) {
            Ok(found) => found,
            Err(error) => return Ok(Err(UpdateError::Error(error))),
        };
        match cx.timeout(Duration::from_millis(milliseconds), turn).await {
            Ok(turn) => update(tree, turn, edit, cx).await,
            Err(_) => Ok(Err(UpdateError::Busy(tree.turn_owner()))),
        }
    }

    /// Returns the process whose `update_root_node_with` is changing a tree now.
    pub fn writer(jungle: &Resource<Handle>, tree: &str) -> Result<Option<Pid>> {
        Ok(jungle.tree(tree)?.turn_owner())
    }

    fn turn(jungle: &Handle, tree: &str, cx: &Cx<'_>) -> Result<(Arc<Tree>, Take)> {
        let tree = jungle.tree(tree)?;
        let turn = tree.turn(cx.pid())?;
        Ok((tree, turn))
    }

    async fn update(
        tree: Arc<Tree>,
        turn: Turn,
        edit: Edit,
        cx: &Cx<'_>,
    ) -> otp_bridge::Result<Updated> {
        for _ in 0..TRIES {
            if let Err(deleted) = tree.exists() {
                return Ok(Err(UpdateError::Error(deleted)));
            }
            let before = tree.latest();
            let root = TreeNode::root(&before);
            let edited: std::result::Result<Resource<TreeNode>, Term> =
                cx.apply("erlang", "apply", (&edit, vec![root])).await?;
            let node = match &edited {
                Ok(node) => node.node().clone(),
                Err(reason) => return Ok(Err(UpdateError::Refused(reason.clone()))),
            };
            let (number, pending) = match cx.dirty(|| tree.replace(&before, node)).await {
                Ok(replaced) => replaced,
                Err(Error::Changed(_)) => continue,
                Err(error) => return Ok(Err(UpdateError::Error(error))),
            };
            // The next writer does not have to wait for the disk.
            drop(turn);
            return Ok(pending.await.map(|()| number).map_err(UpdateError::Error));
        }
        let number = tree.latest().number;
        Ok(Err(UpdateError::Error(Error::Changed(number))))
    }

    /// Makes changes, all of them or none. They have the form that [`diff`](super::versions) and
    /// [`watch`](super::watch) return. This needs no turn, and calls no Erlang function.
    pub async fn change(
        jungle: Resource<Handle>,
        tree: String,
        changes: Vec<ChangeTerm>,
        cx: &Cx<'_>,
    ) -> Result<u64> {
        let tree = jungle.tree(&tree)?;
        let changes: Vec<Change> = changes.into_iter().map(Change::from).collect();
        let (number, pending) = cx.dirty(move || tree.begin_changes(changes)).await?;
        pending.await?;
        Ok(number)
    }

    /// Creates a node with neither children nor attributes.
    pub fn new_node() -> Resource<TreeNode> {
        TreeNode::new(&Node::new())
    }

    /// Returns the node at a path.
    pub fn node_at(node: &Resource<TreeNode>, path: NodePath) -> Result<Resource<TreeNode>> {
        Ok(TreeNode::new(node.node().at(&path)?))
    }

    /// Adds a child. Its position is larger than those of all children that the node has ever had.
    pub fn add_child_at(node: &Resource<TreeNode>, path: NodePath) -> Result<Resource<TreeNode>> {
        Ok(TreeNode::new(&node.node().add_child_at(&path)?))
    }

    /// Sets a child with everything below it.
    pub fn put_child_at(
        node: &Resource<TreeNode>,
        path: NodePath,
        position: Position,
        child: &Resource<TreeNode>,
    ) -> Result<Resource<TreeNode>> {
        let child = child.node().clone();
        let edited = node.node().put_child_at(&path, position, child)?;
        Ok(TreeNode::new(&edited))
    }

    /// Removes a child with everything below it.
    pub fn delete_child_at(
        node: &Resource<TreeNode>,
        path: NodePath,
        position: Position,
    ) -> Result<Resource<TreeNode>> {
        Ok(TreeNode::new(
            &node.node().delete_child_at(&path, position)?,
        ))
    }

    /// Sets an attribute.
    pub fn put_attribute(
        node: &Resource<TreeNode>,
        path: NodePath,
        key: &str,
        value: &[u8],
    ) -> Result<Resource<TreeNode>> {
        Ok(TreeNode::new(
            &node.node().put_attribute(&path, key, value)?,
        ))
    }

    /// Removes an attribute.
    pub fn delete_attribute(
        node: &Resource<TreeNode>,
        path: NodePath,
        key: &str,
    ) -> Result<Resource<TreeNode>> {
        Ok(TreeNode::new(&node.node().delete_attribute(&path, key)?))
    }

    /// Returns the value of an attribute. A large one is not copied.
    pub fn get_attributes(
        node: &Resource<TreeNode>,
        path: NodePath,
        key: &str,
    ) -> Result<Option<Binary>> {
        let value = node.node().get_attributes(&path, key)?;
        Ok(value.map(binary))
    }

    /// Returns all children, in the order of their positions.
    #[dirty(cpu)]
    pub fn get_children(
        node: &Resource<TreeNode>,
        path: NodePath,
    ) -> Result<Vec<Resource<TreeNode>>> {
        let children = node.node().get_children(&path)?;
        Ok(children.into_iter().map(TreeNode::new).collect())
    }

    /// Returns all children with their positions.
    #[dirty(cpu)]
    pub fn assoc_children(
        node: &Resource<TreeNode>,
        path: NodePath,
    ) -> Result<Vec<(Position, Resource<TreeNode>)>> {
        let children = node.node().assoc_children(&path)?.into_iter();
        Ok(children
            .map(|(position, child)| (position, TreeNode::new(child)))
            .collect())
    }

    /// Returns a page of children: at most `limit`, starting at a position.
    #[dirty(cpu)]
    #[erlang(name = "assoc_children")]
    pub fn some_children(
        node: &Resource<TreeNode>,
        path: NodePath,
        from: Position,
        limit: usize,
    ) -> Result<Vec<(Position, Resource<TreeNode>)>> {
        let node = node.node();
        let children = node.at(&path)?.children_from(from).take(limit);
        Ok(children
            .map(|(position, child)| (position, TreeNode::new(child)))
            .collect())
    }

    /// Returns all attributes, in the order of their keys.
    #[dirty(cpu)]
    pub fn assoc_attribute(
        node: &Resource<TreeNode>,
        path: NodePath,
    ) -> Result<Vec<(String, Binary)>> {
        let attributes = node.node().assoc_attribute(&path)?;
        let attributes = attributes.iter();
        Ok(attributes
            .map(|(key, value)| (key.to_string(), binary(value)))
            .collect())
    }

    /// Returns the number of children.
    pub fn num_of_child(node: &Resource<TreeNode>, path: NodePath) -> Result<usize> {
        node.node().num_of_child(&path)
    }

    /// Returns the newest child.
    pub fn current_child(
        node: &Resource<TreeNode>,
        path: NodePath,
    ) -> Result<Option<Resource<TreeNode>>> {
        Ok(node.node().current_child(&path)?.map(TreeNode::new))
    }

    /// Returns the number of nodes at and below this one.
    pub fn size(node: &Resource<TreeNode>) -> u64 {
        node.node().size()
    }
}
