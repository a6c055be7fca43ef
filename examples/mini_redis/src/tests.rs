//! Tests of the protocol, the data and the journal, and of the whole server over TCP.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use bytes::Bytes;
use otp_bridge::atom;
use otp_bridge::atoms::kill;
use otp_bridge::gen_server::prelude::*;

use crate::command::Request;
use crate::data::Data;
use crate::journal::{self, Change};
use crate::listener::{LISTENER, Port};
use crate::resp::take_request;

fn words(text: &str) -> Vec<Bytes> {
    let words = text.split(' ').map(str::to_owned);
    words.map(Bytes::from).collect()
}

/// Runs a command at a time. Returns the reply as the client reads it, and the change.
fn run(data: &mut Data, text: &str, time: i64) -> (String, Option<Change>) {
    let Ok(Request::Run(command)) = Request::read(&words(text), time) else {
        panic!("{text} is not for the store");
    };
    let (reply, change) = data.run(&command, time);
    let mut bytes = Vec::new();
    reply.write(&mut bytes);
    let text = String::from_utf8(bytes).unwrap().replace("\r\n", " ");
    (
        text.trim_end().to_owned(),
        change.map(|change| Change(time, change)),
    )
}

#[test]
fn a_request_is_read_when_it_is_whole() {
    let whole = "*2\r\n$3\r\nGET\r\n$5\r\nco\r\nr\r\n  PING  you \r\n";
    for end in 0..whole.len() {
        let mut input = Bytes::copy_from_slice(&whole.as_bytes()[..end]);
        let mut count = 0;
        while take_request(&mut input).unwrap().is_some() {
            count += 1;
        }
        assert_eq!(count, usize::from(end >= 24), "{end}");
    }
    let mut input = Bytes::from(whole);
    let first = [&b"GET"[..], b"co\r\nr"].map(Bytes::from_static);
    assert_eq!(take_request(&mut input), Ok(Some(first.to_vec())));
    assert_eq!(take_request(&mut input), Ok(Some(words("PING you"))));
    for wrong in [
        "*x\r\n",
        "*1\r\n3\r\n",
        "*1\r\n$-1\r\n",
        "*99999999\r\n",
        "*1\r\n$9999999999\r\n",
    ] {
        assert!(take_request(&mut wrong.into()).is_err(), "{wrong}");
    }
}

#[test]
fn keys_expire_and_have_a_type() {
    let mut data = Data::default();
    let mut run = |text, time, wanted: &str| assert_eq!(run(&mut data, text, time).0, wanted);
    run("SET a 9", 0, "+OK");
    run("EXPIRE a 2", 0, ":1");
    run("TTL a", 500, ":2");
    run("INCR a", 1999, ":10");
    run("GET a", 2000, "$-1");
    run("TTL a", 2000, ":-2");
    run("EXPIRE a 2", 2000, ":0");
    run("LPUSH a x y z", 2000, ":3");
    run("LRANGE a 0 -2", 2000, "*2 $1 z $1 y");
    run("LRANGE a 2 1", 2000, "*0");
    run(
        "INCR a",
        2000,
        "-WRONGTYPE Operation against a key holding the wrong kind of value",
    );
    run("DEL a b", 2000, ":1");
    run("SET a 9223372036854775807", 2000, "+OK");
    run(
        "INCR a",
        2000,
        "-ERR value is not an integer or out of range",
    );
}

#[test]
fn repeated_changes_make_equal_data_and_a_torn_one_is_left_out() {
    let (mut data, mut changes) = (Data::default(), Vec::new());
    let commands = [
        "SET a 1",
        "EXPIRE a 1",
        "INCR a",
        "LPUSH b 1 2 3",
        "LPOP b",
        "GET a",
        "DEL c",
    ];
    for (time, text) in commands.into_iter().enumerate() {
        changes.extend(run(&mut data, text, time as i64).1);
    }
    assert_eq!(changes.len(), 5);
    // The key has expired when it is counted again.
    changes.extend(run(&mut data, "INCR a", 5000).1);
    let bytes = journal::written(&changes);
    for end in 0..=bytes.len() {
        let mut part = Bytes::copy_from_slice(&bytes[..end]);
        let read = journal::read(&mut part).unwrap();
        assert!(changes.starts_with(&read));
        if end == bytes.len() {
            let mut again = Data::default();
            for Change(time, command) in &read {
                again.run(command, *time);
            }
            assert_eq!(again, data);
            let mut made = Data::default();
            for command in data.commands() {
                made.run(&command, 0);
            }
            assert_eq!(made, data);
        }
    }
    assert!(journal::read(&mut "*2\r\n$1\r\n1\r\n$4\r\nPING\r\n".into()).is_err());
}

/// A client of the server.
struct Connection(TcpStream);

impl Connection {
    fn open(port: u16) -> Self {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        Connection(stream)
    }

    fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).unwrap();
        self.0.write_all(b"\r\n").unwrap();
    }

    /// Reads until the reply is there.
    fn gets(&mut self, wanted: &str) {
        let wanted = wanted.replace(' ', "\r\n") + "\r\n";
        let mut bytes = vec![0; wanted.len()];
        self.0.read_exact(&mut bytes).unwrap();
        assert_eq!(String::from_utf8_lossy(&bytes), wanted);
    }

    fn line(&mut self) -> String {
        let mut line = Vec::new();
        while !line.ends_with(b"\r\n") {
            let mut byte = [0];
            self.0.read_exact(&mut byte).unwrap();
            line.push(byte[0]);
        }
        String::from_utf8(line).unwrap()
    }

    fn ask(&mut self, text: &str, wanted: &str) {
        self.send(text);
        self.gets(wanted);
    }
}

