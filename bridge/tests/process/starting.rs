//! Starting processes of the application's own modules, and requests to event managers.

use otp_bridge::gen_event::ManagerRequests;
use otp_bridge::start::Start;
use std::time::Duration;

use otp_bridge::atoms::{EXIT, error, ignore, ok};
use otp_bridge::gen_event::{self, GenEvent, Manager, gen_event};
use otp_bridge::gen_server::{self, GenServer, Server, gen_server};
use otp_bridge::process::Class;
use otp_bridge::start::StartOptions;
use otp_bridge::{Exit, FromTerm, Name, Pid, Term, atom, testing};

use crate::{nothing, run};

#[derive(Debug)]
struct Till;

#[gen_server(module = "till")]
impl GenServer for Till {
    type Args = u64;

    fn init(_: u64) -> impl gen_server::InitReturn<Self> {
        (ok, Till)
    }
}

static TILL: Server<Till> = Server::registered();

#[derive(Debug)]
struct Safe;

#[gen_server(module = "safe")]
impl GenServer for Safe {
    type Args = ();

    fn init(_: ()) -> impl gen_server::InitReturn<Self> {
        (ok, Safe)
    }
}

static SAFE: Server<Safe> = Server::registered();

#[derive(Debug)]
struct Sales;

/// `{total, Of}`
#[derive(Debug, Term)]
#[reply(u64)]
struct Total(String);

#[gen_event(module = "sales")]
impl GenEvent for Sales {
    type InitArgs = ();

    fn init(_: ()) -> impl gen_event::InitReturn<Self> {
        (ok, Sales)
    }

    fn handle_event(&mut self, _: Term) -> impl gen_event::HandleEventReturn {
        ok
    }

    fn handle_call(&mut self, _: Total) -> impl gen_event::HandleCallReturn<u64> {
        (ok, 1)
    }
}

/// Returns a process's identifier.
fn pid() -> Pid {
    let caller = Term::of(&testing::caller::<()>());
    let (pid, _) = <(Pid, Term)>::from_term(&caller).expect("a pair");
    pid
}

#[test]
fn a_process_is_started_as_its_module_says() {
    let started = |_: &str| Ok(Term::of(&(ok, pid())));
    let (both, asked) = run(
        async |cx| {
            let one = cx.start_link::<Till>(1).await?;
            cx.start_link_registered::<Till>(2)
                .await
                .map(|other| (one, other))
        },
        &started,
    );
    assert_eq!(both, Ok((pid().into(), pid().into())));
    assert_eq!(
        asked,
        [
            "{apply,till,start_link,[1]}",
            "{apply,till,start_link,[{local,till},2,[]]}"
        ]
    );
}

#[test]
fn a_process_is_started_with_a_name_and_options() {
    let options = || StartOptions::new().hibernate_after(Duration::from_secs(1));
    let (started, asked) = run(
        async |cx| {
            cx.start_link::<Till>(1).options(options()).await?;
            let named = cx.start_link::<Till>(2).registered(Name::global("till"));
            named.options(options()).await?;
            cx.start_link::<Till>(3).registered(&TILL).await
        },
        &|_: &str| Ok(Term::of(&(ok, pid()))),
    );
    assert_eq!(started, Ok(pid().into()));
    assert_eq!(
        asked,
        [
            "{apply,till,start_link,[1,[{hibernate_after,1000}]]}",
            r#"{apply,till,start_link,[{global,<<"till">>},2,[{hibernate_after,1000}]]}"#,
            "{apply,till,start_link,[{local,till},3,[]]}",
        ]
    );
    let (failed, asked) = run(
        async |cx| {
            let named = cx.start_link::<Till>(1).registered(atom!("a"));
            named.registered(atom!("b")).await
        },
        &nothing,
    );
    let text = failed.expect_err("it has two names").to_string();
    assert!(
        text.contains("is registered as `{local,a}` already"),
        "{text}"
    );
    assert!(asked.is_empty(), "{asked:?}");
}

