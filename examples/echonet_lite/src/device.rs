//! The objects of a node, and their answers to frames. This module knows neither sockets nor
//! processes.

pub use crate::edt::Edt;
use crate::frame::{Eoj, Esv, Frame, NODE_PROFILE, Properties, Writer};
use crate::property_map::PropertyMap;

/// Codes of the property maps: announced properties, settable ones, readable ones.
pub const MAPS: [u8; 3] = [0x9D, 0x9E, 0x9F];

/// A property of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Property {
    /// The property's code.
    pub epc: u8,
    /// Whether other nodes may read it.
    pub get: bool,
    /// Whether other nodes may set it.
    pub set: bool,
    /// Whether changes are announced.
    pub inf: bool,
}

/// The codes of a type's properties, for checks at compile time.
pub trait Codes {
    /// The codes of the type's own fields.
    const OWN: &'static [u8];
}

/// Returns whether no code is in both lists.
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
/// A repeated code, a range that is wider than its integer, and a value of more than 255 bytes do
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
    /// Returns the code of the class, including its group.
    fn class(&self) -> u16;
}

/// The properties of an object, or those that several objects share (`#[echonet(part)]`).
pub trait EchonetProperties {
    /// Returns the properties, except the property maps.
    fn properties(&self) -> Vec<Property>;

    /// Appends a property's value. Returns whether there is one.
    fn get(&self, epc: u8, edt: &mut Vec<u8>) -> bool;

    /// Sets a property. Returns whether that was possible.
    fn set(&mut self, epc: u8, edt: &[u8]) -> bool;
}

/// An object of a node, with its property maps.
pub struct Instance {
    /// The object's class and number.
    pub eoj: Eoj,
    object: Box<dyn EchonetObject + Send>,
    get: PropertyMap,
    set: PropertyMap,
    inf: PropertyMap,
}

impl Instance {
    /// Creates an instance with this number.
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

    /// Appends a property's value. Returns whether other nodes may read it.
    pub fn get(&self, epc: u8, edt: &mut Vec<u8>) -> bool {
        match epc {
            0x9D => self.inf.write(edt),
            0x9E => self.set.write(edt),
            0x9F => self.get.write(edt),
            epc => return self.get.contains(epc) && self.object.get(epc, edt),
        }
        true
    }

    /// Appends the value of a property that is announced. It need not be readable.
    fn announced(&self, epc: u8, edt: &mut Vec<u8>) -> bool {
        match self.inf.contains(epc) {
            true => self.object.get(epc, edt),
            false => self.get(epc, edt),
        }
    }

    /// Sets a property. Returns whether other nodes may set it to this value.
    pub fn set(&mut self, epc: u8, edt: &[u8]) -> bool {
        self.set.contains(epc) && self.object.set(epc, edt)
    }
}

/// Frames that a node has to send.
#[derive(Debug, Default)]
pub struct Outgoing {
    /// The bytes of all frames, one after the other.
    bytes: Vec<u8>,
    /// The end of each frame, and whether the frame goes to all nodes.
    ends: Vec<(usize, bool)>,
}

impl Outgoing {
    /// Removes all frames.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Returns each frame, and whether it goes to all nodes. The other frames go to the node that
    /// asked.
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

    /// Removes everything after this length.
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
    /// Number of the last announcement.
    tid: u16,
}

impl Objects {
    /// Creates a node with these objects.
    #[must_use]
    pub fn new(instances: Vec<Instance>) -> Self {
        Objects { instances, tid: 0 }
    }

    /// Returns the class and number of each object.
    pub fn eojs(&self) -> impl Iterator<Item = Eoj> {
        self.instances.iter().map(|it| it.eoj)
    }

    fn find(&mut self, eoj: Eoj) -> Option<&mut Instance> {
        self.instances.iter_mut().find(|it| it.eoj == eoj)
    }

    /// Answers a frame. A frame that is not a request, or is not for one of these objects, gets no
    /// answer.
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

    /// Sets a property as the device itself does, regardless of its access rules. Returns whether
    /// that was possible.
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

    /// Returns the value of a property that can be read or is announced.
    #[must_use]
    pub fn value(&mut self, eoj: Eoj, epc: u8) -> Option<Vec<u8>> {
        let mut edt = Vec::new();
        self.find(eoj)?.announced(epc, &mut edt).then_some(edt)
    }

    /// Announces values to all nodes. An `InfC` goes to one node; all others ignore it.
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
        // A requested announcement also goes to all nodes.
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

    /// Answers a request to set properties. In the answer, properties that were set have no value;
    /// those that were refused keep theirs.
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

    /// Answers a request to read properties. In the answer, properties that cannot be read have no
    /// value.
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
