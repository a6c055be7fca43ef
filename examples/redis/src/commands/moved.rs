//! Commands that find, insert and move elements of lists.

use super::KeysOf::{First, FirstTwo};
use super::lists::{Side, move_between};
use super::{Call, Command, NOT_AN_INTEGER, Refusal, SYNTAX, command};
use crate::resp::number;
use crate::store::List;

pub(super) const COMMANDS: &[Command] = &[
    command("rpoplpush", 3, FirstTwo, |call| {
        lmove(call, (Side::Right, Side::Left))
    })
    .grows(),
    command("lmove", 5, FirstTwo, |call| {
        let sides = (
            Side::read(call.arguments[2])?,
            Side::read(call.arguments[3])?,
        );
        lmove(call, sides)
    })
    .grows(),
    command("linsert", 5, First, linsert).grows(),
    command("lpos", -3, First, lpos),
];

fn lmove(call: &mut Call<'_, '_>, sides: (Side, Side)) -> Result<(), Refusal> {
    let (from, to) = (call.arguments[0], call.arguments[1]);
    if !move_between(call, from, to, sides)? {
        call.replies.nil();
    }
    Ok(())
}

fn linsert(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let [key, place, pivot, element] = call.arguments else {
        return Err(SYNTAX);
    };
    let behind = match place.to_ascii_lowercase().as_slice() {
        b"before" => 0,
        b"after" => 1,
        _ => return Err(SYNTAX),
    };
    let Some(list) = call.get_mut::<List>(key)? else {
        call.replies.integer(0);
        return Ok(());
    };
    let Some(at) = list.iter().position(|it| **it == **pivot) else {
        call.replies.integer(-1);
        return Ok(());
    };
    list.insert(at + behind, (*element).into());
    let len = list.len();
    call.changed(key);
    call.replies.count(len);
    Ok(())
}

struct Search {
    rank: i64,
    count: Option<usize>,
    most: usize,
}

fn search(words: &[&[u8]]) -> Result<Search, Refusal> {
    const ZERO: &str = "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... \
                        or use negative to start from the end of the list";
    let mut search = Search {
        rank: 1,
        count: None,
        most: usize::MAX,
    };
    for pair in words.chunks(2) {
        let [word, text] = pair else {
            return Err(SYNTAX);
        };
        let word = word.to_ascii_lowercase();
        if !matches!(word.as_slice(), b"rank" | b"count" | b"maxlen") {
            return Err(SYNTAX);
        }
        let value = number(text).ok_or(NOT_AN_INTEGER);
        match word.as_slice() {
            b"rank" => {
                search.rank = value?;
                if search.rank == 0 {
                    return Err(Refusal(ZERO));
                }
                if search.rank == i64::MIN {
                    return Err(Refusal(
                        "ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807",
                    ));
                }
            }
            b"count" => {
                let why = Refusal("ERR COUNT can't be negative");
                search.count = Some(
                    value
                        .ok()
                        .and_then(|it| usize::try_from(it).ok())
                        .ok_or(why)?,
                );
            }
            _ => {
                let why = Refusal("ERR MAXLEN can't be negative");
                let most = value
                    .ok()
                    .and_then(|it| usize::try_from(it).ok())
                    .ok_or(why)?;
                search.most = if most == 0 { usize::MAX } else { most };
            }
        }
    }
    Ok(search)
}

fn lpos(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let search = search(&call.arguments[2..])?;
    let element = call.arguments[1];
    let list = call.get::<List>(call.arguments[0])?;
    let skipped = usize::try_from(search.rank.unsigned_abs()).unwrap_or(usize::MAX) - 1;
    let most = match search.count {
        None => 1,
        Some(0) => usize::MAX,
        Some(count) => count,
    };
    let is_like = |it: &(usize, &crate::store::Bytes)| **it.1 == *element;
    let found: Vec<usize> = match list {
        None => Vec::new(),
        Some(list) if search.rank > 0 => {
            let all = list.iter().enumerate().take(search.most).filter(is_like);
            all.skip(skipped).take(most).map(|it| it.0).collect()
        }
        Some(list) => {
            let all = list
                .iter()
                .enumerate()
                .rev()
                .take(search.most)
                .filter(is_like);
            all.skip(skipped).take(most).map(|it| it.0).collect()
        }
    };
    match (search.count, found.first()) {
        (None, None) => call.replies.nil(),
        (None, Some(first)) => call.replies.count(*first),
        (Some(_), _) => {
            call.replies.array(found.len());
            found.iter().for_each(|at| call.replies.count(*at));
        }
    }
    Ok(())
}
