//! Servers whose state has everything that is more than a value: monitors, timers, pending requests
//! and callers.
use std::collections::BTreeSet;
use std::time::Duration;

use otp_bridge::Registry;
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::{PendingRequest, prelude::*};
use otp_bridge::messages::{Down, Response, TimerTimeout};
use otp_bridge::pg::Group;
use otp_bridge::process::{Monitor, Signals};
use otp_bridge::table::TableOptions;
use otp_bridge::task::{PoolMembership, PoolRefused, TaskPool};
use otp_bridge::time::{Timer, Timers};

use crate::counter::{Counter, Rest};
use crate::hours::{HOURS, work};

otp_bridge::task_pool! {
    /// The pool that all crews work in.
    pub static POOL;
}

otp_bridge::task_pool! {
    /// All crews work in it, on two tasks at once.
    pub static SMALL_POOL = TaskPool::bounded(2);
}

/// The crews, by their numbers.
static CREWS: Registry<u16, Server<Crew>> = Registry::new(atom!("crew_registry"));

/// A worker of the pool, and the events that it waits for.
#[derive(Debug, Term)]
pub struct Crew {
    member: PoolMembership,
    kept: Kept,
    /// Only present in the third build's state.
    #[cfg(build = "3")]
    is_third: bool,
}

/// The state of older builds.
#[cfg(build = "3")]
#[derive(Debug, Term)]
pub struct Older {
    member: PoolMembership,
    kept: Kept,
}

/// Fields that all builds share.
#[derive(Debug, Term)]
pub struct Kept {
    small: PoolMembership,
    group: Group<Crew>,
    counter: Server<Counter>,
    timer: Option<Timer>,
    monitor: Option<Monitor>,
    request: Option<PendingRequest<String>>,
    caller: Option<Caller<Vec<String>>>,
    heard: Vec<String>,
}

/// `late`: the message of its timer.
#[derive(Debug, Term)]
pub struct Late;

/// `{begin_with, Process, Milliseconds}`: monitors a process, starts a timer of ten times this
/// time, and makes a request to the counter that takes this time. Replies after all three events.
#[derive(Debug, Term)]
#[reply(Vec<String>)]
pub struct BeginWith(Pid, u64);

/// `{find, Number}`: returns whether the registry finds this crew by its number, and how many crews
/// it has.
#[derive(Debug, Term)]
#[reply((bool, u64))]
pub struct Find(u16);

/// `{work, Number}`: as [`work`] returns.
#[derive(Debug, Term)]
#[reply((String, u64, String))]
pub struct Work(u16);

/// `crowd`: how many of three tasks the small pool takes, and how many it has after those have
/// ended.
#[derive(Debug, Term)]
#[reply((usize, usize))]
pub struct Crowd;

/// `spread`: returns in how many processes tasks of the pool run, and how many members the group
/// has.
#[derive(Debug, Term)]
#[reply((usize, usize))]
pub struct Spread;

/// `{order, Process}`: gives the workers tasks that each send `done` to the process. Returns the
/// number of tasks.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Order(Pid);

impl Crew {
    fn hears(&mut self, what: String, cx: &Cx<'_>) {
        let kept = &mut self.kept;
        kept.heard.push(what);
        if kept.heard.len() == 3 {
            kept.heard.sort();
            let heard = std::mem::take(&mut kept.heard);
            if let Some(caller) = kept.caller.take() {
                caller.reply(cx, heard);
            }
        }
    }
}

