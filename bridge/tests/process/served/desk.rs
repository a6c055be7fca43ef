//! A server that is controlled by its messages.

use std::time::Duration;

use otp_bridge::atoms::{continue_, infinity, normal, shutdown};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{Down, ExitSignal, TimerTimeout};
use otp_bridge::process::{Alias, Monitor};
use otp_bridge::time::{Interval, Timer};
use otp_bridge::{Exit, Pid, Term, atom};

/// The messages that have arrived, and the operations that it has started.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) noted: Vec<String>,
    pub(super) waiting: Vec<Caller<u64>>,
    pub(super) monitor: Option<Monitor>,
    pub(super) interval: Option<Interval>,
    pub(super) timer: Option<Timer>,
    pub(super) alias: Option<Alias>,
}

/// `start | traps | {refuse, Reason} | panics`
#[derive(Debug, Term)]
pub(super) enum Begin {
    Start,
    Traps,
    Refuse(Atom),
    Panics,
    Asks,
}

/// A number; the reply is its double.
#[derive(Debug, Term)]
#[reply(u64)]
pub(super) struct Double(pub(super) u64);

#[derive(Debug, Term)]
#[reply(u64)]
pub(super) struct Wait;

#[derive(Debug, Term)]
#[reply(u64)]
pub(super) struct WaitInVain;

#[derive(Debug, Term)]
#[reply(u64)]
pub(super) struct Ask(pub(super) u64);

#[derive(Debug, Term)]
#[reply(u64)]
pub(super) struct LastWord;

/// The command in a cast.
#[derive(Debug, Term)]
pub(super) enum Do {
    Release(u64),
    Later(u64),
    Repeat(u64),
    EndRepeat,
    StartTimer(u64),
    CancelTimer,
    ToItself,
    Alias,
    Sleep(u64),
    Continue,
    Quiet(u64),
    Watch(Pid),
    Unwatch,
    Panic,
    Fail,
    Stop,
}

#[derive(Debug, Term)]
pub(super) struct Next(pub(super) u64);

#[derive(Debug, Term)]
pub(super) struct Tick(pub(super) u64);

#[derive(Debug, Term)]
pub(super) struct Timeout;

pub(super) fn millis(time: u64) -> Duration {
    Duration::from_millis(time)
}

#[gen_server]
impl GenServer for Desk {
    type Args = Begin;

    async fn init(begin: Begin, cx: &Cx<'_>) -> Result<Init<Self>> {
        let desk = Desk {
            noted: Vec::new(),
            waiting: Vec::new(),
            monitor: None,
            interval: None,
            timer: None,
            alias: None,
        };
        match begin {
            Begin::Start => {}
            Begin::Traps => drop(cx.trap_exit(true)),
            Begin::Refuse(reason) => return Ok(Init::Stop(Term::of(&reason))),
            Begin::Panics => panic!("it does not begin"),
            Begin::Asks => drop(cx.apply::<Atom, _>("erlang", "node", ()).await?),
        }
        Ok(Init::Ok(desk))
    }

    fn handle_call(&mut self, Double(number): Double) -> HandleCall<u64> {
        reply(number * 2)
    }

    fn handle_call(&mut self, _: Wait, caller: Caller<u64>) -> HandleCallNoreply {
        self.waiting.push(caller);
        noreply()
    }

    fn handle_call(&mut self, _: WaitInVain, caller: Caller<u64>) -> HandleCallNoreply {
        drop(caller);
        noreply()
    }

    async fn handle_call(&mut self, Ask(number): Ask, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        let other = atom!("other");
        reply(cx.call(&other, Double(number)).await? + 1)
    }

    fn handle_call(&mut self, _: LastWord) -> HandleCall<u64> {
        stop_reply(shutdown, 7)
    }

    async fn handle_cast(&mut self, what: Do, cx: &Cx<'_>) -> Result<HandleCast> {
        match what {
            Do::Release(value) => {
                for caller in self.waiting.drain(..) {
                    caller.reply(cx, value);
                }
            }
            Do::Later(time) => drop(cx.send_after(millis(time), Tick(time))),
            Do::Repeat(time) => {
                self.interval = Some(cx.send_interval(millis(time), Tick(0)).await?)
            }
            Do::EndRepeat => {
                if let Some(interval) = self.interval.take() {
                    cx.cancel_interval(&interval).await?;
                }
            }
            Do::StartTimer(time) => {
                self.timer = Some(cx.start_timer(millis(time), atom!("late")).await?);
            }
            Do::CancelTimer => {
                if let Some(timer) = &self.timer {
                    let left = cx.cancel_timer(timer).await?;
                    self.noted.push(format!("left: {left:?}"));
                }
            }
            Do::ToItself => cx.send(&cx.pid(), Tick(1)),
            Do::Alias => {
                let alias = cx.alias().await?;
                cx.send(&alias, Tick(2));
                self.alias = Some(alias);
            }
            Do::Sleep(time) => cx.sleep(millis(time)).await?,
            Do::Continue => return noreply_with((continue_, Next(3))),
            Do::Quiet(time) => return noreply_with(millis(time)),
            Do::Watch(pid) => self.monitor = Some(cx.monitor(&pid).await?),
            Do::Unwatch => {
                if let Some(monitor) = self.monitor.take() {
                    let was_there = cx.demonitor(&monitor).await?;
                    self.noted.push(format!("demonitored: {was_there}"));
                }
            }
            Do::Panic => panic!("out of paper"),
            Do::Fail => Err(Exit::error((atom!("no"), atom!("paper"))))?,
            Do::Stop => return stop(normal),
        }
        noreply()
    }

    fn handle_continue(&mut self, Next(left): Next) -> HandleContinue {
        self.noted.push(format!("continued: {left}"));
        match left {
            0 => noreply(),
            _ => noreply_with((continue_, Next(left - 1))),
        }
    }

    fn handle_info(&mut self, Tick(number): Tick) -> HandleInfo {
        self.noted.push(format!("tick {number}"));
        noreply()
    }

    fn handle_info(&mut self, _: Timeout) -> HandleInfo {
        self.noted.push("quiet".to_owned());
        noreply_with(infinity)
    }

    fn handle_info(&mut self, late: TimerTimeout<Atom>) -> HandleInfo {
        self.noted.push(format!("timer: {}", late.message));
        noreply()
    }

    fn handle_info(&mut self, down: Down<Atom>) -> HandleInfo {
        self.noted.push(format!("down: {}", down.reason));
        noreply()
    }

    fn handle_info(&mut self, exit: ExitSignal<Atom>) -> HandleInfo {
        self.noted.push(format!("exit: {}", exit.reason));
        noreply()
    }

    fn terminate(&mut self, reason: Term, cx: &Cx<'_>) {
        cx.send(&atom!("journal"), (atom!("ended"), reason));
    }
}
