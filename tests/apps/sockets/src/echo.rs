//! A server with a task for each connection.

use std::io::ErrorKind;
use std::net::Ipv4Addr;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::net::{Bind, TcpListener, TcpStream, UnixListener, UnixStream};
use otp_bridge::task::LocalCell;

/// Echoes bytes.
#[derive(Debug)]
pub struct Echo {
    port: u16,
    live: LocalCell<u64>,
    burning: LocalCell<bool>,
    burned: LocalCell<u64>,
}

/// `port`
#[derive(Debug, Term)]
#[reply(u16)]
pub struct Port;

/// `live`: returns the number of connections.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Live;

/// `{fetch, Port, Bytes}`: makes a request to a server in a callback. Returns the answer.
#[derive(Debug, Term)]
#[reply(Result<Vec<u8>, String>)]
pub struct Fetch(pub u16, pub Vec<u8>);

/// `{local, Path}`: uses a Unix socket, with both sides in this process.
#[derive(Debug, Term)]
#[reply(String)]
pub struct Local(pub String);

/// `{burn, Whether}`: starts or ends a task that computes concurrently with the others, and yields.
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Burn(pub bool);

/// `burned`: returns how often that task has yielded.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Burned;

/// `{second, Port}`: returns whether a second socket at the port is refused.
#[derive(Debug, Term)]
#[reply(bool)]
pub struct Second(pub u16);

#[gen_server]
impl GenServer for Echo {
    /// The port, or 0 for any free one. Several servers can share a port.
    type Args = u16;

    fn init(port: u16, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let bind = Bind::new((Ipv4Addr::LOCALHOST, port)).reuse_port(true);
        let listener = TcpListener::bind_with(cx, &bind)?;
        let port = listener.local_addr()?.port();
        let live = cx.local(0);
        let counted = live.clone();
        cx.spawn_task(async move |cx| accept(cx, listener, counted).await)
            .linked();
        let (burning, burned) = (cx.local(false), cx.local(0));
        let echo = Echo {
            port,
            live,
            burning,
            burned,
        };
        Ok((ok, echo))
    }

    fn handle_call(&self, _: Port) -> HandleCall<u16> {
        reply(self.port)
    }

    fn handle_call(&self, _: Live) -> HandleCall<u64> {
        reply(self.live.get())
    }

    async fn handle_call(
        &self,
        Fetch(port, bytes): Fetch,
        cx: &Cx<'_>,
    ) -> HandleCall<Result<Vec<u8>, String>> {
        reply(
            fetch(cx, port, bytes)
                .await
                .map_err(|error| error.kind().to_string()),
        )
    }

    async fn handle_call(&self, Local(path): Local, cx: &Cx<'_>) -> Result<HandleCall<String>> {
        let listener = UnixListener::bind(cx, &path)?;
        let client = UnixStream::connect(cx, &path).await?;
        let server = listener.accept().await?;
        client.write_all(b"by the file system").await?;
        let mut buffer = [0; 100];
        let count = server.read(&mut buffer).await?;
        reply(String::from_utf8_lossy(&buffer[..count]).into_owned())
    }

    fn handle_call(&self, Burn(whether): Burn, cx: &Cx<'_>) -> HandleCall<ok> {
        self.burning.with(|burning| *burning = whether);
        if whether {
            let (burning, burned) = (self.burning.clone(), self.burned.clone());
            cx.spawn_task(async move |cx| {
                while burning.get() {
                    burned.with(|burned| *burned += 1);
                    cx.checkpoint().await;
                }
                Ok(())
            });
        }
        reply(ok)
    }

    fn handle_call(&self, _: Burned) -> HandleCall<u64> {
        reply(self.burned.get())
    }

    fn handle_call(&self, Second(port): Second, cx: &Cx<'_>) -> HandleCall<bool> {
        let second = TcpListener::bind(cx, (Ipv4Addr::LOCALHOST, port));
        reply(second.is_err_and(|error| error.kind() == ErrorKind::AddrInUse))
    }
}

async fn accept(cx: &Cx<'_>, listener: TcpListener, live: LocalCell<u64>) -> Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        let live = live.clone();
        cx.spawn_task(async move |_| {
            live.with(|live| *live += 1);
            let served = serve(&stream).await;
            live.with(|live| *live -= 1);
            Ok(served?)
        });
    }
}

async fn serve(stream: &TcpStream) -> std::io::Result<()> {
    let mut buffer = [0; 1024];
    loop {
        match stream.read(&mut buffer).await? {
            0 => return Ok(()),
            count => stream.write_all(&buffer[..count]).await?,
        }
    }
}

/// Sends all bytes, and reads until the other side closes or everything has come back.
async fn fetch(cx: &Cx<'_>, port: u16, bytes: Vec<u8>) -> std::io::Result<Vec<u8>> {
    let stream = TcpStream::connect(cx, (Ipv4Addr::LOCALHOST, port)).await?;
    stream.set_nodelay(true)?;
    stream.write_all(&bytes).await?;
    let mut all = Vec::new();
    let mut buffer = [0; 4096];
    while all.len() < bytes.len() {
        match stream.read(&mut buffer).await? {
            0 => break,
            count => all.extend_from_slice(&buffer[..count]),
        }
    }
    Ok(all)
}
