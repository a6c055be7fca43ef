//! The controller: a process that finds nodes, keeps the values of their devices, and reads and
//! sets them.

mod discovery;

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::{ChannelReceiver, LocalCell, Tasks};

use crate::frame::{Eoj, Esv, NODE_PROFILE};
use crate::known::found;
use crate::messages::{
    Answer, Ask, Changed, Device, Devices, Discover, Forgotten, IsKnown, Measure, Read, Subscribe,
    Write, listed,
};
use crate::node::{NodeArgs, start};
use crate::nodes::{self, Key, Nodes, key};
use crate::objects::Value;
use crate::station::{Failure, Heard, Request, Requester};
use crate::transport::Peer;

/// The registered controller of this Erlang node.
pub static CONTROLLER: Server<Controller> = Server::local(atom!("controller"));

/// Interval between two searches for nodes.
const LOOK: Duration = Duration::from_secs(30);
/// Number of devices in one answer.
const PIECE: usize = 32;
const OWN: Eoj = Eoj(0x05, 0xFF, 0x01);
/// Properties that every node profile must have.
const MANDATORY: [u8; 12] = [
    0x80, 0x82, 0x83, 0x8A, 0x9D, 0x9E, 0x9F, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7,
];

/// Owns the list of devices.
pub struct Controller {
    requester: Requester,
    nodes: LocalCell<Nodes>,
    /// Nodes that are being read. The value is the list of objects that the node has announced
    /// since its reading began.
    being_read: LocalCell<HashMap<Ipv4Addr, Option<Vec<Eoj>>>>,
    subscribers: LocalCell<Vec<Pid>>,
}

impl std::fmt::Debug for Controller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Controller").finish_non_exhaustive()
    }
}

#[gen_server]
impl GenServer for Controller {
    type Args = NodeArgs;

    async fn init(args: NodeArgs, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let (requester, heard) = start(cx, &args, OWN)?;
        let controller = Controller {
            requester,
            nodes: cx.local(Nodes::default()),
            being_read: cx.local(HashMap::new()),
            subscribers: cx.local(Vec::new()),
        };
        let listening = controller.share();
        cx.spawn_task::<(), _>(async move |cx| listening.listen(cx, heard).await)
            .named("announcements")
            .linked();
        let looking = controller.share();
        cx.spawn_task::<(), _>(async move |cx| {
            looking.requester.hello().await;
            loop {
                // The next round does not wait until all nodes of this one are read.
                let (reading, (_, due)) = (looking.share(), looking.search(cx).await);
                cx.spawn_task(async move |cx| {
                    reading.read_nodes(cx, due).await;
                    Ok(())
                });
                cx.sleep(LOOK).await?;
            }
        })
        .named("discovery")
        .linked();
        Ok((ok, controller))
    }

    fn handle_call(&mut self, _: Discover, caller: Caller<u64>, cx: &Cx<'_>) -> HandleCallNoreply {
        let controller = self.share();
        cx.spawn_task(async move |cx| {
            let (found, due) = controller.search(cx).await;
            controller.read_nodes(cx, due).await;
            caller.reply(cx, found);
            Ok(())
        });
        noreply()
    }

    fn handle_call(&mut self, Devices(behind): Devices) -> HandleCall<Vec<Device>> {
        let key = behind.and_then(|(address, object)| key(&address, &object));
        reply(self.nodes.with(|nodes| nodes.after(key, PIECE)))
    }

    fn handle_call(&mut self, IsKnown(address, object): IsKnown) -> HandleCall<bool> {
        let key = key(&address, &object);
        let is_known = key.is_some_and(|key| self.nodes.with(|nodes| nodes.device(key).is_some()));
        reply(is_known)
    }

    fn handle_call(
        &mut self,
        read: Read,
        caller: Caller<Result<Value, Failure>>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        let controller = self.share();
        cx.spawn_task(async move |cx| {
            let value = controller.read(cx, &read).await;
            caller.reply(cx, value);
            Ok(())
        });
        noreply()
    }

    fn handle_call(
        &mut self,
        write: Write,
        caller: Caller<Result<(), Failure>>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        let controller = self.share();
        cx.spawn_task(async move |cx| {
            let written = controller.write(cx, &write).await;
            caller.reply(cx, written);
            Ok(())
        });
        noreply()
    }

    fn handle_call(
        &mut self,
        ask: Ask,
        caller: Caller<Result<Option<Answer>, Failure>>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        let controller = self.share();
        cx.spawn_task(async move |cx| {
            let answer = controller.ask(cx, &ask).await;
            caller.reply(cx, answer);
            Ok(())
        });
        noreply()
    }

    fn handle_call(&mut self, Subscribe(pid): Subscribe) -> HandleCall<()> {
        self.subscribers.with(|all| all.push(pid));
        reply(())
    }

