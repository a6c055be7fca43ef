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
