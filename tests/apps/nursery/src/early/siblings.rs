//! Siblings that depend on each other to start: `handle_start` waits for siblings that are started
//! later. In `init` that would be a deadlock, because the supervisor starts them only after `init`
//! has returned.
use otp_bridge::atom;
use otp_bridge::atoms::{call, info, ok};
use otp_bridge::gen_server::{self, GenServer, Server, gen_server};
use otp_bridge::gen_statem::prelude::*;
use otp_bridge::supervisor::{self, ChildProcess, ChildSpec, SupFlags, Supervisor, supervisor};

use super::{Poke, Report};

/// Starts the elder, the younger and the youngest, in this order.
pub struct Siblings;

#[supervisor]
impl Supervisor for Siblings {
    type Args = Pid;

    fn init(observer: Pid) -> impl supervisor::InitReturn {
        let children = vec![
            ChildSpec::of::<Elder>((observer.clone(), 7)),
            ChildSpec::of::<Younger>((observer.clone(), 3)),
            ChildSpec::of::<Youngest>(observer),
        ];
        (ok, (SupFlags::one_for_one(), children))
    }
}

/// A server without `handle_continue`.
#[derive(Debug)]
pub struct Elder {
    observer: Pid,
    sum: u64,
}

#[gen_server]
impl GenServer for Elder {
    type Args = (Pid, u64);

    fn init((observer, _): (Pid, u64), cx: &Cx<'_>) -> impl gen_server::InitReturn<Self> {
        cx.send(&cx.pid(), Poke);
        (ok, Elder { observer, sum: 0 })
    }

    async fn handle_start(
        &mut self,
        (observer, number): (Pid, u64),
        cx: &Cx<'_>,
    ) -> Result<gen_server::HandleStart> {
        // The supervisor answers after it has started all its children.
        let children = cx.which_children(&Server::<Siblings>::registered()).await?;
        let younger = children.into_iter().find_map(|child| match child.process {
            ChildProcess::Running(pid) if child.id == Some(Term::of(&atom!("younger"))) => {
                Some(Machine::<Younger>::from(pid))
            }
            _ => None,
        });
        let younger = younger.ok_or_else(|| Exit::new(atom!("no_sibling")))?;
        self.sum = number + cx.call(&younger, Number).await?;
        cx.send(&observer, Report::Begun(atom!("elder"), self.sum));
        gen_server::clause::noreply()
    }

    fn handle_info(&mut self, _: Poke, cx: &Cx<'_>) -> gen_server::HandleInfo {
        cx.send(
            &self.observer,
            Report::Begun(atom!("elder_poked"), self.sum),
        );
        gen_server::clause::noreply()
    }
}

/// `number`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Number;

/// Whether the machine is ready.
#[derive(Debug, Clone, PartialEq, Term)]
pub enum Readiness {
    Begun,
    Ready,
}

/// A state machine with one function for all states.
#[derive(Debug)]
pub struct Younger {
    observer: Pid,
    number: u64,
}

#[gen_statem]
impl GenStatem for Younger {
    type Args = (Pid, u64);
    type State = Readiness;

    fn init((observer, _): (Pid, u64), cx: &Cx<'_>) -> impl InitReturn<Readiness, Self> {
        cx.send(&cx.pid(), Poke);
        let data = Younger {
            observer,
            number: 0,
        };
        (ok, Readiness::Begun, data)
    }

    fn handle_start(
        &mut self,
        (_, number): (Pid, u64),
        state: Readiness,
    ) -> HandleStart<Readiness> {
        assert_eq!(state, Readiness::Begun);
        self.number = number;
        next_state(Readiness::Ready)
    }

    fn handle_event(
        &mut self,
        (_, caller): (call, Caller<u64>),
        _: Number,
        _: Readiness,
    ) -> HandleEvent<Readiness> {
        keep_state_actions(reply(caller, 10 * self.number))
    }

    fn handle_event(
        &mut self,
        _: info,
        _: Poke,
        state: Readiness,
        cx: &Cx<'_>,
    ) -> HandleEvent<Readiness> {
        let ready = u64::from(state == Readiness::Ready);
        cx.send(&self.observer, Report::Begun(atom!("younger_poked"), ready));
        keep_state()
    }
}

/// A state machine with a function for each state, and enter calls.
#[derive(Debug)]
pub struct Youngest {
    entered: u64,
}

#[gen_statem]
impl GenStatem for Youngest {
    type Args = Pid;
    type State = Readiness;

    fn init(_: Pid, cx: &Cx<'_>) -> impl InitReturn<Readiness, Self> {
        cx.send(&cx.pid(), Poke);
        (ok, Readiness::Begun, Youngest { entered: 0 })
    }

    fn handle_start(&mut self, observer: Pid, _: Readiness, cx: &Cx<'_>) -> HandleStart<Readiness> {
        cx.send(&observer, Report::Begun(atom!("youngest"), self.entered));
        next_state(Readiness::Ready)
    }

    #[state_name_enter]
    fn begun(&mut self, _: Readiness) -> StateNameEnter {
        self.entered += 1;
        keep_state()
    }

    #[state_name]
    fn begun(&mut self, _: info, _: Poke) -> StateName<Readiness> {
        stop(atom!("too_early"))
    }

    #[state_name_enter]
    fn ready(&mut self, _: Readiness) -> StateNameEnter {
        keep_state()
    }

    #[state_name]
    fn ready(&mut self, _: info, _: Poke) -> StateName<Readiness> {
        keep_state()
    }
}
