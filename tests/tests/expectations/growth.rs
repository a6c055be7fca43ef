//! Grows terms as their types allow, and measures how many steps it takes to decode them.
//!
//! If a part of a term may contain itself, it is nested again and again; an element of a list or
//! map is repeated. The innermost or last part is also replaced by a term that no type expects
//! there. A decoder that distinguishes members of unions by trying them then tries all of them on
//! every level.

use std::collections::BTreeSet;

use otp_bridge::term::ImproperList;
use otp_bridge::term::ReferenceParts;
use otp_bridge::{Reference, Term, atom};

use crate::sample::Random;

/// Decodes a term of a type. Returns whether it is of the type, and the number of steps.
pub(crate) type Read<'r> = &'r dyn Fn(&Term) -> (bool, u64);

/// The child on each level, from the outside inwards.
type Position = Vec<usize>;

/// How a term grows.
enum Growth {
    /// Nests the part at the first position at the second position within it.
    Nest(Position, Position),
    /// Repeats this child of the list or map at the position.
    Repeat(Position, usize),
}

/// Numbers of parts that are added to a term.
const MORE: [u64; 2] = [64, 192];

/// Maximum number of ways to nest a term that are tried.
const NESTINGS: usize = 8;

/// Returns the number of terms within a term.
pub(crate) fn size(term: &Term) -> u64 {
    1 + children(term).into_iter().map(size).sum::<u64>()
}

/// Grows a term in all ways that keep it a term of the type, and compares the steps at several
/// sizes. Returns how many terms were decoded.
///
/// # Errors
/// The number of steps grows faster than the term.
pub(crate) fn check(term: &Term, read: Read<'_>, random: &mut Random) -> Result<usize, String> {
    let mut count = 0;
    for growth in growths(term, read, random) {
        for broken in [false, true] {
            let [once, twice] = [1, 2].map(|times| size(&grow(term, &growth, times, broken)));
            let step = twice.saturating_sub(once).max(1);
            let grown = MORE.map(|more| grow(term, &growth, 1 + (more / step) as usize, broken));
            count += grown.len();
            linear(&grown, read)?;
        }
    }
    Ok(count)
}

/// Returns whether the steps are proportional to the size.
fn linear(terms: &[Term], read: Read<'_>) -> Result<(), String> {
    let counts: Vec<(u64, u64)> = terms.iter().map(|it| (size(it), read(it).1)).collect();
    for pair in counts.windows(2) {
        let [(size, steps), (more, largest)] = pair else {
            continue;
        };
        // Allows a quarter more than proportional growth, and a constant part for every term.
        if largest * size * 4 > steps * more * 5 + 400 * size {
            let shown: String = terms[0].to_string().chars().take(300).collect();
            return Err(format!("{counts:?} parts and steps: {shown}"));
        }
    }
    Ok(())
}

/// Returns the ways in which a term of the type grows into others of the type.
fn growths(term: &Term, read: Read<'_>, random: &mut Random) -> Vec<Growth> {
    let mut positions = Vec::new();
    positions_in(term, &mut Vec::new(), &mut positions);
    let repeats = positions.iter().flat_map(|position| {
        let count = match part(term, position) {
            Term::List(elements) => elements.len().min(2),
            Term::Map(entries) => entries.len().min(2),
            _ => 0,
        };
        (0..count).map(|child| Growth::Repeat(position.clone(), child))
    });
    let mut nests = Vec::new();
    for outer in &positions {
        let inner = positions
            .iter()
            .filter(|it| it.len() > outer.len() && it.starts_with(outer));
        nests.extend(inner.map(|inner| (outer.clone(), inner[outer.len()..].to_vec())));
    }
    let mut chosen = BTreeSet::new();
    for _ in 0..NESTINGS.min(nests.len()) {
        chosen.insert(random.below(nests.len()));
    }
    let nests = chosen.into_iter().map(|index| {
        let (outer, inner) = nests[index].clone();
        Growth::Nest(outer, inner)
    });
    let fits = |growth: &Growth| read(&grow(term, growth, 2, false)).0;
    repeats.chain(nests).filter(fits).collect()
}

