//! A server and a state machine that refuse messages which they do not take.
use otp_bridge::atoms::{call, cast, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::{Pid, Term, atom};

/// The state: what it carries. It is a term, so that a shell sees it.
#[derive(Debug, Term)]
#[term(tag = "porter")]
pub struct Porter(u32);

/// `{carry, #{weight := Weight}}`: what it carries now.
#[derive(Debug, Term)]
#[reply(u32)]
pub struct Carry(Load);

#[derive(Debug, Term)]
pub struct Load {
    weight: u32,
}

/// `{mistake, Other}`: asks another porter for what it does not know. The reason of the exit.
#[derive(Debug, Term)]
#[reply(Term)]
pub struct Mistake(Pid);

/// `{carry, Text}`: not what a porter takes.
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

/// A barrier that is opened by a call and closed by a cast.
pub mod barrier {
    use super::{atom, call, cast, ok};
    use otp_bridge::gen_statem::prelude::*;

    /// How often it was opened.
    #[derive(Debug, Term)]
    pub struct Barrier(u32);

    /// `open | closed`
    #[derive(Debug, Clone, PartialEq, Term)]
    pub enum Position {
        Open,
        Closed,
    }

    /// `{open, By}`: how often it was opened.
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
                0 => stop_reason(atom!("never_opened")),
                _ => next_state(Position::Closed),
            }
        }
    }
}
