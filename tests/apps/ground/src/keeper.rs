//! A server whose state survives every failure of a callback.
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The process to notify of its end, the number of requests, and numbers that make the state large.
#[derive(Debug)]
pub struct Keeper {
    observer: Pid,
    asked: u64,
    numbers: Vec<u64>,
}

/// `{start, Observer, Numbers}`: sets how many numbers the state has.
#[derive(Debug, Term)]
pub struct Start(pub Pid, pub usize);

/// Requests. Each one is counted before anything else happens.
#[derive(Debug, Term)]
#[reply(u64)]
pub enum Do {
    /// `ask`: returns the number of requests.
    Ask,
    /// `panic`
    Panic,
    /// `panic_later`: panics after an await.
    PanicLater,
    /// `nobody`: calls a server that does not exist.
    Nobody,
    /// `number`: decodes a node's name as a number.
    Number,
    /// `nth`: calls `lists:nth/2` with a list that is too short, after another function.
    Nth,
    /// `nan`: sends a float that Erlang does not have.
    Nan,
}

#[gen_server]
impl GenServer for Keeper {
    type Args = Start;

    fn init(Start(observer, numbers): Start) -> impl InitReturn<Self> {
        let keeper = Keeper {
            observer,
            asked: 0,
            numbers: (0..numbers as u64).collect(),
        };
        (ok, keeper)
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        self.asked += 1;
        match request {
            Do::Ask => {}
            Do::Panic => panic!("told to"),
            Do::PanicLater => {
                cx.sleep(Duration::from_millis(1)).await?;
                panic!("after an await")
            }
            Do::Nobody => {
                cx.call(&atom!("nobody_there"), Do::Ask).await?;
            }
            Do::Number => {
                cx.apply::<u64, _>("erlang", "node", ()).await?;
            }
            Do::Nth => {
                let sum: u64 = cx.apply("lists", "sum", (vec![4, 5],)).await?;
                cx.apply::<u64, _>("lists", "nth", (sum, vec![1])).await?;
            }
            Do::Nan => cx.send(&self.observer, f64::NAN),
        }
        reply(self.asked)
    }

    fn terminate(&mut self, _: &TerminateReason, cx: &Cx<'_>) {
        let seen = (atom!("terminate"), self.asked, self.numbers.len() as u64);
        cx.send(&self.observer, (cx.pid(), seen));
    }
}
