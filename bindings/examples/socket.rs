use otp_bindings::atoms::{inet, loopback, stream};
use otp_bindings::messages::SocketSelect;
use otp_bindings::socket;
use otp_bridge::{Cx, Result};

/// A connection is accepted and read without waiting in a function of `socket`: the process gets a
/// message when there is something.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let here = |port| socket::SockaddrIn {
        family: inet,
        port,
        addr: loopback.into(),
    };
    let listening = socket::open_domain(cx, inet, stream).await??;
    socket::bind(cx, &listening, here(0)).await??;
    socket::listen(cx, &listening).await??;
    let socket::AcceptResult::Select(info) = socket::accept_nowait(cx, &listening).await? else {
        panic!("nobody has connected yet");
    };
    let address = socket::sockname(cx, &listening).await??;
    let socket::SockaddrRecv::Sockaddr(socket::Sockaddr::SockaddrIn(address)) = address else {
        panic!("an address of IPv4: {address:?}");
    };
    let client = socket::open_domain(cx, inet, stream).await??;
    socket::connect_with_sock_addr(cx, &client, here(address.port)).await??;
    let message: SocketSelect = cx.receive().await?;
    assert!(message.is_of(&info));
    let server = socket::accept(cx, &listening).await??;
    socket::send(cx, &client, "hello").await?;
    let received = socket::recv_with_value(cx, &server, 5).await??;
    assert_eq!(&received[..], b"hello");
    for socket in [client, server, listening] {
        socket::close(cx, socket).await??;
    }
    Ok(())
}
