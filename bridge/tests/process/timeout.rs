//! Time limits.

use std::time::Duration;

use otp_bridge::process::Class;
use otp_bridge::time::Elapsed;
use otp_bridge::{Cx, Result, Term, atom, gen_server};

use crate::{noproc, nothing, ping, run};

const TIME: Duration = Duration::from_millis(500);

#[test]
fn what_does_not_end_in_time_is_dropped() {
    let (elapsed, asked) = run(
        async |cx| cx.timeout(TIME, std::future::pending::<()>()).await,
        &nothing,
    );
    assert_eq!(elapsed, Err(Elapsed));
    assert_eq!(asked, ["{sleep,500}"]);
    assert_eq!(Elapsed.to_string(), "the time limit was reached");
}

#[test]
fn the_time_limit_ends_the_process_by_a_question_mark() {
    let limited = async |cx: &Cx<'_>| -> Result<u32> {
        let never = std::future::pending::<Result<u32>>();
        cx.timeout(TIME, never).await?
    };
    let line = line!() - 2;
    let (late, _) = run(limited, &nothing);
    let exit = late.expect_err("it never ends");
    assert_eq!(
        (exit.class(), exit.reason().to_string().as_str()),
        (Class::Exit, "timeout")
    );
    assert_eq!(
        (exit.location().file(), exit.location().line()),
        (file!(), line)
    );
}

#[test]
fn what_ends_in_time_gives_its_output() {
    let pong = |_: &str| Ok(Term::of(&atom!("pong")));
    let (answer, asked) = run(
        async |cx| cx.timeout(TIME, ping(cx, "far@away")).await,
        &pong,
    );
    assert_eq!(answer, Ok(Ok(atom!("pong"))));
    assert_eq!(
        asked,
        [r#"{apply,net_adm,ping,[<<"far@away">>]}"#, "{sleep,500}"]
    );
    let (at_once, asked) = run(async |cx| cx.timeout(TIME, async { 7 }).await, &noproc);
    assert_eq!(at_once, Ok(7));
    assert!(asked.is_empty(), "the clock was not even asked: {asked:?}");
}

#[test]
fn a_failure_in_time_is_a_failure() {
    let (answer, _) = run(
        async |cx| cx.timeout(TIME, ping(cx, "far@away")).await,
        &noproc,
    );
    let exit = answer.expect("in time").expect_err("nobody is there");
    assert_eq!(exit.reason().to_string(), "noproc");
}

#[test]
fn times_are_rounded_up_to_milliseconds() {
    let times = [0, 1, 1_000_000, 1_000_001];
    let (_, asked) = run(
        async |cx| -> Result<()> {
            for nanoseconds in times {
                cx.sleep(Duration::from_nanos(nanoseconds)).await?;
            }
            cx.sleep(Duration::MAX).await
        },
        &nothing,
    );
    assert_eq!(
        asked,
        [
            "{sleep,0}",
            "{sleep,1}",
            "{sleep,1}",
            "{sleep,2}",
            "{sleep,4294967295}"
        ]
    );
}

#[test]
fn a_call_has_its_own_time() {
    #[derive(Debug, Term)]
    #[reply(u64)]
    struct Get;
    let counter = atom!("counter");
    let five = |_: &str| Ok(Term::of(&5));
    let (answers, asked) = run(
        async |cx| -> Result<u64> {
            let long = otp_bridge::Timeout::from_millis(60_000);
            Ok(cx.call(&counter, Get).await? + cx.call_within(&counter, Get, long).await?)
        },
        &five,
    );
    assert_eq!(answers, Ok(10));
    assert_eq!(
        asked,
        ["{call,counter,get,5000}", "{call,counter,get,60000}"]
    );
    let _: gen_server::Server<()> = gen_server::Server::local(counter);
}
