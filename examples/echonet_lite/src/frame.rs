//! Frames: the messages that nodes of ECHONET Lite send each other.
//!
//! ```text
//! format 1   10 81 TID TID  SEOJ(3) DEOJ(3) ESV  OPC { EPC PDC EDT } ...      SetGet: OPC { ... } twice
//! format 2   10 82 TID TID  anything
//! ```
//! Parsing copies nothing: a [`Frame`] is a view of bytes that have been checked once.

use std::fmt;

use otp_bridge::Term;

pub use crate::writer::Writer;

/// The object that represents a node itself, in every node.
pub const NODE_PROFILE: Eoj = Eoj(0x0E, 0xF0, 0x01);

/// Length of a frame of format 1 before the number of its properties.
const HEADER: usize = 11;

/// An ECHONET object: the group, the class, and the number of the instance. Instance 0 stands for
/// all instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Eoj(pub u8, pub u8, pub u8);

impl Eoj {
    /// Creates the name of an instance.
    #[must_use]
    pub const fn new(class: u16, instance: u8) -> Self {
        let [group, code] = class.to_be_bytes();
        Eoj(group, code, instance)
    }

    /// Returns the code of the class, including its group.
    #[must_use]
    pub const fn class(self) -> u16 {
        u16::from_be_bytes([self.0, self.1])
    }

    /// Returns the number of the instance.
    #[must_use]
    pub const fn instance(self) -> u8 {
        self.2
    }

    /// Returns the bytes in a frame.
    #[must_use]
    pub const fn bytes(self) -> [u8; 3] {
        [self.0, self.1, self.2]
    }

    /// Parses six hexadecimal digits.
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
        /// An ECHONET Lite service: the kind of a request or an answer.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
        pub enum Esv { $($(#[$doc])* $name = $code,)* }

        impl Esv {
            /// All services.
            pub const ALL: &'static [Esv] = &[$(Esv::$name),*];

            /// Returns the service with a code.
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
    /// Returns whether frames of this service have two lists of properties.
    #[must_use]
    pub const fn has_two_lists(self) -> bool {
        matches!(self, Esv::SetGet | Esv::SetGetResponse | Esv::SetGetRefused)
    }

    /// Returns whether a node answers this service, or can refuse it.
    #[must_use]
    pub const fn is_request(self) -> bool {
        matches!(
            self,
            Esv::SetI | Esv::SetC | Esv::Get | Esv::InfReq | Esv::SetGet | Esv::InfC
        )
    }

    /// Returns the service that refuses a request. An `InfC` cannot be refused.
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

    /// Returns the service that confirms a request. A `SetI` has no answer.
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

    /// Returns whether this service answers or refuses the request.
    #[must_use]
    pub fn answers(self, request: Esv) -> bool {
        Some(self) == request.response() || Some(self) == request.refusal()
    }
}

/// Reason why bytes are not a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Malformed {
    /// The frame is incomplete by at least this many bytes.
    Short(usize),
    /// The bytes do not begin like a frame.
    Header,
    /// The service does not exist.
    Service(u8),
    /// This many bytes come after the frame.
    Long(usize),
}

/// A list of properties that has been checked.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Properties<'a> {
    pub(crate) count: u8,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Properties<'a> {
    /// Returns the number of properties.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Returns whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Iterates over the codes and values.
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
    /// Number that connects an answer to its request.
    pub tid: u16,
    /// The sending object.
    pub from: Eoj,
    /// The receiving object.
    pub to: Eoj,
    /// The service.
    pub esv: Esv,
    /// The properties. In a `SetGet`, those to set.
    pub properties: Properties<'a>,
    /// The properties to read in a `SetGet`; otherwise empty.
    pub second: Properties<'a>,
}

/// Content of a datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message<'a> {
    /// A frame of format 1.
    Frame(Frame<'a>),
    /// A message of format 2: bytes that only the two nodes understand.
    Arbitrary {
        /// Number of the message, as in format 1.
        tid: u16,
        /// The rest of the message.
        data: &'a [u8],
    },
}

impl<'a> Message<'a> {
    /// Parses a whole datagram.
    ///
    /// # Errors
    /// The datagram is not exactly one message.
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
    /// Parses the frame of format 1 at the beginning. Returns it and the bytes after it, which are
    /// further frames in a stream.
    ///
    /// # Errors
    /// The frame is malformed or incomplete.
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

    /// Parses the beginning of a stream. Returns the frame, and the bytes after it. A frame of an
    /// unknown service, or of format 2, gives `None`. The length of format 2 is not transmitted, so
    /// it ends where the next frame of format 1 begins.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
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

    /// Encodes the frame, and appends it.
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut writer = Writer::begin(out, self.tid, self.from, self.to, self.esv);
        writer.copy(self.properties);
        if self.esv.has_two_lists() {
            writer.next_list();
            writer.copy(self.second);
        }
    }
}
