//! Random terms of Erlang types, and terms that resemble them.

use otp_bridge::term::ImproperList;
use otp_bridge::term::{Bitstring, Float, Fun, Integer, PidParts, Port, PortParts, ReferenceParts};
use otp_bridge::{Atom, Pid, Reference, Term, atom};
use otp_specs::types::{Builtin, Int, MapField, Type};

use crate::oracle::Oracle;

/// A generator of random numbers. They depend only on the seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number below `limit`, which must not be 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

/// Returns a term of `ty`, or `None` if the depth is too small for one.
pub(crate) fn sample(
    oracle: &Oracle<'_>,
    ty: &Type,
    random: &mut Random,
    depth: usize,
) -> Option<Term> {
    let depth = depth.checked_sub(1)?;
    let mut of = |ty: &Type| sample(oracle, ty, random, depth);
    Some(match ty {
        Type::Any => any(random, depth.min(3)),
        Type::None | Type::Invalid | Type::Var(_) => return None,
        Type::Annotated(_, inner) => return of(inner),
        Type::Named(name, arguments) => return of(&oracle.body(name, arguments)),
        Type::Builtin(builtin) => of_builtin(*builtin, random, depth),
        Type::Atom(atom) => atom_term(atom),
        Type::Integer(number) => between(number, number, random),
        Type::Range(low, high) => between(low, high, random),
        Type::Union(members) => return of_union(oracle, members, random, depth),
        Type::Tuple(elements) => Term::Tuple(elements.iter().map(of).collect::<Option<_>>()?),
        Type::Record(name, fields) => {
            let types = oracle.record(name, fields);
            let fields: Option<Vec<Term>> = types.iter().map(of).collect();
            Term::Tuple([atom_term(&name.name)].into_iter().chain(fields?).collect())
        }
        Type::Nil => Term::nil(),
        Type::List(element) => {
            let few = random.below(4);
            Term::List(elements(oracle, element, few, random, depth).into())
        }
        Type::NonemptyList(element) => {
            let first = sample(oracle, element, random, depth)?;
            let few = random.below(3);
            let more = elements(oracle, element, few, random, depth);
            Term::List([first].into_iter().chain(more).collect())
        }
        Type::MaybeImproperList(element, tail) => {
            let few = random.below(3);
            let elements = elements(oracle, element, few, random, depth);
            let tail = sample(oracle, tail, random, depth).filter(|_| !elements.is_empty());
            match tail {
                Some(tail) => ImproperList::term(elements, tail),
                None => Term::List(elements.into()),
            }
        }
        Type::NonemptyImproperList(element, tail) => {
            let first = sample(oracle, element, random, depth)?;
            ImproperList::term(vec![first], sample(oracle, tail, random, depth)?)
        }
        Type::Map(fields) => return of_map(oracle, fields, random, depth),
        Type::Bitstring { size, unit } => bits(size + unit * random.below(3) as u64, random),
        Type::Fun(Some(arguments), _) => fun(arguments.len() as u8),
        Type::Fun(None, _) => fun(random.below(4) as u8),
    })
}

/// Returns a term of the first member that fits into the depth, starting with a random member.
fn of_union(
    oracle: &Oracle<'_>,
    members: &[Type],
    random: &mut Random,
    depth: usize,
) -> Option<Term> {
    let start = random.below(members.len());
    let order = (0..members.len()).map(|index| &members[(start + index) % members.len()]);
    order
        .into_iter()
        .find_map(|member| sample(oracle, member, random, depth))
}

/// Returns as many elements as the depth allows.
fn elements(
    oracle: &Oracle<'_>,
    ty: &Type,
    count: usize,
    random: &mut Random,
    depth: usize,
) -> Vec<Term> {
    (0..count)
        .filter_map(|_| sample(oracle, ty, random, depth))
        .collect()
}

fn of_map(
    oracle: &Oracle<'_>,
    fields: &[MapField],
    random: &mut Random,
    depth: usize,
) -> Option<Term> {
    let mut entries: Vec<(Term, Term)> = Vec::new();
    for field in fields {
        if !field.required && random.chance(2) {
            continue;
        }
        let key = sample(oracle, &field.key, random, depth);
        let counts = key.as_ref().and_then(|key| oracle.field_of(fields, key));
        let value = counts.and_then(|field| sample(oracle, &field.value, random, depth));
        match (key, value) {
            (Some(key), Some(value)) => entries.push((key, value)),
            _ if field.required => return None,
            _ => {}
        }
    }
    Some(Term::Map(entries.into_iter().collect()))
}

