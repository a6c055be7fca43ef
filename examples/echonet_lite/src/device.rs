//! Objects of a node, and how they answer frames. Nothing here knows sockets or processes.

pub use crate::edt::Edt;
use crate::frame::{Eoj, Esv, Frame, NODE_PROFILE, Properties, Writer};
use crate::property_map::PropertyMap;

/// Codes of the maps of what is announced, can be set, and can be read.
pub const MAPS: [u8; 3] = [0x9D, 0x9E, 0x9F];

/// A property of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Property {
    /// Its code.
    pub epc: u8,
    /// Whether others may read it.
    pub get: bool,
    /// Whether others may set it.
    pub set: bool,
    /// Whether it is announced when it has changed.
    pub inf: bool,
}

/// The codes of a type's properties, for whoever looks at them when it is compiled.
pub trait Codes {
    /// Those of its own fields.
    const OWN: &'static [u8];
}

/// Whether no code is in both.
#[must_use]
pub const fn are_disjoint(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() * other.len() {
        if one[at % one.len()] == other[at / one.len()] {
            return false;
        }
        at += 1;
    }
    true
}

/// An ECHONET object. `#[derive(EchonetObject)]` implements it.
///
/// ```
/// # use otp_bridge_novm as _;
/// use echonet_lite_derive::EchonetObject;
/// use otp_bridge::term::Ranged;
///
/// #[derive(EchonetObject)]
/// #[echonet(part)]
/// struct Common {
///     #[echonet(epc = 0x80, get, set, inf)]
///     power: u8,
/// }
///
/// #[derive(EchonetObject)]
/// #[echonet(class = 0x0290)]
/// struct Light {
///     #[echonet(common)]
///     common: Common,
///     #[echonet(epc = 0xB0, get, set, inf)]
///     level: Ranged<u8, 0, 100>,
/// }
/// ```
///
/// A code in both, a range that is wider than its integer, and a value of more than 255 bytes do
/// not compile:
///
/// ```compile_fail
/// # use otp_bridge_novm as _;
/// # use echonet_lite_derive::EchonetObject;
/// # #[derive(EchonetObject)]
/// # #[echonet(part)]
/// # struct Common { #[echonet(epc = 0x80, get, set, inf)] power: u8 }
/// #[derive(EchonetObject)]
/// #[echonet(class = 0x0290)]
/// struct Light {
///     #[echonet(common)]
///     common: Common,
///     #[echonet(epc = 0x80, get)]
///     again: u8,
/// }
/// ```
/// ```compile_fail
/// # use otp_bridge_novm as _;
/// # use echonet_lite_derive::EchonetObject;
/// # use otp_bridge::term::Ranged;
/// #[derive(EchonetObject)]
/// #[echonet(class = 0x0290)]
/// struct Light {
///     #[echonet(epc = 0xB0, get)]
///     level: Ranged<u8, 0, 300>,
/// }
/// ```
/// ```compile_fail
/// # use otp_bridge_novm as _;
/// # use echonet_lite_derive::EchonetObject;
/// #[derive(EchonetObject)]
/// #[echonet(class = 0x0290)]
/// struct Light {
///     #[echonet(epc = 0xB0, get)]
///     picture: [u8; 256],
/// }
/// ```
pub trait EchonetObject: EchonetProperties {
    /// The code of the class, with its group.
    fn class(&self) -> u16;
}

/// What an object has, or what several have in common (`#[echonet(part)]`).
pub trait EchonetProperties {
    /// The properties, except the maps of them.
    fn properties(&self) -> Vec<Property>;

    /// Appends a property's value. Returns whether there is one.
    fn get(&self, epc: u8, edt: &mut Vec<u8>) -> bool;

    /// Sets a property. Returns whether that can be done.
    fn set(&mut self, epc: u8, edt: &[u8]) -> bool;
}

/// An object of a node, with its maps.
pub struct Instance {
    /// Which one it is.
    pub eoj: Eoj,
    object: Box<dyn EchonetObject + Send>,
    get: PropertyMap,
    set: PropertyMap,
    inf: PropertyMap,
}

