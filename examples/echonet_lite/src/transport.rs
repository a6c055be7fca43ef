//! The sockets of a node: one for its own address, one for the multicast group, and TCP.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::sync::Arc;
use std::time::Duration;

use otp_bridge::net::{Bind, TcpListener, TcpStream, UdpSocket};
use otp_bridge::task::{LocalCell, Tasks};
use otp_bridge::{Cx, Result};

use crate::device::Outgoing;
use crate::frame::{Frame, Malformed};
use crate::station::Station;

/// Multicast group of all nodes.
pub const GROUP: Ipv4Addr = Ipv4Addr::new(224, 0, 23, 0);
/// More than the length of any datagram.
const DATAGRAM: usize = 1 << 16;
/// Number of datagrams that are answered before the task yields.
const BATCH: u32 = 32;
/// Maximum number of TCP connections of a node.
const CONNECTIONS: usize = 64;
/// An idle connection is closed after this time.
const IDLE: Duration = Duration::from_secs(60);

/// The node to ask, and the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// The node's address.
    pub address: Ipv4Addr,
    /// Whether to use a TCP connection instead of datagrams.
    pub is_tcp: bool,
}

impl Peer {
    /// Parses `127.0.0.2` or `tcp:127.0.0.2`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (address, is_tcp) = match text.strip_prefix("tcp:") {
            Some(address) => (address, true),
            None => (text, false),
        };
        let address = address.parse().ok()?;
        Some(Peer { address, is_tcp })
    }
}

impl From<Ipv4Addr> for Peer {
    fn from(address: Ipv4Addr) -> Self {
        Peer {
            address,
            is_tcp: false,
        }
    }
}

/// The datagram sockets of a node. All nodes use one port, at addresses of their own.
#[derive(Debug)]
pub struct Transport {
    own: UdpSocket,
    group: UdpSocket,
    address: Ipv4Addr,
    port: u16,
}

impl Transport {
    /// Opens the sockets.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn bind(cx: &Cx<'_>, address: Ipv4Addr, port: u16) -> io::Result<Self> {
        let shared = |address| Bind::new(SocketAddrV4::new(address, port)).reuse_address(true);
        let own = UdpSocket::bind_with(cx, &shared(address))?;
        own.set_multicast_if_v4(address)?;
        let group = UdpSocket::bind_with(cx, &shared(GROUP))?;
        group.join_multicast_v4(GROUP, address)?;
        Ok(Transport {
            own,
            group,
            address,
            port,
        })
    }

    /// Sends a frame to a node. If sending fails, the frame is lost, as any datagram may be.
    pub async fn send(&self, frame: &[u8], to: Ipv4Addr) {
        let _lost = self
            .own
            .send_to(frame, SocketAddrV4::new(to, self.port))
            .await;
    }

    /// Connects to a node, and sends it a frame.
    ///
    /// # Errors
    /// Those of the operating system.
    pub async fn connect(&self, cx: &Cx<'_>, to: Ipv4Addr, frame: &[u8]) -> io::Result<TcpStream> {
        let stream = TcpStream::connect(cx, SocketAddrV4::new(to, self.port)).await?;
        stream.write_all(frame).await?;
        Ok(stream)
    }

    /// Sends a frame to all nodes.
    pub async fn send_to_all(&self, frame: &[u8]) {
        self.send(frame, GROUP).await;
    }

    /// Sends frames to their receivers: to the node that asked, or to all nodes.
    pub async fn send_outgoing(&self, out: &Outgoing, to: Ipv4Addr) {
        for (frame, is_for_all) in out.iter() {
            self.send(frame, if is_for_all { GROUP } else { to }).await;
        }
    }
}

