//! Decoding bytes to terms.

use super::error::{ErrorKind, EtfError};
use super::reader::ByteReader;
use super::tags;
use crate::term::depth::deeper;
use crate::term::types::{
    Atom, AtomOrigin, Binary, Bitstring, Float, Fun, Integer, LocalFun, Pid, PidParts, Port,
    PortParts, Reference, ReferenceParts,
};
use crate::term::{Heap, ImproperList, MAX_DEPTH, OwnedHeap, Term, TermMap};

/// Decodes the term in `bytes`, as `binary_to_term/1` does.
///
/// The atoms of such a term are never added to the VM: if the VM does not have one of them,
/// building the term in the VM panics.
///
/// # Errors
/// The bytes are not the External Term Format of one term of at most [`MAX_DEPTH`] levels, or they
/// are compressed.
pub fn decode(bytes: &[u8]) -> Result<Term, EtfError> {
    decode_all(bytes, AtomOrigin::Bytes)
}

/// Decodes bytes that the VM itself has just written. So the VM has the atoms.
pub(crate) fn decode_from_vm(bytes: &[u8]) -> Result<Term, EtfError> {
    decode_all(bytes, AtomOrigin::Program)
}

fn decode_all(bytes: &[u8], origin: AtomOrigin) -> Result<Term, EtfError> {
    let mut reader = ByteReader::new(bytes);
    let version = reader.unsigned8()?;
    if version != tags::VERSION {
        return Err(EtfError::new(ErrorKind::Version(version), 0));
    }
    let mut decoder = Decoder { reader, origin };
    let term = decoder.term(0)?;
    if decoder.reader.remaining() > 0 {
        return Err(decoder.reader.error(ErrorKind::Trailing));
    }
    Ok(term)
}

struct Decoder<'b> {
    reader: ByteReader<'b>,
    origin: AtomOrigin,
}

