//! The common part of nodes and controllers: objects that answer requests, and requests that wait
//! for answers.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use otp_bridge::task::{ChannelReceiver, ChannelSender, LocalCell, Tasks};
use otp_bridge::{Cx, Term, race};

use crate::device::{Objects, Outgoing};
use crate::frame::{Eoj, Esv, Frame, Message, NODE_PROFILE, Properties, Writer};
use crate::transport::{GROUP, Peer, Transport, converse};

/// Maximum length of an IPv4 datagram without its headers.
const DATAGRAM: usize = 65_507;

/// Time limit for an answer, and number of tries.
const PATIENCE: Duration = Duration::from_millis(800);
const TRIES: usize = 3;
/// Time limit for answers to a request to all nodes.
const ROUND: Duration = Duration::from_millis(300);
/// Maximum number of nodes that are heard in a round.
const NODES: usize = 1 << 12;
/// Maximum number of waiting requests, out of 65,536 possible numbers.
const REQUESTS: usize = 10_000;

/// A received frame, copied out of the network buffer.
#[derive(Debug, Clone)]
pub struct Heard {
    /// Address of the sending node.
    pub address: Ipv4Addr,
    /// The sending object.
    pub from: Eoj,
    /// The service.
    pub esv: Esv,
    /// The properties.
    pub properties: Vec<(u8, Vec<u8>)>,
    /// The properties of the second list.
    pub second: Vec<(u8, Vec<u8>)>,
}

/// Reason why a request has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub enum Failure {
    /// No try was answered.
    Timeout,
    /// Too many requests are waiting.
    Busy,
    /// The node has refused the request.
    Refused,
    /// The object or the property is unknown.
    Unknown,
    /// The value is not valid for the property.
    NotAValue,
    /// One of the request's lists has no property.
    NoProperty,
    /// A value has more than 255 bytes, a list has more than 255 properties, or the request does
    /// not fit into a datagram.
    TooLong,
}

/// A request that waits for its answer.
#[derive(Debug)]
struct Pending {
    to: Ipv4Addr,
    esv: Esv,
    sender: ChannelSender<Heard>,
}

/// The objects of a node, and its waiting requests.
pub struct Station {
    /// The objects.
    pub objects: Objects,
    pending: HashMap<u16, Pending>,
    tid: u16,
    heard: ChannelSender<Heard>,
}

impl Station {
    /// Creates a station that sends the announcements of other nodes to `heard`.
    #[must_use]
    pub fn new(objects: Objects, heard: ChannelSender<Heard>) -> Self {
        Station {
            objects,
            pending: HashMap::new(),
            tid: 0,
            heard,
        }
    }

    /// Handles a datagram. Bytes that are not a frame get no answer.
    pub fn datagram(&mut self, bytes: &[u8], from: Ipv4Addr, out: &mut Outgoing) {
        if let Ok(Message::Frame(frame)) = Message::parse(bytes) {
            self.frame(&frame, from, out);
        }
    }

    /// Handles a frame.
    pub fn frame(&mut self, frame: &Frame<'_>, from: Ipv4Addr, out: &mut Outgoing) {
        match frame.esv {
            Esv::Inf | Esv::InfC => {
                // A node that only answers has no receiver. A busy controller misses announcements,
                // which may get lost anyway.
                let _ = self.heard.send(Heard::of(frame, from));
            }
            _ => {}
        }
        let pending = self.pending.get(&frame.tid);
        let pending =
            pending.filter(|it| frame.esv.answers(it.esv) && (it.to == from || it.to == GROUP));
        match pending {
            // The requester may have just given up.
            Some(pending) => drop(pending.sender.send(Heard::of(frame, from))),
            None => self.objects.answer(frame, out),
        }
    }

    /// Assigns a number to a request, whose answers go to `sender`.
    fn ask(&mut self, to: Ipv4Addr, esv: Esv, sender: ChannelSender<Heard>) -> Option<u16> {
        if self.pending.len() >= REQUESTS {
            return None;
        }
        self.tid = self.tid.wrapping_add(1);
        while self.pending.contains_key(&self.tid) {
            self.tid = self.tid.wrapping_add(1);
        }
        self.pending.insert(self.tid, Pending { to, esv, sender });
        Some(self.tid)
    }
}

impl Heard {
    fn of(frame: &Frame<'_>, address: Ipv4Addr) -> Self {
        let owned =
            |all: Properties<'_>| all.iter().map(|(epc, edt)| (epc, edt.to_vec())).collect();
        Heard {
            address,
            from: frame.from,
            esv: frame.esv,
            properties: owned(frame.properties),
            second: owned(frame.second),
        }
    }

    /// Returns the value of a property.
    #[must_use]
    pub fn value(&self, epc: u8) -> Option<&[u8]> {
        self.properties
            .iter()
            .find(|it| it.0 == epc)
            .map(|it| &it.1[..])
    }
}

/// The numbers under which a request was sent. Dropping them releases the numbers, however the
/// request's future ends.
struct PendingRequest {
    station: LocalCell<Station>,
    tids: Vec<u16>,
}

impl PendingRequest {
    /// Assigns another number for a new try. Until the request ends, an answer to an earlier try
    /// counts as well.
    fn number(&mut self, to: Ipv4Addr, esv: Esv, sender: &ChannelSender<Heard>) -> Option<u16> {
        let tid = self
            .station
            .with(|station| station.ask(to, esv, sender.clone()));
        self.tids.extend(tid);
        tid
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        self.station.with(|station| {
            for tid in &self.tids {
                station.pending.remove(tid);
            }
        });
    }
}

