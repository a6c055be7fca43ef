//! A server and a state machine that refuse messages without a matching clause.
use otp_bridge::atoms::{call, cast, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::{Pid, Term, atom};

/// The state: the load. It is a term, so a shell can show it.
#[derive(Debug, Term)]
#[term(tag = "porter")]
pub struct Porter(u32);

/// `{carry, #{weight := Weight}}`: replaces the load.
#[derive(Debug, Term)]
#[reply(u32)]
pub struct Carry(Load);

#[derive(Debug, Term)]
pub struct Load {
    weight: u32,
}

/// `{mistake, Other}`: sends another porter a request that it does not know. Returns the exit's
/// reason.
#[derive(Debug, Term)]
#[reply(Term)]
pub struct Mistake(Pid);

/// `{carry, Text}`: a request that a porter does not accept.
#[derive(Debug, Term)]
#[reply(u32)]
#[term(tag = "carry")]
pub struct Wrong(String);

/// `{drop, Weight}`
#[derive(Debug, Term)]
pub struct Drop(u32);

#[gen_server(bad_messages = "refuse")]
impl GenServer for Porter {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Porter(0))
    }

    fn handle_call(&mut self, Carry(Load { weight }): Carry) -> HandleCall<u32> {
        self.0 += weight;
        reply(self.0)
    }

    async fn handle_call(
        &mut self,
        Mistake(other): Mistake,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<Term>> {
        let refused = cx.call(&other, Wrong("all".to_owned())).await;
        reply(match refused {
            Ok(weight) => Term::of(&weight),
            Err(exit) => exit.reason().clone(),
        })
    }

    fn handle_cast(&mut self, Drop(weight): Drop) -> HandleCast {
        self.0 -= weight;
        noreply()
    }

    fn handle_info(&mut self, Drop(weight): Drop) -> HandleInfo {
        self.0 -= weight;
        noreply()
    }
}

/// A barrier. A call opens it, and a cast closes it.
pub mod barrier {
    use super::{atom, call, cast, ok};
    use otp_bridge::gen_statem::prelude::*;

    /// Number of times it was opened.
    #[derive(Debug, Term)]
    pub struct Barrier(u32);

    /// `open | closed`
    #[derive(Debug, Clone, PartialEq, Term)]
    pub enum Position {
        Open,
        Closed,
    }

    /// `{open, By}`: returns how often the barrier was opened.
    #[derive(Debug, Term)]
    #[reply(u32)]
    pub struct Open(u32);

    /// `close`
    #[derive(Debug, Term)]
    pub struct Close;

    #[gen_statem(bad_messages = "refuse")]
    impl GenStatem for Barrier {
        type Args = ();
        type State = Position;

        fn init(_: ()) -> impl InitReturn<Position, Self> {
            (ok, Position::Closed, Barrier(0))
        }

        fn handle_event(
            &mut self,
            (_, caller): (call, Caller<u32>),
            Open(by): Open,
            _: Position,
        ) -> HandleEvent<Position> {
            self.0 += by;
            next_state_actions(Position::Open, reply(caller, self.0))
        }

        fn handle_event(&mut self, _: cast, _: Close, _: Position) -> HandleEvent<Position> {
            match self.0 {
                0 => stop(atom!("never_opened")),
                _ => next_state(Position::Closed),
            }
        }
    }
}
