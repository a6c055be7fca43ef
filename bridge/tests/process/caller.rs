//! Callers: which of them get a reply, and how.

use otp_bridge::term::DecodeError;
use otp_bridge::{Caller, FromTerm, Term, atom, atoms::error, testing};

use crate::{nothing, run};

#[test]
fn a_reply_is_sent_by_gen_server() {
    let caller = testing::caller::<u64>();
    let (_, asked) = run(async |cx| caller.reply(cx, 7), &nothing);
    assert_eq!(
        asked,
        ["{apply,gen_server,reply,[{<nonode@nohost.2.0>,state},7]}"]
    );
}

#[test]
fn callers_that_were_kept_are_answered_in_the_order_of_the_answers() {
    let mut waiting = vec![testing::caller(), testing::caller()];
    let (_, asked) = run(
        async |cx| {
            for (caller, count) in waiting.drain(..).zip([1_u8, 2]) {
                caller.reply(cx, count);
            }
        },
        &nothing,
    );
    assert_eq!(asked.len(), 2);
    assert!(
        asked[0].ends_with(",1]}") && asked[1].ends_with(",2]}"),
        "{asked:?}"
    );
}

#[test]
fn a_caller_is_the_pair_that_gen_server_gives() {
    let caller = testing::caller::<u64>();
    assert_eq!(Term::of(&caller).to_string(), "{<nonode@nohost.2.0>,state}");
    assert_eq!(format!("{caller:?}"), "Caller<u64>");
    let refused: Result<Caller<u64>, DecodeError> = Caller::from_term(&Term::of(&error));
    let text = refused.map(|_| ()).unwrap_err().to_string();
    assert_eq!(text, "expected gen_server:from(), got error");
}

#[test]
fn one_without_a_type_is_a_term_like_others() {
    let typed = testing::caller::<u64>();
    let untyped: Caller<Term> = typed.untyped();
    let pair = Term::of(&(Term::of(&1), atom!("tag")));
    let other: Caller<Term> = Caller::from_term(&pair).expect("a pair");
    assert_ne!(other.untyped(), untyped);
}
