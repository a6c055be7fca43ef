//! Bindings without a VM: what they ask for, and where their failures are.
#![cfg(all(feature = "ets", feature = "timer"))]

use std::cell::Cell;

use otp_bindings::{ets, timer};
use otp_bridge::{Exit, Term, atom, testing};
use otp_bridge_novm as _;

/// What `callback` gives when all that it asks for fails, and what it asked for.
fn run<T>(callback: impl AsyncFnOnce(&otp_bridge::Cx<'_>) -> T) -> (T, Vec<String>) {
    let mut asked = Vec::new();
    let given = testing::run(callback, |operation: Term| {
        asked.push(operation.to_string());
        Err(Exit::new(atom!("noproc")))
    });
    (given, asked)
}

#[test]
fn an_exit_names_the_line_that_called_the_binding() {
    let called = Cell::new(0);
    let (failed, asked) = run(async |cx| {
        called.set(line!() + 1);
        ets::insert(cx, atom!("seen"), vec![]).await
    });
    assert_eq!(asked, ["{apply,ets,insert,[seen,[]]}"]);
    let location = failed.expect_err("there is no table").location();
    assert!(location.file().ends_with("bindings.rs"), "{location}");
    assert_eq!(location.line(), called.get());
}

#[test]
fn arguments_are_sent_in_the_order_of_the_spec() {
    let (_, asked) = run(async |cx| timer::send_after(cx, 5, "late").await.map(drop));
    assert_eq!(asked, ["{apply,timer,send_after,[5,<<\"late\">>]}"]);
}

/// One Erlang type is one Rust type: what a behaviour gives is what a binding takes.
#[cfg(all(
    feature = "supervisor",
    feature = "gen_server",
    feature = "application"
))]
#[test]
fn values_of_behaviours_types_are_arguments() {
    use otp_bindings::{application, gen_server, supervisor};
    use otp_bridge::supervisor::{ChildSpec, ChildSpecMap, SupRef};

    let server = otp_bridge::gen_server::ServerRef::from(atom!("counter"));
    let (_, asked) = run(async |cx| gen_server::stop(cx, server).await.map(drop));
    assert_eq!(asked, ["{apply,gen_server,stop,[counter]}"]);

    let started = (atom!("counter"), atom!("start_link"), Some(vec![]));
    let spec = ChildSpec::from(ChildSpecMap::new(atom!("counter"), started));
    let (_, asked) = run(async |cx| {
        let started = supervisor::start_child(cx, SupRef::from(atom!("stroot")), spec);
        started.await.map(drop)
    });
    let expected =
        "{apply,supervisor,start_child,[stroot,#{id => counter,start => {counter,start_link,[]}}]}";
    assert_eq!(asked, [expected]);

    let permanent = otp_bridge::application::RestartType::Permanent;
    let (_, asked) = run(async |cx| {
        let started = application::ensure_started_with_type(cx, atom!("shop"), permanent);
        started.await.map(drop)
    });
    assert_eq!(
        asked,
        ["{apply,application,ensure_started,[shop,permanent]}"]
    );
}
