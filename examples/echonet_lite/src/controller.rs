//! The controller: it finds nodes, knows their devices' values, and reads and sets them.

use std::collections::{BTreeMap, HashSet};
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::{ChannelReceiver, LocalCell, Tasks};

use crate::frame::{Eoj, Esv, NODE_PROFILE};
use crate::known::{Known, found};
use crate::messages::{
    Answer, Ask, Changed, Device, Devices, Discover, Measure, Read, Subscribe, Write, listed,
};
use crate::node::{NodeArgs, start};
use crate::objects::Value;
use crate::property_map::PropertyMap;
use crate::station::{Failure, Heard, Request, Requester};
use crate::transport::Peer;

/// The controller of this Erlang node.
pub static CONTROLLER: Server<Controller> = Server::local(atom!("controller"));

/// How often it looks for new nodes.
const LOOK: Duration = Duration::from_secs(30);
/// So many properties are read with one request.
const AT_ONCE: usize = 12;
/// So many nodes that have announced themselves are asked at once.
const NEWCOMERS: usize = 16;
const OWN: Eoj = Eoj(0x05, 0xFF, 0x01);
/// What every node profile can be asked for.
const MANDATORY: [u8; 12] = [
    0x80, 0x82, 0x83, 0x8A, 0x9D, 0x9E, 0x9F, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7,
];

type Found = BTreeMap<(Ipv4Addr, Eoj), Known>;

/// Knows the devices.
pub struct Controller {
    requester: Requester,
    devices: LocalCell<Found>,
    /// Nodes that are being asked, because they have announced themselves.
    newcomers: LocalCell<HashSet<Ipv4Addr>>,
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
            devices: cx.local(Found::new()),
            newcomers: cx.local(HashSet::new()),
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
                looking.discover(cx).await;
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
            let found = controller.discover(cx).await;
            caller.reply(cx, found);
            Ok(())
        });
        noreply()
    }

    fn handle_call(&mut self, _: Devices) -> HandleCall<Vec<Device>> {
        reply(self.devices.with(|found| {
            found
                .iter()
                .map(|(key, known)| known.device(*key))
                .collect()
        }))
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
    /// For a task: the same sockets, objects and devices.
    fn share(&self) -> Self {
        Controller {
            requester: self.requester.clone(),
            devices: self.devices.clone(),
            newcomers: self.newcomers.clone(),
            subscribers: self.subscribers.clone(),
        }
    }

    async fn discover(&self, cx: &Cx<'_>) -> u64 {
        let request = Request {
            eoj: NODE_PROFILE,
            esv: Esv::Get,
            properties: &[(0xD6, &[])],
            second: &[],
        };
        let all = self.requester.ask_all(cx, request).await;
        for heard in &all {
            self.learn(cx, heard.address, heard.value(0xD6).unwrap_or_default())
                .await;
        }
        all.len() as u64
    }

    /// Reads all of the devices of an instance list that are not known yet.
    async fn learn(&self, cx: &Cx<'_>, address: Ipv4Addr, list: &[u8]) {
        let listed = list.get(1..).unwrap_or_default();
        let eojs = listed.as_chunks().0.iter().map(|it| Eoj::from(*it));
        for eoj in eojs {
            let is_known = self
                .devices
                .with(|found| found.contains_key(&(address, eoj)));
            if !is_known {
                // A device that does not answer is asked again when it is next heard of.
                let _ = self.learn_device(cx, address, eoj).await;
            }
        }
    }

    async fn learn_device(&self, cx: &Cx<'_>, address: Ipv4Addr, eoj: Eoj) -> Result<(), Failure> {
        let maps = self.get(cx, address, eoj, &[0x9E, 0x9F]).await?;
        let map = |epc| {
            maps.value(epc)
                .and_then(PropertyMap::read)
                .unwrap_or_default()
        };
        let (set, get) = (map(0x9E), map(0x9F));
        let codes: Vec<u8> = get
            .iter()
            .filter(|epc| !(0x9D..=0x9F).contains(epc))
            .collect();
        let mut values = BTreeMap::new();
        for some in codes.chunks(AT_ONCE) {
            let heard = self.get(cx, address, eoj, some).await?;
            values.extend(
                heard
                    .properties
                    .into_iter()
                    .filter(|(_, edt)| !edt.is_empty()),
            );
        }
        self.devices
            .with(|found| found.insert((address, eoj), Known { set, values }));
        self.tell(cx, (address, eoj));
        Ok(())
    }

    /// The properties; those that the device refuses have no value.
    async fn get(
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
        self.requester.ask(cx, to.into(), request).await
    }

    async fn read(&self, cx: &Cx<'_>, Read(to, object, name): &Read) -> Result<Value, Failure> {
        let (to, eoj, epc, property) = found(to, object, name)?;
        let heard = self.get(cx, to, eoj, &[epc]).await?;
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
                self.get(cx, to, NODE_PROFILE, &[epc]).await?;
            }
        }
        Ok(u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    /// Announcements: new nodes, and values that have changed.
    async fn listen(&self, cx: &Cx<'_>, mut heard: ChannelReceiver<Heard>) -> Result<()> {
        while let Some(heard) = heard.receive().await {
            match heard.value(0xD5).filter(|_| heard.from == NODE_PROFILE) {
                Some(list) => self.welcome(cx, heard.address, list.to_vec()),
                None => self.note(cx, (heard.address, heard.from), &heard.properties),
            }
        }
        Ok(())
    }

    /// Asks a node that has announced itself, while announcements of others go on.
    fn welcome(&self, cx: &Cx<'_>, address: Ipv4Addr, list: Vec<u8>) {
        let is_new = self
            .newcomers
            .with(|all| all.len() < NEWCOMERS && all.insert(address));
        if !is_new {
            return;
        }
        let controller = self.share();
        cx.spawn_task(async move |cx| {
            controller.learn(cx, address, &list).await;
            controller.newcomers.with(|all| all.remove(&address));
            Ok(())
        });
    }

    /// Values of a device that is known.
    fn note(&self, cx: &Cx<'_>, key: (Ipv4Addr, Eoj), properties: &[(u8, Vec<u8>)]) {
        let is_new = self.devices.with(|all| {
            let Some(known) = all.get_mut(&key) else {
                return false;
            };
            let mut is_new = false;
            for (epc, edt) in properties {
                is_new |= known.values.insert(*epc, edt.clone()).as_ref() != Some(edt);
            }
            is_new
        });
        if is_new {
            self.tell(cx, key);
        }
    }

    fn tell(&self, cx: &Cx<'_>, key: (Ipv4Addr, Eoj)) {
        let device = self
            .devices
            .with(|all| all.get(&key).map(|known| known.device(key)));
        let Some(device) = device else { return };
        for pid in self.subscribers.with(|all| all.clone()) {
            cx.send(&pid, Changed(device.clone()));
        }
    }
}
