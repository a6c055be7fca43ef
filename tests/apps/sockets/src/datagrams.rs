//! A server that echoes datagrams.

use std::net::{Ipv4Addr, SocketAddr};

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::net::UdpSocket;

/// Sends each datagram back.
#[derive(Debug)]
pub struct Datagrams {
    port: u16,
}

/// `port`
#[derive(Debug, Term)]
#[reply(u16)]
pub struct Port;

#[gen_server]
impl GenServer for Datagrams {
    type Args = ();

    fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let socket = UdpSocket::bind(cx, SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
        let port = socket.local_addr()?.port();
        cx.spawn_task::<(), _>(async move |_| {
            let mut buffer = [0; 2048];
            loop {
                let (count, from) = socket.recv_from(&mut buffer).await?;
                socket.send_to(&buffer[..count], from).await?;
            }
        })
        .linked();
        Ok((ok, Datagrams { port }))
    }

    fn handle_call(&self, _: Port) -> HandleCall<u16> {
        reply(self.port)
    }
}
