//! Parsing terms from Erlang text (feature `text`), with the grammar of `otp-grammar`.

use std::str::FromStr;

use num_bigint::BigInt;
use otp_grammar::{Error, Pair, Rule, leaf, read, whole};

use crate::term::types::{Atom, AtomOrigin, Bitstring, Float, Fun, Integer};
use crate::term::{Heap, ImproperList, OwnedHeap, Term};

/// The result of building a term from a syntax node.
type Made<T> = Result<T, Error>;

/// The largest number of bits of a number in a binary.
const MOST_BITS: usize = 1 << 12;

impl FromStr for Term {
    type Err = Error;

    /// Parses a term as people write it, and as `Display` prints it. `docs/testing.md` describes
    /// the syntax. No atom is created in the VM.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::Term;
    ///
    /// let term: Term = "{ok, #{a => [1, 2.5], b => <<\"text\">>}}".parse()?;
    /// assert_eq!(term.to_string(), "{ok,#{a => [1,2.5],b => <<\"text\">>}}");
    /// # Ok::<(), otp_bridge::term::TextError>(())
    /// ```
    fn from_str(text: &str) -> Result<Term, Error> {
        read(text, whole::TERM, term)
    }
}

fn term(pair: Pair<'_>) -> Made<Term> {
    match pair.as_rule() {
        Rule::atom => atom(pair).map(Term::Atom),
        Rule::number => number(pair),
        Rule::character => Ok(code(leaf::character(pair)?)),
        Rule::string => string(pair),
        Rule::binary => binary(pair),
        Rule::tuple => Ok(Term::Tuple(terms(pair)?.into())),
        Rule::list => list(pair),
        Rule::map => map(pair),
        Rule::external_fun => external_fun(pair),
        Rule::identifier => {
            let what = "a pid, port, reference or local fun cannot be read: its text does not say \
                        which one it is";
            Err(Error::at(&pair, what))
        }
        _ => Err(Error::at(&pair, "syntax error")),
    }
}

fn terms(pair: Pair<'_>) -> Made<Vec<Term>> {
    pair.into_inner().map(term).collect()
}

fn atom(pair: Pair<'_>) -> Made<Atom> {
    let missing = Error::at(&pair, "an atom of more than 255 characters");
    Atom::with_origin(&leaf::atom(pair)?, AtomOrigin::Bytes).map_err(|_| missing)
}

/// `-1`, `16#ff`, `+ 2.5`
fn number(pair: Pair<'_>) -> Made<Term> {
    let mut is_negative = false;
    let mut number = None;
    for part in pair.clone().into_inner() {
        match part.as_rule() {
            Rule::sign => is_negative = part.as_str() == "-",
            _ => number = Some(part),
        }
    }
    let number = number.ok_or_else(|| Error::at(&pair, "syntax error"))?;
    if number.as_rule() == Rule::integer {
        let natural = integer(&number)?;
        let value = if is_negative { -natural } else { natural };
        return Ok(OwnedHeap.big_integer(&Integer::from(value)));
    }
    let positive = leaf::float(&number)?;
    let value = if is_negative { -positive } else { positive };
    let missing = || Error::at(&number, "not a float");
    Float::new(value).map(Term::Float).ok_or_else(missing)
}

fn integer(pair: &Pair<'_>) -> Made<BigInt> {
    let digits = leaf::integer(pair)?;
    let text: String = digits
        .values()
        .filter_map(|digit| char::from_digit(digit, digits.base))
        .collect();
    let missing = || Error::at(pair, "not an integer");
    BigInt::parse_bytes(text.as_bytes(), digits.base).ok_or_else(missing)
}

fn code(character: char) -> Term {
    Term::Integer(u32::from(character).into())
}

/// `"text"`, a list of characters, or `~"text"`, a binary.
fn string(pair: Pair<'_>) -> Made<Term> {
    let mut codes = Vec::new();
    for part in pair.into_inner() {
        if part.as_rule() == Rule::sigil {
            let text = leaf::text(leaf::inner(part)?)?;
            return Ok(Term::Binary(text.into_bytes().into()));
        }
        codes.extend(leaf::text(part)?.chars().map(code));
    }
    Ok(Term::List(codes.into()))
}

