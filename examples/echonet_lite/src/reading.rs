//! Reading all properties of a device, even if it handles requests badly.

use std::net::Ipv4Addr;

use otp_bridge::Cx;

use crate::device::MAPS;
use crate::frame::{Eoj, Esv};
use crate::known::Known;
use crate::nodes::BYTES;
use crate::property_map::PropertyMap;
use crate::station::{Failure, Heard, Request, Requester};
use crate::transport::Peer;

/// Number of properties in a request, if the device accepts that many.
const AT_ONCE: usize = 12;
const SET: u8 = MAPS[1];
const GET: u8 = MAPS[2];
/// Properties that every device must have, for devices that do not list theirs.
const MANDATORY: [u8; 5] = [0x80, 0x81, 0x82, 0x88, 0x8A];

/// Codes and encoded values.
type Values = Vec<(u8, Vec<u8>)>;

impl Requester {
    /// Reads all properties that the device lists as readable.
    ///
    /// # Errors
    /// The error of the first request without an answer.
    pub async fn read_device(
        &self,
        cx: &Cx<'_>,
        address: Ipv4Addr,
        eoj: Eoj,
    ) -> Result<Known, Failure> {
        let maps = self.values(cx, address, eoj, &[SET, GET]).await?;
        let map = |wanted: u8| {
            let map = maps.iter().find(|(epc, _)| *epc == wanted);
            map.and_then(|(_, edt)| PropertyMap::read(edt))
        };
        let get = map(GET);
        let problem = get
            .is_none()
            .then_some("it does not say which properties it has");
        let get = get.unwrap_or_else(|| MANDATORY.into_iter().collect());
        let codes: Vec<u8> = get.iter().filter(|epc| !MAPS.contains(epc)).collect();
        let values = self.values(cx, address, eoj, &codes).await?;
        let mut known = Known::default();
        known.set = map(SET).unwrap_or_default();
        known.problem = problem.or_else(|| {
            let is_bare = values.is_empty() && !codes.is_empty();
            is_bare.then_some("it refuses to tell its properties")
        });
        known.see(values, BYTES);
        Ok(known)
    }

    /// Reads these properties, and leaves out those that the device refuses. If it refuses a whole
    /// request, tries smaller ones.
    async fn values(
        &self,
        cx: &Cx<'_>,
        address: Ipv4Addr,
        eoj: Eoj,
        codes: &[u8],
    ) -> Result<Values, Failure> {
        let mut values = Values::new();
        let mut asked: Vec<Vec<u8>> = codes.chunks(AT_ONCE).rev().map(<[u8]>::to_vec).collect();
        while let Some(some) = asked.pop() {
            let heard = self.get(cx, address, eoj, &some).await?;
            let has = |epc: &u8| heard.value(*epc).is_some_and(|edt| !edt.is_empty());
            let missing: Vec<u8> = some.iter().copied().filter(|epc| !has(epc)).collect();
            let came = heard
                .properties
                .iter()
                .filter(|(epc, _)| some.contains(epc) && has(epc));
            values.extend(came.cloned());
            if some.len() > 1 && heard.esv == Esv::GetRefused && !missing.is_empty() {
                let fewer = missing.len().min(some.len().div_ceil(2));
                asked.extend(missing.chunks(fewer).rev().map(<[u8]>::to_vec));
            }
        }
        Ok(values)
    }

    /// Requests these properties. Those that the device refuses have no value.
    ///
    /// # Errors
    /// Those of [`ask`](Self::ask).
    pub async fn get(
        &self,
        cx: &Cx<'_>,
        to: impl Into<Peer>,
        eoj: Eoj,
        codes: &[u8],
    ) -> Result<Heard, Failure> {
        let properties: Vec<(u8, &[u8])> = codes.iter().map(|epc| (*epc, &[][..])).collect();
        let request = Request {
            eoj,
            esv: Esv::Get,
            properties: &properties,
            second: &[],
        };
        self.ask(cx, to.into(), request).await
    }
}
