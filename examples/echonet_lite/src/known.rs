//! A controller's knowledge about devices, and resolving names to the target of a request.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::frame::Eoj;
use crate::messages::{Device, PropertyName, SeenProperty};
use crate::objects::{self, Property, Value};
use crate::property_map::PropertyMap;
use crate::station::Failure;
use crate::transport::Peer;

/// Approximate memory for a property, in addition to its bytes.
const ENTRY: usize = 64;

/// The knowledge about an object of a node.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The properties that can be set.
    pub set: PropertyMap,
    /// Reason why there may be fewer properties than the device has.
    pub problem: Option<&'static str>,
    /// The last known values.
    values: BTreeMap<u8, Seen>,
    /// Approximate size in bytes.
    size: usize,
}

/// A value as it was in a frame, with its time of arrival.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    edt: Vec<u8>,
    at: SystemTime,
}

/// Target of a request: the node, the object, the code, and the description of the property.
pub type Addressed = (Peer, Eoj, u8, Option<&'static Property>);

/// Resolves the names of a node, an object and a property.
///
/// # Errors
/// A name is unknown, or the address is malformed.
pub fn found(to: &str, object: &str, name: &PropertyName) -> Result<Addressed, Failure> {
    let to = Peer::parse(to).ok_or(Failure::Unknown)?;
    let eoj = Eoj::parse(object).ok_or(Failure::Unknown)?;
    match name {
        PropertyName::Code(epc) => Ok((to, eoj, *epc, objects::property(eoj.class(), *epc))),
        PropertyName::Name(name) => {
            let property = objects::named(eoj.class(), name).ok_or(Failure::Unknown)?;
            Ok((to, eoj, property.epc, Some(property)))
        }
    }
}

impl Known {
    /// Records values, as long as the total size does not exceed the limit. Returns whether a value
    /// has changed.
    pub fn see(
        &mut self,
        properties: impl IntoIterator<Item = (u8, Vec<u8>)>,
        most: usize,
    ) -> bool {
        let at = SystemTime::now();
        let mut has_changed = false;
        for (epc, edt) in properties {
            let before = self.values.get(&epc).map(|seen| &seen.edt);
            let without = self.size - before.map_or(0, |edt| ENTRY + edt.len());
            let size = without + ENTRY + edt.len();
            if size <= most {
                has_changed |= before != Some(&edt);
                self.size = size;
                self.values.insert(epc, Seen { edt, at });
            }
        }
        has_changed
    }

    /// Returns the approximate size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        ENTRY + self.size
    }

    /// Returns the knowledge in the form for clients.
    #[must_use]
    pub fn device(&self, (address, eoj): (Ipv4Addr, Eoj), answers: bool) -> Device {
        let class = eoj.class();
        let property = |(epc, seen): (&u8, &Seen)| {
            let known = objects::property(class, *epc);
            let value = known.and_then(|it| it.data.decode(&seen.edt));
            SeenProperty {
                epc: *epc,
                name: known.map_or_else(|| format!("{epc:02X}"), |it| it.name.to_owned()),
                value: value.unwrap_or_else(|| Value::raw(&seen.edt)),
                settable: self.set.contains(*epc),
                seen: seconds(seen.at),
            }
        };
        Device {
            address: address.to_string(),
            object: eoj.to_string(),
            class: objects::class(class)
                .map_or("unknown", |it| it.title)
                .to_owned(),
            answers,
            problem: self.problem.map(str::to_owned),
            properties: self.values.iter().map(property).collect(),
        }
    }
}

fn seconds(at: SystemTime) -> u64 {
    at.duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs())
}
