//! What a node and a controller have in common: objects that answer, and requests that wait for
//! answers.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use otp_bridge::task::{ChannelReceiver, ChannelSender, LocalCell, Tasks};
use otp_bridge::{Cx, Term, race};

use crate::device::{Objects, Outgoing};
use crate::frame::{Eoj, Esv, Frame, Message, NODE_PROFILE, Properties, Writer};
use crate::transport::{GROUP, Peer, Transport, converse};

/// The longest datagram of IPv4, without the headers.
const DATAGRAM: usize = 65_507;

/// How long an answer may take, and how often a request is sent.
const PATIENCE: Duration = Duration::from_millis(800);
const TRIES: usize = 3;
/// How long nodes may take to answer a request to all of them.
const ROUND: Duration = Duration::from_millis(300);
/// So many nodes are heard of in a round.
const NODES: usize = 1 << 12;
/// So many requests may wait at once, of the 65,536 that have a number.
const REQUESTS: usize = 10_000;

/// A frame that has come, without what was in it for the network.
#[derive(Debug, Clone)]
pub struct Heard {
    /// From which node.
    pub address: Ipv4Addr,
    /// From which of its objects.
    pub from: Eoj,
    /// What it is.
    pub esv: Esv,
    /// The properties.
    pub properties: Vec<(u8, Vec<u8>)>,
    /// Those of the second list.
    pub second: Vec<(u8, Vec<u8>)>,
}

/// Why a request has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub enum Failure {
    /// None has come, however often it was sent.
    Timeout,
    /// Too many requests wait.
    Busy,
    /// The node refuses it.
    Refused,
    /// Nothing is known of such an object or property.
    Unknown,
    /// The property has no such value.
    NotAValue,
    /// A request needs a property in each of its lists.
    NoProperty,
    /// A value has more than 255 bytes, a list more than 255 properties, or the request does not
    /// fit into a datagram.
    TooLong,
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
                // Nobody listens to a node that only answers. A controller that is behind does
                // without: announcements may be lost.
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

    /// The value of a property.
    #[must_use]
    pub fn value(&self, epc: u8) -> Option<&[u8]> {
        self.properties
            .iter()
            .find(|it| it.0 == epc)
            .map(|it| &it.1[..])
    }
}

/// The numbers under which a request has been sent. They are free again when its future ends,
/// however it ends.
struct PendingRequest {
    station: LocalCell<Station>,
    tids: Vec<u16>,
}

impl PendingRequest {
    /// Another number, for an answer to the same request. Until it ends, an answer to an earlier
    /// one is still an answer.
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
    /// The frame, whose number is not set yet.
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
    /// Asks a node, again if nothing comes. The answer may be a refusal.
    ///
    /// # Errors
    /// If it is not a frame, nothing comes, or too many requests wait already.
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

    /// Sends once what has no answer, unless it is refused.
    ///
    /// # Errors
    /// If it is not a frame, or too many requests wait already.
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

    /// Sends a request, and waits for a while. What may come may also be an answer to an earlier
    /// try.
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
                // What else comes over the connection is for this node as any frame is.
                let _closed =
                    converse(cx, &stream, to.address, &self.transport, &self.station).await;
                None
            };
            race(receiver.receive(), answered).await
        };
        cx.timeout(PATIENCE, exchange).await.ok().flatten()
    }

    /// Asks all nodes. Returns what they have answered soon.
    ///
    /// # Errors
    /// As those of [`tell`](Self::tell).
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
