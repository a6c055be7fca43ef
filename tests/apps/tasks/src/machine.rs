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

/// The data: the process that is told what happens, and tasks.
#[derive(Debug)]
pub struct Machine {
    observer: Pid,
    kept: Vec<JoinHandle<u64>>,
}

/// What is called for.
#[derive(Debug, Term)]
#[reply(Atom)]
pub enum Ask {
    /// `ping`
    Ping,
    /// `{tell, What, Milliseconds}`: by a task, after a time.
    Tell(Term, u64),
    /// `{spin, Count}`: tasks that go on for ever and give way.
    Spin(u64),
    /// `{idle, Count}`: tasks that wait for ever.
    Idle(u64),
    /// `abort`: all of them.
    Abort,
    /// `{listen, Count}`: a task that receives so many words and tells them.
    Listen(u64),
    /// `{wait, Name}`: a task with a name that waits for ever.
    Wait(String),
    /// `{tick, Times}`: a task that tells that it has ticked so often, each millisecond.
    Tick(u64),
    /// `{linked, Milliseconds}`: a task that panics later, and its process with it.
    Linked(u64),
}

/// What is cast.
#[derive(Debug, Term)]
pub enum Do {
    /// `{soon, Milliseconds}`: an event timeout.
    Soon(u64),
    /// `{close, Milliseconds}`: a state timeout.
    Close(u64),
    /// `{later, What}`: told when the state is `ready`.
    Later(Term),
    /// `go`: to `ready`.
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
