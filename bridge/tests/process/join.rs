//! Several operations at the same time.

use otp_bridge::{Result, Term, atom, join, join_all, race, try_join, try_join_all};

use crate::{noproc, ping, run};

/// Answers with the node in the request.
fn echo(request: &str) -> Result<Term> {
    let node = request.split('"').nth(1).unwrap_or_default();
    Ok(Term::of(
        &otp_bridge::Atom::new(node).expect("a short name"),
    ))
}

#[test]
fn joined_operations_are_asked_for_together() {
    let (both, asked) = run(async |cx| join!(ping(cx, "a"), ping(cx, "b")).await, &echo);
    assert_eq!(both, (Ok(atom!("a")), Ok(atom!("b"))));
    assert_eq!(
        asked,
        [
            r#"{apply,net_adm,ping,[<<"a">>]}"#,
            r#"{apply,net_adm,ping,[<<"b">>]}"#
        ]
    );
}

#[test]
fn up_to_five_of_different_types_are_joined() {
    let (all, asked) = run(
        async |cx| {
            let three = join!(ping(cx, "a"), async { 2 }, async { "three" }).await;
            let four = join!(async { 1 }, async { 2 }, async { 3 }, async { 4 }).await;
            let five = try_join!(
                ping(cx, "b"),
                async { Ok(2) },
                async { Ok(3) },
                async { Ok(4) },
                ping(cx, "c"),
            )
            .await;
            (three.0, four.3, five.map(|five| five.4))
        },
        &echo,
    );
    assert_eq!(all, (Ok(atom!("a")), 4, Ok(atom!("c"))));
    assert_eq!(asked.len(), 3);
}

#[test]
fn the_first_error_is_that_of_all() {
    let (failed, asked) = run(
        async |cx| try_join!(ping(cx, "a"), ping(cx, "b")).await,
        &|request: &str| {
            if request.contains("<<\"b\">>") {
                noproc(request)
            } else {
                echo(request)
            }
        },
    );
    let exit = failed.expect_err("one of them fails");
    assert_eq!(exit.reason().to_string(), "noproc");
    assert_eq!(asked.len(), 2);
}

#[test]
fn lists_of_operations_keep_their_order() {
    let nodes = ["a", "b", "c"];
    let (all, _) = run(
        async |cx| join_all(nodes.map(|node| ping(cx, node))).await,
        &echo,
    );
    assert_eq!(all, [Ok(atom!("a")), Ok(atom!("b")), Ok(atom!("c"))]);
    let (none, _) = run(
        async |cx| try_join_all(nodes.map(|node| ping(cx, node))).await,
        &noproc,
    );
    assert!(none.is_err());
}

#[test]
fn a_race_is_won_by_what_is_there_first() {
    let (winner, asked) = run(
        async |cx| race(std::future::pending(), ping(cx, "b")).await,
        &echo,
    );
    assert_eq!(winner, Ok(atom!("b")));
    assert_eq!(asked.len(), 1);
    let (winner, asked) = run(
        async |cx| race(ping(cx, "a"), async { Ok(atom!("at_once")) }).await,
        &echo,
    );
    assert_eq!(winner, Ok(atom!("at_once")));
    assert!(asked.is_empty(), "the loser was not even begun: {asked:?}");
}
