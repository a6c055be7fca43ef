//! Replaces `observer` in a library without the feature `calls`.

#[inline]
pub(in crate::runtime) const fn is_active() -> bool {
    false
}

/// Does nothing: such a library executes no events of `telemetry`.
pub(in crate::runtime) fn follow_telemetry(_: bool) {}

pub(in crate::runtime) use UnknownOutcome as FrameOutcome;

pub(in crate::runtime) struct UnknownOutcome;

impl UnknownOutcome {
    #[inline]
    pub(in crate::runtime) fn returned() -> Self {
        UnknownOutcome
    }

    #[inline]
    pub(in crate::runtime) fn raised(&self) {}

    #[inline]
    pub(in crate::runtime) fn panicked(&self) {}
}
