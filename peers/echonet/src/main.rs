//! The crate echonet: a controller and a light that read commands from lines.
//! `examples/echonet_lite/tests/common/peer.rs` has the commands.

use std::error::Error;
use std::fmt::Write;
use std::io::{BufRead, stdin};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use echonet::protocol::{ESV, Message, Property};
use echonet::{Controller, Device, Node, Object, RemoteNode, RequestHandler};

type Outcome<T> = Result<T, Box<dyn Error>>;

const LIGHT: u32 = 0x02_90_01;
const PROFILE: u32 = 0x0E_F0_01;
const PATIENCE: Duration = Duration::from_millis(100);
const TRIES: usize = 20;
/// The properties that every node profile must have.
const MANDATORY: [u8; 12] = [
    0x80, 0x82, 0x83, 0x8A, 0x9D, 0x9E, 0x9F, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7,
];

/// Accepts all requests to set the light.
struct Yes;

impl RequestHandler for Yes {
    fn property_request_received(&mut self, object: &mut Object, _: ESV, _: &Property) -> bool {
        object.code() == LIGHT
    }
}

fn number(digits: &str) -> Outcome<u32> {
    Ok(u32::from_str_radix(digits, 16)?)
}

fn bytes(digits: &str) -> Outcome<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?))
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Parses a frame. The library numbers a frame without a number when it sends it.
fn message(text: &str) -> Outcome<Message> {
    let words: Vec<&str> = text.split(' ').collect();
    let [tid, seoj, deoj, esv, lists @ ..] = &words[..] else {
        return Err("not a frame".into());
    };
    let mut message = Message::new();
    message
        .set_tid(u16::from_str_radix(tid, 16)?)
        .set_seoj(number(seoj)?)
        .set_deoj(number(deoj)?);
    message.set_esv(ESV::from_u8(u8::from_str_radix(esv, 16)?));
    for (at, list) in lists.iter().enumerate() {
        for pair in list.split(',').filter(|it| *it != "-") {
            let (epc, edt) = pair.split_once(':').ok_or("not a property")?;
            let property = Property::from(u8::from_str_radix(epc, 16)?, bytes(edt)?);
            match (lists.len(), at) {
                (1, _) => message.add_property(property),
                (_, 0) => message.add_property_set(property),
                _ => message.add_property_get(property),
            };
        }
    }
    Ok(message)
}

fn text(message: &Message) -> String {
    let list = |all: &Vec<Property>| {
        let pairs = all
            .iter()
            .map(|it| format!("{:02x}:{}", it.code(), hex(it.data())));
        let list = pairs.collect::<Vec<_>>().join(",");
        if list.is_empty() {
            "-".to_owned()
        } else {
            list
        }
    };
    let esv = message.esv();
    let lists = match esv {
        ESV::WriteReadRequest | ESV::WriteReadResponse | ESV::WriteReadRequestError => {
            let (set, get) = (message.properties_set(), message.properties_get());
            format!("{} {}", list(set), list(get))
        }
        _ => list(message.properties()),
    };
    let (seoj, deoj) = (message.seoj(), message.deoj());
    let (tid, esv) = (message.tid(), esv as u8);
    format!("{tid:04x} {seoj:06x} {deoj:06x} {esv:02x} {lists}")
}

struct Peer {
    controller: Controller,
    light: Device,
}

impl Peer {
    fn start() -> Outcome<Self> {
        let node = Node::new();
        let mut controller = Controller::new_with_node(node.clone());
        let mut light = Device::new_with_node(LIGHT, node);
        light.set_request_handler(Arc::new(Mutex::new(Yes)));
        if !controller.start() {
            return Err("the controller does not start".into());
        }
        light.set_property(0x80, &[0x31]);
        light.set_property(0xB0, &[0x32]);
        Ok(Peer { controller, light })
    }

