//! The module `jungle_versions` for Erlang and Elixir: old versions of a tree, and differences.

use otp_bridge::module;

/// Versions of trees. Those with a name are kept on the disk, others in memory.
#[module("jungle_versions")]
pub mod functions {
    use otp_bridge::{Cx, Resource};

    use crate::change::{ChangeTerm, diff as compare};
    use crate::error::{Error, Result};
    use crate::otp::handle::{Handle, TreeNode};

    /// Maximum length of a list of changes.
    const MAX_CHANGES: usize = 1 << 20;

    /// Returns the newest version of a tree: its number and its root.
    pub fn newest(jungle: &Resource<Handle>, tree: &str) -> Result<(u64, Resource<TreeNode>)> {
        let version = jungle.read(tree)?;
        Ok((version.number, TreeNode::root(&version)))
    }

    /// Sets how many of a tree's newest versions are kept, in addition to those with a name.
    #[dirty(cpu)]
    pub fn keep(jungle: &Resource<Handle>, tree: &str, count: usize) -> Result<()> {
        jungle.tree(tree)?.keep_versions(count);
        Ok(())
    }

    /// Names the newest version. A named version is kept until its name is dropped or given to
    /// another version. Returns the version's number after the name is on the disk.
    pub async fn name(
        jungle: Resource<Handle>,
        tree: String,
        name: String,
        cx: &Cx<'_>,
    ) -> Result<u64> {
        let tree = jungle.tree(&tree)?;
        let (number, pending) = cx.dirty(|| tree.begin_name(&name)).await?;
        pending.await?;
        Ok(number)
    }

    /// Drops a name. The version is removed, unless it has another name or is one of the newest.
    #[erlang(name = "drop")]
    pub async fn drop_name(
        jungle: Resource<Handle>,
        tree: String,
        name: String,
        cx: &Cx<'_>,
    ) -> Result<()> {
        let tree = jungle.tree(&tree)?;
        let pending = cx.dirty(|| tree.begin_drop(&name)).await?;
        pending.await
    }

    /// Returns the numbers of the versions that are kept, each with a name.
    #[dirty(cpu)]
    pub fn list(jungle: &Resource<Handle>, tree: &str) -> Result<Vec<(u64, Option<String>)>> {
        Ok(jungle.tree(tree)?.versions())
    }

    /// Returns a version by its name, or by its number in digits.
    pub fn get(
        jungle: &Resource<Handle>,
        tree: &str,
        name: &str,
    ) -> Result<(u64, Resource<TreeNode>)> {
        let version = jungle.tree(tree)?.version(name)?;
        Ok((version.number, TreeNode::new(&version.node)))
    }

    /// Returns the changes that turn one node into another, in an order in which they can be
    /// applied. The time is proportional to the number of differences.
    #[dirty(cpu)]
    pub fn diff(
        before: &Resource<TreeNode>,
        after: &Resource<TreeNode>,
    ) -> Result<Vec<ChangeTerm>> {
        let changes = compare(before.node(), after.node());
        match changes.len() > MAX_CHANGES {
            true => Err(Error::TooLarge("diff".to_owned(), MAX_CHANGES as u64)),
            false => Ok(changes.iter().map(crate::change::Change::to_term).collect()),
        }
    }
}
