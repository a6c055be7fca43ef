use otp_bridge::process::SpawnProcess;
use std::time::Duration;

use otp_bindings::atoms::{active, binary, body_format, get, http_bin, packet, timeout};
use otp_bindings::{application, gen_tcp, httpc, inet};
use otp_bridge::{Cx, Result, Term, atom, list};

/// Answers one request as a web server does.
async fn serve(cx: &Cx<'_>, listening: gen_tcp::Socket) -> Result<()> {
    let socket = gen_tcp::accept(cx, listening).await??;
    gen_tcp::recv(cx, &socket, 0).await??;
    let answer = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello";
    gen_tcp::send(cx, &socket, answer).await??;
    gen_tcp::close(cx, socket).await?;
    Ok(())
}

/// Gets a page from a server, here from this node.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    application::ensure_all_started(cx, atom!("inets")).await??;
    let options = list![binary, (active, false), (packet, http_bin)];
    let listening = gen_tcp::listen(cx, 0, options).await??;
    let port = inet::port(cx, &listening).await??;
    cx.spawn_process(async move |cx| serve(cx, listening).await).await?;

    let request = (
        format!("http://127.0.0.1:{port}/"),
        list![("accept", "*/*")],
    );
    let options = list![(timeout, Duration::from_secs(5))];
    let asked = httpc::request(
        cx,
        get,
        request,
        options,
        list![(body_format, binary)],
    );
    // `{{Version, Code, Phrase}, Headers, Body}`
    let ((_, code, _), _, body): ((Term, u16, Term), Term, String) = asked.decode().await??;
    assert_eq!((code, body.as_str()), (200, "hello"));
    Ok(())
}
