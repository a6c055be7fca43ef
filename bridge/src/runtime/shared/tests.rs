//! Resources without a VM: test doubles, and the forms of the macro.

use std::sync::Arc;
use std::thread;

use super::{Boxed, OpenerAnswer, OpenerCall, Unavailable, all, opener};
use crate::{Exit, Term};

crate::shared! {
    static FIRST: u64 = || 1_u64, close = |_| ();
    static SECOND: String = second, close = close_second, retry = true;
    static THIRD: Vec<u8> = Vec::new;
}

async fn second() -> Result<String, std::num::ParseIntError> {
    Ok("x".parse::<u64>()?.to_string())
}

async fn close_second(_: Arc<String>) {}

/// Checks that a test sees its own value, also from other threads, while other tests have others.
fn sees_its_own(number: u64) {
    let double = FIRST.set_for_test(number);
    for _ in 0..100 {
        let seen = thread::spawn(|| FIRST.get().map(|value| *value));
        assert_eq!(seen.join().expect("no panic"), Ok(number));
    }
    assert_eq!(FIRST.health(), Ok(()));
    drop(double);
}

#[test]
fn one_test_at_a_time_has_a_value_in_place() {
    sees_its_own(1);
}

#[test]
fn another_test_has_another_value() {
    sees_its_own(2);
}

#[test]
fn a_value_that_a_test_has_twice_is_refused() {
    let _double = SECOND.set_for_test(String::new());
    let twice = std::panic::catch_unwind(|| SECOND.set_for_test(String::new()));
    assert!(twice.is_err());
}

#[test]
fn without_a_vm_the_error_says_what_to_do() {
    let name = concat!(module_path!(), "::THIRD");
    let error = THIRD.get().expect_err("nothing opens it");
    assert_eq!(error, Unavailable::NotOpen { name });
    assert!(
        error.to_string().contains("`THIRD.set_for_test(…)`"),
        "{error}"
    );
    let exit = Exit::from(error);
    assert_eq!(exit.kind(), crate::process::ExitKind::Unavailable);
    let expected = Term::of(&(crate::atom!("unavailable"), name, crate::atom!("not_open")));
    assert_eq!(*exit.reason(), expected);
}

#[test]
fn they_are_opened_in_the_order_of_their_declarations() {
    let names: Vec<&str> = all().into_iter().map(super::Resource::name).collect();
    let names: Vec<&str> = names
        .iter()
        .filter_map(|it| it.rsplit("::").next())
        .collect();
    assert_eq!(names, ["FIRST", "SECOND", "THIRD"]);
}

/// Runs a future on a run time of its own.
fn awaited<T>(future: Boxed<T>) -> T {
    let run_time = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .build();
    run_time.expect("it starts").block_on(future)
}

fn opened<T: Send + 'static, F, Argument, Form>(function: F) -> Result<T, String>
where
    F: opener::Opens<Argument, Returned: opener::Opened<T, Form>>,
{
    let call = OpenerCall::Open(Vec::new().into());
    match opener::open::<T, F, Argument, Form>(call, function) {
        OpenerAnswer::Opening(opening) => awaited(opening),
        OpenerAnswer::Application(_) => Err("the other answer".to_owned()),
    }
}

#[test]
fn a_function_of_any_form_opens() {
    assert_eq!(opened::<u64, _, _, _>(|| 1_u64), Ok(1));
    assert_eq!(opened::<u64, _, _, _>(async || 2_u64), Ok(2));
    assert_eq!(
        opened::<u64, _, _, _>(|| Err::<u64, _>("no")),
        Err("no".to_owned())
    );
    let why = opened::<String, _, _, _>(second);
    assert_eq!(why, Err("invalid digit found in string".to_owned()));
    let exit = || Err::<u64, Exit>(Exit::new("why"));
    assert_eq!(
        opened::<u64, _, _, _>(exit),
        Err("exit: <<\"why\">>".to_owned())
    );
}

#[test]
fn a_panic_is_an_error_with_its_text() {
    let at_once = opened::<u64, _, _, _>(|| -> u64 { panic!("at once") });
    let later = opened::<u64, _, _, _>(async || -> u64 { panic!("later") });
    for (opened, text) in [(at_once, "at once"), (later, "later")] {
        let error = opened.expect_err("it panics");
        assert!(error.starts_with(&format!("panicked: {text}")), "{error}");
    }
}