fn positions_in(term: &Term, here: &mut Position, all: &mut Vec<Position>) {
    all.push(here.clone());
    for (index, child) in children(term).into_iter().enumerate() {
        here.push(index);
        positions_in(child, here, all);
        here.pop();
    }
}

/// Returns the parts of a term on the next level. For a map, these are the values.
fn children(term: &Term) -> Vec<&Term> {
    match term {
        Term::List(elements) | Term::Tuple(elements) => elements.iter().collect(),
        Term::ImproperList(list) => list.elements().iter().chain([list.tail()]).collect(),
        Term::Map(entries) => entries.iter().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    }
}

fn part<'t>(term: &'t Term, position: &[usize]) -> &'t Term {
    position
        .iter()
        .fold(term, |term, child| children(term)[*child])
}

/// Returns the term with another part at the position.
fn with(term: &Term, position: &[usize], new: Term) -> Term {
    let Some((child, rest)) = position.split_first() else {
        return new;
    };
    let changed = with(children(term)[*child], rest, new);
    let replaced = |elements: &[Term]| {
        let mut elements = elements.to_vec();
        elements[*child] = changed.clone();
        elements
    };
    match term {
        Term::List(elements) => Term::List(replaced(elements).into()),
        Term::Tuple(elements) => Term::Tuple(replaced(elements).into()),
        Term::ImproperList(list) if *child == list.elements().len() => {
            ImproperList::term(list.elements().to_vec(), changed)
        }
        Term::ImproperList(list) => {
            ImproperList::term(replaced(list.elements()), list.tail().clone())
        }
        Term::Map(entries) => {
            let mut entries: Vec<(Term, Term)> = entries.iter().cloned().collect();
            entries[*child].1 = changed;
            Term::Map(entries.into_iter().collect())
        }
        _ => changed,
    }
}

fn grow(term: &Term, growth: &Growth, times: usize, broken: bool) -> Term {
    match growth {
        Growth::Nest(outer, inner) => {
            let context = part(term, outer);
            let innermost = match broken {
                true => unexpected(),
                false => part(context, inner).clone(),
            };
            let nested = (0..times).fold(innermost, |nested, _| with(context, inner, nested));
            with(term, outer, nested)
        }
        Growth::Repeat(position, child) => {
            let repeated = repeat(part(term, position), *child, times, broken);
            with(term, position, repeated)
        }
    }
}

fn repeat(term: &Term, child: usize, times: usize, broken: bool) -> Term {
    let last = broken.then(unexpected);
    match term {
        Term::List(elements) => {
            let again = std::iter::repeat_n(&elements[child], times);
            Term::List(elements.iter().chain(again).cloned().chain(last).collect())
        }
        Term::Map(entries) => {
            let all: Vec<(Term, Term)> = entries.iter().cloned().collect();
            let (key, value) = all[child].clone();
            let again = (0..times).map(|number| (another(&key, number), value.clone()));
            let last = last.map(|last| (another(&key, times), last));
            Term::Map(all.iter().cloned().chain(again).chain(last).collect())
        }
        _ => term.clone(),
    }
}

/// Returns another key of this kind.
fn another(key: &Term, number: usize) -> Term {
    match key {
        Term::Integer(value) => Term::of(&value.wrapping_add(1 + number as i64)),
        Term::Atom(_) => Term::Atom(otp_bridge::Atom::new(&format!("k{number}")).expect("short")),
        Term::Binary(_) => Term::of(&format!("k{number}")),
        Term::List(_) => Term::of(&otp_bridge::term::ErlangString::from(
            format!("k{number}").as_str(),
        )),
        other => other.clone(),
    }
}

/// Returns a term that no type of OTP contains: a reference with a single word of this value.
fn unexpected() -> Term {
    let parts = ReferenceParts {
        node: atom!("nowhere@host"),
        ids: vec![9],
        creation: 1,
    };
    Term::Tuple(
        [Term::Reference(
            Reference::from_parts(parts).expect("a word"),
        )]
        .into(),
    )
}