/// Runs what clients do on a thread that may block.
async fn as_clients(cx: &Cx<'_>, clients: fn(u16)) -> Result<()> {
    let port = cx.call(&LISTENER, Port).await?;
    cx.blocking(move || clients(port)).await;
    Ok(())
}

#[otp_bridge::test(arguments = ["0", "-"])]
async fn a_transaction_runs_as_a_whole_or_not_at_all(cx: &Cx<'_>) -> Result<()> {
    as_clients(cx, |port| {
        let (mut one, mut other) = (Connection::open(port), Connection::open(port));
        one.ask("MULTI", "+OK");
        one.ask("SET a 1", "+QUEUED");
        one.ask("INCR a", "+QUEUED");
        other.ask("GET a", "$-1");
        one.ask("EXEC", "*2 +OK :2");
        other.ask("GET a", "$1 2");
        one.send("MULTI\r\nSET a 3\r\nNONE\r\nEXEC\r\nGET a");
        one.gets("+OK +QUEUED");
        let mut rest = String::new();
        one.send("QUIT");
        one.0.read_to_string(&mut rest).unwrap();
        assert!(
            rest.contains("-EXECABORT") && rest.ends_with("$1\r\n2\r\n+OK\r\n"),
            "{rest}"
        );
    })
    .await
}

#[otp_bridge::test(arguments = ["0", "-"])]
async fn each_waiting_client_gets_an_element_or_gives_up(cx: &Cx<'_>) -> Result<()> {
    as_clients(cx, |port| {
        let mut clients = [(); 3].map(|()| Connection::open(port));
        clients[0].ask("BLPOP jobs 0.01", "*-1");
        clients[0].send("BLPOP other jobs 0\r\nPING");
        clients[1].send("BLPOP jobs 0\r\nPING");
        clients[2].ask("LPUSH jobs a b c", ":3");
        clients[2].send("BLPOP jobs 0\r\nPING");
        let mut elements = clients.map(|mut client| {
            client.gets("*2 $4 jobs $1");
            let element = client.line();
            client.gets("+PONG");
            element
        });
        elements.sort();
        assert_eq!(elements, ["a\r\n", "b\r\n", "c\r\n"]);
    })
    .await
}

#[otp_bridge::test(arguments = ["0", "-"])]
async fn a_client_that_has_gone_takes_no_element(cx: &Cx<'_>) -> Result<()> {
    as_clients(cx, |port| {
        let mut gone = Connection::open(port);
        gone.ask("PING", "+PONG");
        gone.send("BLPOP jobs 0");
    })
    .await?;
    let sessions = async || -> Result<Vec<Term>> {
        cx.apply("supervisor", "which_children", (atom!("sessions"),))
            .await
    };
    while !sessions().await?.is_empty() {
        cx.sleep(Duration::from_millis(10)).await?;
    }
    as_clients(cx, |port| {
        let mut client = Connection::open(port);
        client.ask("LPUSH jobs a", ":1");
        client.ask("LRANGE jobs 0 -1", "*1 $1 a");
    })
    .await
}

#[otp_bridge::test(arguments = ["0", "-"])]
async fn subscribers_get_what_is_published(cx: &Cx<'_>) -> Result<()> {
    as_clients(cx, |port| {
        let (mut reader, mut writer) = (Connection::open(port), Connection::open(port));
        reader.ask("SUBSCRIBE news", "*3 $9 subscribe $4 news :1");
        writer.ask("PUBLISH news hello", ":1");
        reader.gets("*3 $7 message $4 news $5 hello");
        writer.ask("PUBLISH weather rain", ":0");
        reader.ask("UNSUBSCRIBE", "*3 $11 unsubscribe $4 news :0");
        writer.ask("PUBLISH news again", ":0");
        reader.ask("PING", "+PONG");
    })
    .await
}

/// A crash of the store costs no data. The sessions end with it.
#[otp_bridge::test(arguments = ["0", "test.journal"])]
async fn after_a_crash_the_journal_has_the_data(cx: &Cx<'_>) -> Result<()> {
    as_clients(cx, |port| {
        let mut client = Connection::open(port);
        client.ask("SET a 1", "+OK");
        client.ask("INCR a", ":2");
        client.send("DEL b\r\nLPUSH b 1 2");
        // The journal may have the list of an earlier run.
        assert!(client.line().starts_with(':'));
        client.gets(":2");
    })
    .await?;
    let listener = cx.monitor(&LISTENER).await?;
    let store: Pid = cx.apply("erlang", "whereis", (atom!("store"),)).await?;
    cx.exit(&store, kill).await?;
    listener.down(cx).await?;
    while cx.call(&LISTENER, Port).await.is_err() {
        cx.sleep(Duration::from_millis(10)).await?;
    }
    as_clients(cx, |port| {
        let mut client = Connection::open(port);
        client.ask("GET a", "$1 2");
        client.ask("LRANGE b 0 -1", "*2 $1 2 $1 1");
    })
    .await
}
