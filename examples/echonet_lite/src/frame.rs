//! Frames: what nodes of ECHONET Lite send each other.
//!
//! ```text
//! format 1   10 81 TID TID  SEOJ(3) DEOJ(3) ESV  OPC { EPC PDC EDT } ...      SetGet: OPC { ... } twice
//! format 2   10 82 TID TID  anything
//! ```
//! Reading copies nothing: a [`Frame`] is a view of the bytes, which have been checked once.

use std::fmt;

use otp_bridge::Term;

pub use crate::writer::Writer;

/// The object of every node that stands for the node itself.
pub const NODE_PROFILE: Eoj = Eoj(0x0E, 0xF0, 0x01);

/// How many bytes of a frame of format 1 are before its properties' number.
const HEADER: usize = 11;

/// An ECHONET object: the group and the class, and which instance of it. Instance 0 is all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Eoj(pub u8, pub u8, pub u8);

impl Eoj {
    /// An instance of a class.
    #[must_use]
    pub const fn new(class: u16, instance: u8) -> Self {
        let [group, code] = class.to_be_bytes();
        Eoj(group, code, instance)
    }

    /// The code of the class, with its group.
    #[must_use]
    pub const fn class(self) -> u16 {
        u16::from_be_bytes([self.0, self.1])
    }

    /// The instance.
    #[must_use]
    pub const fn instance(self) -> u8 {
        self.2
    }

    /// As it is in a frame.
    #[must_use]
    pub const fn bytes(self) -> [u8; 3] {
        [self.0, self.1, self.2]
    }

    /// Six hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let all = u32::from_str_radix(text, 16).ok()?;
        let [0, group, class, instance] = all.to_be_bytes() else {
            return None;
        };
        (text.len() == 6).then_some(Eoj(group, class, instance))
    }
}

impl From<[u8; 3]> for Eoj {
    fn from([group, class, instance]: [u8; 3]) -> Self {
        Eoj(group, class, instance)
    }
}

impl fmt::Display for Eoj {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

macro_rules! services {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        /// An ECHONET Lite service: what a frame asks for, or answers.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
        pub enum Esv { $($(#[$doc])* $name = $code,)* }

        impl Esv {
            /// All of them.
            pub const ALL: &'static [Esv] = &[$(Esv::$name),*];

            /// The service of a code.
            #[must_use]
            pub const fn of(code: u8) -> Option<Self> {
                match code { $($code => Some(Esv::$name),)* _ => None }
            }
        }
    };
}

services! {
    /// A `SetI` that was refused, at least partly.
    SetIRefused = 0x50,
    /// A `SetC` that was refused, at least partly.
    SetCRefused = 0x51,
    /// A `Get` that was refused, at least partly.
    GetRefused = 0x52,
    /// An `InfReq` that was refused.
    InfRefused = 0x53,
    /// A `SetGet` that was refused, at least partly.
    SetGetRefused = 0x5E,
    /// Sets without an answer, unless it is a refusal.
    SetI = 0x60,
    /// Sets and answers.
    SetC = 0x61,
    /// Asks for values.
    Get = 0x62,
    /// Asks for an announcement to everybody.
    InfReq = 0x63,
    /// Sets some and asks for others.
    SetGet = 0x6E,
    /// Answers a `SetC`.
    SetResponse = 0x71,
    /// Answers a `Get`.
    GetResponse = 0x72,
    /// An announcement.
    Inf = 0x73,
    /// An announcement that wants an answer.
    InfC = 0x74,
    /// Answers an `InfC`.
    InfCResponse = 0x7A,
    /// Answers a `SetGet`.
    SetGetResponse = 0x7E,
}

impl Esv {
    /// Whether there are two lists of properties.
    #[must_use]
    pub const fn has_two_lists(self) -> bool {
        matches!(self, Esv::SetGet | Esv::SetGetResponse | Esv::SetGetRefused)
    }

    /// Whether a node answers it, or might refuse it.
    #[must_use]
    pub const fn is_request(self) -> bool {
        matches!(
            self,
            Esv::SetI | Esv::SetC | Esv::Get | Esv::InfReq | Esv::SetGet | Esv::InfC
        )
    }

    /// What a request is refused with. An `InfC` cannot be refused.
    #[must_use]
    pub const fn refusal(self) -> Option<Self> {
        match self {
            Esv::SetI => Some(Esv::SetIRefused),
            Esv::SetC => Some(Esv::SetCRefused),
            Esv::Get => Some(Esv::GetRefused),
            Esv::InfReq => Some(Esv::InfRefused),
            Esv::SetGet => Some(Esv::SetGetRefused),
            _ => None,
        }
    }

    /// What a request that was done is answered with. A `SetI` has no answer.
    #[must_use]
    pub const fn response(self) -> Option<Self> {
        match self {
            Esv::SetC => Some(Esv::SetResponse),
            Esv::Get => Some(Esv::GetResponse),
            Esv::InfReq => Some(Esv::Inf),
            Esv::InfC => Some(Esv::InfCResponse),
            Esv::SetGet => Some(Esv::SetGetResponse),
            _ => None,
        }
    }

    /// Whether this answers or refuses that request.
    #[must_use]
    pub fn answers(self, request: Esv) -> bool {
        Some(self) == request.response() || Some(self) == request.refusal()
    }
}

/// Why bytes are not a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Malformed {
    /// There are fewer bytes than it says, by at least this many.
    Short(usize),
    /// It does not begin as a frame.
    Header,
    /// A service that there is not.
    Service(u8),
    /// So many bytes are left.
    Long(usize),
}

/// A list of properties that has been checked.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Properties<'a> {
    pub(crate) count: u8,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Properties<'a> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Each property's code and value.
    pub fn iter(&self) -> impl Iterator<Item = (u8, &'a [u8])> + use<'a> {
        let mut rest = self.bytes;
        std::iter::from_fn(move || {
            let [epc, length, after @ ..] = rest else {
                return None;
            };
            let (edt, after) = after.split_at_checked(usize::from(*length))?;
            rest = after;
            Some((*epc, edt))
        })
    }

    fn parse(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), Malformed> {
        let (&count, list) = bytes.split_first().ok_or(Malformed::Short(1))?;
        let mut rest = list;
        for _ in 0..count {
            let [_, length, after @ ..] = rest else {
                return Err(Malformed::Short(2 - rest.len()));
            };
            let length = usize::from(*length);
            let missing = length.saturating_sub(after.len());
            rest = after.get(length..).ok_or(Malformed::Short(missing))?;
        }
        let bytes = &list[..list.len() - rest.len()];
        Ok((Properties { count, bytes }, rest))
    }
}

impl fmt::Debug for Properties<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A frame of format 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Which request and answer belong together.
    pub tid: u16,
    /// Who sends it.
    pub from: Eoj,
    /// Whom it is for.
    pub to: Eoj,
    /// What it asks for or answers.
    pub esv: Esv,
    /// The properties; of a `SetGet` those to set.
    pub properties: Properties<'a>,
    /// Those to get of a `SetGet`. Empty otherwise.
    pub second: Properties<'a>,
}

/// What is in a datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message<'a> {
    /// Format 1.
    Frame(Frame<'a>),
    /// Format 2: bytes that only the two sides understand.
    Arbitrary {
        /// As in format 1.
        tid: u16,
        /// Everything after it.
        data: &'a [u8],
    },
}

impl<'a> Message<'a> {
    /// A whole datagram.
    ///
    /// # Errors
    /// If it is not one message and nothing else.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Malformed> {
        match *bytes {
            [0x10, 0x82, high, low, ..] => Ok(Message::Arbitrary {
                tid: u16::from_be_bytes([high, low]),
                data: &bytes[4..],
            }),
            _ => match Frame::parse(bytes)? {
                (frame, []) => Ok(Message::Frame(frame)),
                (_, rest) => Err(Malformed::Long(rest.len())),
            },
        }
    }
}

