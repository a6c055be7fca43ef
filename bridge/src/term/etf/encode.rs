//! Encoding terms as bytes.

use super::tags;
use crate::term::depth::deeper;
use crate::term::types::{Atom, Bitstring, Fun, Integer, LocalFun, Pid, Port, Reference};
use crate::term::{ImproperList, Term, TermMap};

/// An encoding that `term_to_binary/1` has used. The encodings differ in atoms and ports, and so in
/// all terms that contain an atom, such as a pid with its node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Encoding {
    /// The encoding of OTP 25, which older and newer releases read: atoms in Latin-1 if their
    /// characters allow it (tag 100), ports in 32 bits if their number allows it (tag 89).
    #[default]
    Otp25,
    /// The encoding of OTP 26 and later: atoms in UTF-8 (tags 119 and 118), ports in 64 bits (tag
    /// 120). OTP 24 is the oldest release that reads all of it.
    Otp26,
}

impl Encoding {
    /// Returns the encoding that a release, such as 27, uses by default.
    pub fn of_release(release: u32) -> Self {
        if release < 26 {
            Self::Otp25
        } else {
            Self::Otp26
        }
    }
}

/// Returns the bytes of a term, as `term_to_binary/1` of OTP 25 writes them. For maps see [the
/// module](super).
pub fn encode(term: &Term) -> Vec<u8> {
    encode_as(term, Encoding::Otp25)
}

/// Returns the bytes of a term in an encoding.
pub fn encode_as(term: &Term, encoding: Encoding) -> Vec<u8> {
    let mut writer = Writer {
        bytes: vec![tags::VERSION],
        encoding,
    };
    writer.term(term);
    writer.bytes
}

struct Writer {
    bytes: Vec<u8>,
    encoding: Encoding,
}

impl Writer {
    fn term(&mut self, term: &Term) {
        match term {
            Term::Atom(atom) => self.atom(atom),
            Term::Integer(value) => self.integer(*value),
            Term::BigInteger(value) => match i64::try_from(value) {
                Ok(value) => self.integer(value),
                Err(_) => self.big_integer(value),
            },
            Term::Float(value) => {
                self.byte(tags::NEW_FLOAT);
                self.bytes.extend_from_slice(&value.value().to_be_bytes());
            }
            Term::Binary(bytes) => self.binary(bytes),
            Term::Bitstring(bits) => self.bitstring(bits),
            Term::List(elements) => deeper(|| self.list(elements)),
            Term::ImproperList(list) => deeper(|| self.improper_list(list)),
            Term::Tuple(elements) => deeper(|| self.tuple(elements)),
            Term::Map(entries) => deeper(|| self.map(entries)),
            Term::Pid(pid) => self.pid(pid),
            Term::Port(port) => self.port(port),
            Term::Reference(reference) => self.reference(reference),
            Term::Fun(Fun::External(fun)) => {
                self.byte(tags::EXPORT);
                self.atom(&fun.module);
                self.atom(&fun.function);
                self.integer(fun.arity.into());
            }
            Term::Fun(Fun::Local(fun)) => deeper(|| self.local_fun(fun)),
        }
    }

    fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    fn unsigned32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_be_bytes());
    }

    /// Writes a count of values in memory. The format has 32 bits for it, which is more than any
    /// node can read.
    fn count(&mut self, count: usize) {
        self.unsigned32(u32::try_from(count).expect("a term has at most 2^32 - 1 parts"));
    }

    fn integer(&mut self, value: i64) {
        if let Ok(value) = u8::try_from(value) {
            self.byte(tags::SMALL_INTEGER);
            self.byte(value);
        } else if let Ok(value) = i32::try_from(value) {
            self.byte(tags::INTEGER);
            self.bytes.extend_from_slice(&value.to_be_bytes());
        } else {
            let magnitude = value.unsigned_abs().to_le_bytes();
            let length = 8 - value.unsigned_abs().leading_zeros() as usize / 8;
            self.big(value < 0, &magnitude[..length]);
        }
    }

    fn big_integer(&mut self, value: &Integer) {
        let (negative, magnitude) = value.to_sign_and_bytes();
        self.big(negative, &magnitude);
    }

    fn big(&mut self, negative: bool, magnitude: &[u8]) {
        match u8::try_from(magnitude.len()) {
            Ok(length) => {
                self.byte(tags::SMALL_BIG);
                self.byte(length);
            }
            Err(_) => {
                self.byte(tags::LARGE_BIG);
                self.count(magnitude.len());
            }
        }
        self.byte(negative.into());
        self.bytes.extend_from_slice(magnitude);
    }

    fn atom(&mut self, atom: &Atom) {
        let text = atom.text();
        match self.encoding {
            Encoding::Otp25 => match latin1(text) {
                Some(characters) => self.long_atom(tags::ATOM, &characters),
                None => self.utf8_atom(text),
            },
            Encoding::Otp26 => self.utf8_atom(text),
        }
    }

    fn utf8_atom(&mut self, text: &str) {
        match u8::try_from(text.len()) {
            Ok(length) => {
                self.byte(tags::SMALL_ATOM_UTF8);
                self.byte(length);
                self.bytes.extend_from_slice(text.as_bytes());
            }
            Err(_) => self.long_atom(tags::ATOM_UTF8, text.as_bytes()),
        }
    }

    /// An atom of at most 255 characters, which have at most four bytes each.
    fn long_atom(&mut self, tag: u8, characters: &[u8]) {
        self.byte(tag);
        self.bytes
            .extend_from_slice(&(characters.len() as u16).to_be_bytes());
        self.bytes.extend_from_slice(characters);
    }

    fn binary(&mut self, bytes: &[u8]) {
        self.byte(tags::BINARY);
        self.count(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    fn bitstring(&mut self, bits: &Bitstring) {
        if let Some(bytes) = bits.as_bytes() {
            return self.binary(bytes);
        }
        self.byte(tags::BIT_BINARY);
        self.count(bits.padded_bytes().len());
        self.byte((bits.bit_count() % 8) as u8);
        self.bytes.extend_from_slice(bits.padded_bytes());
    }

    fn list(&mut self, elements: &[Term]) {
        if elements.is_empty() {
            return self.byte(tags::NIL);
        }
        if self.string(elements) {
            return;
        }
        self.byte(tags::LIST);
        self.count(elements.len());
        elements.iter().for_each(|element| self.term(element));
        self.byte(tags::NIL);
    }

    /// A list of up to 65,535 bytes has a tag of its own.
    fn string(&mut self, elements: &[Term]) -> bool {
        let Ok(length) = u16::try_from(elements.len()) else {
            return false;
        };
        let byte = |element: &Term| match element {
            Term::Integer(value) => u8::try_from(*value).ok(),
            _ => None,
        };
        let Some(bytes) = elements.iter().map(byte).collect::<Option<Vec<u8>>>() else {
            return false;
        };
        self.byte(tags::STRING);
        self.bytes.extend_from_slice(&length.to_be_bytes());
        self.bytes.extend_from_slice(&bytes);
        true
    }

    fn improper_list(&mut self, list: &ImproperList) {
        self.byte(tags::LIST);
        self.count(list.elements().len());
        list.elements()
            .iter()
            .for_each(|element| self.term(element));
        self.term(list.tail());
    }

    fn tuple(&mut self, elements: &[Term]) {
        match u8::try_from(elements.len()) {
            Ok(arity) => {
                self.byte(tags::SMALL_TUPLE);
                self.byte(arity);
            }
            Err(_) => {
                self.byte(tags::LARGE_TUPLE);
                self.count(elements.len());
            }
        }
        elements.iter().for_each(|element| self.term(element));
    }

    fn map(&mut self, entries: &TermMap) {
        self.byte(tags::MAP);
        self.count(entries.len());
        for (key, value) in entries {
            self.term(key);
            self.term(value);
        }
    }

    fn pid(&mut self, pid: &Pid) {
        let parts = pid.parts();
        self.byte(tags::NEW_PID);
        self.atom(&parts.node);
        self.unsigned32(parts.id);
        self.unsigned32(parts.serial);
        self.unsigned32(parts.creation);
    }

    /// Writes a port. Nodes before OTP 24 read only port numbers of 28 bits. Up to OTP 25 these
    /// numbers are written in the old way.
    fn port(&mut self, port: &Port) {
        let parts = port.parts();
        match u32::try_from(parts.id) {
            Ok(id) if id < 1 << 28 && self.encoding == Encoding::Otp25 => {
                self.byte(tags::NEW_PORT);
                self.atom(&parts.node);
                self.unsigned32(id);
            }
            _ => {
                self.byte(tags::V4_PORT);
                self.atom(&parts.node);
                self.bytes.extend_from_slice(&parts.id.to_be_bytes());
            }
        }
        self.unsigned32(parts.creation);
    }

    fn reference(&mut self, reference: &Reference) {
        let parts = reference.parts();
        self.byte(tags::NEWER_REFERENCE);
        // One to five words, which the type guarantees.
        self.bytes
            .extend_from_slice(&(parts.ids.len() as u16).to_be_bytes());
        self.atom(&parts.node);
        self.unsigned32(parts.creation);
        parts.ids.iter().for_each(|id| self.unsigned32(*id));
    }

    fn local_fun(&mut self, fun: &LocalFun) {
        self.byte(tags::NEW_FUN);
        let start = self.bytes.len();
        self.unsigned32(0);
        self.byte(fun.arity);
        self.bytes.extend_from_slice(&fun.unique);
        self.unsigned32(fun.index);
        self.count(fun.captured.len());
        self.atom(&fun.module);
        self.integer(fun.old_index);
        self.integer(fun.old_unique);
        self.pid(&fun.creator);
        fun.captured.iter().for_each(|term| self.term(term));
        // The size is known only now. It includes itself.
        let size = (self.bytes.len() - start) as u32;
        self.bytes[start..start + 4].copy_from_slice(&size.to_be_bytes());
    }
}

/// Returns the text in Latin-1, if all its characters are in Latin-1.
fn latin1(text: &str) -> Option<Vec<u8>> {
    let byte = |character: char| u8::try_from(u32::from(character)).ok();
    text.chars().map(byte).collect()
}
