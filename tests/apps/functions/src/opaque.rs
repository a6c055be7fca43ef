//! Values of opaque types, which one function of a module returns and another one takes.
use std::collections::BTreeMap;

use otp_bindings::maps;
use otp_bridge::atom;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Binary;

use crate::caller::{Answers, answers};
use crate::generated::{array, dict, gb_sets, queue};

pub async fn all(cx: &Cx<'_>) -> Result<Answers> {
    let (listed, element, mixed) = arrays(cx).await?;
    let pairs = vec![(atom!("one"), 1), (atom!("two"), 2)];
    let dict = dict::from_list::<Atom, u8>(cx, pairs).await?;
    let two = dict::find::<_, u8>(cx, atom!("two"), dict.clone()).await?;
    let three = dict::find::<_, u8>(cx, atom!("three"), dict).await?;
    let set = gb_sets::from_list::<u64>(cx, vec![3, 1, 2]).await?;
    let members: Vec<u64> = gb_sets::to_list(cx, set.clone()).await?;
    let first = match first(cx, set).await {
        Ok(first) => Term::of(&first),
        Err(exit) => exit.reason().clone(),
    };
    let queue = queue::from_list::<u64>(cx, vec![1, 2, 3]).await?;
    let queue = queue::tail(cx, queue).await?;
    let length = queue::len(cx, queue.clone()).await?;
    let rest: Vec<u64> = queue::to_list(cx, queue).await?;
    let map = BTreeMap::from([(atom!("key"), Binary::from("value"))]);
    let iterator = maps::iterator(cx, map.into_iter().collect()).await?;
    let next = match maps::next::<Atom, Binary>(cx, iterator).await? {
        maps::KeyValueNextIteratorOrNone::KeyValueNextIterator { key, value, .. } => {
            Some((key, value))
        }
        maps::KeyValueNextIteratorOrNone::None => None,
    };
    let is_refused = Term::of(&atom!("array")).decode::<array::Array>().is_err();
    Ok(answers([
        (atom!("array"), Term::of(&listed)),
        (atom!("element"), Term::of(&element)),
        (atom!("mixed"), mixed),
        (atom!("dict"), Term::of(&(two, three))),
        (atom!("set"), Term::of(&members)),
        (atom!("first"), first),
        (atom!("queue"), Term::of(&(length, rest))),
        (atom!("map"), Term::of(&next)),
        (atom!("kind"), Term::of(&is_refused)),
    ]))
}

/// Returns the first member. The type of an iterator's term depends on the release.
async fn first(cx: &Cx<'_>, set: gb_sets::Set) -> Result<Option<u64>> {
    let iterator = gb_sets::iterator(cx, set).await?;
    Ok(match gb_sets::next::<u64>(cx, iterator).await? {
        gb_sets::ElementIterOrNone::ElementIter { element: first, .. } => Some(first),
        gb_sets::ElementIterOrNone::None => None,
    })
}

/// Arrays: one whose elements have one type, with an unset element; and one with elements of two
/// types.
async fn arrays(cx: &Cx<'_>) -> Result<(Vec<Option<u64>>, u64, Term)> {
    let array = array::from_list::<u64>(cx, vec![1, 2, 3]).await?;
    let array = array::set(cx, 4, 5, array).await?;
    let listed = array::to_list(cx, array.clone()).await?;
    let array = array::set(cx, 0, u64::MAX, array).await?;
    let element = array::get(cx, 0, array.clone()).await?;
    let array = array::set(cx, 3, atom!("text"), array).await?;
    let text: Atom = array::get(cx, 3, array.clone()).await?;
    let last = array::size(cx, array).await? - 1;
    Ok((listed, element, Term::of(&(last, text))))
}