impl Instance {
    /// The instance of this number.
    #[must_use]
    pub fn new(number: u8, object: impl EchonetObject + Send + 'static) -> Self {
        let properties = object.properties();
        let map =
            |is: fn(&Property) -> bool| properties.iter().filter(move |it| is(it)).map(|it| it.epc);
        Instance {
            eoj: Eoj::new(object.class(), number),
            get: map(|it| it.get).chain(MAPS).collect(),
            set: map(|it| it.set).collect(),
            inf: map(|it| it.inf).collect(),
            object: Box::new(object),
        }
    }

    /// Appends a property's value. Returns whether it may be read.
    pub fn get(&self, epc: u8, edt: &mut Vec<u8>) -> bool {
        match epc {
            0x9D => self.inf.write(edt),
            0x9E => self.set.write(edt),
            0x9F => self.get.write(edt),
            epc => return self.get.contains(epc) && self.object.get(epc, edt),
        }
        true
    }

    /// The same of one that is announced, which need not be one that may be read.
    fn announced(&self, epc: u8, edt: &mut Vec<u8>) -> bool {
        match self.inf.contains(epc) {
            true => self.object.get(epc, edt),
            false => self.get(epc, edt),
        }
    }

    /// Sets a property. Returns whether it may be set, to this value.
    pub fn set(&mut self, epc: u8, edt: &[u8]) -> bool {
        self.set.contains(epc) && self.object.set(epc, edt)
    }
}

/// Frames that a node sends because of something.
#[derive(Debug, Default)]
pub struct Outgoing {
    /// All of them, one behind the other.
    bytes: Vec<u8>,
    /// Where each one ends, and whether it is for everybody.
    ends: Vec<(usize, bool)>,
}

impl Outgoing {
    /// None.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Each frame, and whether it is for everybody. The others are for who has asked.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], bool)> {
        let mut begin = 0;
        self.ends.iter().map(move |&(end, is_for_all)| {
            let frame = &self.bytes[begin..end];
            begin = end;
            (frame, is_for_all)
        })
    }

    fn end(&mut self, is_for_all: bool) {
        self.ends.push((self.bytes.len(), is_for_all));
    }

    /// What follows from this length was not to be sent.
    fn undo(&mut self, length: usize) {
        self.bytes.truncate(length);
    }
}

/// A property of an object that has changed.
pub type Change = (Eoj, u8);

/// All objects of a node.
#[derive(Default)]
pub struct Objects {
    instances: Vec<Instance>,
    /// Numbers the announcements.
    tid: u16,
}

impl Objects {
    /// These.
    #[must_use]
    pub fn new(instances: Vec<Instance>) -> Self {
        Objects { instances, tid: 0 }
    }

    /// Which ones they are.
    pub fn eojs(&self) -> impl Iterator<Item = Eoj> {
        self.instances.iter().map(|it| it.eoj)
    }

    fn find(&mut self, eoj: Eoj) -> Option<&mut Instance> {
        self.instances.iter_mut().find(|it| it.eoj == eoj)
    }

    /// Answers a frame. What is neither a request nor for one of these objects has no answer.
    pub fn answer(&mut self, frame: &Frame<'_>, out: &mut Outgoing) {
        let is_empty =
            frame.properties.is_empty() || frame.esv.has_two_lists() && frame.second.is_empty();
        if !frame.esv.is_request() || is_empty {
            return;
        }
        let mut changes = Vec::new();
        for instance in &mut self.instances {
            let is_any = frame.to.instance() == 0 && frame.to.class() == instance.eoj.class();
            if is_any || frame.to == instance.eoj {
                instance.answer(frame, out, &mut changes);
            }
        }
        for (eoj, epc) in changes {
            self.announce(Esv::Inf, eoj, &[epc], out);
        }
    }

    /// Sets a property from the inside. Returns whether that can be done.
    pub fn change(&mut self, eoj: Eoj, epc: u8, edt: &[u8], out: &mut Outgoing) -> bool {
        let Some(instance) = self.find(eoj) else {
            return false;
        };
        let before = instance.value(epc);
        let is_set = instance.object.set(epc, edt);
        if instance.inf.contains(epc) && before != instance.value(epc) {
            self.announce(Esv::Inf, eoj, &[epc], out);
        }
        is_set
    }

