//! Searching places within an area: GEOSEARCH and GEORADIUS.

use super::{Form, coordinates, decode, say_place, unit};
use crate::commands::{Call, NOT_AN_INTEGER, Refusal, SYNTAX, scores};
use crate::geohash::{self, Coordinates};
use crate::number::read;
use crate::resp::number;
use crate::store::{Bytes, SortedSet};

/// A parsed search.
#[derive(Default)]
struct Search<'a> {
    member: Option<&'a [u8]>,
    center: Option<Coordinates>,
    radius: Option<f64>,
    sides: Option<(f64, f64)>,
    unit: f64,
    is_sorted: Option<bool>,
    count: Option<usize>,
    takes_any: bool,
    with: [bool; 3],
    to: Option<&'a [u8]>,
    stores_distances: bool,
}

fn distance(text: &[u8]) -> Result<f64, Refusal> {
    let radius = read(text).ok_or(Refusal("ERR need numeric radius"))?;
    match radius < 0.0 {
        true => Err(Refusal("ERR radius cannot be negative")),
        false => Ok(radius),
    }
}

fn side(text: &[u8], what: &'static str) -> Result<f64, Refusal> {
    let side = read(text).ok_or(Refusal(what))?;
    match side < 0.0 {
        true => Err(Refusal("ERR height or width cannot be negative")),
        false => Ok(side),
    }
}

impl<'a> Search<'a> {
    /// Parses the positional arguments of GEORADIUS.
    fn begin(&mut self, form: Form, words: &[&'a [u8]]) -> Result<Result<usize, String>, Refusal> {
        let at = match form {
            Form::Search | Form::SearchStore => return Ok(Ok(0)),
            Form::Radius(_) => {
                match coordinates(words[0], words[1])? {
                    Ok(place) => self.center = Some(place),
                    Err(why) => return Ok(Err(why)),
                }
                2
            }
            Form::Member(_) => {
                self.member = Some(words[0]);
                1
            }
        };
        self.radius = Some(distance(words[at])?);
        self.unit = unit(words[at + 1])?;
        Ok(Ok(at + 2))
    }

    fn options(&mut self, form: Form, words: &[&'a [u8]]) -> Result<Result<(), String>, Refusal> {
        let is_search = matches!(form, Form::Search | Form::SearchStore);
        let may_store = matches!(form, Form::Radius(true) | Form::Member(true));
        let mut rest = words;
        while let Some((word, more)) = rest.split_first() {
            rest = more;
            match (word.to_ascii_lowercase().as_slice(), more) {
                (b"withdist", _) => self.with[0] = true,
                (b"withhash", _) => self.with[1] = true,
                (b"withcoord", _) => self.with[2] = true,
                (b"any", _) => self.takes_any = true,
                (b"asc", _) => self.is_sorted = Some(true),
                (b"desc", _) => self.is_sorted = Some(false),
                (b"count", [text, more @ ..]) => {
                    let count = number(text).ok_or(NOT_AN_INTEGER)?;
                    let count = usize::try_from(count).ok().filter(|it| *it > 0);
                    self.count = Some(count.ok_or(Refusal("ERR COUNT must be > 0"))?);
                    rest = more;
                }
                (b"store", [key, more @ ..]) if may_store => {
                    (self.to, self.stores_distances) = (Some(*key), false);
                    rest = more;
                }
                (b"storedist", [key, more @ ..]) if may_store => {
                    (self.to, self.stores_distances) = (Some(*key), true);
                    rest = more;
                }
                (b"storedist", _) if form == Form::SearchStore => self.stores_distances = true,
                _ if is_search => match self.shape(word, more)? {
                    Ok(behind) => rest = behind,
                    Err(why) => return Ok(Err(why)),
                },
                _ => return Err(SYNTAX),
            }
        }
        Ok(Ok(()))
    }

    /// Parses the area of GEOSEARCH. Returns the words after it.
    fn shape<'w>(
        &mut self,
        word: &[u8],
        more: &'w [&'a [u8]],
    ) -> Result<Result<&'w [&'a [u8]], String>, Refusal> {
        match (word.to_ascii_lowercase().as_slice(), more) {
            (b"frommember", [member, more @ ..]) if self.center.is_none() => {
                self.member = Some(member);
                Ok(Ok(more))
            }
            (b"fromlonlat", [east, north, more @ ..]) if self.member.is_none() => {
                match coordinates(east, north)? {
                    Ok(place) => self.center = Some(place),
                    Err(why) => return Ok(Err(why)),
                }
                Ok(Ok(more))
            }
            (b"byradius", [radius, name, more @ ..]) if self.sides.is_none() => {
                self.radius = Some(distance(radius)?);
                self.unit = unit(name)?;
                Ok(Ok(more))
            }
            (b"bybox", [width, height, name, more @ ..]) if self.radius.is_none() => {
                let width = side(width, "ERR need numeric width")?;
                let height = side(height, "ERR need numeric height")?;
                self.sides = Some((width, height));
                self.unit = unit(name)?;
                Ok(Ok(more))
            }
            _ => Err(SYNTAX),
        }
    }

    fn find(&self, set: &SortedSet, center: Coordinates) -> Vec<Found> {
        let all = set.iter().filter_map(|(member, score)| {
            let distance = self.within(center, decode(score))?;
            Some((Bytes::from(member), distance / self.unit, score))
        });
        let mut found: Vec<Found> = match self.count.filter(|_| self.takes_any) {
            Some(count) => all.take(count).collect(),
            None => all.collect(),
        };
        let sorts = self
            .is_sorted
            .or(self.count.filter(|_| !self.takes_any).map(|_| true));
        if let Some(is_up) = sorts {
            found.sort_by(|one, other| one.1.total_cmp(&other.1));
            if !is_up {
                found.reverse();
            }
        }
        found.truncate(self.count.unwrap_or(usize::MAX));
        found
    }

    /// Returns the distance of a place in metres, if the place is within the area.
    fn within(&self, center: Coordinates, place: Coordinates) -> Option<f64> {
        let distance = geohash::distance(center, place);
        let is_within = match (self.radius, self.sides) {
            (Some(radius), _) => distance <= radius * self.unit,
            (None, Some((width, height))) => {
                geohash::north(place.1, center.1) <= height * self.unit / 2.0
                    && geohash::distance(place, (center.0, place.1)) <= width * self.unit / 2.0
            }
            (None, None) => false,
        };
        is_within.then_some(distance)
    }
}

