//! A server that calls the supervisors, and returns what they did.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::{ChildCount, ChildInfo, ChildProcess, ChildSpec};

use crate::dynamic::{Machines, Plain, Tuned};
use crate::hand::{Fall, Hand, Number};
use crate::mixed::Mixed;
use crate::names;
use crate::switch::Push;

/// A server without state.
#[derive(Debug)]
pub struct Lead;

/// Observations, by their names.
type Seen = Vec<(Atom, Term)>;

/// `ask_plain`: children of a template.
#[derive(Debug, Term)]
#[reply(Vec<(Atom, Term)>)]
pub struct AskPlain;

/// `{start_plain, Number}`
#[derive(Debug, Term)]
#[reply(Pid)]
pub struct StartPlain(u64);

/// `{terminate_plain, Pid}`
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct TerminatePlain(Pid);

/// `{let_fall, Pid}`
#[derive(Debug, Term)]
pub struct LetFall(Pid);

/// `ask_tuned`: children of a template with options.
#[derive(Debug, Term)]
#[reply(Pid)]
pub struct AskTuned;

/// `ask_machines`: state machines of a template.
#[derive(Debug, Term)]
#[reply((u64, u64))]
pub struct AskMachines;

/// `ask_mixed`: children with ids.
#[derive(Debug, Term)]
#[reply(Vec<(Atom, Term)>)]
pub struct AskMixed;

/// `ask_names`: servers by all kinds of names.
#[derive(Debug, Term)]
#[reply(Vec<(u64, Atom)>)]
pub struct AskNames;

#[gen_server]
impl GenServer for Lead {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Lead)
    }

    async fn handle_call(&mut self, _: AskPlain, cx: &Cx<'_>) -> Result<HandleCall<Seen>> {
        let plain = Server::<Plain>::registered();
        let infos = cx.which_children(&plain).await?;
        let mut numbers = Vec::new();
        for hand in infos.iter().filter_map(running) {
            numbers.push(cx.call(hand, Number).await?);
        }
        let ids = infos.iter().filter(|info| info.id.is_some()).count();
        let ignored = cx.start_child(&plain, 0).await.map_err(Exit::into_reason);
        let stopped = cx.start_child(&plain, 13).await.map_err(Exit::into_reason);
        reply(vec![
            (
                atom!("plain_count"),
                counted(cx.count_children(&plain).await?),
            ),
            (atom!("plain_numbers"), Term::of(&numbers)),
            (atom!("plain_ids"), Term::of(&ids)),
            (atom!("plain_ignored"), Term::of(&ignored.err())),
            (atom!("plain_stopped"), Term::of(&stopped.err())),
        ])
    }

    async fn handle_call(
        &mut self,
        StartPlain(number): StartPlain,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<Pid>> {
        let hand = cx
            .start_child(&Server::<Plain>::registered(), number)
            .await?;
        reply(hand.pid()?)
    }

    async fn handle_call(
        &mut self,
        TerminatePlain(pid): TerminatePlain,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<Atom>> {
        let hand = Server::<Hand>::from(pid);
        cx.terminate_child(&Server::<Plain>::registered(), &hand)
            .await?;
        reply(atom!("terminated"))
    }

    fn handle_cast(&mut self, LetFall(pid): LetFall, cx: &Cx<'_>) -> HandleCast {
        cx.cast(&Server::<Hand>::from(pid), Fall);
        noreply()
    }

    async fn handle_call(&mut self, _: AskTuned, cx: &Cx<'_>) -> Result<HandleCall<Pid>> {
        let hand = cx.start_child(&Server::<Tuned>::global("tuned"), 7).await?;
        reply(hand.pid()?)
    }

    async fn handle_call(&mut self, _: AskMachines, cx: &Cx<'_>) -> Result<HandleCall<(u64, u64)>> {
        let switch = cx
            .start_child(&Server::<Machines>::registered(), 40)
            .await?;
        reply((cx.call(&switch, Push).await?, cx.call(&switch, Push).await?))
    }

    async fn handle_call(&mut self, _: AskMixed, cx: &Cx<'_>) -> Result<HandleCall<Seen>> {
        let mixed = Server::<Mixed>::registered();
        let before = ids(&cx.which_children(&mixed).await?);
        let second = ChildSpec::of::<Hand>(2).id(("hand", 2));
        let started = cx.start_child_spec(&mixed, second.clone()).await?;
        let again = cx
            .start_child_spec(&mixed, second)
            .await
            .map_err(Exit::into_reason);
        let again = again
            .err()
            .and_then(|reason| reason.decode::<(Atom, Pid)>().ok());
        let template = cx
            .start_child_spec(&mixed, ChildSpec::template::<Hand>())
            .await;
        cx.terminate_child(&mixed, &atom!("hand")).await?;
        let terminated = cx.count_children(&mixed).await?;
        let restarted = cx.restart_child(&mixed, &atom!("hand")).await?;
        let running = cx
            .delete_child(&mixed, &atom!("hand"))
            .await
            .map_err(Exit::into_reason);
        cx.terminate_child(&mixed, &("hand", 2)).await?;
        cx.delete_child(&mixed, &("hand", 2)).await?;
        let unknown = cx
            .terminate_child(&mixed, &"nobody")
            .await
            .map_err(Exit::into_reason);
        reply(vec![
            (atom!("mixed_before"), before),
            (atom!("mixed_started"), Term::of(&started.is_some())),
            (
                atom!("mixed_again"),
                Term::of(&again.map(|(why, pid)| (why, Some(pid) == started))),
            ),
            (
                atom!("mixed_template"),
                Term::of(&template.err().map(Exit::into_reason)),
            ),
            (atom!("mixed_terminated"), counted(terminated)),
            (atom!("mixed_restarted"), Term::of(&restarted.is_some())),
            (atom!("mixed_running"), Term::of(&running.err())),
            (atom!("mixed_unknown"), Term::of(&unknown.err())),
            (atom!("mixed_after"), ids(&cx.which_children(&mixed).await?)),
        ])
    }

    async fn handle_call(
        &mut self,
        _: AskNames,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<Vec<(u64, Atom)>>> {
        reply(names::all(cx).await?)
    }
}

fn running<R>(info: &ChildInfo<R>) -> Option<&R> {
    match &info.process {
        ChildProcess::Running(process) => Some(process),
        ChildProcess::Restarting | ChildProcess::Terminated => None,
    }
}

fn ids(infos: &[ChildInfo<Pid>]) -> Term {
    let ids: Vec<&Option<Term>> = infos.iter().map(|info| &info.id).collect();
    Term::of(&ids)
}

fn counted(count: ChildCount) -> Term {
    let ChildCount {
        specs,
        active,
        supervisors,
        workers,
    } = count;
    Term::of(&(specs, active, supervisors, workers))
}
