//! A server that receives messages in its callbacks.
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::{atom, join, race};

/// Messages that no callback has received.
#[derive(Debug)]
pub struct Reader {
    seen: Vec<Term>,
}

/// `{number, Number}`
#[derive(Debug, Term)]
pub struct Number(u32);

/// `{word, Word} | stop`
#[derive(Debug, Term)]
pub enum Word {
    /// `{word, Word}`
    Word(Atom),
    /// `stop`
    Stop,
}

/// A number or a word.
#[derive(Debug, Term)]
pub enum Either {
    /// `{number, Number}`
    #[term(untagged)]
    Number(Number),
    /// `{word, Word} | stop`
    #[term(untagged)]
    Word(Word),
}

/// Requests. Each one notifies its observer before it waits.
#[derive(Debug, Term)]
#[reply(Term)]
pub enum Do {
    /// `seen`: returns the messages.
    Seen,
    /// `{alone, Count}`: receives this many numbers, one after the other.
    Alone(u32),
    /// `{beside, Count}`: like `Alone`, concurrently with a sleep that never ends.
    Beside(u32),
    /// `{either, Count}`: receives numbers and words in the order of their arrival.
    Either(u32),
    /// `{either_beside, Count}`
    EitherBeside(u32),
    /// `both`: receives a number and a word, in any order.
    Both,
    /// `two`: receives two numbers with two concurrent operations.
    Two,
    /// `within`: waits in vain for a number, and then receives one that is there.
    Within,
    /// `limited`: like `Within`, with the general time limit for futures.
    Limited,
    /// `loses`: receives a number in a race against a future that is ready when the number arrives.
    Loses,
    /// `loses_alone`: like `Loses`, without other operations.
    LosesAlone,
    /// `kept`: requests a number without polling further, while another number is awaited.
    Kept,
    /// `wide`: receives any message.
    Wide,
    /// `wide_beside`
    WideBeside,
}

const LONG: Duration = Duration::from_secs(3600);
const MOMENT: Duration = Duration::from_millis(20);

#[gen_server]
impl GenServer for Reader {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Reader { seen: Vec::new() })
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<Term>> {
        reply(match request {
            Do::Seen => Term::of(&std::mem::take(&mut self.seen)),
            Do::Alone(count) => numbers(count, cx).await?,
            Do::Beside(count) => Box::pin(race(numbers(count, cx), never(cx))).await?,
            Do::Either(count) => either(count, cx).await?,
            Do::EitherBeside(count) => Box::pin(race(either(count, cx), never(cx))).await?,
            Do::Both => {
                let both = join!(cx.receive::<Number>(), cx.receive::<Word>());
                let (number, word) = both.await;
                Term::of(&(number?, word?))
            }
            Do::Two => {
                let (one, other) = join!(cx.receive::<Number>(), cx.receive::<Number>()).await;
                Term::of(&(one?, other?))
            }
            Do::Within => {
                let before: Option<Number> = cx.receive_within(MOMENT).await?;
                cx.send(&cx.pid(), Number(7));
                let there: Option<Number> = cx.receive_within(Duration::ZERO).await?;
                Term::of(&(before.is_none(), there.map(|number| number.0)))
            }
            Do::Limited => {
                let before = cx.timeout(MOMENT, cx.receive::<Number>()).await;
                cx.send(&cx.pid(), Number(8));
                let there = cx.timeout(LONG, cx.receive::<Number>()).await;
                let there = there.expect("it was sent")?;
                Term::of(&(before.is_err(), there))
            }
            Do::Loses => {
                let lost = race(second_poll(), race(number(cx), never(cx)));
                Box::pin(lost).await?
            }
            Do::LosesAlone => race(second_poll(), number(cx)).await?,
            Do::Kept => kept(cx).await?,
            Do::Wide => cx.receive().await?,
            Do::WideBeside => Box::pin(race(cx.receive(), never(cx))).await?,
        })
    }

    fn handle_info(&mut self, message: Term) -> HandleInfo {
        self.seen.push(message);
        noreply()
    }
}

async fn number(cx: &Cx<'_>) -> Result<Term> {
    let number: Number = cx.receive().await?;
    Ok(Term::of(&number))
}

async fn numbers(count: u32, cx: &Cx<'_>) -> Result<Term> {
    let mut numbers = Vec::new();
    for _ in 0..count {
        let Number(number) = cx.receive().await?;
        numbers.push(number);
    }
    Ok(Term::of(&numbers))
}

async fn either(count: u32, cx: &Cx<'_>) -> Result<Term> {
    let mut received: Vec<Either> = Vec::new();
    for _ in 0..count {
        received.push(cx.receive().await?);
    }
    Ok(Term::of(&received))
}

async fn never(cx: &Cx<'_>) -> Result<Term> {
    cx.sleep(LONG).await?;
    Ok(Term::of(&atom!("never")))
}

/// Is ready when it is polled for the second time. Only a message causes that.
async fn second_poll() -> Result<Term> {
    let mut polls = 0;
    poll_fn(|_| {
        polls += 1;
        match polls {
            1 => Poll::Pending,
            _ => Poll::Ready(()),
        }
    })
    .await;
    Ok(Term::of(&atom!("first")))
}

/// Polls the first receiver once and leaves it. The second receiver gets the number, and the first
/// one the next number.
async fn kept(cx: &Cx<'_>) -> Result<Term> {
    let mut first = pin!(cx.receive::<Number>());
    let polled = poll_fn(|context| Poll::Ready(Pin::new(&mut first).poll(context).is_ready()));
    let was_ready = polled.await;
    let second = cx.receive::<Number>().await?;
    let first = first.await?;
    Ok(Term::of(&(was_ready, second, first)))
}