/// `[A, B | Tail]`
fn list(pair: Pair<'_>) -> Made<Term> {
    let mut elements = Vec::new();
    let mut tail = None;
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::tail => tail = Some(term(leaf::inner(part)?)?),
            _ => elements.push(term(part)?),
        }
    }
    Ok(match tail {
        Some(tail) => ImproperList::term(elements, tail),
        None => Term::List(elements.into()),
    })
}

/// If two keys are equal, the later entry counts, as in Erlang.
fn map(pair: Pair<'_>) -> Made<Term> {
    let mut entries = Vec::new();
    for entry in pair.into_inner() {
        let mut parts = terms(entry)?.into_iter();
        entries.extend(parts.next().zip(parts.next()));
    }
    Ok(Term::Map(entries.into_iter().collect()))
}

fn external_fun(pair: Pair<'_>) -> Made<Term> {
    let mut atoms = Vec::new();
    let mut arity = None;
    for part in pair.clone().into_inner() {
        match part.as_rule() {
            Rule::atom => atoms.push(atom(part)?),
            Rule::integer => arity = u8::try_from(integer(&part)?).ok(),
            _ => {}
        }
    }
    match (<[Atom; 2]>::try_from(atoms), arity) {
        (Ok([module, function]), Some(arity)) => {
            Ok(Term::Fun(Fun::external(module, function, arity)))
        }
        _ => Err(Error::at(&pair, "an arity is a number from 0 to 255")),
    }
}

/// `<<"text"/utf8, 1, 2:4>>`
fn binary(pair: Pair<'_>) -> Made<Term> {
    let mut bits = Bits::default();
    for segment in pair.into_inner() {
        bits.segment(segment)?;
    }
    let whole = Bitstring::new(bits.bytes, bits.count);
    Ok(OwnedHeap.bitstring(&whole.unwrap_or_default()))
}

/// The bits of a binary. The first bit is the highest of the first byte.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    count: usize,
}

impl Bits {
    fn segment(&mut self, pair: Pair<'_>) -> Made<()> {
        let mut value = None;
        let mut size = 8;
        let mut is_utf8 = false;
        for part in pair.clone().into_inner() {
            match part.as_rule() {
                Rule::size => size = bit_count(&leaf::inner(part)?)?,
                Rule::utf8 => is_utf8 = true,
                _ => value = Some(part),
            }
        }
        let value = value.ok_or_else(|| Error::at(&pair, "syntax error"))?;
        let characters: Vec<char> = match value.as_rule() {
            Rule::text => leaf::text(value)?.chars().collect(),
            Rule::character => vec![leaf::character(value)?],
            _ => {
                let Some(integer) = as_integer(&number(value.clone())?) else {
                    return Err(Error::at(&value, "a float in a binary is not read"));
                };
                if is_utf8 {
                    let what = "`/utf8` is read behind texts and characters";
                    return Err(Error::at(&pair, what));
                }
                self.push(&integer, size);
                return Ok(());
            }
        };
        for character in characters {
            match is_utf8 {
                true => {
                    let mut bytes = [0; 4];
                    let text = character.encode_utf8(&mut bytes);
                    text.bytes().for_each(|byte| self.push(&byte.into(), 8));
                }
                // As in Erlang, the bits above a character's last byte are cut off.
                false => self.push(&u32::from(character).into(), size),
            }
        }
        Ok(())
    }

    /// Appends the lowest bits of an integer, in two's complement.
    fn push(&mut self, integer: &BigInt, size: usize) {
        for position in (0..size).rev() {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let bit = integer.bit(position as u64);
            if let (true, Some(last)) = (bit, self.bytes.last_mut()) {
                *last |= 0x80 >> (self.count % 8);
            }
            self.count += 1;
        }
    }
}

fn as_integer(term: &Term) -> Option<BigInt> {
    match term {
        Term::Integer(value) => Some((*value).into()),
        Term::BigInteger(value) => Some(value.as_big_int().clone()),
        _ => None,
    }
}

fn bit_count(pair: &Pair<'_>) -> Made<usize> {
    let read = usize::try_from(integer(pair)?).ok();
    let size = read.filter(|size| *size <= MOST_BITS);
    size.ok_or_else(|| Error::at(pair, format!("a size is at most {MOST_BITS} bits")))
}
