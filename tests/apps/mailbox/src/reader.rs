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

/// Either of them.
#[derive(Debug, Term)]
pub enum Either {
    /// `{number, Number}`
    #[term(untagged)]
    Number(Number),
    /// `{word, Word} | stop`
    #[term(untagged)]
    Word(Word),
}

/// Requests. Each tells its observer when it is about to wait.
#[derive(Debug, Term)]
#[reply(Term)]
pub enum Do {
    /// `seen`: the messages.
    Seen,
    /// `{alone, Count}`: so many numbers, one after the other.
    Alone(u32),
    /// `{beside, Count}`: the same beside a sleep that never ends.
    Beside(u32),
    /// `{either, Count}`: numbers and words in the order in which they have come.
    Either(u32),
    /// `{either_beside, Count}`
    EitherBeside(u32),
    /// `both`: a number and a word, whichever comes first.
    Both,
    /// `two`: two numbers, which two operations wait for.
    Two,
    /// `within`: a number that does not come in time; then one that is there.
    Within,
    /// `limited`: the same by the time limit of any future.
    Limited,
    /// `loses`: a number, against a future that is ready when the number is there.
    Loses,
    /// `loses_alone`: the same, and nothing else is under way.
    LosesAlone,
    /// `kept`: a number that is asked for and then not polled, while another one is waited for.
    Kept,
    /// `wide`: any message.
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

/// Ready when it is polled for the second time, which nothing but a message brings about.
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

/// The first receiver is polled once and then left. The second one gets the number, and the first
/// one the next.
async fn kept(cx: &Cx<'_>) -> Result<Term> {
    let mut first = pin!(cx.receive::<Number>());
    let polled = poll_fn(|context| Poll::Ready(Pin::new(&mut first).poll(context).is_ready()));
    let was_ready = polled.await;
    let second = cx.receive::<Number>().await?;
    let first = first.await?;
    Ok(Term::of(&(was_ready, second, first)))
}
