//! Tests of the HTTP servers on the Erlang VM.
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{ExitSignal, Upgrade};
use otp_bridge::{Exit, atom};
use otp_bridge_axum::Listen;
use tungstenite::Message;

use crate::http::Http;
use crate::stroot::Stroot;

/// Time limit of the tests.
const PATIENCE: Duration = Duration::from_mins(3);

fn connect(address: SocketAddr) -> io::Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    Ok(BufReader::new(stream))
}

/// Sends a request. Returns the status, the head and the body of the reply.
fn ask(stream: &mut BufReader<TcpStream>, request: &str) -> io::Result<(u16, String, String)> {
    stream.get_mut().write_all(request.as_bytes())?;
    answer(stream)
}

fn answer(stream: &mut BufReader<TcpStream>) -> io::Result<(u16, String, String)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
    let mut lengths = head
        .lines()
        .filter_map(|line| line.strip_prefix("content-length: "));
    let length = lengths.next().and_then(|it| it.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body)?;
    let body = String::from_utf8_lossy(&body).into_owned();
    Ok((status.unwrap_or(0), head, body))
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")
}

/// Sends a request on a connection of its own. Returns the status and the body of the reply.
fn one(address: SocketAddr, request: &str) -> io::Result<(u16, String)> {
    let (status, _, body) = ask(&mut connect(address)?, request)?;
    Ok((status, body))
}

/// Starts all processes, with any free port.
async fn start(cx: &Cx<'_>) -> Result<(Server<Stroot>, SocketAddr)> {
    let address = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?;
    let root = cx
        .start_link::<Stroot>(vec![address.port().to_string()])
        .await?;
    Ok((root, address))
}

