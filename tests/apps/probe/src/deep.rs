//! A server that keeps values as deep as terms may be.

use otp_bridge::atoms;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Binary;

atoms! { l, r }

/// `{x, chain(), l} | {x, chain(), r} | done`: the last element distinguishes the variants.
#[derive(Clone, Debug, PartialEq, Term)]
pub enum Chain {
    #[term(tuple)]
    Left(Atom, Box<Chain>, l),
    #[term(tuple)]
    Right(Atom, Box<Chain>, r),
    Done,
}

/// The state.
#[derive(Debug)]
pub struct Deep {
    kept: Chain,
}

/// `{keep, Chain}`: keeps a value. Returns the previous one.
#[derive(Debug, Term)]
#[reply(Chain)]
pub struct Keep(Chain);

/// `{size, Binary}`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Size(Binary);

/// `{length, Text}`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Length(String);

/// `{any, Term}`
#[derive(Debug, Term)]
#[reply(bool)]
pub struct Any(otp_bridge::Term);

/// `{fail, Why}`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Fail(Atom);

#[gen_server]
impl GenServer for Deep {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Deep { kept: Chain::Done })
    }

    fn handle_call(&mut self, Keep(chain): Keep) -> HandleCall<Chain> {
        // Cloning, comparing and showing the value recur as well.
        assert!(chain.clone() == chain && !format!("{chain:?}").is_empty());
        reply(std::mem::replace(&mut self.kept, chain))
    }

    fn handle_call(&mut self, Size(bytes): Size) -> HandleCall<u64> {
        reply(bytes.len() as u64)
    }

    fn handle_call(&mut self, Length(text): Length) -> HandleCall<u64> {
        reply(text.len() as u64)
    }

    fn handle_call(&mut self, Any(term): Any) -> HandleCall<bool> {
        reply(matches!(term, otp_bridge::Term::Tuple(_)))
    }

    /// Rust's own library calls the function that creates the exit.
    fn handle_call(&mut self, Fail(why): Fail) -> Result<HandleCall<u64>> {
        let failed: std::result::Result<HandleCall<u64>, Atom> = Err(why);
        failed.map_err(Exit::error)
    }

    fn handle_cast(&mut self, _: Length) -> HandleCast {
        noreply()
    }
}