/// A reference to a process of another type, or not by a name of this node, is not a name for the
/// process.
#[test]
fn a_reference_is_a_name_of_its_own_process() {
    let (failed, asked) = run(
        async |cx| cx.start_link::<Till>(1).registered(&SAFE).await,
        &nothing,
    );
    let text = failed.expect_err("another type's").to_string();
    assert!(
        text.contains("a reference to a process of `safe`"),
        "{text}"
    );
    let by_pid: Server<Till> = pid().into();
    let (failed, _) = run(
        async |cx| cx.start_link::<Till>(1).registered(&by_pid).await,
        &nothing,
    );
    let text = failed.expect_err("a pid").to_string();
    assert!(text.contains("is not a name of this node"), "{text}");
    assert!(asked.is_empty(), "{asked:?}");
}

#[test]
fn a_process_that_does_not_start_is_an_exit_with_its_reason() {
    for (answer, reason) in [
        (Term::of(&(error, "late")), "<<\"late\">>"),
        (Term::of(&ignore), "ignore"),
    ] {
        let line = std::cell::Cell::new(0);
        let (failed, _) = run(
            async |cx| {
                line.set(line!() + 1);
                cx.start_link::<Till>(1).await
            },
            &|_: &str| Ok(answer.clone()),
        );
        let exit: Exit = failed.expect_err("it has not started");
        assert_eq!(exit.class(), Class::Exit);
        assert_eq!(exit.reason().to_string(), reason);
        assert_eq!(exit.location().line(), line.get());
    }
    let (failed, _) = run(async |cx| cx.start_link::<Till>(1).await, &|_: &str| {
        Ok(Term::of(&(ok, "no process")))
    });
    let text = failed.expect_err("that is not a process").to_string();
    assert!(
        text.contains("bad_term") && text.contains("pid()"),
        "{text}"
    );
}

#[test]
fn a_manager_is_asked_by_gen_event() {
    let manager = Manager::local(atom!("shop"));
    let (done, asked) = run(
        async |cx| {
            cx.notify(&manager, ("sold", 1)).await?;
            cx.sync_notify(&manager, ("sold", 2)).await?;
            cx.add_handler::<Sales>(&manager, ()).await?;
            cx.add_sup_handler::<Sales>(&manager, ()).await?;
            cx.delete_handler::<Sales>(&manager, "over").await
        },
        &nothing,
    );
    assert_eq!(done, Ok(Term::of(&ok)));
    assert_eq!(
        asked,
        [
            r#"{apply,gen_event,notify,[shop,{<<"sold">>,1}]}"#,
            r#"{apply,gen_event,sync_notify,[shop,{<<"sold">>,2}]}"#,
            "{apply,gen_event,add_handler,[shop,sales,{}]}",
            "{apply,gen_event,add_sup_handler,[shop,sales,{}]}",
            r#"{apply,gen_event,delete_handler,[shop,sales,<<"over">>]}"#,
        ]
    );
}

#[test]
fn what_a_manager_cannot_do_is_an_exit() {
    let manager = Manager::local(atom!("shop"));
    let missing = Term::of(&(error, atom!("module_not_found")));
    let (failed, _) = run(
        async |cx| cx.delete_handler::<Sales>(&manager, ()).await,
        &|_: &str| Ok(missing.clone()),
    );
    assert_eq!(failed, Err(Exit::new(missing.clone())));
    let (failed, _) = run(
        async |cx| cx.add_handler::<Sales>(&manager, ()).await,
        &|_: &str| Ok(Term::of(&(EXIT, "init"))),
    );
    assert_eq!(failed, Err(Exit::new((EXIT, "init"))));
}

#[test]
fn a_handler_replies_by_the_type_of_its_request() {
    let manager = Manager::local(atom!("shop"));
    let ask = |answer: Term| {
        let (reply, asked) = run(
            async |cx| {
                let request = Total("shoes".to_owned());
                cx.call_handler::<Sales, _>(&manager, request).await
            },
            &|_: &str| Ok(answer.clone()),
        );
        let request = r#"{apply,gen_event,call,[shop,sales,{total,<<"shoes">>}]}"#;
        assert_eq!(asked, [request]);
        reply
    };
    assert_eq!(ask(Term::of(&7)), Ok(7));
    for failure in [
        Term::of(&(error, atom!("bad_module"))),
        Term::of(&(error, (EXIT, "reason"))),
    ] {
        assert_eq!(ask(failure.clone()), Err(Exit::new(failure)));
    }
    let text = ask(Term::of(&(error, 1)))
        .expect_err("not a number")
        .to_string();
    assert!(
        text.contains("bad_term") && text.contains("Reply"),
        "{text}"
    );
}