#[otp_bridge::test(application = false)]
async fn requests_are_answered_by_handlers_and_by_processes(cx: &Cx<'_>) -> Result<()> {
    let (_root, address) = start(cx).await?;
    let replies = cx.blocking(|| -> io::Result<_> {
        let mut kept = connect(address)?;
        let first = ask(&mut kept, &get("/next"))?;
        let second = ask(&mut kept, &get("/next"))?;
        let health = one(address, &get("/health"))?;
        let unavailable = ask(&mut kept, &get("/nobody"))?;
        Ok((first.2, second.2, health, unavailable.0, unavailable.1))
    });
    let (first, second, health, status, head) = replies.await?;
    assert_eq!((first.as_str(), second.as_str()), ("1", "2"));
    assert_eq!(health, (200, "ok".to_owned()));
    assert!(status == 503 && head.contains("retry-after: 1"), "{head}");
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_panic_of_a_handler_is_a_500_and_the_connection_lives(cx: &Cx<'_>) -> Result<()> {
    let (_root, address) = start(cx).await?;
    let replies = cx.blocking(|| -> io::Result<_> {
        let mut kept = connect(address)?;
        let panicked = ask(&mut kept, &get("/panics"))?;
        let after = ask(&mut kept, &get("/health"))?;
        Ok((panicked.0, panicked.2, after.0))
    });
    let (panicked, text, after) = replies.await?;
    assert_eq!((panicked, after), (500, 200));
    assert!(!text.contains("own words"), "{text}");
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn what_is_too_much_is_refused(cx: &Cx<'_>) -> Result<()> {
    let (_root, address) = start(cx).await?;
    let replies = cx.blocking(|| -> io::Result<_> {
        let body = |length: usize| {
            let text = "x".repeat(length);
            let head = "POST /length HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/plain";
            format!("{head}\r\ncontent-length: {length}\r\n\r\n{text}")
        };
        let bodies = (one(address, &body(100))?, one(address, &body(101))?.0);
        // Streams of events do not count as requests.
        let mut streams = Vec::new();
        for _ in 0..4 {
            let mut events = connect(address)?;
            assert_eq!(ask(&mut events, &get("/events"))?.0, 200);
            streams.push(events);
        }
        assert_eq!(one(address, &get("/health"))?.0, 200);
        drop(streams);
        // While three requests wait, the server refuses further ones.
        let mut waiting = Vec::new();
        for _ in 0..3 {
            let mut stream = connect(address)?;
            stream.get_mut().write_all(get("/slow/2000").as_bytes())?;
            waiting.push(stream);
        }
        let mut refused = one(address, &get("/health"))?;
        while refused.0 == 200 {
            refused = one(address, &get("/health"))?;
        }
        let mut served = Vec::new();
        for mut stream in waiting {
            served.push(answer(&mut stream)?.0);
        }
        Ok((bodies, refused.0, served, one(address, &get("/health"))?.0))
    });
    let (bodies, refused, served, after) = replies.await?;
    assert_eq!(bodies, ((200, "100".to_owned()), 413));
    assert_eq!((refused, after), (503, 200));
    assert_eq!(served, [200, 200, 200]);
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn other_sites_are_refused(cx: &Cx<'_>) -> Result<()> {
    let (_root, address) = start(cx).await?;
    let replies = cx.blocking(|| -> io::Result<_> {
        let other = one(address, "GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n")?;
        let origin = "POST /length HTTP/1.1\r\nhost: localhost\r\norigin: http://evil.example";
        let foreign = one(address, &format!("{origin}\r\ncontent-length: 0\r\n\r\n"))?;
        Ok((other.0, foreign.0))
    });
    assert_eq!(replies.await?, (421, 403));
    Ok(())
}

/// For each kind of connection, the client sees an orderly end of the server.
#[otp_bridge::test(application = false)]
async fn a_stop_ends_requests_streams_and_websockets_in_order(cx: &Cx<'_>) -> Result<()> {
    let (root, address) = start(cx).await?;
    let (begun, all_begun) = std::sync::mpsc::channel();
    let clients = std::thread::spawn(move || -> io::Result<_> {
        let mut slow = connect(address)?;
        slow.get_mut().write_all(get("/slow/1000").as_bytes())?;
        let mut events = connect(address)?;
        let head = ask(&mut events, &get("/events"))?;
        let mut first = String::new();
        events.read_line(&mut first)?;
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let (mut socket, _) = tungstenite::client("ws://localhost/socket", stream)
            .map_err(|error| io::Error::other(error.to_string()))?;
        socket.send("hello".into()).map_err(wrong)?;
        let hello = socket.read().map_err(wrong)?;
        begun.send(()).map_err(io::Error::other)?;
        let mut rest = String::new();
        events.read_to_string(&mut rest)?;
        let closed = socket.read().map_err(wrong)?;
        let served = answer(&mut slow)?;
        Ok((head.0, hello.to_string(), rest, closed, served))
    });
    let waited = cx.blocking(move || all_begun.recv_timeout(PATIENCE)).await;
    waited.map_err(|error| Exit::new(error.to_string()))?;
    cx.terminate_child(&root, &atom!("http")).await?;
    let ended = cx.blocking(|| clients.join()).await;
    let (status, hello, rest, closed, served) = ended.map_err(|_| Exit::new("panicked"))??;
    assert_eq!((status, hello.as_str()), (200, "hello"));
    assert!(rest.ends_with("\r\n0\r\n\r\n"), "{rest}");
    assert!(
        closed.is_close() && closed.to_string() == "bye",
        "{closed:?}"
    );
    assert_eq!((served.0, served.2.as_str()), (200, "at last"));
    assert!(served.1.contains("connection: close"), "{}", served.1);
    assert!(TcpStream::connect(address).is_err());
    Ok(())
}

/// A WebSocket of the tests.
type Socket = tungstenite::WebSocket<TcpStream>;

fn wrong(error: impl ToString) -> io::Error {
    io::Error::other(error.to_string())
}

/// Opens a WebSocket, whose handler has echoed a message.
fn open(address: SocketAddr, path: &str) -> io::Result<Socket> {
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let client = tungstenite::client(format!("ws://localhost{path}"), stream);
    let (mut socket, _) = client.map_err(wrong)?;
    socket.send("hello".into()).map_err(wrong)?;
    let echo = socket.read().map_err(wrong)?;
    assert_eq!(echo.to_string(), "hello");
    Ok(socket)
}

/// Reads until the server closes the WebSocket. Returns the code and the reason.
fn closed(socket: &mut Socket) -> io::Result<(u16, String)> {
    loop {
        if let Message::Close(frame) = socket.read().map_err(wrong)? {
            let frame = frame.ok_or_else(|| wrong("no code"))?;
            return Ok((frame.code.into(), frame.reason.to_string()));
        }
    }
}

/// The handlers of two of these WebSockets do not know of the server's end, and the third one says
/// goodbye itself.
#[otp_bridge::test(application = false)]
async fn a_websocket_is_closed_with_the_code_of_a_stop_or_of_an_upgrade(cx: &Cx<'_>) -> Result<()> {
    let (root, address) = start(cx).await?;
    let mut http = None;
    for child in cx.which_children(&root).await? {
        if child.id == Some(Term::of(&atom!("http"))) {
            http = child.process.running();
        }
    }
    let http = http.ok_or_else(|| Exit::new("it does not run"))?;
    // One of the clients is in the middle of a frame, whose end it sends later.
    let opened = cx.blocking(move || -> io::Result<_> {
        let (idle, mut busy) = (open(address, "/echo")?, open(address, "/echo")?);
        busy.get_mut()
            .write_all(&[0x81, 0x85, 0, 0, 0, 0, b'w', b'o'])?;
        Ok((idle, busy, open(address, "/socket")?))
    });
    let (mut idle, mut busy, mut polite) = opened.await?;
    cx.send(&http, Upgrade::Begins);
    let closed_ones = cx.blocking(move || -> io::Result<_> {
        let of_idle = closed(&mut idle)?;
        assert_eq!(closed(&mut polite)?, (1012, "bye".to_owned()));
        busy.get_mut().write_all(b"rld")?;
        let echo = busy.read().map_err(wrong)?.to_string();
        // Between two builds, a client waits for the next one.
        let waiting = TcpStream::connect(address)?;
        Ok((of_idle, echo, closed(&mut busy)?, waiting))
    });
    let (of_idle, echo, of_busy, waiting) = closed_ones.await?;
    cx.send(&http, Upgrade::Ended);
    let next = cx.blocking(move || -> io::Result<_> {
        waiting.set_read_timeout(Some(PATIENCE))?;
        let health = ask(&mut BufReader::new(waiting), &get("/health"))?;
        Ok((health.0, open(address, "/echo")?))
    });
    let (health, mut last) = next.await?;
    cx.terminate_child(&root, &atom!("http")).await?;
    let of_stop = cx.blocking(move || closed(&mut last)).await?;
    let restart = (1012, "service restart".to_owned());
    assert_eq!((of_idle, of_busy), (restart.clone(), restart));
    assert_eq!((echo.as_str(), health), ("world", 200));
    assert_eq!(of_stop, (1001, "going away".to_owned()));
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_server_that_is_killed_comes_back_at_its_port(cx: &Cx<'_>) -> Result<()> {
    let (root, address) = start(cx).await?;
    for child in cx.which_children(&root).await? {
        if let Some(process) = child.process.running() {
            cx.exit(&process, atom!("kill")).await?;
        }
    }
    let next = cx.blocking(move || {
        loop {
            if let Ok((200, text)) = one(address, &get("/next")) {
                return text;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    assert_eq!(next.await, "1");
    Ok(())
}

/// Starts a server at any free port. Returns the port too.
async fn start_anywhere(cx: &Cx<'_>) -> Result<(Server<Http>, u16)> {
    let http = cx.start_link::<Http>(Listen::port(0)).await?;
    let port = port_of(cx, &http.pid()?).await?;
    Ok((http, port))
}

/// The port at which a process listens.
async fn port_of(cx: &Cx<'_>, process: &Pid) -> Result<u16> {
    let links = cx.apply("erlang", "process_info", (process, atom!("links")));
    let (_, links): (Atom, Vec<Term>) = links.await?;
    for link in links {
        if let Term::Port(_) = link {
            let inet = cx.apply("inet", "port", (link,)).await?;
            let (_, port): (Atom, u16) = inet;
            return Ok(port);
        }
    }
    Err(Exit::new("it does not listen"))
}

#[otp_bridge::test(application = false)]
async fn equal_servers_at_any_port_keep_their_own(cx: &Cx<'_>) -> Result<()> {
    cx.trap_exit(true);
    let (first, of_first) = start_anywhere(cx).await?;
    let (second, of_second) = start_anywhere(cx).await?;
    assert_ne!(of_first, of_second);
    for server in [&first, &second] {
        cx.send(server, Upgrade::Begins);
        cx.send(server, Upgrade::Ended);
    }
    for (server, port) in [(second, of_second), (first, of_first)] {
        cx.exit(&server.pid()?, atom!("kill")).await?;
        cx.receive::<ExitSignal>().await?;
        let (_, next) = start_anywhere(cx).await?;
        assert_eq!(next, port);
    }
    let (_, third) = start_anywhere(cx).await?;
    assert!(third != of_first && third != of_second);
    Ok(())
}

/// otp.toml has three workers with a name.
#[otp_bridge::test]
async fn tokio_has_threads_of_otp_toml(cx: &Cx<'_>) -> Result<()> {
    let name = cx.tokio(async { std::thread::current().name().map(str::to_owned) });
    assert_eq!(name.await?.as_deref(), Some("service"));
    assert_eq!(cx.tokio_handle().metrics().num_workers(), 3);
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_future_of_tokio_that_a_callback_polls_is_explained(cx: &Cx<'_>) -> Result<()> {
    let polled = cx.spawn_task(async |_| {
        tokio::time::sleep(Duration::ZERO).await;
        Ok(())
    });
    let why = polled.await.map_err(|exit| exit.to_string());
    let expected = "await the future in `cx.tokio(…)`";
    assert!(
        why.as_ref().is_err_and(|it| it.contains(expected)),
        "{why:?}"
    );
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_port_in_use_is_named(cx: &Cx<'_>) -> Result<()> {
    let taken = TcpListener::bind(("127.0.0.1", 0))?;
    let port = taken.local_addr()?.port();
    cx.trap_exit(true);
    let started = cx.start_link::<Http>(port.into()).await;
    let why = started.map(drop).map_err(|exit| exit.to_string());
    let expected = format!("127.0.0.1:{port}: address already in use");
    assert!(
        why.as_ref().is_err_and(|it| it.contains(&expected)),
        "{why:?}"
    );
    Ok(())
}