/// Makes requests in the name of an object.
#[derive(Clone)]
pub struct Requester {
    /// The node's station.
    pub station: LocalCell<Station>,
    /// The node's sockets.
    pub transport: std::sync::Arc<Transport>,
    /// The object that makes the requests.
    pub from: Eoj,
}

/// A request: the target, the service, and the properties.
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// The target object.
    pub eoj: Eoj,
    /// The service.
    pub esv: Esv,
    /// The properties.
    pub properties: &'r [(u8, &'r [u8])],
    /// The properties of the second list.
    pub second: &'r [(u8, &'r [u8])],
}

impl Request<'_> {
    /// Encodes the frame. Its number is set later.
    fn frame(&self, from: Eoj) -> Result<Vec<u8>, Failure> {
        let mut out = Vec::with_capacity(64);
        let mut writer = Writer::begin(&mut out, 0, from, self.eoj, self.esv);
        let has_second = self.esv.has_two_lists();
        if self.properties.is_empty() || has_second && self.second.is_empty() {
            return Err(Failure::NoProperty);
        }
        let mut fits = add_all(&mut writer, self.properties);
        if has_second {
            writer.next_list();
            fits &= add_all(&mut writer, self.second);
        }
        let fits = fits && out.len() <= DATAGRAM;
        fits.then_some(out).ok_or(Failure::TooLong)
    }
}

fn add_all(writer: &mut Writer<'_>, properties: &[(u8, &[u8])]) -> bool {
    properties
        .iter()
        .all(|(epc, edt)| writer.property(*epc, edt))
}

fn set_number(frame: &mut [u8], tid: u16) {
    frame[2..4].copy_from_slice(&tid.to_be_bytes());
}

impl Requester {
    /// Makes a request to a node, and repeats it if there is no answer. The answer may be a
    /// refusal.
    ///
    /// # Errors
    /// The request cannot be encoded, no answer arrives, or too many requests are waiting.
    pub async fn ask(&self, cx: &Cx<'_>, to: Peer, request: Request<'_>) -> Result<Heard, Failure> {
        let mut frame = request.frame(self.from)?;
        let (sender, mut receiver) = cx.channel::<Heard>(TRIES);
        let mut pending = self.pending_request();
        for _ in 0..TRIES {
            let tid = pending.number(to.address, request.esv, &sender);
            let tid = tid.ok_or(Failure::Busy)?;
            set_number(&mut frame, tid);
            if let Some(heard) = self.sent(cx, to, &frame, &mut receiver).await {
                return Ok(heard);
            }
        }
        Err(Failure::Timeout)
    }

    /// Sends a request once, for a service that has no answer unless it is refused.
    ///
    /// # Errors
    /// The request cannot be encoded, or too many requests are waiting.
    pub async fn tell(
        &self,
        cx: &Cx<'_>,
        to: Peer,
        request: Request<'_>,
    ) -> Result<Option<Heard>, Failure> {
        let mut frame = request.frame(self.from)?;
        let (sender, mut receiver) = cx.channel::<Heard>(1);
        let mut pending = self.pending_request();
        let tid = pending.number(to.address, request.esv, &sender);
        set_number(&mut frame, tid.ok_or(Failure::Busy)?);
        Ok(self.sent(cx, to, &frame, &mut receiver).await)
    }

    fn pending_request(&self) -> PendingRequest {
        PendingRequest {
            station: self.station.clone(),
            tids: Vec::new(),
        }
    }

    /// Sends a request, and waits for a while. An answer to an earlier try counts as well.
    async fn sent(
        &self,
        cx: &Cx<'_>,
        to: Peer,
        frame: &[u8],
        receiver: &mut ChannelReceiver<Heard>,
    ) -> Option<Heard> {
        let exchange = async {
            if !to.is_tcp {
                self.transport.send(frame, to.address).await;
                return receiver.receive().await;
            }
            let stream = self.transport.connect(cx, to.address, frame).await.ok()?;
            let answered = async {
                // This node also handles other frames that arrive over the connection.
                let _closed =
                    converse(cx, &stream, to.address, &self.transport, &self.station).await;
                None
            };
            race(receiver.receive(), answered).await
        };
        cx.timeout(PATIENCE, exchange).await.ok().flatten()
    }

    /// Makes a request to all nodes. Returns the answers that arrive in time.
    ///
    /// # Errors
    /// Those of [`tell`](Self::tell).
    pub async fn ask_all(&self, cx: &Cx<'_>, request: Request<'_>) -> Result<Vec<Heard>, Failure> {
        let mut frame = request.frame(self.from)?;
        let (sender, mut receiver) = cx.channel::<Heard>(NODES);
        let mut pending = self.pending_request();
        let tid = pending.number(GROUP, request.esv, &sender);
        set_number(&mut frame, tid.ok_or(Failure::Busy)?);
        self.transport.send_to_all(&frame).await;
        let mut all = Vec::new();
        let collect = async {
            while let Some(heard) = receiver.receive().await {
                all.push(heard);
                if all.len() == NODES {
                    break;
                }
            }
        };
        let _ended = cx.timeout(ROUND, collect).await;
        Ok(all)
    }

    /// Announces the instance list to all nodes, as a node does after its start.
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
