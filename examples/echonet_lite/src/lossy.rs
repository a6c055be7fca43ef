//! Tests on the VM: requests to a node that loses datagrams, answers late, or sends wrong answers.

use std::collections::HashMap;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use otp_bridge::gen_server::prelude::*;
use otp_bridge::join_all;
use otp_bridge::start::Start;
use otp_bridge::term::Binary;

use crate::controller::{CONTROLLER, Controller};
use crate::devices::Kind;
use crate::frame::{Esv, Frame, Writer};
use crate::messages::{Answer, Ask, PropertyName, Read};
use crate::node::{Node, NodeArgs};
use crate::objects::Value;
use crate::station::Failure;

const NODE: &str = "127.0.0.46";
const HOST: &str = "127.0.0.45";

/// How the node treats a request for a property.
#[derive(Debug, Clone, Copy)]
enum Habit {
    /// It ignores two of three requests.
    ThirdTime,
    /// It answers only after the request was repeated.
    Late,
    /// It answers with a number that no request has.
    OtherNumber,
    /// It answers with a wrong service.
    OtherService,
    /// It answers many times.
    Often,
    /// It ignores requests at random.
    Chance,
    Silent,
}

/// A simulated node. The value of each property is its code.
struct Lossy {
    is_over: Arc<AtomicBool>,
    heard: Arc<Mutex<HashMap<u8, Vec<u16>>>>,
    chances: Arc<AtomicU32>,
}

impl Lossy {
    fn start(port: u16, habit: fn(u8) -> Habit) -> std::io::Result<Self> {
        let socket = UdpSocket::bind((NODE, port))?;
        socket.set_read_timeout(Some(Duration::from_millis(50)))?;
        let lossy = Lossy {
            is_over: Arc::default(),
            heard: Arc::default(),
            chances: Arc::default(),
        };
        let (is_over, heard) = (Arc::clone(&lossy.is_over), Arc::clone(&lossy.heard));
        let chances = Arc::clone(&lossy.chances);
        std::thread::spawn(move || {
            let mut random = fastrand::Rng::with_seed(6);
            let mut buffer = [0; 512];
            while !is_over.load(Ordering::Relaxed) {
                let Ok((length, from)) = socket.recv_from(&mut buffer) else {
                    continue;
                };
                let Ok((frame, _)) = Frame::parse(&buffer[..length]) else {
                    continue;
                };
                let Some((epc, _)) = frame
                    .properties
                    .iter()
                    .next()
                    .filter(|_| frame.esv == Esv::Get)
                else {
                    continue;
                };
                let mut all = heard.lock().expect("nobody has panicked");
                let tids = all.entry(epc).or_default();
                tids.push(frame.tid);
                let chance = random.u32(..10) < 7;
                chances.fetch_add(u32::from(!chance), Ordering::Relaxed);
                answer(&socket, from, &frame, epc, tids, (habit(epc), chance));
            }
        });
        Ok(lossy)
    }

    fn tries(&self, epc: u8) -> Vec<u16> {
        let heard = self.heard.lock().expect("nobody has panicked");
        heard.get(&epc).cloned().unwrap_or_default()
    }
}

