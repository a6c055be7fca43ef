//! Ends of processes, which links and supervisors notice as in Erlang.

use std::time::Duration;

use otp_bridge::atoms::{ok, transient};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::{self, AutoShutdown, ChildSpec, SupFlags, Supervisor, supervisor};
use otp_bridge::testing::Explore;
use otp_bridge::{Atom, Term, atom};

/// A worker that ends in order.
#[derive(Debug)]
struct Shift;

/// `finish`
#[derive(Debug, Clone, Term)]
struct Finish;

/// `{link, Process}`
#[derive(Debug, Clone, Term)]
struct Link(Pid);

#[gen_server]
impl GenServer for Shift {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Shift)
    }

    fn handle_cast(&mut self, _: Finish) -> HandleCast {
        stop(atom!("normal"))
    }

    async fn handle_cast(&mut self, Link(process): Link, cx: &Cx<'_>) -> Result<HandleCast> {
        cx.link(&process).await?;
        noreply()
    }
}

/// Two workers, `early` and `late`, both significant.
struct Factory;

#[supervisor]
impl Supervisor for Factory {
    type Args = AutoShutdown;

    fn init(shutdown: AutoShutdown) -> impl supervisor::InitReturn {
        let child = |name: Atom| {
            let spec = ChildSpec::of::<Shift>(()).id(name.clone()).registered(name);
            spec.restart(transient).significant(true)
        };
        let children = vec![child(atom!("early")), child(atom!("late"))];
        (
            ok,
            (SupFlags::one_for_one().auto_shutdown(shutdown), children),
        )
    }
}

/// Returns after how many ends of workers the supervisor has ended.
async fn ends_after(cx: &Cx<'_>, shutdown: AutoShutdown) -> Result<usize> {
    cx.trap_exit(true).await?;
    let factory = cx.start_link::<Factory>(shutdown).await?;
    let monitor = cx.monitor(&factory.pid()?).await?;
    for (count, name) in [(1, atom!("early")), (2, atom!("late"))] {
        cx.cast(&name, Finish);
        // The time is virtual, so the minute costs nothing.
        if let Ok(down) = cx.timeout(Duration::from_secs(60), monitor.down(cx)).await {
            assert_eq!(down?.reason, Term::of(&atom!("shutdown")));
            return Ok(count);
        }
    }
    Ok(0)
}

#[test]
fn a_supervisor_ends_with_its_significant_children() {
    for (shutdown, wanted) in [
        (AutoShutdown::AnySignificant, 1),
        (AutoShutdown::AllSignificant, 2),
    ] {
        let explored = Explore::new().schedules(100).run(async move |cx| {
            let count = ends_after(cx, shutdown.clone()).await?;
            assert_eq!(count, wanted);
            Ok(())
        });
        explored.unwrap_or_else(|failing| panic!("{failing}"));
    }
}

#[test]
fn a_link_to_a_process_that_has_ended_brings_its_signal() {
    let explored = Explore::new().schedules(100).run(async |cx| {
        cx.trap_exit(true).await?;
        let ended = cx.start_link::<Shift>(()).await?;
        let monitor = cx.monitor(&ended).await?;
        cx.cast(&ended, Finish);
        monitor.down(cx).await?;
        let linked = cx.start_link::<Shift>(()).await?;
        let monitor = cx.monitor(&linked).await?;
        cx.cast(&linked, Link(ended.pid()?));
        let down = monitor.down(cx).await?;
        assert_eq!(down.reason, Term::of(&atom!("noproc")));
        Ok(())
    });
    explored.unwrap_or_else(|failing| panic!("{failing}"));
}
