//! Operations that fail, with the exit and the location.

use otp_bridge::process::Class;
use otp_bridge::{Exit, Result, Term, atom};

use crate::{noproc, nothing, ping, run};

#[test]
fn an_exit_is_that_of_the_operation() {
    let (failed, _) = run(async |cx| ping(cx, "far@away").await, &noproc);
    let exit = failed.expect_err("nobody is there");
    assert_eq!(exit.class(), Class::Exit);
    assert_eq!(exit, Exit::new(atom!("noproc")));
    assert_eq!(exit.to_string(), "exit: noproc");
}

#[test]
fn an_answer_of_another_type_is_a_bad_term() {
    let text = |_: &str| Ok(Term::of("pong"));
    let (failed, _) = run(async |cx| ping(cx, "far@away").await, &text);
    let exit = failed.expect_err("a binary is not an atom");
    assert_eq!(exit.class(), Class::Error);
    let text = exit.reason().to_string();
    assert!(text.starts_with("{bad_term,"), "{text}");
    assert!(text.contains("atom()") && text.contains("pong"), "{text}");
}

#[test]
fn the_place_is_where_the_operation_was_called() {
    let called = std::cell::Cell::new(0);
    let (failed, _): (Result<u64>, _) = run(
        async |cx| {
            called.set(line!() + 1);
            let slow = cx.apply("slow", "one", ());
            slow.await
        },
        &noproc,
    );
    let location = failed.expect_err("nobody is there").location();
    assert!(location.file().ends_with("failures.rs"), "{location}");
    assert_eq!(location.line(), called.get());
}

#[test]
fn a_name_that_is_no_atom_is_a_badarg() {
    let long = "x".repeat(256);
    let (failed, asked): (Result<u64>, _) = run(async |cx| cx.apply(&long, "f", ()).await, &noproc);
    let text = failed.expect_err("an atom has 255 characters").to_string();
    assert!(text.starts_with("error: {badarg,"), "{text}");
    assert!(asked.is_empty());
}

/// The errors of other crates become exits by their `Display` text.
#[test]
fn an_error_type_says_itself_how_it_ends_the_process() {
    struct OutOfStock(u64);
    impl From<OutOfStock> for Exit {
        fn from(OutOfStock(item): OutOfStock) -> Self {
            Exit::new((atom!("out_of_stock"), item))
        }
    }
    let (failed, _) = run(
        async |_| -> Result<()> {
            let sold: std::result::Result<(), OutOfStock> = Err(OutOfStock(7));
            Ok(sold?)
        },
        &noproc,
    );
    assert_eq!(failed, Err(Exit::new((atom!("out_of_stock"), 7))));
}

#[test]
fn atoms_of_ones_own_become_atoms() {
    otp_bridge::atoms! { out_of_stock, "sold out" => sold_out }
    let atoms: [otp_bridge::Atom; 2] = [out_of_stock.into(), sold_out.into()];
    assert_eq!(atoms, [atom!("out_of_stock"), atom!("sold out")]);
}

/// Does the same as `pollster::block_on`.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Thread(std::thread::Thread);
    impl std::task::Wake for Thread {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = std::sync::Arc::new(Thread(std::thread::current())).into();
    let mut future = std::pin::pin!(future);
    loop {
        let mut context = std::task::Context::from_waker(&waker);
        if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        std::thread::park();
    }
}

/// Without the check it would park its scheduler for ever.
#[test]
fn another_executor_in_a_callback_is_told_so() {
    let blocks = || run(async |cx| block_on(ping(cx, "far@away")), &nothing);
    let panicked = std::panic::catch_unwind(blocks).expect_err("it panics");
    let text = panicked.downcast_ref::<String>().expect("a message");
    assert!(
        text.contains("failures.rs") || text.contains("main.rs"),
        "{text}"
    );
    assert!(
        text.contains("`block_on`") && text.contains("`.await`"),
        "{text}"
    );
}

/// They have wakers of their own.
#[test]
fn combinators_give_way() {
    use futures_util::stream::{FuturesUnordered, StreamExt};
    let (answers, asked) = run(
        async |cx| {
            let all: FuturesUnordered<_> = (0..200).map(|_| ping(cx, "far@away")).collect();
            all.collect::<Vec<_>>().await
        },
        &nothing,
    );
    assert_eq!((answers.len(), asked.len()), (200, 200));
    assert!(answers.iter().all(Result::is_ok));
}
