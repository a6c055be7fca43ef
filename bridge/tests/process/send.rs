//! Sending messages: it does not wait, and the order is kept.

use otp_bridge::time::Timers;
use std::task::{Context, Waker};
use std::time::Duration;

use otp_bridge::gen_server::Server;
use otp_bridge::{Term, atom, testing};

use crate::{nothing, run};

/// `{line, Text}`
#[derive(Debug, Term)]
struct Line(String);

#[test]
fn a_message_goes_to_pids_names_and_nodes() {
    let (pid, asked) = run(
        async |cx| {
            cx.send(&cx.pid(), Line("first".into()));
            cx.send(&atom!("printer"), 2);
            cx.send(&(atom!("printer"), atom!("far@away")), 3);
            cx.send(&&atom!("by_reference"), 4);
            cx.pid()
        },
        &nothing,
    );
    assert_eq!(pid.to_string(), "<nonode@nohost.1.0>");
    assert_eq!(
        asked,
        [
            r#"{apply,erlang,send,[<nonode@nohost.1.0>,{line,<<"first">>}]}"#,
            "{apply,erlang,send,[printer,2]}",
            "{apply,erlang,send,[{printer,far@away},3]}",
            "{apply,erlang,send,[by_reference,4]}",
        ]
    );
}

#[test]
fn a_message_for_later_comes_to_the_process_itself() {
    let (_, asked) = run(
        async |cx| {
            cx.send_after(Duration::from_micros(1), atom!("soon"));
            cx.send_interval(Duration::from_secs(2), atom!("again"));
            cx.send_after(Duration::from_millis(4_294_967_295), atom!("never"));
        },
        &nothing,
    );
    assert_eq!(
        asked,
        [
            "{here,erlang,send_after,[1,<nonode@nohost.1.0>,soon]}",
            "{here,timer,send_interval,[2000,again]}",
            "{here,erlang,send_after,[4294967295,<nonode@nohost.1.0>,never]}",
        ]
    );
}

#[test]
fn a_cast_is_sent_where_the_name_is_local_and_asked_for_elsewhere() {
    let (_, asked) = run(
        async |cx| {
            cx.cast(&atom!("counter"), 1);
            cx.cast(&cx.pid(), 2);
            cx.cast(&(atom!("counter"), atom!("far@away")), 3);
        },
        &nothing,
    );
    assert_eq!(
        asked,
        [
            "{apply,erlang,send,[counter,{'$gen_cast',1}]}",
            "{apply,erlang,send,[<nonode@nohost.1.0>,{'$gen_cast',2}]}",
            "{apply,gen_server,cast,[{counter,far@away},3]}",
        ]
    );
}

#[test]
fn what_is_sent_before_an_operation_comes_before_it() {
    let (_, asked) = run(
        async |cx| {
            cx.send(&atom!("printer"), 1);
            let _ = cx.sleep(Duration::from_millis(5)).await;
            cx.send(&atom!("printer"), 2);
        },
        &nothing,
    );
    assert_eq!(
        asked,
        [
            "{apply,erlang,send,[printer,1]}",
            "{sleep,5}",
            "{apply,erlang,send,[printer,2]}",
        ]
    );
}

#[test]
fn a_sender_without_a_vm_sends_nobody_anything() {
    let sender = testing::run(
        async |cx| cx.sender::<Line>(),
        |request| panic!("nothing is asked for: {request}"),
    );
    assert!(format!("{sender:?}").starts_with("Sender<"));
    let other = sender.clone();
    std::thread::spawn(move || other.send(Line("from a thread".into())))
        .join()
        .expect("it does not panic");
    sender.send(Line("here".into()));
}

mod tally {
    use otp_bridge::gen_server::prelude::*;

    /// Handles numbers as messages.
    #[derive(Debug)]
    pub(super) struct Tally(u64);

    #[gen_server]
    impl GenServer for Tally {
        type Args = ();

        fn init(_: ()) -> impl InitReturn<Self> {
            (otp_bridge::atoms::ok, Tally(0))
        }

        fn handle_info(&mut self, number: u64) -> HandleInfo {
            self.0 += number;
            noreply()
        }
    }
}

#[test]
fn a_server_is_sent_what_it_has_a_clause_for() {
    let server: Server<tally::Tally> = Server::local(atom!("counter"));
    let (_, asked) = run(async |cx| cx.send(&server, 1_u64), &nothing);
    assert_eq!(asked, ["{apply,erlang,send,[counter,1]}"]);
}

#[test]
#[should_panic(expected = "send_interval: an interval of 0 ms")]
fn an_interval_of_no_time_is_refused() {
    run(
        async |cx| drop(cx.send_interval(Duration::ZERO, 1)),
        &nothing,
    );
}

#[test]
#[should_panic(
    expected = "send_after: a time of 18446744073709551615.999999999s: the longest time"
)]
fn a_message_after_the_longest_time_is_refused() {
    run(async |cx| drop(cx.send_after(Duration::MAX, 1)), &nothing);
}

#[test]
#[should_panic(expected = "start_timer: a time of 4294967.296s")]
fn a_timer_of_more_than_49_days_is_refused() {
    let time = Duration::from_millis(u64::from(u32::MAX) + 1);
    run(async |cx| drop(cx.start_timer(time, 1)), &nothing);
}

// Whether a waker that does nothing is recognized as such depends on the build: each crate may have
// its own.
#[test]
#[should_panic(expected = "scheduler: the answer can arrive only while the callback")]
fn a_future_that_is_polled_by_hand_ends_its_callback() {
    let poll = async |cx: &otp_bridge::Cx<'_>| {
        let mut sleep = std::pin::pin!(cx.sleep(Duration::from_millis(1)));
        let mut context = Context::from_waker(Waker::noop());
        while sleep.as_mut().poll(&mut context).is_pending() {}
    };
    run(poll, &nothing);
}
