//! Tests on the Erlang VM, with nodes at loopback addresses and test ports.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use otp_bridge::gen_server::prelude::*;
use otp_bridge::start::Start;
use otp_bridge::term::Binary;

use crate::controller::{CONTROLLER, Controller};
use crate::devices::Kind;
use crate::frame::{Eoj, Esv, Frame, NODE_PROFILE, Writer};
use crate::messages::{Changed, Devices, Measure, PropertyName, Read, Subscribe, Write};
use crate::node::{Change, Confirm, Node, NodeArgs};
use crate::objects::Value;
use crate::station::Failure;
use crate::stroot::Stroot;

const ROOM: &str = "127.0.0.42";
const LIGHT: &str = "029001";

fn named(name: &str) -> PropertyName {
    PropertyName::Name(name.to_owned())
}

fn node_args(address: &str, port: u16, kind: Kind) -> NodeArgs {
    NodeArgs {
        address: address.to_owned(),
        port,
        kind,
    }
}

async fn controller(cx: &Cx<'_>, port: u16) -> Result<()> {
    cx.start_link_registered::<Controller>(node_args("127.0.0.41", port, Kind::Controller))
        .await?;
    Ok(())
}

fn frame(to: Eoj, esv: Esv, properties: &[(u8, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut writer = Writer::begin(&mut out, 9, NODE_PROFILE, to, esv);
    for (epc, edt) in properties {
        assert!(writer.property(*epc, edt));
    }
    out
}

/// Waits until the three devices of the living room are known, in any order.
async fn living_room(cx: &Cx<'_>) -> Result<Vec<String>> {
    cx.call(&CONTROLLER, Subscribe(cx.pid())).await?;
    loop {
        let found = Devices::all(cx).await?;
        if found.len() >= 3 {
            return Ok(found.into_iter().map(|it| it.object).collect());
        }
        let Changed(_) = cx.receive().await?;
    }
}

#[otp_bridge::test(application = false)]
async fn devices_are_found_read_and_set(cx: &Cx<'_>) -> Result<()> {
    cx.start_link::<Node>(node_args(ROOM, 23610, Kind::LivingRoom))
        .await?;
    controller(cx, 23610).await?;
    let found = living_room(cx).await?;
    assert_eq!(found, ["013001", "029001", "029002"]);
    let read = |name| Read(ROOM.to_owned(), LIGHT.to_owned(), named(name));
    let write = |name, value| Write(ROOM.to_owned(), LIGHT.to_owned(), named(name), value);
    assert_eq!(
        cx.call(&CONTROLLER, read("operationStatus")).await?,
        Ok(Value::Flag(false))
    );
    assert_eq!(
        cx.call(&CONTROLLER, write("operationStatus", Value::Flag(true)))
            .await?,
        Ok(())
    );
    assert_eq!(
        cx.call(&CONTROLLER, read("operationStatus")).await?,
        Ok(Value::Flag(true))
    );
    assert_eq!(
        cx.call(&CONTROLLER, write("lightLevel", Value::Integer(101)))
            .await?,
        Err(Failure::NotAValue)
    );
    assert_eq!(
        cx.call(&CONTROLLER, write("productCode", Value::raw(&[0; 12])))
            .await?,
        Err(Failure::Refused)
    );
    assert_eq!(
        cx.call(&CONTROLLER, read("nonsense")).await?,
        Err(Failure::Unknown)
    );
    let nobody = Read(
        "127.0.0.49".to_owned(),
        LIGHT.to_owned(),
        named("operationStatus"),
    );
    assert_eq!(cx.call(&CONTROLLER, nobody).await?, Err(Failure::Timeout));
    // All mandatory properties can be read except one. Refusing that one is an answer, too.
    assert!(
        cx.call(&CONTROLLER, Measure(ROOM.to_owned(), 20))
            .await?
            .is_ok()
    );
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn what_changes_is_announced_and_confirmed(cx: &Cx<'_>) -> Result<()> {
    let room = cx
        .start_link::<Node>(node_args(ROOM, 23611, Kind::LivingRoom))
        .await?;
    controller(cx, 23611).await?;
    living_room(cx).await?;
    assert!(
        cx.call(
            &room,
            Change(LIGHT.to_owned(), 0xB0, Binary::from(vec![33]))
        )
        .await?
    );
    loop {
        let Changed(device) = cx.receive().await?;
        let level = device.properties.iter().find(|it| it.name == "lightLevel");
        if device.object == LIGHT && level.is_some_and(|it| it.value == Value::Integer(33)) {
            break;
        }
    }
    let confirm = |to: &str| Confirm(to.to_owned(), LIGHT.to_owned(), 0x80);
    assert_eq!(cx.call(&room, confirm("127.0.0.41")).await?, Ok(()));
    assert_eq!(
        cx.call(&room, confirm("127.0.0.49")).await?,
        Err(Failure::Timeout)
    );
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_node_is_asked_over_tcp(cx: &Cx<'_>) -> Result<()> {
    cx.start_link::<Node>(node_args(ROOM, 23612, Kind::LivingRoom))
        .await?;
    let request = frame(Eoj(2, 0x90, 1), Esv::Get, &[(0x80, &[])]);
    let asked = std::thread::spawn(move || -> std::io::Result<(Vec<u8>, usize)> {
        let mut stream = TcpStream::connect((ROOM, 23612))?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        // Two frames, split into three pieces, with a frame of an unknown service and one of format
        // 2 between them.
        let mut unknown = request.clone();
        unknown[10] = 0x4F;
        let between = [&unknown[..], b"\x10\x82\0\x09arbitrary"].concat();
        let two = [&request[..], &between, &request].concat();
        for piece in two.chunks(two.len() / 3 + 1) {
            stream.write_all(piece)?;
            std::thread::sleep(Duration::from_millis(5));
        }
        let mut answers = vec![0; 30];
        stream.read_exact(&mut answers)?;
        // Bytes that are not a frame end the connection.
        stream.write_all(b"GET / HTTP/1.1")?;
        let rest = stream.read(&mut [0; 16])?;
        Ok((answers, rest))
    });
    while !asked.is_finished() {
        cx.sleep(Duration::from_millis(10)).await?;
    }
    let (answers, rest) = asked.join().expect("it does not panic")?;
    assert_eq!(rest, 0);
    let (first, second) = Frame::parse(&answers).expect("a frame");
    assert_eq!(first.esv, Esv::GetResponse);
    assert_eq!(first.properties.iter().next(), Some((0x80, &[0x31][..])));
    assert_eq!(Frame::parse(second), Ok((first, &[][..])));
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn the_application_starts_from_its_command_line(cx: &Cx<'_>) -> Result<()> {
    let words = [
        "--interface",
        "127.0.0.41",
        "--node",
        ROOM,
        "--port",
        "23614",
        "--web",
        "0",
    ];
    cx.start_link::<Stroot>(words.map(str::to_owned).to_vec())
        .await?;
    let read = Read(ROOM.to_owned(), LIGHT.to_owned(), named("operationStatus"));
    assert_eq!(cx.call(&CONTROLLER, read).await?, Ok(Value::Flag(false)));
    Ok(())
}

#[test]
fn a_frame_of_the_tests_is_one() {
    let bytes = frame(NODE_PROFILE, Esv::Get, &[(0xD6, &[])]);
    assert!(Frame::parse(&bytes).is_ok_and(|(frame, rest)| frame.tid == 9 && rest.is_empty()));
}
