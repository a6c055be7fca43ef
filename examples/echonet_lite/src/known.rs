//! What a controller knows of devices.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use crate::frame::Eoj;
use crate::messages::{Device, PropertyName, SeenProperty};
use crate::objects::{self, Property, Value};
use crate::property_map::PropertyMap;
use crate::station::Failure;
use crate::transport::Peer;

/// What is known of an object of a node.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// What may be set.
    pub set: PropertyMap,
    /// What was last seen, as in frames.
    pub values: BTreeMap<u8, Vec<u8>>,
}

/// Whom a request is for, and for which property.
pub type Addressed = (Peer, Eoj, u8, Option<&'static Property>);

/// The property of an object of a node, by their names.
///
/// # Errors
/// If there is none of that name, or it is not an address.
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
    /// The same, for who looks at it.
    #[must_use]
    pub fn device(&self, (address, eoj): (Ipv4Addr, Eoj)) -> Device {
        let class = eoj.class();
        let property = |(epc, edt): (&u8, &Vec<u8>)| {
            let known = objects::property(class, *epc);
            SeenProperty {
                epc: *epc,
                name: known.map_or_else(|| format!("{epc:02X}"), |it| it.name.to_owned()),
                value: known
                    .and_then(|it| it.data.decode(edt))
                    .unwrap_or_else(|| Value::raw(edt)),
                settable: self.set.contains(*epc),
            }
        };
        Device {
            address: address.to_string(),
            object: eoj.to_string(),
            class: objects::class(class)
                .map_or("unknown", |it| it.title)
                .to_owned(),
            properties: self.values.iter().map(property).collect(),
        }
    }
}
