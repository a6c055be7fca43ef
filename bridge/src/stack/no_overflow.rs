//! Replaces `overflow` on systems where an overflow of a large stack is not reported.

pub(crate) fn install(_: fn(&mut dyn FnMut(&str))) {}

pub(super) fn uninstall() {}

pub(super) fn add(_: usize) {}

pub(super) fn remove(_: usize) {}

pub(super) struct Alternate;

impl Alternate {
    pub(super) fn new() -> Option<Self> {
        None
    }
}
