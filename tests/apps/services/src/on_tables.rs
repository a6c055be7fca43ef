//! Tables of `ets` on the Erlang VM.
use otp_bridge::gen_server::prelude::*;
use otp_bridge::process::ExitKind;
use otp_bridge::table::{Any, Column, Columns, OrderedSet, TableOptions};
use otp_bridge::{Table, atom, join_all};

use crate::tables::{PRICES, Price, SEEN, SMALL, SOLD, TERMS};

pub(crate) fn price(cents: u64) -> Price {
    let currency = "EUR".to_owned();
    Price { cents, currency }
}

pub(crate) fn reason<T>(result: Result<T>) -> String {
    result.map_or_else(|exit| exit.reason().to_string(), |_| "no error".to_owned())
}

/// A thousand rows of ten shops.
async fn sold(cx: &Cx<'_>) -> Result<()> {
    SOLD.create(cx, TableOptions::new()).await?;
    let rows: Vec<_> = (0..1000_i64)
        .map(|number| ((number.unsigned_abs() % 10, number.unsigned_abs()), number))
        .collect();
    SOLD.insert_all(cx, &rows).await
}

#[otp_bridge::test(application = false)]
async fn rows_are_inserted_read_and_removed(cx: &Cx<'_>) -> Result<()> {
    PRICES.create(cx, TableOptions::new().private()).await?;
    assert_eq!(PRICES.get(cx, "tea").await?, None);
    PRICES.insert(cx, "tea", &price(250)).await?;
    assert_eq!(PRICES.get(cx, "tea").await?, Some(price(250)));
    assert!(!PRICES.insert_new(cx, "tea", &price(1)).await?);
    assert!(PRICES.insert_new(cx, "milk", &price(120)).await?);
    PRICES.insert(cx, "tea", &price(260)).await?;
    assert_eq!(PRICES.count(cx).await?, 2);
    assert!(!PRICES.replace(cx, "tea", &price(250), &price(270)).await?);
    assert!(PRICES.replace(cx, "tea", &price(260), &price(270)).await?);
    assert!(!PRICES.replace(cx, "rum", &price(270), &price(280)).await?);
    assert_eq!(PRICES.take(cx, "tea").await?, Some(price(270)));
    assert_eq!(PRICES.take(cx, "tea").await?, None);
    assert!(!PRICES.contains(cx, "tea").await? && PRICES.contains(cx, "milk").await?);
    PRICES.delete(cx, "milk").await?;
    PRICES.delete(cx, "milk").await?;
    let both = [("a".to_owned(), price(1)), ("b".to_owned(), price(2))];
    PRICES.insert_all(cx, &both).await?;
    let got = join_all(["a", "b", "c"].map(|key| PRICES.get(cx, key))).await;
    let got = got.into_iter().collect::<Result<Vec<_>>>()?;
    assert_eq!(got, [Some(price(1)), Some(price(2)), None]);
    PRICES.clear(cx).await?;
    assert_eq!(PRICES.count(cx).await?, 0);
    assert_eq!(
        reason(PRICES.create(cx, TableOptions::new()).await),
        "{already_exists,prices}"
    );
    PRICES.drop_table(cx).await?;
    let gone = PRICES.get(cx, "a").await;
    assert_eq!(gone.map_err(|exit| exit.kind()), Err(ExitKind::NoProcess));
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_row_that_does_not_fit_is_an_error(cx: &Cx<'_>) -> Result<()> {
    PRICES.create(cx, TableOptions::new()).await?;
    let rows = vec![
        Term::of(&("number", 7)),
        Term::of(&("wide", price(1), 2)),
        Term::of(&("tea", price(250))),
        Term::of(&(7, price(1))),
    ];
    let _: bool = cx.apply("ets", "insert", (atom!("prices"), rows)).await?;
    let number = reason(PRICES.get(cx, "number").await);
    assert!(
        number.contains("bad_term") && number.contains("<<\"7\">>"),
        "{number}"
    );
    let wide = reason(PRICES.take(cx, "wide").await);
    assert!(wide.starts_with("{bad_term,"), "{wide}");
    assert_eq!(PRICES.get(cx, "tea").await?, Some(price(250)));
    let mut rows = PRICES.rows(cx);
    let (mut read, mut refused) = (Vec::new(), 0);
    loop {
        match rows.next().await {
            Ok(Some((article, _))) => read.push(article),
            Ok(None) => break,
            Err(exit) => {
                assert!(exit.reason().to_string().starts_with("{bad_term,"));
                assert!(exit.location().file().ends_with("on_tables.rs"), "{exit:?}");
                refused += 1;
            }
        }
    }
    assert_eq!((read, refused), (vec!["tea".to_owned()], 2));
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn counters_stay_within_their_types(cx: &Cx<'_>) -> Result<()> {
    SMALL.create(cx, TableOptions::new().public()).await?;
    assert_eq!(SMALL.add(cx, &1, 250).await?, 250);
    assert_eq!(SMALL.add(cx, &1, 7).await?, 255);
    assert_eq!(SMALL.add(cx, &1, -254).await?, 1);
    assert_eq!(SMALL.add(cx, &1, -2).await?, 0);
    assert_eq!(SMALL.add(cx, &2, i64::MAX).await?, 255);
    assert_eq!(SMALL.add(cx, &3, i64::MIN).await?, 0);
    SEEN.create(cx, TableOptions::new()).await?;
    let new = Columns((0, 100, "home".to_owned()));
    assert_eq!(SEEN.add_to(cx, &1, Column::<0>, 5, &new).await?, 5);
    assert_eq!(SEEN.add_to(cx, &1, Column::<1>, 100, &new).await?, 127);
    assert_eq!(SEEN.add_to(cx, &1, Column::<1>, -1000, &new).await?, -128);
    let all = Columns((5, -128, "home".to_owned()));
    assert_eq!(SEEN.get(cx, &1).await?, Some(all));
    let row: Vec<Term> = cx.apply("ets", "lookup", (atom!("seen"), 1)).await?;
    assert_eq!(Term::of(&row).to_string(), "[{1,5,-128,<<\"home\">>}]");
    let rows = vec![Term::of(&(4, atom!("x"))), Term::of(&(5,))];
    let _: bool = cx.apply("ets", "insert", (atom!("small"), rows)).await?;
    assert_eq!(reason(SMALL.add(cx, &4, 1).await), "{no_counter,{small,4}}");
    assert_eq!(reason(SMALL.add(cx, &5, 1).await), "{no_counter,{small,5}}");
    let counts = (0..100).map(|_| cx.spawn_task(async |cx| SMALL.add(cx, &6, 1).await));
    for count in counts.collect::<Vec<_>>() {
        count.await?;
    }
    assert_eq!(SMALL.get(cx, &6).await?, Some(100));
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn rows_of_an_older_type_are_converted_once(cx: &Cx<'_>) -> Result<()> {
    PRICES.create(cx, TableOptions::new()).await?;
    let older: Table<String, u64> = Table::new(atom!("prices"));
    let rows: Vec<_> = (0..250)
        .map(|cents| (format!("old {cents}"), cents))
        .collect();
    older.insert_all(cx, &rows).await?;
    PRICES.insert(cx, "tea", &price(7)).await?;
    assert_eq!(PRICES.convert(cx, |cents: &u64| price(*cents)).await?, 250);
    assert_eq!(PRICES.convert(cx, |cents: &u64| price(*cents)).await?, 0);
    assert_eq!(PRICES.get(cx, "old 249").await?, Some(price(249)));
    let sum = PRICES.rows(cx).fold(0, |sum, _, price| sum + price.cents);
    assert_eq!(sum.await?, 250 * 249 / 2 + 7);
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn ranges_are_in_order_both_ways(cx: &Cx<'_>) -> Result<()> {
    sold(cx).await?;
    let third: Vec<u64> = (0..1000).filter(|number| number % 10 == 3).collect();
    let keys = |keys: Vec<u64>, (_, number): (u64, u64), _| [keys, vec![number]].concat();
    let up = SOLD
        .range(cx, (3, 0)..(4, 0))
        .fold(Vec::new(), keys)
        .await?;
    assert_eq!(up, third);
    let down = SOLD
        .range_back(cx, (3, 0)..(4, 0))
        .fold(Vec::new(), keys)
        .await?;
    assert_eq!(down, third.iter().rev().copied().collect::<Vec<_>>());
    let few = SOLD
        .range(cx, (3, 13)..=(3, 33))
        .fold(Vec::new(), keys)
        .await?;
    assert_eq!(few, [13, 23, 33]);
    let few = SOLD
        .range_back(cx, (3, 13)..(3, 33))
        .fold(Vec::new(), keys)
        .await?;
    assert_eq!(few, [23, 13]);
    assert_eq!(
        SOLD.range(cx, ..(0, 20))
            .fold(0, |sum, _, _| sum + 1)
            .await?,
        2
    );
    let all = SOLD
        .range::<(u64, u64)>(cx, ..)
        .fold(Vec::new(), keys)
        .await?;
    assert_eq!((all.len(), all[0], all[999]), (1000, 0, 999));
    let all = SOLD
        .range_back::<(u64, u64)>(cx, ..)
        .fold(0, |sum, _, it| sum + it);
    assert_eq!(all.await?, 499_500);
    assert_eq!(SOLD.first(cx).await?, Some(((0, 0), 0)));
    assert_eq!(SOLD.last(cx).await?, Some(((9, 999), 999)));
    SOLD.clear(cx).await?;
    assert_eq!(SOLD.last(cx).await?, None);
    assert_eq!(SOLD.range(cx, (1, 1)..).next().await?, None);
    PRICES.create(cx, TableOptions::new()).await?;
    let other: Table<String, Price, OrderedSet> = Table::new(atom!("prices"));
    assert_eq!(reason(other.first(cx).await), "{not_ordered,prices}");
    let gone: Table<String, Price, OrderedSet> = Table::new(atom!("gone"));
    assert_eq!(reason(gone.last(cx).await), "{noproc,{otp_rs_table,gone}}");
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn patterns_find_the_rows_that_match(cx: &Cx<'_>) -> Result<()> {
    sold(cx).await?;
    let count = |count: u64, _, _| count + 1;
    assert_eq!(SOLD.matching(cx, (&3, Any), Any).fold(0, count).await?, 100);
    assert_eq!(SOLD.matching(cx, (Any, &33), Any).fold(0, count).await?, 1);
    assert_eq!(SOLD.matching(cx, Any, &33).fold(0, count).await?, 1);
    assert_eq!(SOLD.matching(cx, &(3, 33), &34).fold(0, count).await?, 0);
    assert_eq!(SOLD.delete_matching(cx, (&3, Any), Any).await?, 100);
    assert_eq!(SOLD.delete_matching(cx, Any, Any).await?, 900);
    SEEN.create(cx, TableOptions::new()).await?;
    for number in 0..10 {
        let row = Columns((number % 3, 0, "home".to_owned()));
        SEEN.insert(cx, &number.into(), &row).await?;
    }
    let mut zeros = 0;
    SEEN.matching(cx, Any, (&0, Any, Any))
        .for_each(|_, _| zeros += 1)
        .await?;
    assert_eq!(zeros, 4);
    assert_eq!(
        SEEN.matching(cx, Any, Any)
            .fold(0, |sum, key, _| sum + key)
            .await?,
        45
    );
    Ok(())
}

/// Atoms that are variables in patterns of `ets` match only themselves.
#[otp_bridge::test(application = false)]
async fn a_value_is_never_a_variable_of_a_pattern(cx: &Cx<'_>) -> Result<()> {
    TERMS.create(cx, TableOptions::new()).await?;
    let (any, first) = (Term::of(&atom!("_")), Term::of(&atom!("$1")));
    let pair = |one: &Term, other: &Term| Term::of(&(one, other));
    let keys = [
        any.clone(),
        first.clone(),
        pair(&first, &first),
        pair(&any, &Term::of(&1)),
    ];
    for key in &keys {
        TERMS.insert(cx, key, &(first.clone(), 1)).await?;
    }
    TERMS.insert(cx, &Term::of(&7), &(any.clone(), 2)).await?;
    for key in &keys {
        let found = TERMS
            .matching(cx, key, Any)
            .fold(Vec::new(), |mut found, key, _| {
                found.push(key);
                found
            });
        assert_eq!(found.await?, std::slice::from_ref(key));
    }
    let found = TERMS
        .matching(cx, Any, (&any, Any))
        .fold(0, |sum, _, (_, it)| sum + it);
    assert_eq!(found.await?, 2);
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn rows_that_stay_are_read_once_while_others_change(cx: &Cx<'_>) -> Result<()> {
    let table = Table::<u64, u64>::unnamed(cx, TableOptions::new().public()).await?;
    let rows: Vec<_> = (0..5000).map(|number| (number, 0)).collect();
    table.insert_all(cx, &rows).await?;
    let writer = table.clone();
    let task = cx.spawn_task(async move |cx| {
        for number in 0..1000 {
            writer.delete(cx, &(number * 5)).await?;
            writer.insert(cx, &(10_000 + number), &1).await?;
        }
        Ok(())
    });
    let mut seen = Vec::new();
    let mut rows = table.rows(cx);
    while let Some((number, _)) = rows.next().await? {
        table.delete(cx, &number).await?;
        seen.push(number);
    }
    task.await?;
    seen.retain(|number| *number < 5000 && number % 5 != 0);
    seen.sort_unstable();
    assert_eq!(seen.len(), 4000);
    seen.dedup();
    assert_eq!(seen.len(), 4000);
    let fixed = || async {
        let arguments = (&table, atom!("safe_fixed"));
        let fixed: Term = cx.apply("ets", "info", arguments).await?;
        Ok::<_, otp_bridge::Exit>(fixed.to_string())
    };
    assert_ne!(fixed().await?, "false");
    drop(rows);
    assert_eq!(fixed().await?, "false");
    table.insert_all(cx, &[(1, 1), (2, 2)]).await?;
    let mut left = table.rows(cx);
    left.next().await?;
    table.drop_table(cx).await?;
    drop(left);
    assert_eq!(
        reason(table.count(cx).await.map(drop)).split(',').next(),
        Some("{noproc")
    );
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_table_that_ends_ends_the_rows_that_are_read(cx: &Cx<'_>) -> Result<()> {
    let table = Table::<u64, u64>::unnamed(cx, TableOptions::new()).await?;
    let rows: Vec<_> = (0..500).map(|number| (number, 0)).collect();
    table.insert_all(cx, &rows).await?;
    let mut rows = table.rows(cx);
    rows.next().await?;
    table.drop_table(cx).await?;
    let mut read = 1;
    let ended = loop {
        match rows.next().await {
            Ok(Some(_)) => read += 1,
            ended => break ended,
        }
    };
    assert_eq!(read, 100);
    assert_eq!(ended.map_err(|exit| exit.kind()), Err(ExitKind::NoProcess));
    assert_eq!(rows.next().await?, None);
    Ok(())
}
