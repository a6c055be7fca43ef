//! A module for the application's own behaviour (`erlang/keeper.erl`).
use otp_bridge::{Term, behaviour};

use crate::generated::keeper::{Init, Keep, Keeper};

/// The content of the purse.
#[cfg(not(build = "3"))]
#[derive(Debug, Term)]
pub struct Purse {
    sum: u64,
}

/// In the third build, the state also has a name.
#[cfg(build = "3")]
#[derive(Debug, Term)]
pub struct Purse {
    sum: u64,
    name: String,
}

/// The state of older builds.
#[cfg(build = "3")]
#[derive(Debug, Term)]
pub struct Old {
    sum: u64,
}

impl Purse {
    fn of(sum: u64) -> Self {
        Purse {
            sum,
            #[cfg(build = "3")]
            name: "new".to_owned(),
        }
    }
}

/// The module, with the additions of one build.
macro_rules! purse {
    ($($more:tt)*) => {
        #[behaviour(crate::generated::keeper)]
        impl Keeper for Purse {
            type Args = u64;

            fn init(sum: u64) -> Init<Self> {
                Init::Ok(Purse::of(sum))
            }

            fn keep(&mut self, amount: u64) -> Keep {
                self.sum += amount;
                Keep::Kept(self.sum)
            }

            $($more)*
        }
    };
}

#[cfg(not(build = "3"))]
purse! {}

#[cfg(build = "3")]
purse! {
    /// Converted states get no name.
    fn code_change(_: Term, Old { sum }: Old, _: Term) -> crate::generated::keeper::CodeChange<Self> {
        crate::generated::keeper::CodeChange::Ok(Purse { sum, name: "old".to_owned() })
    }

    #[cfg(build = "5")]
    fn code_change(self, _: otp_bridge::Downgrade<Old>) -> Old {
        Old { sum: self.sum }
    }
}