/// A result: the member, its distance in the unit of the request, and its score.
type Found = (Bytes, f64, f64);

pub(super) fn search(call: &mut Call<'_, '_>, form: Form) -> Result<(), Refusal> {
    let at = usize::from(form == Form::SearchStore);
    let (key, words) = (call.arguments[at], &call.arguments[at + 1..]);
    let mut search = Search::default();
    let read = match search.begin(form, words)? {
        Ok(skipped) => search.options(form, &words[skipped..])?,
        Err(why) => Err(why),
    };
    if let Err(why) = read {
        call.replies.error(why);
        return Ok(());
    }
    if form == Form::SearchStore {
        search.to = Some(call.arguments[0]);
    }
    check(&search, form)?;
    let Some(set) = call.get::<SortedSet>(key)? else {
        match search.to {
            Some(to) => scores::store(call, to, Vec::new()),
            None => call.replies.array(0),
        }
        return Ok(());
    };
    let center = match (search.center, search.member) {
        (None, Some(member)) => {
            let why = Refusal("ERR could not decode requested zset member");
            decode(set.score(member).ok_or(why)?)
        }
        (center, _) => center.unwrap_or_default(),
    };
    let found = search.find(set, center);
    if let Some(to) = search.to {
        let members = found.into_iter().map(|(member, distance, score)| {
            (
                member,
                if search.stores_distances {
                    distance
                } else {
                    score
                },
            )
        });
        scores::store(call, to, members.collect());
        return Ok(());
    }
    say(call, &search, &found);
    Ok(())
}

fn check(search: &Search<'_>, form: Form) -> Result<(), Refusal> {
    if search.to.is_some() && search.with.contains(&true) {
        return Err(match form {
            Form::SearchStore => Refusal(
                "ERR GEOSEARCHSTORE is not compatible with WITHDIST, WITHHASH and WITHCOORD options",
            ),
            _ => Refusal(
                "ERR STORE option in GEORADIUS is not compatible with WITHDIST, WITHHASH and WITHCOORD options",
            ),
        });
    }
    let is_store = form == Form::SearchStore;
    if search.center.is_none() && search.member.is_none() {
        return Err(match is_store {
            true => Refusal(
                "ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for geosearchstore",
            ),
            false => Refusal(
                "ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for geosearch",
            ),
        });
    }
    if search.radius.is_none() && search.sides.is_none() {
        return Err(match is_store {
            true => {
                Refusal("ERR exactly one of BYRADIUS and BYBOX can be specified for geosearchstore")
            }
            false => {
                Refusal("ERR exactly one of BYRADIUS and BYBOX can be specified for geosearch")
            }
        });
    }
    if search.takes_any && search.count.is_none() {
        return Err(Refusal("ERR the ANY argument requires COUNT argument"));
    }
    Ok(())
}

fn say(call: &mut Call<'_, '_>, search: &Search<'_>, found: &[Found]) {
    let more = search.with.iter().filter(|it| **it).count();
    call.replies.array(found.len());
    for (member, distance, score) in found {
        if more > 0 {
            call.replies.array(1 + more);
        }
        call.replies.bulk(member);
        if search.with[0] {
            call.replies.bulk(format!("{distance:.4}").as_bytes());
        }
        if search.with[1] {
            call.replies.integer(*score as i64);
        }
        if search.with[2] {
            say_place(call, decode(*score));
        }
    }
}
