use std::time::Duration;

use otp_bindings::atoms::{active, add_membership, binary, eafnosupport, inet6, ip};
use otp_bindings::{gen_udp, inet};
use otp_bridge::{Cx, Result, list};

/// A datagram is sent and received.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let options = list![binary, (active, false), (ip, (127, 0, 0, 1))];
    let receiver = gen_udp::open_with_opts(cx, 0, options).await??;
    let port = inet::port(cx, receiver.clone()).await??;
    let sender = gen_udp::open(cx, 0).await??;
    gen_udp::send_port(cx, sender.clone(), (127, 0, 0, 1), port, "hello").await??;
    let wait = Duration::from_secs(5);
    // `{Address, Port, Packet}`
    let (address, _, packet): ((u8, u8, u8, u8), u16, String) =
        gen_udp::recv_with_timeout(cx, receiver.clone(), 0, wait)
            .decode()
            .await??;
    assert_eq!((address, packet.as_str()), ((127, 0, 0, 1), "hello"));
    gen_udp::close(cx, sender).await?;
    gen_udp::close(cx, receiver).await?;
    in_a_group(cx).await
}

/// A socket joins a group of IPv6 on an interface, where there is IPv6.
async fn in_a_group(cx: &Cx<'_>) -> Result<()> {
    let group = inet::Ip6Address(0xff02, 0, 0, 0, 0, 0, 0, 0x1234);
    let loopback = 1;
    let options = list![inet6, (add_membership, (group, loopback))];
    match gen_udp::open_with_opts(cx, 0, options).await? {
        Ok(socket) => _ = gen_udp::close(cx, socket).await?,
        Err(reason) => assert_eq!(reason, eafnosupport.into()),
    }
    Ok(())
}
