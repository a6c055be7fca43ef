use otp_bridge::process::SpawnProcess;
use otp_bindings::atoms::{
    active, binary, disable, once, server_name_indication, verify, verify_peer,
};
use otp_bindings::{application, ssl};
use otp_bridge::messages::{Down, Ssl, SslClosed};
use otp_bridge::{Atom, Cx, Result, Term, atom, list};

/// `#{root => Options, intermediates => [Options], peer => Options}`
#[derive(Debug, Term)]
struct Chain {
    root: Vec<Term>,
    intermediates: Vec<Term>,
    peer: Vec<Term>,
}

/// `#{server_chain => Chain, client_chain => Chain}`
#[derive(Debug, Term)]
struct Chains {
    server_chain: Chain,
    client_chain: Chain,
}

/// `#{server_config => Options, client_config => Options}`
#[derive(Debug, Term)]
struct Configured {
    server_config: Vec<ssl::TlsServerOption>,
    client_config: Vec<ssl::TlsClientOption>,
}

/// A root and what it signs, without others between them. OTP's default digest is SHA-1 until OTP
/// 27, whose TLS refuses it.
fn chain() -> Chain {
    let curve = (atom!("namedCurve"), atom!("secp256r1"));
    let digest = (atom!("digest"), atom!("sha256"));
    let options = vec![Term::of(&(atom!("key"), curve)), Term::of(&digest)];
    Chain {
        root: options.clone(),
        intermediates: Vec::new(),
        peer: options,
    }
}

/// Accepts one connection, says hello, and hears when it is closed.
async fn serve(cx: &Cx<'_>, listening: ssl::Sslsocket) -> Result<()> {
    let accepted = ssl::transport_accept(cx, listening).await??;
    let socket: ssl::Sslsocket = match ssl::handshake(cx, accepted).await? {
        ssl::OkOrOkExtOrError::Ok(socket) => socket,
        other => panic!("{other:?}"),
    };
    ssl::send(cx, socket.clone(), "hello").await??;
    ssl::setopts(cx, socket, list![(active, once)]).await??;
    let SslClosed { .. } = cx.receive().await?;
    Ok(())
}

/// A server and a client with certificates that are made here, as tests need them.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    application::ensure_all_started(cx, atom!("ssl")).await??;
    let chains = Chains {
        server_chain: chain(),
        client_chain: chain(),
    };
    let made = cx.apply("public_key", "pkix_test_data", (chains,));
    let mut configured: Configured = made.await?;

    let mut options = Vec::from(list![binary, (active, false)]);
    options.append(&mut configured.server_config);
    let listening = ssl::listen(cx, 0, options).await??;
    let (_, port) = ssl::sockname(cx, listening.clone())
        .decode::<(Term, u16)>()
        .await??;
    let _server = cx
        .spawn_process_monitor(async move |cx| serve(cx, listening).await)
        .await?;

    let mut options = Vec::from(list![
        binary,
        (active, once),
        (verify, verify_peer),
        (server_name_indication, disable),
    ]);
    options.append(&mut configured.client_config);
    let connected = ssl::connect_host(cx, (127, 0, 0, 1), port, options).await?;
    let ssl::ConnectHostResult::Ok(socket) = connected else {
        panic!("{connected:?}");
    };
    let Ssl::<String> { data, .. } = cx.receive().await?;
    assert_eq!(data, "hello");
    ssl::close(cx, socket).await??;
    let ended: Down<Atom> = cx.receive().await?;
    assert_eq!(ended.reason, atom!("normal"));
    Ok(())
}