impl Decoder<'_> {
    /// This function calls itself once per level, so everything else is kept out of its stack
    /// frame.
    fn term(&mut self, depth: usize) -> Result<Term, EtfError> {
        if depth > MAX_DEPTH {
            return Err(self.reader.error(ErrorKind::TooDeep));
        }
        let tag = self.reader.unsigned8()?;
        match tag {
            tags::LIST => deeper(|| self.list(depth)),
            tags::SMALL_TUPLE | tags::LARGE_TUPLE => deeper(|| self.tuple(tag, depth)),
            tags::MAP => deeper(|| self.map(depth)),
            tags::NEW_FUN => deeper(|| self.local_fun(depth)),
            _ => self.leaf(tag),
        }
    }

    #[inline(never)]
    fn leaf(&mut self, tag: u8) -> Result<Term, EtfError> {
        let start = self.reader.position() - 1;
        match tag {
            tags::SMALL_INTEGER => Ok(Term::Integer(self.reader.unsigned8()?.into())),
            tags::INTEGER => Ok(Term::Integer(self.reader.signed32()?.into())),
            tags::SMALL_BIG | tags::LARGE_BIG => self.big_integer(tag),
            tags::NEW_FLOAT | tags::FLOAT => self.float(tag),
            tags::ATOM | tags::SMALL_ATOM | tags::ATOM_UTF8 | tags::SMALL_ATOM_UTF8 => {
                self.atom_text(tag).map(Term::Atom)
            }
            tags::BINARY => {
                let length = self.reader.count(1)?;
                Ok(Term::Binary(Binary::from(self.reader.take(length)?)))
            }
            tags::BIT_BINARY => self.bitstring(),
            tags::NIL => Ok(Term::nil()),
            tags::STRING => self.string(),
            tags::PID | tags::NEW_PID => self.pid(tag).map(Term::Pid),
            tags::PORT | tags::NEW_PORT | tags::V4_PORT => self.port(tag).map(Term::Port),
            tags::NEW_REFERENCE | tags::NEWER_REFERENCE => self.reference(tag),
            tags::EXPORT => self.external_fun(),
            tags::COMPRESSED => Err(EtfError::new(ErrorKind::Compressed, start)),
            _ => Err(EtfError::new(ErrorKind::UnknownTag(tag), start)),
        }
    }

    fn big_integer(&mut self, tag: u8) -> Result<Term, EtfError> {
        let length = match tag {
            tags::SMALL_BIG => usize::from(self.reader.unsigned8()?),
            _ => self.reader.unsigned32()? as usize,
        };
        let negative = self.reader.unsigned8()? != 0;
        let magnitude = self.reader.take(length)?;
        Ok(OwnedHeap.big_integer(&Integer::from_sign_and_bytes(negative, magnitude)))
    }

    fn float(&mut self, tag: u8) -> Result<Term, EtfError> {
        let start = self.reader.position();
        let value = match tag {
            tags::NEW_FLOAT => self.reader.float64()?,
            // 31 bytes of decimal text, padded with zero bytes.
            _ => {
                let text = self.reader.take(31)?;
                let text = std::str::from_utf8(text).unwrap_or_default();
                let parsed = text.trim_end_matches('\0').parse();
                parsed.map_err(|_| EtfError::new(ErrorKind::NotAFloat, start))?
            }
        };
        let float = Float::new(value).ok_or(EtfError::new(ErrorKind::NotFinite, start))?;
        Ok(Term::Float(float))
    }

    /// Returns the atom that follows one of the four tags of atoms.
    fn atom_text(&mut self, tag: u8) -> Result<Atom, EtfError> {
        let length = match tag {
            tags::SMALL_ATOM | tags::SMALL_ATOM_UTF8 => usize::from(self.reader.unsigned8()?),
            _ => usize::from(self.reader.unsigned16()?),
        };
        let start = self.reader.position();
        let bytes = self.reader.take(length)?;
        let atom = match tag {
            tags::ATOM | tags::SMALL_ATOM => {
                let text: String = bytes.iter().copied().map(char::from).collect();
                Atom::with_origin(&text, self.origin)
            }
            _ => {
                let text = std::str::from_utf8(bytes);
                let text = text.map_err(|_| EtfError::new(ErrorKind::NotUtf8, start))?;
                Atom::with_origin(text, self.origin)
            }
        };
        atom.map_err(|_| EtfError::new(ErrorKind::AtomTooLong, start))
    }

    /// Reads an atom where no other term is allowed.
    fn atom(&mut self) -> Result<Atom, EtfError> {
        let start = self.reader.position();
        let tag = self.reader.unsigned8()?;
        match tag {
            tags::ATOM | tags::SMALL_ATOM | tags::ATOM_UTF8 | tags::SMALL_ATOM_UTF8 => {
                self.atom_text(tag)
            }
            _ => Err(EtfError::new(ErrorKind::UnknownTag(tag), start)),
        }
    }

    fn bitstring(&mut self) -> Result<Term, EtfError> {
        let length = self.reader.count(1)?;
        let start = self.reader.position();
        let last_bits = usize::from(self.reader.unsigned8()?);
        let bytes = self.reader.take(length)?.to_vec();
        let bits = match (length, last_bits) {
            (0, 0) => 0,
            (1.., 1..=8) => length * 8 - 8 + last_bits,
            _ => return Err(EtfError::new(ErrorKind::BitCount, start)),
        };
        let bits = Bitstring::new(bytes, bits);
        let bits = bits.ok_or(EtfError::new(ErrorKind::BitCount, start))?;
        Ok(OwnedHeap.bitstring(&bits))
    }

    fn string(&mut self) -> Result<Term, EtfError> {
        let length = usize::from(self.reader.unsigned16()?);
        let bytes = self.reader.take(length)?;
        Ok(Term::List(
            bytes
                .iter()
                .map(|byte| Term::Integer((*byte).into()))
                .collect(),
        ))
    }

    #[inline(never)]
    fn list(&mut self, depth: usize) -> Result<Term, EtfError> {
        let count = self.reader.count(1)?;
        let elements = self.terms(count, depth)?;
        let tail = self.term(depth + 1)?;
        Ok(ImproperList::term(elements, tail))
    }

    #[inline(never)]
    fn tuple(&mut self, tag: u8, depth: usize) -> Result<Term, EtfError> {
        let arity = match tag {
            tags::SMALL_TUPLE => usize::from(self.reader.unsigned8()?),
            _ => self.reader.count(1)?,
        };
        self.terms(arity, depth)
            .map(|elements| Term::Tuple(elements.into()))
    }

    fn terms(&mut self, count: usize, depth: usize) -> Result<Vec<Term>, EtfError> {
        // The count may be wrong, so memory grows only with the terms that are there.
        let mut terms = Vec::with_capacity(count.min(1024));
        for _ in 0..count {
            terms.push(self.term(depth + 1)?);
        }
        Ok(terms)
    }

    #[inline(never)]
    fn map(&mut self, depth: usize) -> Result<Term, EtfError> {
        let start = self.reader.position();
        let count = self.reader.count(2)?;
        let mut entries = Vec::with_capacity(count.min(1024));
        for _ in 0..count {
            let key = self.term(depth + 1)?;
            entries.push((key, self.term(depth + 1)?));
        }
        let entries: TermMap = entries.into_iter().collect();
        if entries.len() < count {
            return Err(EtfError::new(ErrorKind::MapKey, start));
        }
        Ok(Term::Map(entries))
    }

    fn pid(&mut self, tag: u8) -> Result<Pid, EtfError> {
        Ok(Pid::from_parts(PidParts {
            node: self.atom()?,
            id: self.reader.unsigned32()?,
            serial: self.reader.unsigned32()?,
            creation: self.creation(tag == tags::PID)?,
        }))
    }

    fn port(&mut self, tag: u8) -> Result<Port, EtfError> {
        Ok(Port::from_parts(PortParts {
            node: self.atom()?,
            id: match tag {
                tags::V4_PORT => self.reader.unsigned64()?,
                _ => self.reader.unsigned32()?.into(),
            },
            creation: self.creation(tag == tags::PORT)?,
        }))
    }

    fn reference(&mut self, tag: u8) -> Result<Term, EtfError> {
        let start = self.reader.position();
        let length = usize::from(self.reader.unsigned16()?);
        let parts = ReferenceParts {
            node: self.atom()?,
            creation: self.creation(tag == tags::NEW_REFERENCE)?,
            ids: (0..length)
                .map(|_| self.reader.unsigned32())
                .collect::<Result<_, _>>()?,
        };
        let reference = Reference::from_parts(parts);
        reference
            .map(Term::Reference)
            .ok_or(EtfError::new(ErrorKind::ReferenceLength, start))
    }

    /// Older tags have one byte for the creation.
    fn creation(&mut self, old: bool) -> Result<u32, EtfError> {
        if old {
            self.reader.unsigned8().map(u32::from)
        } else {
            self.reader.unsigned32()
        }
    }

    fn external_fun(&mut self) -> Result<Term, EtfError> {
        let (module, function) = (self.atom()?, self.atom()?);
        let start = self.reader.position();
        match self.reader.unsigned8()? {
            tags::SMALL_INTEGER => {
                let arity = self.reader.unsigned8()?;
                Ok(Term::Fun(Fun::external(module, function, arity)))
            }
            _ => Err(EtfError::new(ErrorKind::Fun("arity"), start)),
        }
    }

    #[inline(never)]
    fn local_fun(&mut self, depth: usize) -> Result<Term, EtfError> {
        let start = self.reader.position();
        let size = self.reader.unsigned32()? as usize;
        let arity = self.reader.unsigned8()?;
        let unique = self.reader.bytes16()?;
        let index = self.reader.unsigned32()?;
        let captured = self.reader.count(1)?;
        let fun = LocalFun {
            module: self.atom()?,
            old_index: self.fun_number("index")?,
            old_unique: self.fun_number("version")?,
            creator: self.fun_creator()?,
            captured: self.terms(captured, depth)?.into(),
            arity,
            index,
            unique,
        };
        // The size includes itself.
        if self.reader.position() - start != size {
            return Err(EtfError::new(ErrorKind::Fun("size"), start));
        }
        Ok(Term::Fun(Fun::Local(fun.into())))
    }

    fn fun_number(&mut self, part: &'static str) -> Result<i64, EtfError> {
        let start = self.reader.position();
        match self.reader.unsigned8()? {
            tags::SMALL_INTEGER => Ok(self.reader.unsigned8()?.into()),
            tags::INTEGER => Ok(self.reader.signed32()?.into()),
            _ => Err(EtfError::new(ErrorKind::Fun(part), start)),
        }
    }

    fn fun_creator(&mut self) -> Result<Pid, EtfError> {
        let start = self.reader.position();
        match self.reader.unsigned8()? {
            tag @ (tags::PID | tags::NEW_PID) => self.pid(tag),
            _ => Err(EtfError::new(ErrorKind::Fun("creator"), start)),
        }
    }
}
