//! Tests on the Erlang VM: processes that are killed are restarted.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use otp_bindings::atoms::{active, ip, loopback};
use otp_bindings::gen_tcp::{self, Socket};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::{Exit, atom, list};

use crate::boards::BOARDS;
use crate::messages::{BoardError, Change, Changes, Edit, NewMessage};
use crate::stroot::Stroot;

/// A folder that is removed when the value is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("board-vm-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn get(port: u16, path: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply)?;
    Ok(reply)
}

/// Requests a page until it contains the text.
fn shows(port: u16, path: &str, text: &str) -> String {
    for _ in 0..1000 {
        if let Ok(reply) = get(port, path)
            && reply.contains(text)
        {
            return reply;
        }
        sleep(Duration::from_millis(10));
    }
    format!("{path} does not show {text}: {:?}", get(port, path))
}

/// Returns the command line for a free port.
fn words(folder: &Folder) -> io::Result<(Vec<String>, u16)> {
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
        .local_addr()?
        .port();
    let folder = folder.0.display().to_string();
    let words = ["--port", &port.to_string(), "--folder", &folder];
    Ok((words.map(str::to_owned).to_vec(), port))
}

#[otp_bridge::test(application = false)]
async fn a_server_and_boards_that_are_killed_come_again(cx: &Cx<'_>) -> Result<()> {
    let folder = Folder::new("killed");
    let (words, port) = words(&folder)?;
    let root = cx.start_link::<Stroot>(words).await?;
    let created = cx
        .call(&BOARDS, Change::CreateBoard("Tea".to_owned()))
        .await?;
    assert_eq!(created, Ok(0));
    for round in 0..2_u64 {
        for child in cx.which_children(&root).await? {
            if let Some(process) = child.process.running() {
                cx.exit(&process, atom!("kill")).await?;
            }
        }
        let shown = cx
            .blocking(|| shows(port, "/boards/0", "<h1>Tea</h1>"))
            .await;
        assert!(shown.starts_with("HTTP/1.1 200"), "{round}: {shown}");
        // The process of the boards may be ready later than the pages, which are read without it.
        let message = NewMessage {
            author: "Ada".to_owned(),
            text: format!("round {round}"),
        };
        let mut written = cx
            .call(&BOARDS, Change::CreateMessage(0, message.clone()))
            .await;
        while written.is_err() {
            cx.sleep(Duration::from_millis(10)).await?;
            written = cx
                .call(&BOARDS, Change::CreateMessage(0, message.clone()))
                .await;
        }
        assert_eq!(written?, Ok(round));
        let text = format!("round {round}");
        let shown = cx.blocking(|| shows(port, "/boards/0", &text)).await;
        assert!(shown.contains("round 0"), "{shown}");
    }
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn wrong_requests_of_erlang_are_typed_errors(cx: &Cx<'_>) -> Result<()> {
    let folder = Folder::new("wrong");
    cx.start_link::<Stroot>(words(&folder)?.0).await?;
    let message = |text: &str| NewMessage {
        author: "Ada".to_owned(),
        text: text.to_owned(),
    };
    let missing = cx
        .call(&BOARDS, Change::CreateMessage(7, message("hello")))
        .await?;
    assert_eq!(missing, Err(BoardError::NoBoard(7)));
    let empty = cx
        .call(&BOARDS, Change::CreateMessage(7, message(" ")))
        .await?;
    assert_eq!(empty, Err(BoardError::Empty("text".to_owned())));
    let boards =
        (0..crate::limits::BOARDS).map(|_| cx.call(&BOARDS, Change::CreateBoard("one".to_owned())));
    for created in otp_bridge::join_all(boards).await {
        assert!(created?.is_ok());
    }
    let many = cx
        .call(&BOARDS, Change::CreateBoard("one".to_owned()))
        .await?;
    assert_eq!(many, Err(BoardError::TooManyBoards(crate::limits::BOARDS)));
    // Deleting a board makes room for another one. The deleted board's number is not reused.
    assert_eq!(cx.call(&BOARDS, Change::DeleteBoard(3)).await?, Ok(3));
    let gone = cx.call(&BOARDS, Change::DeleteMessage(3, 0)).await?;
    assert_eq!(gone, Err(BoardError::NoBoard(3)));
    let another = cx
        .call(&BOARDS, Change::CreateBoard("one".to_owned()))
        .await?;
    assert_eq!(another, Ok(crate::limits::BOARDS));
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_server_listens_only_at_a_listening_socket(cx: &Cx<'_>) -> Result<()> {
    let Socket::Port(socket) = gen_tcp::listen(cx, 0, list![(ip, loopback)]).await?? else {
        return Err(Exit::new("not a socket of `inet`"));
    };
    let listener = cx.tcp_listener(&socket).await?;
    let port = listener.local_addr()?.port();
    let options = list![(active, false)];
    let Socket::Port(client) =
        gen_tcp::connect_address(cx, (127, 0, 0, 1), port, options).await??
    else {
        return Err(Exit::new("not a socket of `inet`"));
    };
    // `accept` does not block here, and the connection may still be on its way.
    let accepted = cx.blocking(|| {
        (0..1000).any(|_| {
            sleep(Duration::from_millis(10));
            listener.accept().is_ok()
        })
    });
    assert!(accepted.await);
    let connected = cx.tcp_listener(&client).await.map(drop);
    assert_eq!(
        connected.map_err(|exit| exit.to_string()),
        Err("exit: einval".to_owned())
    );
    gen_tcp::close(cx, Socket::Port(socket.clone())).await?;
    let closed = cx.tcp_listener(&socket).await.map(drop);
    assert_eq!(
        closed.map_err(|exit| exit.to_string()),
        Err("exit: einval".to_owned())
    );
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn changes_that_are_refused_hold_no_others_back(cx: &Cx<'_>) -> Result<()> {
    let folder = Folder::new("together");
    cx.start_link::<Stroot>(words(&folder)?.0).await?;
    let message = |board, text: &str| {
        let (author, text) = ("Ada".to_owned(), text.to_owned());
        Change::CreateMessage(board, NewMessage { author, text })
    };
    let edit = |version| {
        let text = "another text".to_owned();
        Change::EditMessage(0, 0, Edit { text, version })
    };
    let changes = vec![
        message(0, "before its board"),
        Change::CreateBoard("Tea".to_owned()),
        message(0, "one"),
        message(0, " "),
        message(0, "two"),
        edit(0),
        edit(0),
        Change::EditMessage(
            0,
            9,
            Edit {
                text: "x".to_owned(),
                version: 0,
            },
        ),
    ];
    let answers = cx.call(&BOARDS, Changes(changes)).await?;
    let empty = Err(BoardError::Empty("text".to_owned()));
    let (missing, changed) = (BoardError::NoMessage(9), BoardError::EditedMeanwhile(1));
    assert_eq!(
        answers,
        [
            Err(BoardError::NoBoard(0)),
            Ok(0),
            Ok(0),
            empty,
            Ok(1),
            Ok(1),
            Err(changed),
            Err(missing)
        ]
    );
    assert_eq!(cx.call(&BOARDS, Changes(Vec::new())).await?, []);
    Ok(())
}
