//! What a node and a controller have in common: objects that answer, and requests that wait for answers.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use otp_bridge::task::{ChannelSender, LocalCell, Tasks, UNBOUNDED};
use otp_bridge::{Cx, Term};

use crate::device::{Objects, Outgoing};
use crate::frame::{Eoj, Esv, Frame, Message, NODE_PROFILE, Writer};
use crate::transport::{GROUP, Transport};

/// How long an answer may take, and how often a request is sent.
const PATIENCE: Duration = Duration::from_millis(800);
const TRIES: usize = 3;
/// How long nodes may take to answer a request to all of them.
const ROUND: Duration = Duration::from_millis(300);

/// A frame that has come, without what was in it for the network.
#[derive(Debug, Clone)]
pub struct Heard {
    /// From which node.
    pub address: Ipv4Addr,
    /// From which of its objects.
    pub from: Eoj,
    /// What it is.
    pub esv: Esv,
    /// All properties, those of a second list as well.
    pub properties: Vec<(u8, Vec<u8>)>,
}

/// Why a request has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub enum Failure {
    /// None has come, however often it was sent.
    Timeout,
    /// The node refuses it.
    Refused,
    /// Nothing is known of such an object or property.
    Unknown,
    /// The property has no such value.
    NotAValue,
}

/// A request that waits.
#[derive(Debug)]
struct Pending {
    to: Ipv4Addr,
    esv: Esv,
    sender: ChannelSender<Heard>,
}

/// The objects of a node, and what it has asked others.
pub struct Station {
    /// Its objects.
    pub objects: Objects,
    pending: HashMap<u16, Pending>,
    tid: u16,
    heard: ChannelSender<Heard>,
}

impl Station {
    /// One whose announcements of others go there.
    #[must_use]
    pub fn new(objects: Objects, heard: ChannelSender<Heard>) -> Self {
        Station {
            objects,
            pending: HashMap::new(),
            tid: 0,
            heard,
        }
    }

    /// A datagram. What is not a frame has no answer.
    pub fn datagram(&mut self, bytes: &[u8], from: Ipv4Addr, out: &mut Outgoing) {
        if let Ok(Message::Frame(frame)) = Message::parse(bytes) {
            self.frame(&frame, from, out);
        }
    }

    /// A frame.
    pub fn frame(&mut self, frame: &Frame<'_>, from: Ipv4Addr, out: &mut Outgoing) {
        match frame.esv {
            Esv::Inf | Esv::InfC => {
                // Nobody listens to a node that only answers.
                let _ = self.heard.send(Heard::of(frame, from));
            }
            _ => {}
        }
        let pending = self.pending.get(&frame.tid);
        let pending =
            pending.filter(|it| frame.esv.answers(it.esv) && (it.to == from || it.to == GROUP));
        match pending {
            // Who waits may just have given up.
            Some(pending) => drop(pending.sender.send(Heard::of(frame, from))),
            None => self.objects.answer(frame, out),
        }
    }

    /// Numbers a request whose answers go there.
    fn ask(&mut self, to: Ipv4Addr, esv: Esv, sender: ChannelSender<Heard>) -> u16 {
        self.tid = self.tid.wrapping_add(1);
        self.pending.insert(self.tid, Pending { to, esv, sender });
        self.tid
    }
}

impl Heard {
    fn of(frame: &Frame<'_>, address: Ipv4Addr) -> Self {
        let all = frame.properties.iter().chain(frame.second.iter());
        Heard {
            address,
            from: frame.from,
            esv: frame.esv,
            properties: all.map(|(epc, edt)| (epc, edt.to_vec())).collect(),
        }
    }

    /// The value of a property.
    #[must_use]
    pub fn value(&self, epc: u8) -> Option<&[u8]> {
        self.properties
            .iter()
            .find(|it| it.0 == epc)
            .map(|it| &it.1[..])
    }
}

/// Forgets a request when its future ends, however it ends.
struct PendingRequest {
    station: LocalCell<Station>,
    tid: u16,
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        self.station
            .with(|station| station.pending.remove(&self.tid));
    }
}

/// What asks others in the name of an object.
#[derive(Clone)]
pub struct Requester {
    /// The node's.
    pub station: LocalCell<Station>,
    /// The node's.
    pub transport: std::sync::Arc<Transport>,
    /// Who asks.
    pub from: Eoj,
}

/// A request: whom it is for, what it is, and its properties.
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// Which object of the node.
    pub eoj: Eoj,
    /// What it asks for.
    pub esv: Esv,
    /// The properties.
    pub properties: &'r [(u8, &'r [u8])],
    /// Those of the second list.
    pub second: &'r [(u8, &'r [u8])],
}

impl Request<'_> {
    fn write(&self, tid: u16, from: Eoj, out: &mut Vec<u8>) {
        let mut writer = Writer::begin(out, tid, from, self.eoj, self.esv);
        for (epc, edt) in self.properties {
            writer.property(*epc, edt);
        }
        if self.esv.has_two_lists() {
            writer.next_list();
            for (epc, edt) in self.second {
                writer.property(*epc, edt);
            }
        }
    }
}

impl Requester {
    /// Asks a node, again if nothing comes. The answer may be a refusal.
    ///
    /// # Errors
    /// If nothing comes.
    pub async fn ask(
        &self,
        cx: &Cx<'_>,
        to: Ipv4Addr,
        request: Request<'_>,
    ) -> Result<Heard, Failure> {
        for _ in 0..TRIES {
            let (sender, mut receiver) = cx.channel::<Heard>(1);
            let tid = self
                .station
                .with(|station| station.ask(to, request.esv, sender));
            let _pending = PendingRequest {
                station: self.station.clone(),
                tid,
            };
            let mut frame = Vec::with_capacity(64);
            request.write(tid, self.from, &mut frame);
            self.transport.send(&frame, to).await;
            if let Ok(Some(heard)) = cx.timeout(PATIENCE, receiver.receive()).await {
                return Ok(heard);
            }
        }
        Err(Failure::Timeout)
    }

    /// Asks all nodes. Returns what they have answered soon.
    pub async fn ask_all(&self, cx: &Cx<'_>, request: Request<'_>) -> Vec<Heard> {
        let (sender, mut receiver) = cx.channel::<Heard>(UNBOUNDED);
        let tid = self
            .station
            .with(|station| station.ask(GROUP, request.esv, sender));
        let _pending = PendingRequest {
            station: self.station.clone(),
            tid,
        };
        let mut frame = Vec::new();
        request.write(tid, self.from, &mut frame);
        self.transport.send_to_all(&frame).await;
        let mut all = Vec::new();
        let collect = async {
            while let Some(heard) = receiver.receive().await {
                all.push(heard);
            }
        };
        let _ended = cx.timeout(ROUND, collect).await;
        all
    }

    /// Announces the instance list to everybody, as a node does that has just started.
    pub async fn hello(&self) {
        let mut out = Outgoing::default();
        let announce = |station: &mut Station| {
            station
                .objects
                .announce(Esv::Inf, NODE_PROFILE, &[0xD5], &mut out)
        };
        self.station.with(announce);
        self.transport.send_outgoing(&out, GROUP).await;
    }
}
