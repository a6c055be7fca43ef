//! Detects nested access: it tracks which trees are being changed by functions on this thread.
//!
//! Such a function runs while its thread holds the lock of the tree's newest version. If the
//! function reads the tree, it would deadlock, so it gets the version from here.

use std::cell::RefCell;
use std::sync::Arc;

use crate::tree::{Tree, Version};

/// A tree, and the version that a function is changing.
type Edited = (*const Tree, Arc<Version>);

thread_local! {
    static EDITED: RefCell<Vec<Edited>> = const { RefCell::new(Vec::new()) };
}

/// Calls a function that changes this version of a tree. The function must not panic.
pub(crate) fn while_edited<R>(tree: &Tree, version: &Arc<Version>, edit: impl FnOnce() -> R) -> R {
    EDITED.with_borrow_mut(|trees| trees.push((tree, version.clone())));
    let edited = edit();
    EDITED.with_borrow_mut(Vec::pop);
    edited
}

/// Returns the version of a tree that a function on this thread is changing.
pub(crate) fn edited(tree: &Tree) -> Option<Arc<Version>> {
    let is_this = |edited: &&Edited| std::ptr::eq(edited.0, tree);
    EDITED.with_borrow(|trees| trees.iter().find(is_this).map(|edited| edited.1.clone()))
}