    fn handle_call(
        &mut self,
        Measure(to, rounds): Measure,
        caller: Caller<Result<u64, Failure>>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        let controller = self.share();
        cx.spawn_task(async move |cx| {
            let measured = controller.measure(cx, &to, rounds).await;
            caller.reply(cx, measured);
            Ok(())
        });
        noreply()
    }
}

impl Controller {
    /// Returns a handle for a task. It shares the sockets, objects and devices.
    fn share(&self) -> Self {
        Controller {
            requester: self.requester.clone(),
            nodes: self.nodes.clone(),
            being_read: self.being_read.clone(),
            subscribers: self.subscribers.clone(),
        }
    }

    async fn read(&self, cx: &Cx<'_>, Read(to, object, name): &Read) -> Result<Value, Failure> {
        let (to, eoj, epc, property) = found(to, object, name)?;
        let heard = self.requester.get(cx, to, eoj, &[epc]).await?;
        let edt = heard.value(epc).unwrap_or_default();
        if heard.esv == Esv::GetRefused {
            return Err(Failure::Refused);
        }
        self.note(cx, (to.address, eoj), &[(epc, edt.to_vec())]);
        Ok(property
            .and_then(|it| it.data.decode(edt))
            .unwrap_or_else(|| Value::raw(edt)))
    }

    async fn write(
        &self,
        cx: &Cx<'_>,
        Write(to, object, name, value): &Write,
    ) -> Result<(), Failure> {
        let (to, eoj, epc, property) = found(to, object, name)?;
        let edt = property
            .ok_or(Failure::Unknown)?
            .data
            .encode(value)
            .ok_or(Failure::NotAValue)?;
        let properties = [(epc, &edt[..])];
        let request = Request {
            eoj,
            esv: Esv::SetC,
            properties: &properties,
            second: &[],
        };
        let heard = self.requester.ask(cx, to, request).await?;
        if heard.esv == Esv::SetCRefused {
            return Err(Failure::Refused);
        }
        self.note(cx, (to.address, eoj), &[(epc, edt)]);
        Ok(())
    }

    async fn ask(
        &self,
        cx: &Cx<'_>,
        Ask(to, object, esv, properties, second): &Ask,
    ) -> Result<Option<Answer>, Failure> {
        let to = Peer::parse(to).ok_or(Failure::Unknown)?;
        let eoj = Eoj::parse(object).ok_or(Failure::Unknown)?;
        let [properties, second] = [properties, second].map(|list| listed(list));
        let request = Request {
            eoj,
            esv: *esv,
            properties: &properties,
            second: &second,
        };
        let heard = match esv.response() {
            Some(_) => Some(self.requester.ask(cx, to, request).await?),
            None => self.requester.tell(cx, to, request).await?,
        };
        Ok(heard.map(Answer::from))
    }

    async fn measure(&self, cx: &Cx<'_>, to: &str, rounds: u64) -> Result<u64, Failure> {
        let to = Peer::parse(to).ok_or(Failure::Unknown)?;
        let begun = Instant::now();
        for _ in 0..rounds {
            for epc in MANDATORY {
                self.requester.get(cx, to, NODE_PROFILE, &[epc]).await?;
            }
        }
        Ok(u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    /// Handles announcements: of new nodes, and of values that have changed.
    async fn listen(&self, cx: &Cx<'_>, mut heard: ChannelReceiver<Heard>) -> Result<()> {
        while let Some(heard) = heard.receive().await {
            self.hear(cx, heard.address);
            match heard.value(0xD5).filter(|_| heard.from == NODE_PROFILE) {
                Some(list) => self.welcome(cx, heard.address, nodes::listed(list)),
                None => self.note(cx, (heard.address, heard.from), &heard.properties),
            }
        }
        Ok(())
    }

    /// Records that a node has sent something. If it was shown as silent, subscribers are told
    /// about its devices again.
    fn hear(&self, cx: &Cx<'_>, address: Ipv4Addr) {
        if self.nodes.with(|nodes| nodes.heard(address)) {
            let keys = self.nodes.with(|nodes| nodes.keys(address));
            self.tell_all(cx, &keys);
        }
    }

    /// Records new values of a known device.
    fn note(&self, cx: &Cx<'_>, key: Key, properties: &[(u8, Vec<u8>)]) {
        if self.nodes.with(|nodes| nodes.see(key, properties)) {
            self.tell(cx, key);
        }
    }

    fn tell_all(&self, cx: &Cx<'_>, keys: &[Key]) {
        keys.iter().for_each(|key| self.tell(cx, *key));
    }

    fn tell(&self, cx: &Cx<'_>, key: Key) {
        let Some(device) = self.nodes.with(|nodes| nodes.device(key)) else {
            return;
        };
        for pid in self.subscribers.with(|all| all.clone()) {
            cx.send(&pid, Changed(device.clone()));
        }
    }

    fn forget(&self, cx: &Cx<'_>, keys: &[Key]) {
        for (address, eoj) in keys {
            for pid in self.subscribers.with(|all| all.clone()) {
                cx.send(&pid, Forgotten(address.to_string(), eoj.to_string()));
            }
        }
    }
}
