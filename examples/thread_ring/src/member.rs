//! A member of the ring, which passes the token on to the next member.

use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::aggregator::{Aggregator, Done};

/// A member, which knows the next one.
#[derive(Debug, Term)]
pub struct Member {
    next: Server<Member>,
    aggregator: Server<Aggregator>,
    /// The highest number of hops that it has seen. A token never gains hops.
    most: Option<u64>,
}

/// `{token, Hops}`: the token, and its remaining hops.
#[derive(Debug, Term)]
pub struct Token(pub u64);

/// Returns the registered name of the member at `index`.
#[must_use]
pub fn name(index: u32) -> Atom {
    // The index has at most ten digits, so the name is far shorter than the 255 characters of an
    // atom.
    Atom::new(&format!("chain_{index}")).unwrap_or(atom!("chain"))
}

#[gen_server]
impl GenServer for Member {
    /// The member's index, and the number of members.
    type Args = (u32, u32);

    fn init((index, members): (u32, u32)) -> impl InitReturn<Self> {
        let member = Member {
            next: Server::local(name((index + 1) % members)),
            aggregator: Server::local(atom!("aggregator")),
            most: None,
        };
        (ok, member)
    }

    fn handle_cast(&mut self, Token(hops): Token, cx: &Cx<'_>) -> HandleCast {
        if let Some(most) = self.most {
            assert!(hops < most, "a token of {hops} hops after one of {most}");
        }
        self.most = Some(hops);
        if hops == 0 {
            cx.cast(&self.aggregator, Done);
        } else {
            cx.cast(&self.next, Token(hops - 1));
        }
        noreply()
    }
}

#[cfg(test)]
mod tests {
    use otp_bridge::testing;

    use super::*;

    #[test]
    fn a_token_goes_on_until_it_has_no_hops_left() -> Result<()> {
        let mut member = testing::Server::<Member>::start((2, 3))?;
        for hops in [4, 1, 0] {
            member.cast(Token(hops));
        }
        let expected = "chain_0 ! {'$gen_cast',{token,3}}
chain_0 ! {'$gen_cast',{token,0}}
aggregator ! {'$gen_cast',done}";
        assert_eq!(member.sent().to_string(), expected);
        Ok(())
    }

    #[test]
    fn a_token_that_has_gained_hops_ends_the_member() -> Result<()> {
        let mut member = testing::Server::<Member>::start((0, 3))?;
        member.cast(Token(1));
        member.cast(Token(2));
        let ended = member.ended().map(ToString::to_string).unwrap_or_default();
        assert!(
            ended.contains("a token of 2 hops after one of 1"),
            "{ended}"
        );
        Ok(())
    }
}
