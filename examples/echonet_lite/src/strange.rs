//! Tests on the VM with nodes that violate the specification: the controller makes the best of
//! each, and no node hides another one.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, SocketAddrV4, TcpListener, TcpStream, UdpSocket as StdUdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

use otp_bridge::gen_server::prelude::*;
use otp_bridge::net::{Bind, UdpSocket};
use otp_bridge::start::Start;
use otp_bridge::task::Tasks;
use otp_bridge::term::Binary;

use crate::controller::{CONTROLLER, Controller};
use crate::devices::Kind;
use crate::frame::{Eoj, Esv, Frame, NODE_PROFILE, Writer};
use crate::messages::{Ask, Device, Devices, IsKnown, Subscribe};
use crate::node::{Node, NodeArgs};
use crate::objects::Value;
use crate::station::Failure;
use crate::transport::GROUP;
use crate::web::{self, Http};

const LIGHT: Eoj = Eoj(2, 0x90, 1);

/// A node's answer to a request for properties of an object: their values. An empty value refuses
/// the property, and `None` ignores the request.
type Answers = dyn Fn(Eoj, &[u8]) -> Option<Vec<(u8, Vec<u8>)>> + Send;

/// A simulated node.
struct Strange {
    socket: Arc<StdUdpSocket>,
    controller: (&'static str, u16),
    is_over: Arc<AtomicBool>,
}

impl Strange {
    fn start(
        address: &str,
        controller: (&'static str, u16),
        answers: Box<Answers>,
    ) -> std::io::Result<Self> {
        let socket = Arc::new(StdUdpSocket::bind((address, controller.1))?);
        socket.set_read_timeout(Some(Duration::from_millis(50)))?;
        let is_over = Arc::new(AtomicBool::new(false));
        let (own, ends) = (Arc::clone(&socket), Arc::clone(&is_over));
        std::thread::spawn(move || {
            let mut buffer = [0; 2048];
            while !ends.load(Ordering::Relaxed) {
                let Ok((length, from)) = own.recv_from(&mut buffer) else {
                    continue;
                };
                let answer = Frame::parse(&buffer[..length]).ok();
                let answer = answer.filter(|(frame, _)| frame.esv == Esv::Get);
                if let Some(bytes) = answer.and_then(|(frame, _)| answer_to(&frame, &answers)) {
                    let _ = own.send_to(&bytes, from);
                }
            }
        });
        Ok(Strange {
            socket,
            controller,
            is_over,
        })
    }

    /// Announces its objects to the controller.
    fn announces(&self, eojs: &[Eoj]) -> std::io::Result<()> {
        let bytes = eojs.iter().flat_map(|eoj| eoj.bytes());
        let list: Vec<u8> = [eojs.len() as u8].into_iter().chain(bytes).collect();
        let mut frame = Vec::new();
        let mut writer = Writer::begin(&mut frame, 1, NODE_PROFILE, NODE_PROFILE, Esv::Inf);
        assert!(writer.property(0xD5, &list));
        self.socket.send_to(&frame, self.controller).map(drop)
    }
}

impl Drop for Strange {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn answer_to(frame: &Frame<'_>, answers: &Answers) -> Option<Vec<u8>> {
    let codes: Vec<u8> = frame.properties.iter().map(|(epc, _)| epc).collect();
    let values = answers(frame.to, &codes)?;
    let is_whole = values.iter().all(|(_, edt)| !edt.is_empty());
    let esv = if is_whole {
        Esv::GetResponse
    } else {
        Esv::GetRefused
    };
    let mut bytes = Vec::new();
    let mut writer = Writer::begin(&mut bytes, frame.tid, frame.to, frame.from, esv);
    for (epc, edt) in values {
        assert!(writer.property(epc, &edt));
    }
    Some(bytes)
}

/// A light with these properties, whose values are their codes, and with this value of 0x9F.
fn light(codes: &[u8], map: Vec<u8>) -> impl Fn(u8) -> Vec<u8> + use<> {
    let codes = codes.to_vec();
    move |epc| match epc {
        0x9E => vec![0],
        0x9F => map.clone(),
        epc if codes.contains(&epc) => vec![epc],
        _ => Vec::new(),
    }
}

async fn controller(cx: &Cx<'_>, address: &str, port: u16) -> Result<()> {
    let args = NodeArgs {
        address: address.to_owned(),
        port,
        kind: Kind::Controller,
    };
    cx.start_link_registered::<Controller>(args).await?;
    cx.call(&CONTROLLER, Subscribe(cx.pid())).await
}

/// Waits until the controller knows a device that meets the condition.
async fn until(cx: &Cx<'_>, is_so: impl Fn(&Device) -> bool) -> Result<Device> {
    loop {
        if let Some(found) = Devices::all(cx).await?.into_iter().find(&is_so) {
            return Ok(found);
        }
        cx.sleep(Duration::from_millis(20)).await?;
    }
}

fn codes(device: &Device) -> Vec<u8> {
    device.properties.iter().map(|it| it.epc).collect()
}

#[otp_bridge::test(application = false)]
async fn a_device_that_restarts_with_other_values_is_read_again(cx: &Cx<'_>) -> Result<()> {
    controller(cx, "127.0.0.61", 23630).await?;
    let value = Arc::new(AtomicU8::new(7));
    let now = Arc::clone(&value);
    let answers = move |_, codes: &[u8]| {
        let of = |epc: &u8| match epc {
            0x9F => vec![1, 0xB0],
            0x9E => vec![0],
            _ => vec![now.load(Ordering::Relaxed)],
        };
        Some(codes.iter().map(|epc| (*epc, of(epc))).collect())
    };
    let node = Strange::start("127.0.0.62", ("127.0.0.61", 23630), Box::new(answers))?;
    let is = |level| {
        move |it: &Device| {
            it.properties
                .iter()
                .any(|it| it.value == Value::Integer(level))
        }
    };
    node.announces(&[LIGHT])?;
    until(cx, is(7)).await?;
    value.store(9, Ordering::Relaxed);
    node.announces(&[LIGHT])?;
    until(cx, is(9)).await?;
    // The controller forgets an object that the node no longer lists.
    let other = Eoj(2, 0x90, 2);
    node.announces(&[other])?;
    until(cx, |it| it.object == "029002").await?;
    while cx
        .call(
            &CONTROLLER,
            IsKnown("127.0.0.62".to_owned(), "029001".to_owned()),
        )
        .await?
    {
        cx.sleep(Duration::from_millis(20)).await?;
    }
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_silent_node_with_many_objects_keeps_nobody_from_being_found(cx: &Cx<'_>) -> Result<()> {
    controller(cx, "127.0.0.61", 23631).await?;
    let to = ("127.0.0.61", 23631);
    let silent = Strange::start("127.0.0.62", to, Box::new(|_, _| None))?;
    let of = light(&[0x80], vec![1, 0x80]);
    let answers = move |_, codes: &[u8]| Some(codes.iter().map(|it| (*it, of(*it))).collect());
    let node = Strange::start("127.0.0.63", to, Box::new(answers))?;
    let many: Vec<Eoj> = (1..=84).map(|number| Eoj(2, 0x90, number)).collect();
    silent.announces(&many)?;
    node.announces(&[LIGHT])?;
    let found = until(cx, |it| it.object == "029001").await?;
    assert_eq!(
        (&found.address[..], codes(&found)),
        ("127.0.0.63", vec![0x80])
    );
    Ok(())
}

/// Makes a node answer the controller's searches with these objects. It does not announce itself.
fn is_searched_for(cx: &Cx<'_>, node: &Strange, eojs: &[Eoj]) -> Result<()> {
    let SocketAddr::V4(address) = node.socket.local_addr()? else {
        unreachable!("it was bound to an address of four bytes");
    };
    let group = SocketAddrV4::new(GROUP, address.port());
    let group = UdpSocket::bind_with(cx, &Bind::new(group).reuse_address(true))?;
    group.join_multicast_v4(GROUP, *address.ip())?;
    let bytes = eojs.iter().flat_map(|eoj| eoj.bytes());
    let list: Vec<u8> = [eojs.len() as u8].into_iter().chain(bytes).collect();
    let answers: Box<Answers> =
        Box::new(move |_, codes: &[u8]| (codes == [0xD6]).then(|| vec![(0xD6, list.clone())]));
    let own = Arc::clone(&node.socket);
    cx.spawn_task::<(), _>(async move |_| {
        let mut buffer = [0; 2048];
        loop {
            let (length, from) = group.recv_from(&mut buffer).await?;
            let frame = Frame::parse(&buffer[..length]).ok();
            let answer = frame.and_then(|(frame, _)| answer_to(&frame, &answers));
            if let Some(answer) = answer {
                own.send_to(&answer, from)?;
            }
        }
    });
    Ok(())
}

/// Each answer comes in time, so the controller does not give the node up. Reading all of it takes
/// longer than the time between two searches.
#[otp_bridge::test(application = false, timeout = Duration::from_mins(5))]
async fn a_node_that_answers_slowly_does_not_delay_the_next_search(cx: &Cx<'_>) -> Result<()> {
    let to = ("127.0.0.61", 23636);
    let of = light(&[0x80], vec![1, 0x80]);
    let answers = move |_, codes: &[u8]| {
        std::thread::sleep(Duration::from_millis(600));
        Some(codes.iter().map(|it| (*it, of(*it))).collect())
    };
    let slow = Strange::start("127.0.0.62", to, Box::new(answers))?;
    let many: Vec<Eoj> = (1..=84).map(|number| Eoj(2, 0x90, number)).collect();
    is_searched_for(cx, &slow, &many)?;
    // Its first search finds the slow node.
    controller(cx, to.0, to.1).await?;
    until(cx, |it| it.address == "127.0.0.62").await?;
    let of = light(&[0x80], vec![1, 0x80]);
    let answers = move |_, codes: &[u8]| Some(codes.iter().map(|it| (*it, of(*it))).collect());
    let other = Strange::start("127.0.0.63", to, Box::new(answers))?;
    is_searched_for(cx, &other, &[LIGHT])?;
    until(cx, |it| it.address == "127.0.0.63").await?;
    let slow_ones = Devices::all(cx).await?;
    let count = slow_ones.iter().filter(|it| it.address == "127.0.0.62");
    assert!(count.count() < 84, "the slow node is still being read");
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_device_that_refuses_many_at_once_is_asked_for_fewer(cx: &Cx<'_>) -> Result<()> {
    controller(cx, "127.0.0.61", 23632).await?;
    let all: Vec<u8> = (0x80..0x8A).collect();
    let map = [&[all.len() as u8], &all[..]].concat();
    let of = light(&all, map);
    let answers = move |_, codes: &[u8]| {
        let some = |it: &u8| if codes.len() > 4 { Vec::new() } else { of(*it) };
        Some(codes.iter().map(|it| (*it, some(it))).collect())
    };
    let node = Strange::start("127.0.0.62", ("127.0.0.61", 23632), Box::new(answers))?;
    node.announces(&[LIGHT])?;
    let found = until(cx, |it| it.object == "029001").await?;
    assert_eq!((codes(&found), found.problem), (all, None));
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_property_map_that_is_wrong_is_read_or_said(cx: &Cx<'_>) -> Result<()> {
    controller(cx, "127.0.0.61", 23633).await?;
    let maps = [
        (vec![5, 0x80, 0xB0], &[0x80, 0xB0][..], false),
        (vec![2, 0x80, 0xB0, 0, 0, 0], &[0x80, 0xB0], false),
        (vec![1, 2, 3], &[0x80], true),
    ];
    let of_number = maps.clone().map(|(map, ..)| light(&[0x80, 0xB0], map));
    let answers = move |eoj: Eoj, codes: &[u8]| {
        let of = &of_number[usize::from(eoj.instance()) - 1];
        Some(codes.iter().map(|it| (*it, of(*it))).collect())
    };
    let node = Strange::start("127.0.0.62", ("127.0.0.61", 23633), Box::new(answers))?;
    node.announces(&[1, 2, 3].map(|number| Eoj(2, 0x90, number)))?;
    for (number, (map, expected, has_problem)) in (1..).zip(maps) {
        let object = format!("02900{number}");
        let found = until(cx, |it| it.object == object).await?;
        assert_eq!(codes(&found), expected, "{map:?}");
        assert_eq!(found.problem.is_some(), has_problem, "{map:?}");
    }
    Ok(())
}

/// Returns the status of the page's reply to these bytes, or `None` if it closes the connection.
fn status(page: SocketAddr, request: &str) -> std::io::Result<Option<u16>> {
    let mut stream = TcpStream::connect(page)?;
    stream.set_read_timeout(Some(Duration::from_mins(2)))?;
    stream.write_all(request.as_bytes())?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line)?;
    Ok(line.split(' ').nth(1).and_then(|it| it.parse().ok()))
}

#[otp_bridge::test(application = false)]
async fn the_page_sets_only_what_was_found_and_idle_browsers_keep_nobody_out(
    cx: &Cx<'_>,
) -> Result<()> {
    controller(cx, "127.0.0.61", 23635).await?;
    let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
    cx.start_link::<Http>(web::listen(port)).await?;
    let page = SocketAddr::from(([127, 0, 0, 1], port));
    let statuses = cx.blocking(move || -> std::io::Result<Vec<Option<u16>>> {
        let body = r#"{"address":"8.8.8.8","object":"029001","epc":128,"value":true}"#;
        let set = |kind: &str| {
            let length = body.len();
            format!("POST /set HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}")
        };
        let asked = [
            "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned(),
            "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_owned(),
            set("application/json; charset=utf-8"),
            set("text/plain"),
        ];
        let mut statuses = Vec::new();
        for request in &asked {
            statuses.push(status(page, request)?);
        }
        let held: Vec<_> = (0..150).filter_map(|_| TcpStream::connect(page).ok()).collect();
        statuses.push(status(page, &asked[0])?);
        drop(held);
        Ok(statuses)
    });
    let expected = [Some(200), Some(421), Some(404), Some(415), Some(200)];
    assert_eq!(statuses.await?, expected);
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn what_is_not_a_frame_is_not_asked(cx: &Cx<'_>) -> Result<()> {
    controller(cx, "127.0.0.61", 23634).await?;
    let args = NodeArgs {
        address: "127.0.0.62".to_owned(),
        port: 23634,
        kind: Kind::LivingRoom,
    };
    cx.start_link::<Node>(args).await?;
    let ask = async |esv, properties: Vec<(u8, Binary)>, second| {
        let to = "127.0.0.62".to_owned();
        let ask = Ask(to, "029001".to_owned(), esv, properties, second);
        cx.call(&CONTROLLER, ask).await
    };
    let value = |length: usize| (0xB0, Binary::from(vec![0; length]));
    let asked = ask(Esv::SetC, vec![value(300)], vec![]).await?;
    assert_eq!(asked, Err(Failure::TooLong));
    let asked = ask(Esv::Get, vec![value(0); 300], vec![]).await?;
    assert_eq!(asked, Err(Failure::TooLong));
    for esv in [Esv::Get, Esv::SetI, Esv::InfReq, Esv::SetGet] {
        let asked = ask(esv, vec![], vec![value(0)]).await?;
        assert_eq!(asked, Err(Failure::NoProperty), "{esv:?}");
    }
    let asked = ask(Esv::SetGet, vec![value(1)], vec![]).await?;
    assert_eq!(asked, Err(Failure::NoProperty));
    assert!(ask(Esv::Get, vec![value(0); 255], vec![]).await?.is_ok());
    Ok(())
}
