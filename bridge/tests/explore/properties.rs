//! Properties that are checked without being asked for.

use std::time::Duration;

use otp_bridge::atoms::{infinity, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::{self, ChildSpec, SupFlags, Supervisor, supervisor};
use otp_bridge::testing::{Explore, Explored, FailingSchedule};
use otp_bridge::{Term, atom};

/// A server that makes the mistake of its request.
#[derive(Debug)]
struct Clumsy;

#[derive(Debug, Clone, Term)]
#[reply(Atom)]
enum Make {
    /// It calls the server with this name, and waits for as long as that takes.
    Call(Atom),
    Answer,
    /// It drops its caller.
    Drop,
    Panic,
}

#[gen_server]
impl GenServer for Clumsy {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Clumsy)
    }

    async fn handle_call(
        &mut self,
        what: Make,
        caller: Caller<Atom>,
        cx: &Cx<'_>,
    ) -> Result<HandleCallNoreply> {
        match what {
            Make::Call(other) => {
                let answer: Atom = cx.call_within(&other, Make::Answer, infinity).await?;
                caller.reply(cx, answer);
            }
            Make::Answer => caller.reply(cx, Atom::from(ok)),
            Make::Drop => drop(caller),
            Make::Panic => panic!("out of paper"),
        }
        noreply()
    }
}

/// Two servers, `left` and `right`.
struct Pair;

#[supervisor]
impl Supervisor for Pair {
    type Args = ();

    fn init(_: ()) -> impl supervisor::InitReturn {
        let child = |name: Atom| {
            let spec = ChildSpec::of::<Clumsy>(());
            spec.id(name.clone()).registered(name)
        };
        let children = vec![child(atom!("left")), child(atom!("right"))];
        (ok, (SupFlags::one_for_one().intensity(1), children))
    }
}

/// Returns the failure of the only possible end of a test.
fn failure_of(explored: std::result::Result<Explored, FailingSchedule>) -> String {
    explored.expect_err("it fails").failure().to_owned()
}

#[test]
fn servers_that_wait_for_each_other_are_a_deadlock() {
    let explored = Explore::new().run(async |cx| {
        cx.start_link::<Pair>(()).await?;
        let (left, right) = (atom!("left"), atom!("right"));
        let one = cx.send_request(&left, Make::Call(right.clone()));
        let other = cx.send_request(&right, Make::Call(left.clone()));
        one.await?;
        other.await?;
        Ok(())
    });
    let failing = explored.expect_err("one order is a deadlock");
    assert_eq!(
        failing.failure(),
        "nothing can happen any more: `test` waits for left, right, `left` waits for right, `right` waits for left"
    );
}

#[test]
fn a_message_without_a_clause_is_found() {
    let failure = failure_of(Explore::new().run(async |cx| {
        let clumsy = cx.start_link::<Clumsy>(()).await?;
        cx.send(&clumsy.pid()?, atom!("nonsense"));
        cx.call_within(&clumsy, Make::Drop, infinity).await?;
        Ok(())
    }));
    assert!(
        failure.starts_with("`clumsy` leaves a caller without a reply"),
        "a server without `handle_info` drops such a message: {failure}"
    );
    let failure = failure_of(Explore::new().run(async |cx| {
        let clumsy = cx.start_link::<Clumsy>(()).await?;
        let _: Atom = cx.call(&clumsy.pid()?, Nonsense).await?;
        Ok(())
    }));
    assert!(
        failure.starts_with("`clumsy` has no clause for a message: `handle_call/3`"),
        "{failure}"
    );
}

#[derive(Debug, Clone, Term)]
#[reply(Atom)]
struct Nonsense;

#[test]
fn a_supervisor_that_gives_up_is_found() {
    let failure = failure_of(Explore::new().run(async |cx| {
        cx.start_link::<Pair>(()).await?;
        for _ in 0..3 {
            let _ended = cx.call(&atom!("left"), Make::Panic).await;
        }
        cx.sleep(Duration::from_secs(60)).await?;
        Ok(())
    }));
    assert_eq!(
        failure,
        "`pair` gives up: its children have ended too often"
    );
}

#[test]
fn a_test_that_waits_for_nothing_is_found() {
    let failure = failure_of(Explore::new().run(async |cx| {
        let _: Term = cx.receive().await?;
        Ok(())
    }));
    assert_eq!(
        failure,
        "nothing can happen any more: `test` waits for a message"
    );
}

/// A call either gets its reply or fails, because its server has been killed. The supervisor starts
/// the server again.
#[otp_bridge::test(explore(schedules = 500, kills = 1))]
async fn killed_servers_come_back(cx: &Cx<'_>) -> Result<()> {
    cx.start_link::<Pair>(()).await?;
    for name in [atom!("left"), atom!("right")] {
        if cx.call(&name, Make::Answer).await.is_err() {
            cx.sleep(Duration::from_secs(1)).await?;
            assert_eq!(cx.call(&name, Make::Answer).await?, Atom::from(ok));
        }
    }
    Ok(())
}

#[test]
fn a_program_that_expects_no_kill_fails() {
    let test = async |cx: &Cx<'_>| {
        cx.start_link::<Pair>(()).await?;
        cx.call(&atom!("left"), Make::Answer).await?;
        Ok(())
    };
    let failing = Explore::new().kills(2).run(test).expect_err("it fails");
    let trace = failing.trace().join("\n");
    assert!(trace.contains("`left` ends: killed"), "{failing}");
    let kills = trace.matches("ends: killed").count();
    assert_eq!(kills, 1, "one kill is enough: {failing}");
}