impl Drop for Lossy {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn answer(
    socket: &UdpSocket,
    from: SocketAddr,
    frame: &Frame<'_>,
    epc: u8,
    tids: &[u16],
    (habit, chance): (Habit, bool),
) {
    let send = |tid, esv| {
        let mut bytes = Vec::new();
        let mut writer = Writer::begin(&mut bytes, tid, frame.to, frame.from, esv);
        assert!(writer.property(epc, &[epc]));
        let _ = socket.send_to(&bytes, from);
    };
    match habit {
        Habit::ThirdTime if tids.len() == 3 => send(frame.tid, Esv::GetResponse),
        Habit::Late if tids.len() == 2 => send(tids[0], Esv::GetResponse),
        Habit::OtherNumber => send(frame.tid ^ 0x8000, Esv::GetResponse),
        Habit::OtherService => send(frame.tid, Esv::SetResponse),
        Habit::Often => (0..20).for_each(|_| send(frame.tid, Esv::GetResponse)),
        Habit::Chance if chance => send(frame.tid, Esv::GetResponse),
        _ => {}
    }
}

async fn controller(cx: &Cx<'_>, port: u16) -> Result<()> {
    let args = NodeArgs {
        address: HOST.to_owned(),
        port,
        kind: Kind::Controller,
    };
    cx.start_link_registered::<Controller>(args).await?;
    Ok(())
}

fn get(node: &str, epc: u8) -> Ask {
    let asked = vec![(epc, Binary::from(Vec::new()))];
    Ask(
        node.to_owned(),
        "029001".to_owned(),
        Esv::Get,
        asked,
        Vec::new(),
    )
}

fn value(epc: u8) -> Result<Option<Answer>, Failure> {
    Ok(Some(Answer {
        service: Esv::GetResponse,
        properties: vec![(epc, Binary::from(vec![epc]))],
        second: Vec::new(),
    }))
}

#[otp_bridge::test(application = false)]
async fn requests_are_sent_again_with_other_numbers_until_they_are_answered(
    cx: &Cx<'_>,
) -> Result<()> {
    let lossy = Lossy::start(23620, |epc| match epc {
        0x81 => Habit::ThirdTime,
        0x82 => Habit::Late,
        0x83 => Habit::OtherNumber,
        0x84 => Habit::OtherService,
        0x85 => Habit::Often,
        _ => Habit::Silent,
    })?;
    controller(cx, 23620).await?;
    let codes = [0x81, 0x82, 0x83, 0x84, 0x85, 0x86];
    let asked = codes.map(|epc| cx.call(&CONTROLLER, get(NODE, epc)));
    let answers = join_all(asked).await;
    let expected = [
        value(0x81),
        value(0x82),
        Err(Failure::Timeout),
        Err(Failure::Timeout),
        value(0x85),
        Err(Failure::Timeout),
    ];
    for ((epc, answer), expected) in codes.into_iter().zip(answers).zip(expected) {
        assert_eq!(answer?, expected, "{epc:02X}");
    }
    let tries = codes.map(|epc| lossy.tries(epc).len());
    assert_eq!(tries, [3, 2, 3, 3, 1, 3]);
    let mut numbers: Vec<u16> = codes.into_iter().flat_map(|epc| lossy.tries(epc)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 15, "each try has a number of its own");
    Ok(())
}

/// Makes a hundred concurrent requests, and loses a third of their datagrams. Each answer must
/// reach its own request.
#[otp_bridge::test(application = false)]
async fn answers_reach_their_own_requests_under_loss(cx: &Cx<'_>) -> Result<()> {
    let lossy = Lossy::start(23621, |_| Habit::Chance)?;
    controller(cx, 23621).await?;
    let codes: Vec<u8> = (0x80..0xE4).collect();
    let asked: Vec<_> = codes
        .iter()
        .map(|epc| cx.call(&CONTROLLER, get(NODE, *epc)))
        .collect();
    let answers = join_all(asked).await;
    let mut lost = 0;
    for (epc, answer) in codes.iter().zip(answers) {
        match answer? {
            Err(Failure::Timeout) => {
                lost += 1;
                assert_eq!(lossy.tries(*epc).len(), 3);
            }
            answer => assert_eq!(answer, value(*epc)),
        }
    }
    // Seven tenths of the datagrams arrive, and each request is tried three times, so about three
    // of a hundred requests fail.
    assert!(lost < 20, "{lost} of {}", codes.len());
    assert!(lossy.chances.load(Ordering::Relaxed) > 10);
    Ok(())
}

/// A request to the light of the node, over TCP.
fn over_tcp(esv: Esv, properties: &[(u8, u8)], second: Vec<(u8, Binary)>) -> Ask {
    let owned = properties
        .iter()
        .map(|(epc, edt)| (*epc, Binary::from(vec![*edt])));
    Ask(
        format!("tcp:{NODE}"),
        "029001".to_owned(),
        esv,
        owned.collect(),
        second,
    )
}

#[otp_bridge::test(application = false)]
async fn a_node_is_asked_by_a_controller_over_tcp(cx: &Cx<'_>) -> Result<()> {
    let node = NodeArgs {
        address: NODE.to_owned(),
        port: 23622,
        kind: Kind::LivingRoom,
    };
    cx.start_link::<Node>(node).await?;
    controller(cx, 23622).await?;
    let tcp = format!("tcp:{NODE}");
    let level = PropertyName::Name("lightLevel".to_owned());
    let read = |to: &str| Read(to.to_owned(), "029001".to_owned(), level.clone());
    assert_eq!(
        cx.call(&CONTROLLER, read(&tcp)).await?,
        Ok(Value::Integer(80))
    );
    // A refusal, a request without an answer, one with two lists, and one whose answer is an
    // announcement to all nodes.
    let refused = cx
        .call(&CONTROLLER, over_tcp(Esv::SetC, &[(0xB0, 101)], vec![]))
        .await?;
    assert_eq!(
        refused.map(|it| it.map(|it| it.service)),
        Ok(Some(Esv::SetCRefused))
    );
    assert_eq!(
        cx.call(&CONTROLLER, over_tcp(Esv::SetI, &[(0xB0, 31)], vec![]))
            .await?,
        Ok(None)
    );
    let second = vec![(0xB0, Binary::from(Vec::new()))];
    let both = cx
        .call(&CONTROLLER, over_tcp(Esv::SetGet, &[(0xB0, 32)], second))
        .await?;
    let both = both.ok().flatten().map(|it| (it.service, it.second));
    assert_eq!(
        both,
        Some((Esv::SetGetResponse, vec![(0xB0, Binary::from(vec![32]))]))
    );
    let inf = cx
        .call(&CONTROLLER, over_tcp(Esv::InfReq, &[(0xB0, 0)], vec![]))
        .await?;
    assert_eq!(inf.map(|it| it.map(|it| it.service)), Ok(Some(Esv::Inf)));
    // No node listens at this address.
    assert_eq!(
        cx.call(&CONTROLLER, read("tcp:127.0.0.49")).await?,
        Err(Failure::Timeout)
    );
    Ok(())
}
