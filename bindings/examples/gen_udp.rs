use std::time::Duration;

use otp_bindings::atoms::{active, binary, ip};
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
    Ok(())
}
