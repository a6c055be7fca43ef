//! Places on the earth: GEOADD, GEOSEARCH and related commands.

mod search;

use super::KeysOf::{First, FirstAndStored, FirstTwo};
use super::{Call, Command, NOT_A_FLOAT, Refusal, SYNTAX, command};
use crate::geohash::{self, Coordinates, LATITUDES, LONGITUDES};
use crate::number::read;
use crate::store::SortedSet;

pub(super) const COMMANDS: &[Command] = &[
    command("geoadd", -5, First, geoadd).grows(),
    command("geopos", -2, First, geopos),
    command("geohash", -2, First, geotext),
    command("geodist", -4, First, geodist),
    command("geosearch", -7, First, |call| {
        search::search(call, Form::Search)
    }),
    command("geosearchstore", -8, FirstTwo, |call| {
        search::search(call, Form::SearchStore)
    })
    .grows(),
    command("georadius", -6, FirstAndStored, |call| {
        search::search(call, Form::Radius(true))
    })
    .grows(),
    command("georadius_ro", -6, First, |call| {
        search::search(call, Form::Radius(false))
    }),
    command("georadiusbymember", -5, FirstAndStored, |call| {
        search::search(call, Form::Member(true))
    })
    .grows(),
    command("georadiusbymember_ro", -5, First, |call| {
        search::search(call, Form::Member(false))
    }),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Search,
    SearchStore,
    /// Whether the command may store its result.
    Radius(bool),
    Member(bool),
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is a number of 52 bits"
)]
fn decode(score: f64) -> Coordinates {
    geohash::decode(score as u64)
}

fn coordinates(longitude: &[u8], latitude: &[u8]) -> Result<Result<Coordinates, String>, Refusal> {
    let place = (
        read(longitude).ok_or(NOT_A_FLOAT)?,
        read(latitude).ok_or(NOT_A_FLOAT)?,
    );
    let within = |value: f64, (low, high): (f64, f64)| (low..=high).contains(&value);
    Ok(
        match within(place.0, LONGITUDES) && within(place.1, LATITUDES) {
            true => Ok(place),
            false => Err(format!(
                "ERR invalid longitude,latitude pair {:.6},{:.6}",
                place.0, place.1
            )),
        },
    )
}

/// Returns the length of a unit in metres.
fn unit(text: &[u8]) -> Result<f64, Refusal> {
    match text.to_ascii_lowercase().as_slice() {
        b"m" => Ok(1.0),
        b"km" => Ok(1000.0),
        b"ft" => Ok(0.3048),
        b"mi" => Ok(1609.34),
        _ => Err(Refusal(
            "ERR unsupported unit provided. please use M, KM, FT, MI",
        )),
    }
}

fn geoadd(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let words = &call.arguments[1..];
    let is_option =
        |it: &&&[u8]| matches!(it.to_ascii_lowercase().as_slice(), b"nx" | b"xx" | b"ch");
    let options = words.iter().take_while(is_option).count();
    let (options, members) = words.split_at(options);
    if members.is_empty() || !members.len().is_multiple_of(3) {
        return Err(SYNTAX);
    }
    let has = |word: &[u8]| options.iter().any(|it| it.eq_ignore_ascii_case(word));
    if has(b"nx") && has(b"xx") {
        return Err(SYNTAX);
    }
    let mut numbers = Vec::new();
    for member in members.chunks(3) {
        match coordinates(member[0], member[1])? {
            Ok(place) => numbers.push(geohash::number(place) as f64),
            Err(why) => {
                call.replies.error(why);
                return Ok(());
            }
        }
    }
    let key = call.arguments[0];
    let set = call.get_or_new::<SortedSet>(key)?;
    let (mut added, mut changed) = (0, 0);
    for (member, score) in members.chunks(3).zip(numbers) {
        let before = set.score(member[2]);
        let goes = if before.is_some() {
            !has(b"nx")
        } else {
            !has(b"xx")
        };
        if goes && before != Some(score) {
            set.set(member[2], score);
            added += usize::from(before.is_none());
            changed += usize::from(before.is_some());
        }
    }
    match added + changed {
        0 => call.locked.keys(key).discard_if_empty(key),
        _ => call.changed(key),
    }
    call.replies
        .count(if has(b"ch") { added + changed } else { added });
    Ok(())
}

/// Returns the scores of members.
fn scores_of(call: &mut Call<'_, '_>, members: &[&[u8]]) -> Result<Vec<Option<f64>>, Refusal> {
    let set = call.get::<SortedSet>(call.arguments[0])?;
    let score = |member: &&[u8]| set.and_then(|set| set.score(member));
    Ok(members.iter().map(score).collect())
}

fn say_place(call: &mut Call<'_, '_>, (longitude, latitude): Coordinates) {
    call.replies.array(2);
    call.replies.decimal(longitude);
    call.replies.decimal(latitude);
}

fn geopos(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let scores = scores_of(call, &call.arguments[1..])?;
    call.replies.array(scores.len());
    for score in scores {
        match score {
            Some(score) => say_place(call, decode(score)),
            None => call.replies.nil_array(),
        }
    }
    Ok(())
}

fn geotext(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let scores = scores_of(call, &call.arguments[1..])?;
    call.replies.array(scores.len());
    for score in scores {
        let text = score.map(|it| geohash::text(decode(it)));
        call.replies.maybe(text.as_deref().map(str::as_bytes));
    }
    Ok(())
}

fn geodist(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let unit = match &call.arguments[3..] {
        [] => 1.0,
        [text] => unit(text)?,
        _ => return Err(SYNTAX),
    };
    let scores = scores_of(call, &call.arguments[1..3])?;
    match scores[..] {
        [Some(one), Some(other)] => {
            let distance = geohash::distance(decode(one), decode(other)) / unit;
            call.replies.bulk(format!("{distance:.4}").as_bytes());
        }
        _ => call.replies.nil(),
    }
    Ok(())
}
