//! Tests of operations from start to end, without a process.

use super::*;

fn is_nothing<T>(found: &Found<T>) -> bool {
    matches!(found, Found::Nothing)
}

#[test]
fn an_answer_reaches_its_own_operation_and_once() {
    let mut exchange = Exchange::new();
    let first = exchange.begin("first", None);
    let second = exchange.begin("second", None);
    assert_eq!(
        exchange.take_actions(),
        [
            Action::Begin(first, "first"),
            Action::Begin(second, "second")
        ]
    );
    assert!(is_nothing(&exchange.take(second, None)));
    exchange.deliver(second, Answer::Here("answer"));
    assert!(is_nothing(&exchange.take(first, None)));
    assert!(matches!(
        exchange.take(second, None),
        Found::Answer(Answer::Here("answer"))
    ));
    assert!(is_nothing(&exchange.take(second, None)));
    exchange.deliver(second, Answer::Here("late"));
    let third = exchange.begin("third", None);
    assert!(
        is_nothing(&exchange.take(third, None)),
        "an index that is used again is another operation"
    );
}

#[test]
fn what_erlang_has_not_heard_of_is_not_cancelled() {
    let mut exchange = Exchange::new();
    let early = exchange.begin("early", None);
    exchange.give_up(early);
    assert!(!exchange.has_actions());
    let late = exchange.begin("late", None);
    exchange.take_actions();
    exchange.give_up(late);
    assert_eq!(exchange.take_actions(), [Action::Cancel(late)]);
    exchange.give_up(late);
    assert!(!exchange.has_actions(), "it was cancelled before");
}

#[test]
fn what_is_over_leaves_nothing_behind() {
    let mut exchange = Exchange::new();
    for _ in 0..3 {
        let id = exchange.begin("alone", None);
        exchange.take_alone();
        exchange.deliver(id, Answer::Here("answer"));
        assert!(!is_nothing(&exchange.take(id, None)));
    }
    assert!(exchange.is_idle());
    assert_eq!(exchange.fresh, []);
}

#[test]
fn one_operation_alone_needs_no_list() {
    let mut exchange = Exchange::new();
    exchange.begin("alone", None);
    assert_eq!(exchange.take_alone(), Some("alone"));
    exchange.begin("beside", None);
    assert_eq!(exchange.take_alone(), None);
    assert_eq!(exchange.count(), 2);
}

#[test]
fn the_only_operation_of_the_callback_is_performed_last() {
    let mut exchange = Exchange::new();
    let alarm = exchange.begin("alarm", None);
    let of_task = exchange.begin_awaited("task's", Some(Waker::noop().clone()));
    exchange.ask("before");
    let own = exchange.begin_awaited("own", None);
    let later = exchange.begin_awaited("later task's", Some(Waker::noop().clone()));
    assert_eq!(
        exchange.take_actions_of_callback(),
        [
            Action::Begin(alarm, "alarm"),
            Action::Begin(of_task, "task's"),
            Action::Do("before"),
            Action::Begin(later, "later task's"),
            Action::Perform(own, "own"),
        ]
    );
    exchange.deliver(own, Answer::Here("answer"));
    assert!(!is_nothing(&exchange.take(own, None)));
    assert!(exchange.is_unanswered(alarm));
    let again = exchange.begin_awaited("again", None);
    let performed = [Action::Perform(again, "again")];
    assert_eq!(exchange.take_actions_of_callback(), performed);
    exchange.deliver(again, Answer::Here("answer"));
    assert!(!exchange.is_unanswered(again));
    assert!(!exchange.is_unanswered(again));
    let ahead = exchange.begin("ahead", None);
    let first = exchange.begin_awaited("first", None);
    assert!(
        is_nothing(&exchange.take(ahead, None)),
        "now it is awaited, too"
    );
    assert_eq!(
        exchange.take_actions_of_callback(),
        [Action::Begin(ahead, "ahead"), Action::Begin(first, "first")]
    );
}

#[test]
fn a_message_that_nobody_took_is_asked_for_again() {
    let mut exchange = Exchange::new();
    let id = exchange.begin("receive", None);
    exchange.take_actions();
    exchange.deliver(id, Answer::Offered("message"));
    exchange.keep_answers(|_| unreachable!("it stays in the mailbox"));
    assert!(matches!(exchange.take(id, None), Found::NotBegun));
    exchange.begin_again(id, "receive");
    assert_eq!(exchange.take_actions(), [Action::Begin(id, "receive")]);
    exchange.deliver(id, Answer::Offered("message"));
    assert!(matches!(
        exchange.take(id, None),
        Found::Answer(Answer::Offered("message"))
    ));
    exchange.take_message("receive");
    exchange.forget();
    assert_eq!(exchange.take_actions(), [Action::Take("receive")]);
}

#[test]
fn what_nobody_waits_for_is_done_in_its_turn() {
    let mut exchange = Exchange::new();
    let early = exchange.begin("early", None);
    exchange.ask("between");
    exchange.detach(early);
    let done = [Action::Do("early"), Action::Do("between")];
    assert_eq!(exchange.take_actions(), done);
    let late = exchange.begin("late", None);
    exchange.take_actions();
    exchange.detach(late);
    assert!(exchange.is_idle());
}
