//! A whole `gen_server` in a test, with the work of OTP's own loop around its callbacks.

mod desk;
mod porter;

use std::time::Duration;

use otp_bridge::atoms::{normal, shutdown, timeout};
use otp_bridge::process::Class;
use otp_bridge::term::PidParts;
use otp_bridge::testing::Server as Tested;
use otp_bridge::{Exit, Pid, Term, atom};

use desk::{Ask, Begin, Desk, Do, Double, LastWord, Tick, Wait, WaitInVain, millis};
use porter::{Next, Porter};

fn desk() -> Tested<Desk> {
    Tested::start(Begin::Start).expect("it starts")
}

fn other(id: u32) -> Pid {
    let node = atom!("nonode@nohost");
    Pid::from_parts(PidParts {
        node,
        id,
        serial: 0,
        creation: 0,
    })
}

/// Returns the messages that have arrived since the last call, and those that were sent.
fn seen(desk: &mut Tested<Desk>) -> String {
    let noted = std::mem::take(&mut desk.state_mut().noted);
    format!("{}\n{}", noted.join(", "), desk.sent())
}

#[test]
fn it_starts_or_says_why_not() {
    let refused = Tested::<Desk>::start(Begin::Refuse(atom!("closed"))).unwrap_err();
    assert_eq!(refused.to_string(), "exit: closed");
    let panicked = Tested::<Desk>::start(Begin::Panics).unwrap_err();
    assert!(
        panicked.to_string().contains("it does not begin"),
        "{panicked}"
    );
    assert!(panicked.to_string().contains("desk.rs"), "{panicked}");
    let asked = Tested::<Desk>::start_with(Begin::Asks, |request| {
        assert_eq!(request.to_string(), "{apply,erlang,node,[]}");
        Err(Exit::error(atom!("undef")))
    });
    assert_eq!(asked.unwrap_err().to_string(), "error: undef");
}

#[test]
fn a_call_is_replied_to_now_later_or_never() {
    let mut desk = desk();
    assert_eq!(desk.call(Double(21)), Ok(42));
    let (first, second) = (desk.send_request(Wait), desk.send_request(Wait));
    assert_eq!(desk.reply(&first), None);
    desk.cast(Do::Release(5));
    assert_eq!(
        (desk.reply(&first), desk.reply(&second)),
        (Some(Ok(5)), Some(Ok(5)))
    );
    assert_eq!(desk.now(), Duration::ZERO);
    let late = desk.call(Wait).unwrap_err();
    assert_eq!(
        late.to_string(),
        "exit: {timeout,{gen_server,call,[<nonode@nohost.100.0>,wait]}}"
    );
    assert_eq!(desk.now(), Duration::from_secs(5));
    let forgotten = desk.call(WaitInVain).unwrap_err();
    assert_eq!(
        forgotten.to_string(),
        "exit: {unanswered,{gen_server,call,[<nonode@nohost.100.0>,wait_in_vain]}}"
    );
    assert!(desk.ended().is_none());
}

#[test]
fn a_term_goes_to_the_first_clause_that_it_fits() {
    let mut desk = desk();
    let reply = desk.call_term(Term::of(&(atom!("double"), 4)));
    assert_eq!(reply, Ok(Term::of(&8)));
    desk.send((atom!("$gen_cast"), atom!("to_itself")));
    desk.send((atom!("tick"), 9));
    assert_eq!(
        seen(&mut desk),
        "tick 1, tick 9\n<nonode@nohost.100.0> ! {tick,1}"
    );
    let refused = desk.call_term(Term::of(&atom!("nonsense"))).unwrap_err();
    assert!(
        refused.reason().to_string().contains("no_clause"),
        "{refused}"
    );
    let ended = desk.ended().expect("a bad request ends a server");
    assert!(
        ended.to_string().starts_with("error: {no_clause,"),
        "{ended}"
    );
}

#[test]
fn time_goes_on_when_the_test_says_so() {
    let mut desk = desk();
    desk.cast(Do::Later(30));
    desk.cast(Do::Repeat(20));
    desk.cast(Do::StartTimer(50));
    desk.advance(millis(19));
    assert_eq!(seen(&mut desk), "\n");
    desk.advance(millis(31));
    assert_eq!(seen(&mut desk), "tick 0, tick 30, tick 0, timer: late\n");
    desk.cast(Do::EndRepeat);
    desk.cast(Do::StartTimer(50));
    desk.advance(millis(10));
    desk.cast(Do::CancelTimer);
    desk.cast(Do::CancelTimer);
    desk.advance(millis(1000));
    assert_eq!(seen(&mut desk), "left: Some(40ms), left: None\n");
    desk.cast(Do::Later(10));
    desk.cast(Do::Sleep(20));
    assert_eq!(seen(&mut desk), "tick 10\n");
    assert_eq!(desk.now(), millis(1080));
}

#[test]
fn a_timeout_comes_if_nothing_else_does() {
    let mut desk = desk();
    desk.cast(Do::Quiet(100));
    desk.advance(millis(99));
    desk.info(Tick(1));
    desk.advance(millis(1000));
    assert_eq!(seen(&mut desk), "tick 1\n");
    desk.cast(Do::Quiet(100));
    desk.advance(millis(100));
    desk.cast(Do::Quiet(0));
    assert_eq!(seen(&mut desk), "quiet, quiet\n");
    desk.send(timeout);
    assert_eq!(seen(&mut desk), "quiet\n");
}

