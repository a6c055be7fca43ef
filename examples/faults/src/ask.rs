//! The request that all services answer.

use otp_bridge::{Atom, Term, atom};

use crate::clients::{Call, answer};

/// Registered name of the process that clients call.
pub const SERVICE: Atom = atom!("service");

/// `{ask, Number, Fault}`
#[derive(Debug, Clone, Copy, Term)]
#[reply(u64)]
pub struct Ask {
    pub number: u64,
    pub fault: bool,
}

impl Ask {
    /// Returns the right answer.
    #[must_use]
    pub fn answer(self) -> u64 {
        answer(self.number)
    }
}

impl From<Call> for Ask {
    fn from(Call { number, fault }: Call) -> Self {
        Ask { number, fault }
    }
}