/// Starts the tasks that receive. If one of them fails, the process fails as well.
///
/// # Errors
/// Listening for TCP connections failed.
pub fn serve(
    cx: &Cx<'_>,
    transport: &Arc<Transport>,
    station: &LocalCell<Station>,
) -> io::Result<()> {
    for is_group in [false, true] {
        let (transport, station) = (Arc::clone(transport), station.clone());
        let receive = async move |cx: &Cx<'_>| receive(cx, &transport, is_group, &station).await;
        cx.spawn_task::<(), _>(receive).named("datagrams").linked();
    }
    let listener = TcpListener::bind(cx, SocketAddrV4::new(transport.address, transport.port))?;
    let (transport, station) = (Arc::clone(transport), station.clone());
    let accept = async move |cx: &Cx<'_>| accept(cx, &listener, transport, station).await;
    cx.spawn_task::<(), _>(accept).named("connections").linked();
    Ok(())
}

async fn receive(
    cx: &Cx<'_>,
    transport: &Transport,
    is_group: bool,
    station: &LocalCell<Station>,
) -> Result<()> {
    let socket = if is_group {
        &transport.group
    } else {
        &transport.own
    };
    let mut buffer = vec![0; DATAGRAM];
    let mut out = Outgoing::default();
    for count in 1_u32.. {
        let (length, from) = socket.recv_from(&mut buffer).await?;
        if count % BATCH == 0 {
            cx.checkpoint().await;
        }
        // All members of the group receive what is sent to it, including the sender.
        let from = match from {
            SocketAddr::V4(from) if !(is_group && *from.ip() == transport.address) => *from.ip(),
            _ => continue,
        };
        out.clear();
        station.with(|station| station.datagram(&buffer[..length], from, &mut out));
        transport.send_outgoing(&out, from).await;
    }
    Ok(())
}

async fn accept(
    cx: &Cx<'_>,
    listener: &TcpListener,
    transport: Arc<Transport>,
    station: LocalCell<Station>,
) -> Result<()> {
    let connections = cx.local(0);
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            cx.sleep(Duration::from_millis(50)).await?;
            continue;
        };
        if connections.with(|count| *count >= CONNECTIONS) {
            continue;
        }
        connections.with(|count| *count += 1);
        let (transport, station, connections) =
            (Arc::clone(&transport), station.clone(), connections.clone());
        cx.spawn_task(async move |cx| {
            // A client that disconnects is not an error of the node.
            if let SocketAddr::V4(from) = from {
                let _gone = converse(cx, &stream, *from.ip(), &transport, &station).await;
            }
            connections.with(|count| *count -= 1);
            Ok(())
        });
    }
}

/// Answers the frames of a connection until it is closed, or until bytes arrive that are not a
/// frame.
///
/// # Errors
/// Those of the operating system.
pub async fn converse(
    cx: &Cx<'_>,
    stream: &TcpStream,
    from: Ipv4Addr,
    transport: &Transport,
    station: &LocalCell<Station>,
) -> Result<()> {
    let (mut input, mut piece, mut out) = (Vec::new(), vec![0; 4096], Outgoing::default());
    loop {
        let Some(read) = cx.timeout(IDLE, stream.read(&mut piece)).await.ok() else {
            return Ok(());
        };
        let count = read?;
        input.extend_from_slice(&piece[..count]);
        let mut rest = &input[..];
        loop {
            let (frame, after) = match Frame::in_stream(rest) {
                Ok(parsed) => parsed,
                // No frame is longer than this, however slowly the client sends it.
                Err(Malformed::Short(_)) if rest.len() < 2 * DATAGRAM => break,
                Err(_) => return Ok(()),
            };
            rest = after;
            out.clear();
            if let Some(frame) = frame {
                station.with(|station| station.frame(&frame, from, &mut out));
            }
            for (frame, is_for_all) in out.iter() {
                match is_for_all {
                    true => transport.send_to_all(frame).await,
                    false => stream.write_all(frame).await?,
                }
            }
        }
        let done = input.len() - rest.len();
        input.drain(..done);
        if count == 0 {
            return Ok(());
        }
        cx.checkpoint().await;
    }
}
