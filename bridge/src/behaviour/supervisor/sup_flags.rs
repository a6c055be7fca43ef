//! Supervisor flags, built step by step.

use std::num::NonZeroU64;

use super::{AutoShutdown, Strategy, SupFlags, SupFlagsMap};

impl SupFlags {
    /// Restarts only the child that ended.
    #[must_use]
    pub fn one_for_one() -> Self {
        Self::with_strategy(Strategy::OneForOne)
    }

    /// Restarts all children when one ends.
    #[must_use]
    pub fn one_for_all() -> Self {
        Self::with_strategy(Strategy::OneForAll)
    }

    /// Restarts the child that ended and those started after it.
    #[must_use]
    pub fn rest_for_one() -> Self {
        Self::with_strategy(Strategy::RestForOne)
    }

    /// Starts all children at run time, when they are requested, from one child spec.
    #[must_use]
    pub fn simple_one_for_one() -> Self {
        Self::with_strategy(Strategy::SimpleOneForOne)
    }

    /// Sets how many restarts are allowed within the period. One more ends the supervisor. OTP's
    /// default is 1.
    #[must_use]
    pub fn intensity(self, restarts: u64) -> Self {
        self.change(|map| map.intensity(restarts))
    }

    /// Sets the period of the restart intensity in seconds; OTP's default is 5.
    ///
    /// # Panics
    /// If `seconds` is 0, which `supervisor` refuses.
    #[must_use]
    #[track_caller]
    pub fn period(self, seconds: u64) -> Self {
        let Some(seconds) = NonZeroU64::new(seconds) else {
            panic!("the period of a supervisor is at least one second");
        };
        self.change(|map| map.period(seconds))
    }

    /// Sets whether the supervisor ends when significant children have ended; OTP's default is
    /// `never`.
    #[must_use]
    pub fn auto_shutdown(self, when: impl Into<AutoShutdown>) -> Self {
        self.change(|map| map.auto_shutdown(when))
    }

    fn with_strategy(strategy: Strategy) -> Self {
        SupFlags::Map(SupFlagsMap::new().strategy(strategy))
    }

    fn change(self, set: impl FnOnce(SupFlagsMap) -> SupFlagsMap) -> Self {
        SupFlags::Map(set(match self {
            SupFlags::Map(map) => map,
            // The tuple is OTP's older notation for the same flags.
            SupFlags::Triple {
                restart_strategy,
                intensity,
                period,
            } => SupFlagsMap::new()
                .strategy(restart_strategy)
                .intensity(intensity)
                .period(period),
        }))
    }
}
