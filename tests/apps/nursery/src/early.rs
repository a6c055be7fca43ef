//! Servers and state machines that call their own supervisor when they start: after `init` has
//! returned, and before any message.

pub mod chick;
pub mod egg;
pub mod siblings;

use otp_bridge::{Atom, Pid, Term};

/// `poke`: sent while `init` runs.
#[derive(Debug, Term)]
pub struct Poke;

/// `{begin, Observer}`: continues the initialisation after `init`.
#[derive(Debug, Term)]
pub struct Begin(pub Pid);

/// Messages to the observer.
#[derive(Debug, Term)]
pub enum Report {
    /// `{begun, Module, Siblings}`
    Begun(Atom, u64),
    /// `{poked, Module}`
    Poked(Atom),
}