#[test]
fn it_continues_before_it_takes_a_message() {
    let mut desk = desk();
    desk.cast(Do::Continue);
    assert_eq!(
        seen(&mut desk),
        "continued: 3, continued: 2, continued: 1, continued: 0\n"
    );
}

#[test]
fn an_alias_is_a_way_to_itself() {
    let mut desk = desk();
    desk.cast(Do::Alias);
    assert_eq!(
        seen(&mut desk),
        "tick 2\n#Ref<nonode@nohost.0.0.1> ! {tick,2}"
    );
}

#[test]
fn other_processes_are_played_by_the_test() {
    let mut desk = desk();
    let mut second = Tested::<Desk>::start(Begin::Start).expect("it starts");
    assert_ne!(desk.pid(), second.pid());
    desk.answer(move |request| match request {
        Term::Tuple(call) if call[1] == Term::of(&atom!("other")) => {
            second.call_term(call[2].clone())
        }
        request => panic!("{request}"),
    });
    assert_eq!(desk.call(Ask(10)), Ok(21));
    desk.answer(|_| Err(Exit::new(atom!("noproc"))));
    let refused = desk.call(Ask(10)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "exit: {noproc,{gen_server,call,[<nonode@nohost.100.0>,{ask,10}]}}"
    );
    assert_eq!(desk.sent().to_string(), "journal ! {ended,noproc}");
}

#[test]
fn signals_come_as_messages_or_end_it() {
    let mut desk = Tested::<Desk>::start(Begin::Traps).expect("it starts");
    desk.cast(Do::Watch(other(7)));
    let monitor = desk.state().monitor.clone().expect("a monitor");
    desk.down(&monitor, normal);
    desk.cast(Do::Unwatch);
    desk.exit(&other(7), atom!("broken"));
    assert_eq!(
        seen(&mut desk),
        "down: normal, demonitored: false, exit: broken\n"
    );
    desk.shutdown();
    assert_eq!(desk.sent().to_string(), "journal ! {ended,shutdown}");
    assert_eq!(desk.ended(), Some(&Exit::new(shutdown)));
    // It does not trap exits, so `terminate` is not called.
    let mut desk = self::desk();
    desk.exit(&other(7), normal);
    assert!(desk.ended().is_none());
    desk.exit(&other(7), atom!("broken"));
    assert_eq!(desk.ended(), Some(&Exit::new(atom!("broken"))));
    assert!(desk.sent().is_empty());
}

#[test]
fn it_ends_with_the_reason_that_erlang_would_see() {
    let ends = |what: Do| {
        let mut desk = desk();
        let waiting = desk.send_request(Wait);
        desk.cast(what);
        let call = desk.reply(&waiting).expect("it has ended").unwrap_err();
        let ended = desk.ended().expect("it has ended").clone();
        let reason = match ended.class() {
            Class::Error => format!("{{{},[]}}", ended.reason()),
            _ => ended.reason().to_string(),
        };
        let pid = Term::of(&desk.pid());
        let expected = format!("{{{reason},{{gen_server,call,[{pid},wait]}}}}");
        assert_eq!(call.reason().to_string(), expected);
        assert!(
            desk.call(Double(1))
                .unwrap_err()
                .to_string()
                .contains("noproc")
        );
        (ended.to_string(), desk.sent().to_string())
    };
    let (ended, sent) = ends(Do::Stop);
    assert_eq!(
        (&*ended, &*sent),
        ("exit: normal", "journal ! {ended,normal}")
    );
    let (ended, sent) = ends(Do::Fail);
    assert_eq!(
        (&*ended, &*sent),
        ("error: {no,paper}", "journal ! {ended,{{no,paper},[]}}")
    );
    let (ended, sent) = ends(Do::Panic);
    assert!(ended.starts_with("error: {panic,#{"), "{ended}");
    assert!(
        ended.contains("out of paper") && sent.contains("out of paper"),
        "{ended} {sent}"
    );
    let mut desk = desk();
    assert_eq!(desk.call(LastWord), Ok(7));
    assert_eq!(desk.ended(), Some(&Exit::new(shutdown)));
    let mut desk = self::desk();
    desk.stop(atom!("closing"));
    assert_eq!(desk.sent().to_string(), "journal ! {ended,closing}");
}

#[test]
#[should_panic(expected = "the server requests {call,other,{double,10},5000}")]
fn a_request_that_nobody_answers_fails_the_test() {
    let _ = desk().call(Ask(10));
}

#[test]
#[should_panic(expected = "the process does not have this monitor")]
fn a_monitor_is_over_with_its_message() {
    let mut desk = desk();
    desk.cast(Do::Watch(other(7)));
    let monitor = desk.state().monitor.clone().expect("a monitor");
    desk.down(&monitor, normal);
    desk.down(&monitor, normal);
}

#[test]
fn what_is_refused_leaves_the_state() {
    let mut porter = Tested::<Porter>::start(()).expect("it starts");
    assert_eq!(porter.call(Next), Ok(1));
    let refused = porter
        .call_term(Term::of(&atom!("nonsense")))
        .unwrap_err()
        .to_string();
    assert!(
        refused.starts_with("exit: {{bad_request,{bad_term,"),
        "{refused}"
    );
    porter.send(atom!("nonsense"));
    assert_eq!(porter.call(Next), Ok(2));
}
