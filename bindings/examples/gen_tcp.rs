use otp_bindings::atoms::{active, binary, line, once, packet, reuseaddr};
use otp_bindings::{gen_tcp, inet};
use otp_bridge::{Cx, Result, list};

/// A line is sent to a server and comes back.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let options = list![binary, (packet, line), (active, false), (reuseaddr, true)];
    let listening = gen_tcp::listen(cx, 0, options).await??;
    let port = inet::port(cx, &listening).await??;

    let options = list![binary, (packet, line), (active, false)];
    let client = gen_tcp::connect_address(cx, (127, 0, 0, 1), port, options).await??;
    let server = gen_tcp::accept(cx, &listening).await??;
    gen_tcp::send(cx, &client, "hello\n").await??;
    let received = gen_tcp::recv(cx, &server, 0).await??;
    assert_eq!(received, b"hello\n"[..].into());
    gen_tcp::send(cx, &server, "hello again\n").await??;
    assert_eq!(
        gen_tcp::recv(cx, &client, 0).await??,
        b"hello again\n"[..].into()
    );

    // From now on what comes is a message, `{tcp, Socket, Data}`: `otp_bridge::messages::Tcp`.
    inet::setopts(cx, &client, list![(active, once)]).await??;
    for socket in [client, server, listening] {
        gen_tcp::close(cx, socket).await?;
    }
    Ok(())
}