macro_rules! server {
    ($new:expr, $($more:tt)*) => {
        #[gen_server]
        impl GenServer for Crew {
            /// Its number in the pool.
            type Args = u16;

            async fn init(number: u16, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
                let group = Group::in_scope(atom!("upgrades"), atom!("crews"));
                group.join(cx).await?;
                CREWS.register(cx, &number).await?;
                if number == 0 {
                    HOURS.create(cx, TableOptions::new().public()).await?;
                }
                let kept = Kept {
                    small: SMALL_POOL.join(number, cx),
                    group,
                    counter: Server::local(atom!("counter")),
                    timer: None,
                    monitor: None,
                    request: None,
                    caller: None,
                    heard: Vec::new(),
                };
                let new: fn(PoolMembership, Kept) -> Crew = $new;
                Ok((ok, new(POOL.join(number, cx), kept)))
            }

            async fn handle_call(
                &mut self,
                BeginWith(process, time): BeginWith,
                caller: Caller<Vec<String>>,
                cx: &Cx<'_>,
            ) -> Result<HandleCallNoreply> {
                let kept = &mut self.kept;
                kept.caller = Some(caller);
                kept.monitor = Some(cx.monitor(&process).await?);
                kept.timer = Some(cx.start_timer(Duration::from_millis(10 * time), Late).await?);
                kept.request = Some(cx.pending_request(&kept.counter, Rest(time)).await?);
                noreply()
            }

            async fn handle_call(&mut self, Find(number): Find, cx: &Cx<'_>) -> Result<HandleCall<(bool, u64)>> {
                let found = CREWS.find(cx, &number).await?;
                let is_own = found == Some(cx.pid().into());
                reply((is_own, CREWS.count(cx).await?))
            }

            async fn handle_call(&mut self, Work(number): Work, cx: &Cx<'_>) -> Result<HandleCall<(String, u64, String)>> {
                reply(work(number, cx).await?)
            }

            async fn handle_call(&mut self, _: Crowd, cx: &Cx<'_>) -> Result<HandleCall<(usize, usize)>> {
                let started = (0..3).map(|key| SMALL_POOL.spawn(cx, &key, async |cx| {
                    cx.sleep(Duration::from_hours(1)).await
                }));
                let started: Vec<_> = started.collect();
                let refused = started.iter().filter(|it| matches!(it, Err(PoolRefused::Full(_))));
                let refused = refused.count();
                for task in started.into_iter().flatten() {
                    task.abort(cx);
                    let _ = task.await;
                }
                reply((3 - refused, SMALL_POOL.count()))
            }

            async fn handle_call(&mut self, _: Spread, cx: &Cx<'_>) -> Result<HandleCall<(usize, usize)>> {
                let mut places = Vec::new();
                for key in 0..50 {
                    places.push(POOL.spawn(cx, &key, async |cx| Ok(cx.pid())).await?);
                }
                let places: BTreeSet<String> = places.iter().map(|it| format!("{it:?}")).collect();
                let members = self.kept.group.members(cx).await?;
                reply((places.len(), members.len()))
            }

            fn handle_call(&mut self, Order(process): Order, cx: &Cx<'_>) -> HandleCall<u64> {
                for key in 0..50 {
                    let process = process.clone();
                    drop(POOL.spawn(cx, &key, async move |cx| {
                        let _: Term = cx.apply("erlang", "send", (process, atom!("done"))).await?;
                        Ok(())
                    }));
                }
                reply(50)
            }

            fn handle_info(&mut self, down: Down, cx: &Cx<'_>) -> HandleInfo {
                let is_own = self.kept.monitor.as_ref().is_some_and(|it| it.is(&down));
                self.hears(format!("down {is_own}"), cx);
                noreply()
            }

            fn handle_info(&mut self, late: TimerTimeout<Late>, cx: &Cx<'_>) -> HandleInfo {
                let is_own = self.kept.timer.as_ref().is_some_and(|it| it.is(&late));
                self.hears(format!("late {is_own} in {}", crate::BUILD), cx);
                noreply()
            }

            fn handle_info(&mut self, response: Response, cx: &Cx<'_>) -> Result<HandleInfo> {
                if let Some(request) = self.kept.request.take() {
                    self.hears(format!("rested in {}", request.reply(&response)?), cx);
                }
                noreply()
            }

            $($more)*
        }
    };
}

#[cfg(not(build = "3"))]
server! { |member, kept| Crew { member, kept }, }

#[cfg(build = "3")]
server! {
    |member, kept| Crew { member, kept, is_third: true },

    fn code_change(_: Term, Older { member, kept }: Older, _: Term) -> impl CodeChangeReturn<Self> {
        (ok, Crew { member, kept, is_third: true })
    }

    #[cfg(build = "5")]
    fn code_change(self, _: Downgrade<Older>) -> Older {
        Older { member: self.member, kept: self.kept }
    }
}
