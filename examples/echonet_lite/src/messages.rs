//! What the controller can be asked, as terms.

use otp_bridge::term::Binary;
use otp_bridge::{Cx, Pid, Result, Term};

use crate::controller::CONTROLLER;
use crate::frame::Esv;
use crate::objects::Value;
use crate::station::{Failure, Heard};

/// A property of a device, as it was last seen.
#[derive(Debug, Clone, PartialEq, Term)]
pub struct SeenProperty {
    /// Its code.
    pub epc: u8,
    /// Its short name.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// Whether it may be set.
    pub settable: bool,
    /// When it was last seen, in seconds since 1970.
    pub seen: u64,
}

/// A device.
#[derive(Debug, Clone, PartialEq, Term)]
pub struct Device {
    /// The address of its node.
    pub address: String,
    /// Its class and instance, in hexadecimal digits.
    pub object: String,
    /// The title of its class.
    pub class: String,
    /// Whether its node has lately been heard of.
    pub answers: bool,
    /// Why there are fewer properties than the device may have.
    pub problem: Option<String>,
    /// What it says of itself.
    pub properties: Vec<SeenProperty>,
}

/// A property by its code or its short name.
#[derive(Debug, Clone, Term)]
pub enum PropertyName {
    /// `16#80`
    #[term(untagged)]
    Code(u8),
    /// `<<"operationStatus">>`
    #[term(untagged)]
    Name(String),
}

/// `discover`: looks for nodes. The number of those that have answered.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Discover;

/// `{devices, undefined}` or `{devices, {<<"127.0.0.2">>, <<"029001">>}}`: what is known of the
/// next devices behind this one in the order of their nodes; none if there are no more.
#[derive(Debug, Term)]
#[reply(Vec<Device>)]
pub struct Devices(pub Option<(String, String)>);

impl Devices {
    /// All devices of the controller, which come in pieces.
    ///
    /// # Errors
    /// If it does not answer.
    pub async fn all(cx: &Cx<'_>) -> Result<Vec<Device>> {
        let (mut all, mut last) = (Vec::new(), None);
        loop {
            let piece = cx.call(&CONTROLLER, Devices(last)).await?;
            let Some(device) = piece.last() else {
                return Ok(all);
            };
            last = Some((device.address.clone(), device.object.clone()));
            all.extend(piece);
        }
    }
}

/// `{is_known, <<"127.0.0.2">>, <<"029001">>}`: whether this device was found.
#[derive(Debug, Term)]
#[reply(bool)]
pub struct IsKnown(pub String, pub String);

/// `{read, <<"127.0.0.2">>, <<"029001">>, <<"operationStatus">>}`: asks the device; over TCP if the
/// address begins with `tcp:`.
#[derive(Debug, Term)]
#[reply(Result<Value, Failure>)]
pub struct Read(pub String, pub String, pub PropertyName);

/// `{write, <<"127.0.0.2">>, <<"029001">>, <<"operationStatus">>, true}`: sets a property of the
/// device, which confirms it.
#[derive(Debug, Term)]
#[reply(Result<(), Failure>)]
pub struct Write(pub String, pub String, pub PropertyName, pub Value);

/// `{ask, <<"tcp:127.0.0.2">>, <<"029001">>, set_get, [{16#80, <<16#30>>}], [{16#B0, <<>>}]}`: any
/// service, with properties as they are in frames. What has no answer is `undefined`, unless it is
/// refused.
#[derive(Debug, Term)]
#[reply(Result<Option<Answer>, Failure>)]
pub struct Ask(
    pub String,
    pub String,
    pub Esv,
    pub Vec<(u8, Binary)>,
    pub Vec<(u8, Binary)>,
);

/// A response or a refusal.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct Answer {
    /// Which of them.
    pub service: Esv,
    /// Codes and values.
    pub properties: Vec<(u8, Binary)>,
    /// Those of the second list, which only a `set_get` has.
    pub second: Vec<(u8, Binary)>,
}

/// `{subscribe, Pid}`: the process gets `{changed, Device}` whenever something is known that was
/// not, and `{forgotten, Address, Object}` when a device is there no more.
#[derive(Debug, Term)]
#[reply(())]
pub struct Subscribe(pub Pid);

/// `{changed, Device}`
#[derive(Debug, Clone, Term)]
pub struct Changed(pub Device);

/// `{forgotten, Address, Object}`: its node has left, or has it no more.
#[derive(Debug, Clone, Term)]
pub struct Forgotten(pub String, pub String);

/// `{measure, <<"127.0.0.2">>, 10000}`: reads the mandatory properties of the node profile so
/// often, one after the other. The microseconds that it takes.
#[derive(Debug, Term)]
#[reply(Result<u64, Failure>)]
pub struct Measure(pub String, pub u64);

/// Properties as they are written into a frame.
#[must_use]
pub fn listed(properties: &[(u8, Binary)]) -> Vec<(u8, &[u8])> {
    let all = properties.iter();
    all.map(|(epc, edt)| (*epc, &edt[..])).collect()
}

impl From<Heard> for Answer {
    fn from(heard: Heard) -> Self {
        let list = |all: Vec<(u8, Vec<u8>)>| {
            let all = all.into_iter();
            all.map(|(epc, edt)| (epc, Binary::from(edt))).collect()
        };
        Answer {
            service: heard.esv,
            properties: list(heard.properties),
            second: list(heard.second),
        }
    }
}