    /// The value of a property that can be read or is announced.
    #[must_use]
    pub fn value(&mut self, eoj: Eoj, epc: u8) -> Option<Vec<u8>> {
        let mut edt = Vec::new();
        self.find(eoj)?.announced(epc, &mut edt).then_some(edt)
    }

    /// Announces values to everybody. An `InfC` is for one node, and everybody else ignores it.
    pub fn announce(&mut self, esv: Esv, eoj: Eoj, epcs: &[u8], out: &mut Outgoing) -> u16 {
        self.tid = self.tid.wrapping_add(1);
        let tid = self.tid;
        if let Some(instance) = self.find(eoj) {
            let mut writer = Writer::begin(&mut out.bytes, tid, eoj, NODE_PROFILE, esv);
            for epc in epcs {
                writer.property_with(*epc, |edt| instance.announced(*epc, edt));
            }
            out.end(esv == Esv::Inf);
        }
        tid
    }
}

impl Instance {
    fn value(&self, epc: u8) -> Vec<u8> {
        let mut edt = Vec::new();
        self.object.get(epc, &mut edt);
        edt
    }

    fn answer(&mut self, frame: &Frame<'_>, out: &mut Outgoing, changes: &mut Vec<Change>) {
        let begin = out.bytes.len();
        let (bytes, eoj) = (&mut out.bytes, self.eoj);
        let Some(response) = frame.esv.response().or(frame.esv.refusal()) else {
            return;
        };
        // An announcement that was asked for is for everybody.
        let to = if frame.esv == Esv::InfReq {
            NODE_PROFILE
        } else {
            frame.from
        };
        let mut writer = Writer::begin(bytes, frame.tid, eoj, to, response);
        let is_done = match frame.esv {
            Esv::SetI | Esv::SetC => self.set_all(frame.properties, &mut writer, changes),
            Esv::Get => self.get_all(frame.properties, &mut writer, Instance::get),
            Esv::InfReq => self.get_all(frame.properties, &mut writer, Instance::announced),
            Esv::SetGet => {
                let is_set = self.set_all(frame.properties, &mut writer, changes);
                writer.next_list();
                self.get_all(frame.second, &mut writer, Instance::get) && is_set
            }
            _ => {
                for (epc, _) in frame.properties.iter() {
                    writer.property(epc, &[]);
                }
                true
            }
        };
        match (is_done, frame.esv.refusal()) {
            (true, _) if frame.esv == Esv::SetI => return out.undo(begin),
            (false, Some(refusal)) => {
                out.bytes[begin + 7..begin + 10].copy_from_slice(&frame.from.bytes());
                out.bytes[begin + 10] = refusal as u8;
            }
            _ => {}
        }
        out.end(is_done && frame.esv == Esv::InfReq);
    }

    /// Properties that were set have no value in the answer; the others have the one that was
    /// refused.
    fn set_all(
        &mut self,
        properties: Properties<'_>,
        writer: &mut Writer<'_>,
        changes: &mut Vec<Change>,
    ) -> bool {
        let mut is_done = true;
        for (epc, edt) in properties.iter() {
            let before = self.inf.contains(epc).then(|| self.value(epc));
            let is_set = self.set(epc, edt);
            if before.is_some_and(|before| before != self.value(epc)) {
                changes.push((self.eoj, epc));
            }
            writer.property(epc, if is_set { &[] } else { edt });
            is_done &= is_set;
        }
        is_done
    }

    /// Properties that cannot be read have no value in the answer.
    fn get_all(
        &self,
        properties: Properties<'_>,
        writer: &mut Writer<'_>,
        get: fn(&Self, u8, &mut Vec<u8>) -> bool,
    ) -> bool {
        let mut is_done = true;
        for (epc, _) in properties.iter() {
            let is_there = writer.property_with(epc, |edt| get(self, epc, edt));
            if !is_there {
                writer.property(epc, &[]);
            }
            is_done &= is_there;
        }
        is_done
    }
}
