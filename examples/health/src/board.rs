//! The board: a process that keeps the condition of every address, and prints changes.

use std::collections::BTreeMap;
use std::fmt;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The registered board.
pub static BOARD: Server<Board> = Server::registered();

/// The last known condition of each address.
#[derive(Debug, Term)]
pub struct Board {
    conditions: BTreeMap<String, Condition>,
}

/// `up | down | silent`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub enum Condition {
    /// The address accepts connections.
    Up,
    /// The address refuses connections.
    Down,
    /// The address does not answer in time.
    Silent,
}

/// `{seen, Address, Condition}`
#[derive(Debug, Term)]
pub struct Seen(pub String, pub Condition);

/// `all`: returns every address with its condition.
#[derive(Debug, Term)]
#[reply(Vec<(String, Condition)>)]
pub struct All;

#[gen_server]
impl GenServer for Board {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        let conditions = BTreeMap::new();
        (ok, Board { conditions })
    }

    fn handle_call(&mut self, _: All) -> HandleCall<Vec<(String, Condition)>> {
        reply(self.conditions.clone().into_iter().collect())
    }

    fn handle_cast(&mut self, Seen(address, condition): Seen) -> HandleCast {
        if self.conditions.get(&address) != Some(&condition) {
            println!("{address} is {condition}");
            self.conditions.insert(address, condition);
        }
        noreply()
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Condition::Up => "up",
            Condition::Down => "down",
            Condition::Silent => "silent",
        })
    }
}

#[cfg(test)]
mod tests {
    use otp_bridge::testing;

    use super::*;

    #[test]
    fn every_address_has_its_last_condition() -> Result<()> {
        let mut board = testing::Server::<Board>::start(())?;
        for condition in [Condition::Silent, Condition::Up] {
            board.cast(Seen("127.0.0.1:80".to_owned(), condition));
        }
        insta::assert_snapshot!(Term::of(&board.call(All)?), @r#"[{<<"127.0.0.1:80">>,up}]"#);
        Ok(())
    }
}
