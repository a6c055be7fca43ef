//! A node: a process that owns devices, and answers requests for them.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::{LocalCell, Tasks};
use otp_bridge::term::Binary;

use crate::device::{Objects, Outgoing};
use crate::devices::{Kind, instances};
use crate::frame::{Eoj, Esv};
use crate::station::{Failure, Request, Requester, Station};
use crate::transport::{GROUP, Peer, Transport, serve};

/// Interval between two measurements of the thermometer.
const LOOK: Duration = Duration::from_secs(2);
/// Maximum number of announcements that wait for a busy controller. Further ones are lost, as any
/// datagram may be.
const ANNOUNCEMENTS: usize = 1 << 10;
const THERMOMETER: Eoj = Eoj(0x00, 0x11, 0x01);

/// The address and the devices of a node.
#[derive(Debug, Clone, Term)]
pub struct NodeArgs {
    /// The node's address.
    pub address: String,
    /// The node's port.
    pub port: u16,
    /// The kind of node.
    pub kind: Kind,
}

/// Owns the sockets and the devices.
pub struct Node {
    requester: Requester,
}

impl std::fmt::Debug for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Node")
            .field("transport", &self.requester.transport)
            .finish_non_exhaustive()
    }
}

/// `{change, <<"029001">>, 16#80, <<16#30>>}`: sets a property as the device itself does. Returns
/// `true` if that was possible.
#[derive(Debug, Term)]
#[reply(bool)]
pub struct Change(pub String, pub u8, pub Binary);

/// `{confirm, <<"127.0.0.1">>, <<"029001">>, 16#80}`: announces a value to another node, and waits
/// until that node confirms it (INFC).
#[derive(Debug, Term)]
#[reply(Result<(), Failure>)]
pub struct Confirm(pub String, pub String, pub u8);

#[gen_server]
impl GenServer for Node {
    type Args = NodeArgs;

    async fn init(args: NodeArgs, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let requester = start(cx, &args, Eoj(0x0E, 0xF0, 1))?.0;
        requester.hello().await;
        if args.kind == Kind::Weather {
            let requester = requester.clone();
            cx.spawn_task::<(), _>(async move |cx| measure(cx, &requester).await)
                .named("thermometer")
                .linked();
        }
        Ok((ok, Node { requester }))
    }

    async fn handle_call(&mut self, Change(eoj, epc, edt): Change) -> Result<HandleCall<bool>> {
        let Some(eoj) = Eoj::parse(&eoj) else {
            return reply(false);
        };
        let is_set = self.requester.change(eoj, epc, &edt).await;
        reply(is_set)
    }

    fn handle_call(
        &mut self,
        Confirm(to, eoj, epc): Confirm,
        caller: Caller<Result<(), Failure>>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        let requester = self.requester.clone();
        cx.spawn_task(async move |cx| {
            let confirmed = requester.confirm(cx, &to, &eoj, epc).await;
            caller.reply(cx, confirmed);
            Ok(())
        });
        noreply()
    }
}

/// Starts to serve the objects of a node. Returns a handle for requests, and the channel with the
/// announcements of other nodes.
///
/// # Errors
/// An error of the operating system, or a malformed address.
pub fn start(
    cx: &Cx<'_>,
    args: &NodeArgs,
    from: Eoj,
) -> Result<(
    Requester,
    otp_bridge::task::ChannelReceiver<crate::station::Heard>,
)> {
    let address: Ipv4Addr = args
        .address
        .parse()
        .map_err(|_| Exit::new("the address of a node is like 127.0.0.2"))?;
    let (sender, receiver) = cx.channel(ANNOUNCEMENTS);
    let objects = Objects::new(instances(args.kind, address.into()));
    let station: LocalCell<Station> = cx.local(Station::new(objects, sender));
    let cannot = |error| Exit::new(format!("{address}:{} cannot be used: {error}", args.port));
    let transport = Arc::new(Transport::bind(cx, address, args.port).map_err(cannot)?);
    serve(cx, &transport, &station).map_err(cannot)?;
    Ok((
        Requester {
            station,
            transport,
            from,
        },
        receiver,
    ))
}

impl Requester {
    /// Sets a property of one of the node's own devices. Returns whether that was possible.
    async fn change(&self, eoj: Eoj, epc: u8, edt: &[u8]) -> bool {
        let mut out = Outgoing::default();
        let is_set = self
            .station
            .with(|station| station.objects.change(eoj, epc, edt, &mut out));
        self.transport.send_outgoing(&out, GROUP).await;
        is_set
    }

    async fn confirm(&self, cx: &Cx<'_>, to: &str, eoj: &str, epc: u8) -> Result<(), Failure> {
        let eoj = Eoj::parse(eoj).ok_or(Failure::Unknown)?;
        let to = Peer::parse(to).ok_or(Failure::Unknown)?;
        let value = self
            .station
            .with(|station| station.objects.value(eoj, epc))
            .ok_or(Failure::Unknown)?;
        let properties = [(epc, &value[..])];
        let request = Request {
            eoj: crate::frame::NODE_PROFILE,
            esv: Esv::InfC,
            properties: &properties,
            second: &[],
        };
        let of_device = Requester {
            from: eoj,
            ..self.clone()
        };
        of_device.ask(cx, to, request).await.map(drop)
    }
}

/// Simulates the weather: the temperature rises and falls.
async fn measure(cx: &Cx<'_>, requester: &Requester) -> Result<()> {
    let mut ticks = cx.ticks(LOOK);
    for step in 0_i16.. {
        ticks.next().await?;
        let tenths = 215 + (step % 40 - 20).abs();
        requester
            .change(THERMOMETER, 0xE0, &tenths.to_be_bytes())
            .await;
    }
    Ok(())
}