fn between(low: &Int, high: &Int, random: &mut Random) -> Term {
    let (Int::Small(low), Int::Small(high)) = (low, high) else {
        panic!("no type here has bounds beyond 128 bits");
    };
    let number = match random.below(3) {
        0 => *low,
        1 => *high,
        _ => low + (i128::from(random.next()) % (high - low + 1)),
    };
    Term::of(&number)
}

fn of_builtin(builtin: Builtin, random: &mut Random, depth: usize) -> Term {
    let number = random.pick(&[1_i64, 2, 255, i64::MAX]);
    match builtin {
        Builtin::Atom | Builtin::Module | Builtin::Node => {
            let atoms = ["a", "ok", "two words", ""];
            atom_term(random.pick::<&str>(&atoms))
        }
        Builtin::Boolean => Term::of(&random.chance(2)),
        Builtin::Integer => random
            .pick(&[
                Term::of(&0),
                Term::of(&-1),
                Term::of(&i128::MAX),
                Term::of(&i128::MIN),
            ])
            .clone(),
        Builtin::Float => {
            Term::Float(Float::new(*random.pick(&[0.0, -1.5, 1e300])).expect("finite"))
        }
        Builtin::Number => match random.chance(2) {
            true => of_builtin(Builtin::Integer, random, depth),
            false => of_builtin(Builtin::Float, random, depth),
        },
        Builtin::NonNegInteger => random.pick(&[Term::of(&0), Term::of(&u64::MAX)]).clone(),
        Builtin::PosInteger => Term::of(number),
        Builtin::NegInteger => Term::of(&-number),
        Builtin::Arity | Builtin::Byte => Term::of(&(random.below(256) as u8)),
        Builtin::Char => Term::of(&(random.below(0x11_0000) as u32)),
        Builtin::Pid => pid(),
        Builtin::Port => port(),
        Builtin::Reference => reference(),
        Builtin::Identifier => random.pick(&[pid(), port(), reference()]).clone(),
        Builtin::Binary => bits(8 * random.below(4) as u64, random),
        Builtin::NonemptyBinary => bits(8 + 8 * random.below(4) as u64, random),
        Builtin::Bitstring => bits(random.below(20) as u64, random),
        Builtin::NonemptyBitstring => bits(1 + random.below(20) as u64, random),
        Builtin::Function => fun(random.below(4) as u8),
        Builtin::Tuple => {
            let size = random.below(4);
            Term::Tuple((0..size).map(|_| any(random, depth.min(2))).collect())
        }
        Builtin::Map => {
            let size = random.below(3);
            Term::Map(
                (0..size)
                    .map(|_| (any(random, 1), any(random, 1)))
                    .collect(),
            )
        }
        Builtin::String => text(random.pick::<&str>(&["", "a", "grün"])),
        Builtin::NonemptyString => text(random.pick::<&str>(&["a", "grün"])),
        Builtin::Mfa => Term::of(&(atom!("m"), atom!("f"), random.below(256) as u8)),
        Builtin::Timeout => random
            .pick(&[atom_term("infinity"), Term::of(&5000)])
            .clone(),
        Builtin::List => list(0, random, depth),
        Builtin::NonemptyList | Builtin::NonemptyMaybeImproperList => list(1, random, depth),
        Builtin::MaybeImproperList => match random.chance(2) {
            true => list(0, random, depth),
            false => ImproperList::term(vec![any(random, 1)], atom_term("tail")),
        },
        Builtin::Iodata => match random.chance(2) {
            true => bits(8, random),
            false => of_builtin(Builtin::Iolist, random, depth),
        },
        Builtin::Iolist => {
            let parts = [
                Term::of(&97),
                bits(16, random),
                Term::List([Term::of(&98), bits(8, random)].into()),
            ];
            let size = random.below(3);
            let elements: Vec<_> = (0..size).map(|_| random.pick(&parts).clone()).collect();
            ImproperList::term(elements, Term::nil())
        }
        Builtin::Record => panic!("OTP 29 has them first"),
    }
}

fn list(least: usize, random: &mut Random, depth: usize) -> Term {
    let size = least + random.below(3);
    Term::List((0..size).map(|_| any(random, depth.min(2))).collect())
}

