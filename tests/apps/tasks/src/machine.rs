//! A state machine with tasks, in the mode `handle_event_function`.
use std::time::Duration;

use otp_bridge::atoms::{ok, postpone, state_timeout};
use otp_bridge::gen_statem::prelude::*;
use otp_bridge::task::JoinHandle;
use otp_bridge::{atom, atoms};

use crate::scopes;

/// The state: `waiting | ready`
#[derive(Debug, Clone, PartialEq, Term)]
pub enum State {
    Waiting,
    Ready,
}

/// The data: the process to notify, and tasks.
#[derive(Debug)]
pub struct Machine {
    observer: Pid,
    kept: Vec<JoinHandle<u64>>,
}

/// Calls.
#[derive(Debug, Term)]
#[reply(Atom)]
pub enum Ask {
    /// `ping`
    Ping,
    /// `{tell, What, Milliseconds}`: notifies the observer from a task, after a time.
    Tell(Term, u64),
    /// `{spin, Count}`: starts tasks that run for ever, and yield.
    Spin(u64),
    /// `{idle, Count}`: tasks that wait for ever.
    Idle(u64),
    /// `abort`: aborts all tasks.
    Abort,
    /// `{listen, Count}`: starts a task that receives this many words and reports them.
    Listen(u64),
    /// `{wait, Name}`: starts a named task that waits for ever.
    Wait(String),
    /// `{tick, Times}`: starts a task that reports after this many ticks of a millisecond.
    Tick(u64),
    /// `{linked, Milliseconds}`: starts a task that panics later, together with its process.
    Linked(u64),
}

/// Casts.
#[derive(Debug, Term)]
pub enum Do {
    /// `{soon, Milliseconds}`: starts an event timeout.
    Soon(u64),
    /// `{close, Milliseconds}`: starts a state timeout.
    Close(u64),
    /// `{later, What}`: reports this when the state is `ready`.
    Later(Term),
    /// `go`: changes the state to `ready`.
    Go,
}

impl Machine {
    fn tell(&self, cx: &Cx<'_>, what: impl ToTerm) {
        cx.send(&self.observer, (cx.pid(), what));
    }

    async fn ask(&mut self, what: Ask, cx: &Cx<'_>) {
        let observer = self.observer.clone();
        match what {
            Ask::Ping => {}
            Ask::Tell(what, time) => {
                cx.spawn_task(async move |cx| {
                    cx.sleep(Duration::from_millis(time)).await?;
                    cx.send(&observer, (cx.pid(), what));
                    Ok(())
                });
            }
            Ask::Spin(count) => {
                for _ in 0..count {
                    let task = cx.spawn_task(async |cx| {
                        loop {
                            cx.yield_now().await;
                        }
                    });
                    self.kept.push(task);
                }
            }
            Ask::Idle(count) => {
                for _ in 0..count {
                    let task = cx.spawn_task(async |_| std::future::pending().await);
                    self.kept.push(task);
                    cx.checkpoint().await;
                }
            }
            Ask::Abort => {
                for task in self.kept.drain(..) {
                    task.abort();
                    cx.checkpoint().await;
                }
            }
            Ask::Listen(count) => {
                cx.spawn_task(async move |cx| scopes::listen(&observer, count, cx).await);
            }
            Ask::Wait(name) => {
                let task = cx.spawn_task(async |_| std::future::pending().await);
                self.kept.push(task.named(name));
            }
            Ask::Tick(times) => {
                cx.spawn_task(async move |cx| {
                    let mut ticks = cx.ticks(Duration::from_millis(1));
                    for _ in 0..times {
                        ticks.next().await?;
                    }
                    cx.send(&observer, (cx.pid(), (atom!("ticked"), times)));
                    Ok(())
                });
            }
            Ask::Linked(time) => {
                let task = cx.spawn_task(async move |cx| -> Result<()> {
                    cx.sleep(Duration::from_millis(time)).await?;
                    panic!("told to, with the process")
                });
                drop(task.linked());
            }
        }
    }
}

#[gen_statem]
impl GenStatem for Machine {
    type Args = Pid;
    type State = State;

    fn init(observer: Pid) -> impl InitReturn<State, Self> {
        let kept = Vec::new();
        (ok, State::Waiting, Machine { observer, kept })
    }

    fn handle_event_enter(&self, _: State, state: State, cx: &Cx<'_>) -> HandleEventEnter {
        self.tell(cx, (atom!("entered"), state));
        keep_state()
    }

    async fn handle_event(
        &mut self,
        (_, caller): (call, Caller<Atom>),
        what: Ask,
        _: State,
        cx: &Cx<'_>,
    ) -> Result<HandleEvent<State>> {
        self.ask(what, cx).await;
        keep_state_actions(reply(caller, ok.into()))
    }

    fn handle_event(&self, _: cast, what: Do, state: State, cx: &Cx<'_>) -> HandleEvent<State> {
        match what {
            Do::Soon(time) => {
                keep_state_actions((atoms::timeout, Duration::from_millis(time), atom!("soon")))
            }
            Do::Close(time) => {
                keep_state_actions((state_timeout, Duration::from_millis(time), atom!("close")))
            }
            Do::Later(_) if state == State::Waiting => keep_state_actions(postpone),
            Do::Later(what) => {
                self.tell(cx, what);
                keep_state()
            }
            Do::Go => next_state(State::Ready),
        }
    }

    fn handle_event(
        &self,
        event: EventType,
        content: Term,
        _: State,
        cx: &Cx<'_>,
    ) -> HandleEvent<State> {
        self.tell(cx, (event, content));
        keep_state()
    }
}
