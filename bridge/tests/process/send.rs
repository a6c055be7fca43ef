//! Messages: nothing is awaited, and the order is kept.

use otp_bridge::time::Timers;
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
            cx.send_after(Duration::MAX, atom!("never"));
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

    /// Takes numbers as messages.
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
