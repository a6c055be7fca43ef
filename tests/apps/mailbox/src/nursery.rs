//! A server that starts processes and tasks.
use std::time::{Duration, Instant};

use otp_bridge::atoms::{normal, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::Down;
use otp_bridge::{atom, join, race, try_join_all};

/// Messages about the monitored processes.
#[derive(Debug)]
pub struct Nursery {
    seen: Vec<Term>,
}

/// Behaviour of a started process.
#[derive(Debug, Clone, Term)]
pub enum Life {
    /// `echo`: sends messages back until it gets `stop`.
    Echo,
    /// `panics`
    Panics,
    /// `panics_later`: panics after it has waited.
    PanicsLater,
    /// `{fails, Reason}`: fails with `?`.
    Fails(Term),
    /// `ends`
    Ends,
    /// `misreads`: receives a message whose content is invalid.
    Misreads,
}

/// `{echo, From, Message}` | `stop`
#[derive(Debug, Term)]
enum Heard {
    Echo(Pid, Term),
    Stop,
}

/// Requests.
#[derive(Debug, Term)]
#[reply(Term)]
pub enum Do {
    /// `seen`: returns the received messages.
    Seen,
    /// `{spawn, Life}`: returns the pid.
    Spawn(Life),
    /// `{spawn_link, Life}`
    SpawnLink(Life),
    /// `{spawn_monitor, Life}`
    SpawnMonitor(Life),
    /// `{plain, Observer}`: starts a process without using its pid.
    Plain(Pid),
    /// `{sum, Count}`: adds up in concurrent tasks.
    Sum(u64),
    /// `whole`: a task returns a value that is not a term.
    Whole,
    /// `{failing, Life}`: returns how a task fails, alone and concurrently with another operation.
    Failing(Life),
    /// `{dropped, Observer}`: a task that loses a race. It sends its pid to the observer.
    Dropped(Pid),
    /// `nested`: a task within a task.
    Nested,
}

#[gen_server]
impl GenServer for Nursery {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Nursery { seen: Vec::new() })
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<Term>> {
        reply(match request {
            Do::Seen => Term::of(&std::mem::take(&mut self.seen)),
            Do::Spawn(life) => Term::of(
                &cx.spawn_process(async move |cx| live(life, cx).await)
                    .await?,
            ),
            Do::SpawnLink(life) => Term::of(
                &cx.spawn_process_link(async move |cx| live(life, cx).await)
                    .await?,
            ),
            Do::SpawnMonitor(life) => {
                let spawned = cx.spawn_process_monitor(async move |cx| live(life, cx).await);
                let (pid, _monitor) = spawned.await?;
                Term::of(&pid)
            }
            Do::Plain(observer) => {
                cx.spawn_process(async move |cx| {
                    cx.send(&observer, (cx.pid(), atom!("here")));
                    Ok(())
                });
                Term::of(&ok)
            }
            Do::Sum(count) => {
                let task = |number: u64| {
                    cx.in_process(async move |cx| {
                        cx.sleep(Duration::from_millis(1)).await?;
                        Ok(number)
                    })
                };
                let numbers = try_join_all((1..=count).map(task)).await?;
                Term::of(&numbers.into_iter().sum::<u64>())
            }
            Do::Whole => {
                let began = Instant::now();
                let ended = cx.in_process(async move |_| Ok(Instant::now())).await?;
                Term::of(&(ended >= began))
            }
            Do::Failing(life) => {
                let again = life.clone();
                let alone = cx.in_process(async move |cx| live(again, cx).await).await;
                let beside = cx.in_process(async move |cx| live(life, cx).await);
                let (beside, slept) = join!(beside, cx.sleep(Duration::from_millis(1))).await;
                slept?;
                Term::of(&(reason(alone), reason(beside)))
            }
            Do::Dropped(observer) => {
                let task = cx.in_process(async move |cx| {
                    cx.send(&observer, (cx.pid(), atom!("here")));
                    cx.sleep(Duration::from_secs(3600)).await?;
                    Ok(atom!("task"))
                });
                let go = async {
                    let _: otp_bridge::atoms::info = cx.receive().await?;
                    Ok(atom!("told"))
                };
                Term::of(&Box::pin(race(task, go)).await?)
            }
            Do::Nested => {
                let inner = cx.in_process(async |cx| {
                    let own = cx.pid();
                    let inner = cx.in_process(async move |cx| Ok(cx.pid() != own)).await?;
                    Ok((inner, cx.pid()))
                });
                let (is_other, pid) = inner.await?;
                Term::of(&(is_other, pid != cx.pid()))
            }
        })
    }

    fn handle_info(&mut self, down: Down) -> HandleInfo {
        self.seen.push(down.reason);
        noreply()
    }
}

fn reason(ended: Result<()>) -> Term {
    match ended {
        Ok(()) => Term::of(&normal),
        Err(exit) => exit.into_reason(),
    }
}

async fn live(life: Life, cx: &Cx<'_>) -> Result<()> {
    match life {
        Life::Echo => loop {
            match cx.receive().await? {
                Heard::Echo(from, message) => cx.send(&from, (cx.pid(), message)),
                Heard::Stop => return Ok(()),
            }
        },
        Life::Panics => panic!("told to"),
        Life::PanicsLater => {
            cx.sleep(Duration::from_millis(1)).await?;
            panic!("told to")
        }
        Life::Fails(reason) => Err(Exit::new(reason)),
        Life::Ends => Ok(()),
        Life::Misreads => {
            cx.send(&cx.pid(), (atom!("echo"), 1, 2));
            let _: Heard = cx.receive().await?;
            Ok(())
        }
    }
}