fn any(random: &mut Random, depth: usize) -> Term {
    let simple = [
        Builtin::Atom,
        Builtin::Integer,
        Builtin::Float,
        Builtin::Bitstring,
        Builtin::Identifier,
        Builtin::Function,
        Builtin::String,
        Builtin::Boolean,
    ];
    let nested = [
        Builtin::List,
        Builtin::Tuple,
        Builtin::Map,
        Builtin::MaybeImproperList,
    ];
    match depth.checked_sub(1) {
        Some(depth) if random.chance(3) => of_builtin(*random.pick(&nested), random, depth),
        _ => of_builtin(*random.pick(&simple), random, 0),
    }
}

fn atom_term(text: &str) -> Term {
    Term::Atom(Atom::new(text).expect("a short text"))
}

fn text(text: &str) -> Term {
    Term::of(&otp_bridge::term::ErlangString::from(text))
}

fn bits(count: u64, random: &mut Random) -> Term {
    let bytes = (0..count.div_ceil(8))
        .map(|_| random.below(256) as u8)
        .collect();
    Term::of(&Bitstring::new(bytes, count as usize).expect("enough bytes"))
}

fn fun(arity: u8) -> Term {
    Term::Fun(Fun::external(atom!("m"), atom!("f"), arity))
}

fn pid() -> Term {
    Term::Pid(Pid::from_parts(PidParts {
        node: atom!("shop@host"),
        id: 5,
        serial: 0,
        creation: 7,
    }))
}

fn port() -> Term {
    Term::Port(Port::from_parts(PortParts {
        node: atom!("shop@host"),
        id: 5,
        creation: 7,
    }))
}

fn reference() -> Term {
    let parts = ReferenceParts {
        node: atom!("shop@host"),
        ids: vec![1, 2, 3],
        creation: 7,
    };
    Term::Reference(Reference::from_parts(parts).expect("three words"))
}

/// Returns `term` with one random change. The result is seldom of the same type.
pub(crate) fn changed(term: &Term, random: &mut Random) -> Term {
    if random.chance(3) {
        return changed_here(term, random);
    }
    match term {
        Term::Tuple(elements) if !elements.is_empty() => {
            Term::Tuple(with_one_changed(elements, random).into())
        }
        Term::List(elements) if !elements.is_empty() => {
            Term::List(with_one_changed(elements, random).into())
        }
        Term::ImproperList(list) => match random.chance(2) {
            true => ImproperList::term(list.elements().to_vec(), changed(list.tail(), random)),
            false => ImproperList::term(
                with_one_changed(list.elements(), random),
                list.tail().clone(),
            ),
        },
        Term::Map(entries) if entries.iter().next().is_some() => {
            let mut all: Vec<(Term, Term)> = entries.iter().cloned().collect();
            let place = random.below(all.len());
            all[place].1 = changed(&all[place].1, random);
            Term::Map(all.into_iter().collect())
        }
        _ => changed_here(term, random),
    }
}

fn with_one_changed(elements: &[Term], random: &mut Random) -> Vec<Term> {
    let mut elements = elements.to_vec();
    let place = random.below(elements.len());
    elements[place] = changed(&elements[place], random);
    elements
}

fn changed_here(term: &Term, random: &mut Random) -> Term {
    let other = any(random, 1);
    match term {
        Term::Integer(value) if random.chance(2) => match random.chance(2) {
            true => Term::of(&(i128::from(*value) + 1)),
            false => Term::of(&(i128::from(*value) - 1)),
        },
        Term::BigInteger(value) => Term::of(&Integer::from(value.as_big_int() + 1)),
        Term::Tuple(elements) => Term::Tuple(longer_or_shorter(elements, other, random).into()),
        Term::List(elements) => match random.chance(3) {
            true => ImproperList::term(elements.clone(), other),
            false => Term::List(longer_or_shorter(elements, other, random).into()),
        },
        Term::Map(entries) => {
            let mut all: Vec<(Term, Term)> = entries.iter().cloned().collect();
            match random.chance(2) && !all.is_empty() {
                true => _ = all.remove(random.below(all.len())),
                false => all.push((any(random, 0), other)),
            }
            Term::Map(all.into_iter().collect())
        }
        Term::Binary(_) | Term::Bitstring(_) => bits(random.below(40) as u64, random),
        _ => other,
    }
}

fn longer_or_shorter(elements: &[Term], other: Term, random: &mut Random) -> Vec<Term> {
    let mut elements = elements.to_vec();
    match random.chance(2) && !elements.is_empty() {
        true => _ = elements.remove(random.below(elements.len())),
        false => elements.insert(random.below(elements.len() + 1), other),
    }
    elements
}