    fn command(&mut self, line: &str) -> Outcome<String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        Ok(match word {
            "build" => hex(&message(rest)?.bytes()),
            "parse" => {
                let mut message = Message::new();
                match message.parse(&bytes(rest)?) {
                    true => text(&message),
                    false => "malformed".to_owned(),
                }
            }
            "ask" => self.ask(rest)?,
            "discover" => {
                let node = self.found(rest.parse()?)?;
                let codes = node.objects().iter().map(|it| it.code());
                let mut devices: Vec<String> = codes
                    .filter(|code| *code != PROFILE)
                    .map(|code| format!("{code:06x}"))
                    .collect();
                devices.sort();
                devices.join(",")
            }
            "announce" => self.announce(rest)?,
            "measure" => {
                let (node, rounds) = rest.split_once(' ').ok_or("two words")?;
                let node = self.found(node.parse()?)?;
                let (micros, lost) = self.measure(&node, rounds.parse()?)?;
                format!("{micros} {lost}")
            }
            _ => "unsupported".to_owned(),
        })
    }

    /// Sends a request to a node, and returns its answer.
    fn ask(&mut self, rest: &str) -> Outcome<String> {
        let (node, frame) = rest.split_once(' ').ok_or("no frame")?;
        let (tid, _) = frame.split_once(' ').ok_or("no number")?;
        let mut remote = RemoteNode::new();
        remote.set_addr((node.parse::<IpAddr>()?, 3610).into());
        // The library loses answers that arrive while it still holds its own lock.
        for _ in 0..TRIES {
            let mut message = message(frame)?;
            message.set_tid(0);
            let answer = self.controller.post_message(&remote, &mut message);
            if let Ok(mut answer) = answer.recv_timeout(PATIENCE) {
                // The library has sent the request with another number, so the number of the
                // request is restored.
                return Ok(text(answer.set_tid(u16::from_str_radix(tid, 16)?)));
            }
        }
        Ok("none".to_owned())
    }

    fn announce(&mut self, rest: &str) -> Outcome<String> {
        let [eoj, epc, edt] = rest.split(' ').collect::<Vec<_>>()[..] else {
            return Err("three words".into());
        };
        self.light
            .set_property(u8::from_str_radix(epc, 16)?, &bytes(edt)?);
        let mut message = message(&format!("0000 {eoj} 0ef001 73 {epc}:{edt}"))?;
        let node = self.light.node();
        let mut node = node.lock().map_err(|_| "poisoned")?;
        node.notify(&mut message);
        Ok("ok".to_owned())
    }

    /// Returns the node with its devices. If the node has sent any other message first, the library
    /// does not know its devices.
    fn found(&mut self, address: IpAddr) -> Outcome<RemoteNode> {
        let has_devices = |it: &RemoteNode| it.objects().iter().any(|it| it.code() != PROFILE);
        for _ in 0..20 {
            self.controller.search();
            sleep(Duration::from_millis(100));
            let mut nodes = self.controller.nodes().into_iter();
            if let Some(node) = nodes.find(|it| it.addr().ip() == address && has_devices(it)) {
                return Ok(node);
            }
        }
        Err("the node is not found".into())
    }

    /// Reads the mandatory properties of the node profile one after the other, `rounds` times.
    /// Returns the microseconds that this takes, and the number of lost answers.
    fn measure(&self, node: &RemoteNode, rounds: u64) -> Outcome<(u128, u64)> {
        let (begun, mut lost) = (Instant::now(), 0);
        for _ in 0..rounds {
            for epc in MANDATORY {
                let mut message = Message::new();
                message.set_esv(ESV::ReadRequest).set_deoj(PROFILE);
                message.add_property(Property::from(epc, Vec::new()));
                let answer = self.controller.post_message(node, &mut message);
                lost += u64::from(answer.recv_timeout(PATIENCE).is_err());
            }
        }
        Ok((begun.elapsed().as_micros(), lost))
    }
}

fn main() -> Outcome<()> {
    let mut peer = Peer::start()?;
    println!("ready");
    for line in stdin().lock().lines() {
        match peer.command(&line?) {
            Ok(answer) => println!("{answer}"),
            Err(error) => println!("failed {error}"),
        }
    }
    Ok(())
}
