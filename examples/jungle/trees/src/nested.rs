//! Which trees the functions that run in this thread are changing.
//!
//! Such a function holds the lock of its tree's newest version, so whoever asks for the tree in it
//! has to be answered from here.

use std::cell::RefCell;
use std::sync::Arc;

use crate::tree::{Tree, Version};

/// A tree, and the version that a function is changing.
type Edited = (*const Tree, Arc<Version>);

thread_local! {
    static EDITED: RefCell<Vec<Edited>> = const { RefCell::new(Vec::new()) };
}

/// Calls a function that changes this version of a tree. It must not panic.
pub(crate) fn while_edited<R>(tree: &Tree, version: &Arc<Version>, edit: impl FnOnce() -> R) -> R {
    EDITED.with_borrow_mut(|trees| trees.push((tree, version.clone())));
    let edited = edit();
    EDITED.with_borrow_mut(Vec::pop);
    edited
}

/// Returns the version of a tree that a function in this thread is changing.
pub(crate) fn edited(tree: &Tree) -> Option<Arc<Version>> {
    let is_this = |edited: &&Edited| std::ptr::eq(edited.0, tree);
    EDITED.with_borrow(|trees| trees.iter().find(is_this).map(|edited| edited.1.clone()))
}
