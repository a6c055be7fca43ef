//! The messages of the controller, as Erlang terms.

use otp_bridge::term::Binary;
use otp_bridge::{Cx, Pid, Result, Term};

use crate::controller::CONTROLLER;
use crate::frame::Esv;
use crate::objects::Value;
use crate::station::{Failure, Heard};

/// The last known value of a property.
#[derive(Debug, Clone, PartialEq, Term)]
pub struct SeenProperty {
    /// The property's code.
    pub epc: u8,
    /// The property's short name.
    pub name: String,
    /// The value.
    pub value: Value,
    /// Whether the property can be set.
    pub settable: bool,
    /// Time of arrival in seconds since 1970.
    pub seen: u64,
}

/// A device.
#[derive(Debug, Clone, PartialEq, Term)]
pub struct Device {
    /// Address of the device's node.
    pub address: String,
    /// Class and instance in hexadecimal digits.
    pub object: String,
    /// Title of the class.
    pub class: String,
    /// Whether the node has answered lately.
    pub answers: bool,
    /// Reason why there may be fewer properties than the device has.
    pub problem: Option<String>,
    /// The known properties.
    pub properties: Vec<SeenProperty>,
}

/// A property, given by its code or its short name.
#[derive(Debug, Clone, Term)]
pub enum PropertyName {
    /// `16#80`
    #[term(untagged)]
    Code(u8),
    /// `<<"operationStatus">>`
    #[term(untagged)]
    Name(String),
}

/// `discover`: searches for nodes. Returns the number of nodes that have answered.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Discover;

/// `{devices, undefined}` or `{devices, {<<"127.0.0.2">>, <<"029001">>}}`: returns the next devices
/// after this one, in the order of their nodes. The list is empty if there are no more.
#[derive(Debug, Term)]
#[reply(Vec<Device>)]
pub struct Devices(pub Option<(String, String)>);

impl Devices {
    /// Returns all devices of the controller. They are fetched in several calls.
    ///
    /// # Errors
    /// The controller does not answer.
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

/// `{is_known, <<"127.0.0.2">>, <<"029001">>}`: returns whether this device was found.
#[derive(Debug, Term)]
#[reply(bool)]
pub struct IsKnown(pub String, pub String);

/// `{read, <<"127.0.0.2">>, <<"029001">>, <<"operationStatus">>}`: reads a property of the device.
/// Uses TCP if the address begins with `tcp:`.
#[derive(Debug, Term)]
#[reply(Result<Value, Failure>)]
pub struct Read(pub String, pub String, pub PropertyName);

/// `{write, <<"127.0.0.2">>, <<"029001">>, <<"operationStatus">>, true}`: sets a property of the
/// device, and waits for the confirmation.
#[derive(Debug, Term)]
#[reply(Result<(), Failure>)]
pub struct Write(pub String, pub String, pub PropertyName, pub Value);

/// `{ask, <<"tcp:127.0.0.2">>, <<"029001">>, set_get, [{16#80, <<16#30>>}], [{16#B0, <<>>}]}`:
/// requests any service, with encoded values. If the service has no answer, returns `undefined`
/// unless the request is refused.
#[derive(Debug, Term)]
#[reply(Result<Option<Answer>, Failure>)]
pub struct Ask(
    pub String,
    pub String,
    pub Esv,
    pub Vec<(u8, Binary)>,
    pub Vec<(u8, Binary)>,
);

/// A response, or a refusal.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct Answer {
    /// The service of the answer.
    pub service: Esv,
    /// Codes and encoded values.
    pub properties: Vec<(u8, Binary)>,
    /// The second list, which only a `set_get` has.
    pub second: Vec<(u8, Binary)>,
}

/// `{subscribe, Pid}`: subscribes the process. It gets `{changed, Device}` when a value or a device
/// is new, and `{forgotten, Address, Object}` when a device is gone.
#[derive(Debug, Term)]
#[reply(())]
pub struct Subscribe(pub Pid);

/// `{changed, Device}`
#[derive(Debug, Clone, Term)]
pub struct Changed(pub Device);

/// `{forgotten, Address, Object}`: the node has left, or no longer has the device.
#[derive(Debug, Clone, Term)]
pub struct Forgotten(pub String, pub String);

/// `{measure, <<"127.0.0.2">>, 10000}`: reads the mandatory properties of the node profile this
/// many times, one after the other. Returns the time in microseconds.
#[derive(Debug, Term)]
#[reply(Result<u64, Failure>)]
pub struct Measure(pub String, pub u64);

/// Returns the properties in the form for frames.
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
