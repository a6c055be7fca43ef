//! Near misses: values that differ in one position from a value that a callback may return.

use otp_specs::types::{Builtin, Type};

use crate::sample::Sample;

/// The kind of difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Another atom: one of another clause, or a misspelt one.
    Tag,
    /// An element too few or too many.
    Arity,
    /// Two elements that are exchanged.
    Order,
    /// An element of another type.
    Element,
    /// A tuple or list too many or too few around an element.
    Nesting,
    /// The enum of another callback.
    Enum,
    /// The state, in a clause of a callback that leaves the state in position.
    State,
    /// A clause with what the callback was given and cannot change.
    Given,
}

/// A near miss.
#[derive(Debug, Clone)]
pub(crate) struct Mutant {
    pub(crate) kind: Kind,
    pub(crate) sample: Sample,
}

impl Mutant {
    fn new(kind: Kind, sample: Sample) -> Self {
        Mutant { kind, sample }
    }

    fn map(self, around: impl FnOnce(Sample) -> Sample) -> Self {
        let Mutant { kind, sample } = self;
        Mutant::new(kind, around(sample))
    }
}

/// Returns the part in which a value differs from the plainest value of its clause. For the
/// plainest value, returns the whole value.
pub(crate) fn difference<'s>(plain: &Sample, sample: &'s Sample) -> &'s Sample {
    match differing(plain, sample) {
        Some((index, plain, elements)) => difference(plain, &elements[index]),
        None => sample,
    }
}

/// Returns all near misses of `sample` in the part in which it differs from `plain`. `tags` are the
/// atoms of the clauses.
pub(crate) fn mutants(plain: &Sample, sample: &Sample, tags: &[String]) -> Vec<Mutant> {
    match differing(plain, sample) {
        Some((index, plain, elements)) => {
            let inner = mutants(plain, &elements[index], &[]);
            within(elements, index, inner).collect()
        }
        None => near(sample, tags),
    }
}

/// Returns the element in which two tuples of equal size differ: its index, the element of the
/// first tuple, and the elements of the second.
fn differing<'s, 'p>(
    plain: &'p Sample,
    sample: &'s Sample,
) -> Option<(usize, &'p Sample, &'s [Sample])> {
    let (Sample::Tuple(plain), Sample::Tuple(elements)) = (plain, sample) else {
        return None;
    };
    let mut pairs = plain.iter().zip(elements);
    let index = pairs.position(|(plain, element)| plain != element)?;
    (plain.len() == elements.len()).then_some((index, &plain[index], elements))
}

/// Returns the tuple with each of `inner` at this index.
fn within(
    elements: &[Sample],
    index: usize,
    inner: Vec<Mutant>,
) -> impl Iterator<Item = Mutant> + '_ {
    inner.into_iter().map(move |mutant| {
        mutant.map(|other| {
            let mut elements = elements.to_vec();
            elements[index] = other;
            Sample::Tuple(elements)
        })
    })
}

fn near(sample: &Sample, tags: &[String]) -> Vec<Mutant> {
    match sample {
        Sample::Atom(atom) => near_atom(atom, tags),
        Sample::Tuple(elements) => near_tuple(elements, tags),
        Sample::List(elements) => near_list(elements),
        Sample::Into(inner) => {
            let into = |mutant: Mutant| mutant.map(|inner| Sample::Into(Box::new(inner)));
            near(inner, &[]).into_iter().map(into).collect()
        }
        Sample::Value(..)
        | Sample::Parameter(_)
        | Sample::Text
        | Sample::NoTerm
        | Sample::Term(_) => others(sample),
    }
}

fn near_atom(atom: &str, tags: &[String]) -> Vec<Mutant> {
    let last = atom.chars().next_back().unwrap_or('x');
    let misspelt = format!("{atom}{last}");
    let others = tags.iter().filter(|other| *other != atom).cloned();
    let atoms = std::iter::once(misspelt).chain(others).map(Sample::Atom);
    let mut all: Vec<Mutant> = atoms.map(|atom| Mutant::new(Kind::Tag, atom)).collect();
    let wrapped = Sample::Tuple(vec![Sample::Atom(atom.to_owned())]);
    all.push(Mutant::new(Kind::Nesting, wrapped));
    all.push(Mutant::new(Kind::Element, Sample::Text));
    all
}

fn near_tuple(elements: &[Sample], tags: &[String]) -> Vec<Mutant> {
    let mut all = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        // The first atom is the clause's tag.
        let tags = if index == 0 { tags } else { &[] };
        all.extend(within(elements, index, near(element, tags)));
        let mut fewer = elements.to_vec();
        fewer.remove(index);
        all.push(Mutant::new(Kind::Arity, Sample::Tuple(fewer)));
        if let Sample::Tuple(inner) = element {
            let mut flat = elements.to_vec();
            flat.splice(index..=index, inner.iter().cloned());
            all.push(Mutant::new(Kind::Nesting, Sample::Tuple(flat)));
        }
        all.push(Mutant::new(Kind::Nesting, element.clone()));
    }
    for first in 0..elements.len() {
        for second in first + 1..elements.len() {
            let is_same = match (&elements[first], &elements[second]) {
                // Numbers of one Rust type are distinguished only at run time.
                (Sample::Value(one, _), Sample::Value(other, _)) => one == other,
                (one, other) => one == other,
            };
            let mut swapped = elements.to_vec();
            swapped.swap(first, second);
            if !is_same {
                all.push(Mutant::new(Kind::Order, Sample::Tuple(swapped)));
            }
        }
    }
    let mut more = elements.to_vec();
    more.push(Sample::Text);
    all.push(Mutant::new(Kind::Arity, Sample::Tuple(more)));
    let wrapped = Sample::Tuple(vec![Sample::Tuple(elements.to_vec())]);
    all.push(Mutant::new(Kind::Nesting, wrapped));
    all
}

fn near_list(elements: &[Sample]) -> Vec<Mutant> {
    let listed = |mutant: Mutant| mutant.map(|inner| Sample::List(vec![inner]));
    let mut all: Vec<Mutant> = elements
        .iter()
        .flat_map(|element| near(element, &[]))
        .map(listed)
        .collect();
    let nested = elements.iter().map(|element| match element {
        Sample::Into(inner) | Sample::Term(inner) => (**inner).clone(),
        other => other.clone(),
    });
    let nested = Sample::List(vec![Sample::List(nested.collect())]);
    all.push(Mutant::new(Kind::Nesting, nested));
    all
}

/// Returns values of other types.
fn others(sample: &Sample) -> Vec<Mutant> {
    let pid = Sample::Value("Pid".to_owned(), Type::Builtin(Builtin::Pid));
    let palette = [Sample::Text, pid, Sample::Tuple(Vec::new()), Sample::NoTerm];
    let others = palette.into_iter().filter(|other| other != sample);
    let mut all: Vec<Mutant> = others
        .map(|other| Mutant::new(Kind::Element, other))
        .collect();
    let wrapped = Sample::Tuple(vec![sample.clone()]);
    all.push(Mutant::new(Kind::Nesting, wrapped));
    let listed = Sample::List(vec![sample.clone()]);
    all.push(Mutant::new(Kind::Nesting, listed));
    all
}
