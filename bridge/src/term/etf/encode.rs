//! Terms to bytes

use super::tags;
use crate::term::types::{Atom, Bitstring, Fun, Integer, LocalFun, Pid, Port, Reference};
use crate::term::{ImproperList, Term, TermMap};

/// The bytes of a term, as `term_to_binary/1` writes them.
pub fn encode(term: &Term) -> Vec<u8> {
    let mut writer = Writer {
        bytes: vec![tags::VERSION],
    };
    writer.term(term);
    writer.bytes
}

struct Writer {
    bytes: Vec<u8>,
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
            Term::List(elements) => self.list(elements),
            Term::ImproperList(list) => self.improper_list(list),
            Term::Tuple(elements) => self.tuple(elements),
            Term::Map(entries) => self.map(entries),
            Term::Pid(pid) => self.pid(pid),
            Term::Port(port) => self.port(port),
            Term::Reference(reference) => self.reference(reference),
            Term::Fun(Fun::External(fun)) => {
                self.byte(tags::EXPORT);
                self.atom(&fun.module);
                self.atom(&fun.function);
                self.integer(fun.arity.into());
            }
            Term::Fun(Fun::Local(fun)) => self.local_fun(fun),
        }
    }

    fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    fn unsigned32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_be_bytes());
    }

    /// A count of things that are in memory. The format's 32 bits bound what any node can read.
    fn count(&mut self, count: usize) {
        self.unsigned32(u32::try_from(count).expect("more than 2^32 - 1 parts fit no term"));
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

    /// OTP 25 writes Latin-1 where the characters allow, else UTF-8.
    fn atom(&mut self, atom: &Atom) {
        let text = atom.text();
        let latin1: Option<Vec<u8>> = text
            .chars()
            .map(|character| u8::try_from(u32::from(character)).ok())
            .collect();
        match latin1 {
            Some(characters) => {
                self.byte(tags::ATOM);
                self.bytes
                    .extend_from_slice(&(characters.len() as u16).to_be_bytes());
                self.bytes.extend_from_slice(&characters);
            }
            None => {
                match u8::try_from(text.len()) {
                    Ok(length) => self
                        .bytes
                        .extend_from_slice(&[tags::SMALL_ATOM_UTF8, length]),
                    Err(_) => {
                        self.byte(tags::ATOM_UTF8);
                        self.bytes
                            .extend_from_slice(&(text.len() as u16).to_be_bytes());
                    }
                }
                self.bytes.extend_from_slice(text.as_bytes());
            }
        }
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

    /// A list of up to 65,535 bytes has a form of its own.
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

    /// Older nodes know port numbers of 28 bits only, and their form is used as long as it can be.
    fn port(&mut self, port: &Port) {
        let parts = port.parts();
        match u32::try_from(parts.id) {
            Ok(id) if id < 1 << 28 => {
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
        // One to five words, by construction.
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
        // The size, which counts itself, is known only now.
        let size = (self.bytes.len() - start) as u32;
        self.bytes[start..start + 4].copy_from_slice(&size.to_be_bytes());
    }
}