impl<'a> Frame<'a> {
    /// The frame of format 1 at the beginning, and what is after it: in a stream, more frames.
    ///
    /// # Errors
    /// If it is not one, or not complete.
    pub fn parse(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), Malformed> {
        let begin = &bytes[..bytes.len().min(2)];
        if !b"\x10\x81".starts_with(begin) {
            return Err(Malformed::Header);
        }
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(Malformed::Short(HEADER - bytes.len()));
        };
        let &[_, _, t0, t1, s0, s1, s2, d0, d1, d2, esv] = header;
        let esv = Esv::of(esv).ok_or(Malformed::Service(esv))?;
        let (properties, rest) = Properties::parse(rest)?;
        let (second, rest) = match esv.has_two_lists() {
            true => Properties::parse(rest)?,
            false => (Properties::default(), rest),
        };
        let tid = u16::from_be_bytes([t0, t1]);
        let (from, to) = (Eoj(s0, s1, s2), Eoj(d0, d1, d2));
        let frame = Frame {
            tid,
            from,
            to,
            esv,
            properties,
            second,
        };
        Ok((frame, rest))
    }

    /// What a stream begins with, and what is after it. A frame of an unknown service and one of
    /// format 2 are `None`; nothing says how long the second is, so it ends where the next frame of
    /// format 1 begins.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn in_stream(bytes: &'a [u8]) -> Result<(Option<Self>, &'a [u8]), Malformed> {
        match Frame::parse(bytes) {
            Ok((frame, rest)) => Ok((Some(frame), rest)),
            Err(Malformed::Service(_)) => Ok((None, Properties::parse(&bytes[HEADER..])?.1)),
            Err(Malformed::Header) if bytes.starts_with(b"\x10\x82") => {
                let next = bytes.windows(2).position(|it| it == b"\x10\x81");
                let next = next.ok_or(Malformed::Short(1))?;
                Ok((None, &bytes[next..]))
            }
            Err(malformed) => Err(malformed),
        }
    }

    /// The same as bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut writer = Writer::begin(out, self.tid, self.from, self.to, self.esv);
        writer.copy(self.properties);
        if self.esv.has_two_lists() {
            writer.next_list();
            writer.copy(self.second);
        }
    }
}
