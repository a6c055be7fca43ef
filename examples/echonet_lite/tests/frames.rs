//! Frames of every service, valid and invalid, and a node's answers.

use echonet_lite::device::{EchonetProperties, Instance, Objects, Outgoing};
use echonet_lite::devices::{Kind, instances};
use echonet_lite::frame::{Eoj, Esv, Frame, Malformed, Message, NODE_PROFILE, Writer};
use echonet_lite::objects::{self, Rule};
use echonet_lite::property_map::PropertyMap;
use otp_bridge_novm as _;

const CONTROLLER: Eoj = Eoj(0x05, 0xFF, 0x01);
const LIGHT: Eoj = Eoj(0x02, 0x90, 0x01);

/// Encodes a frame with these properties. Those after a `None` belong to the second list.
fn written(to: Eoj, esv: Esv, properties: &[Option<(u8, &[u8])>]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut writer = Writer::begin(&mut out, 7, CONTROLLER, to, esv);
    for property in properties {
        match property {
            Some((epc, edt)) => assert!(writer.property(*epc, edt)),
            None => writer.next_list(),
        }
    }
    out
}

fn parsed(bytes: &[u8]) -> Frame<'_> {
    match Message::parse(bytes) {
        Ok(Message::Frame(frame)) => frame,
        other => panic!("{other:?} of {bytes:02X?}"),
    }
}

/// Returns the answers of the living room: each frame, and whether it goes to all nodes.
fn answers(objects: &mut Objects, request: &[u8]) -> Vec<(Vec<u8>, bool)> {
    let mut out = Outgoing::default();
    objects.answer(&parsed(request), &mut out);
    out.iter()
        .map(|(frame, is_for_all)| (frame.to_vec(), is_for_all))
        .collect()
}

fn living_room() -> Objects {
    Objects::new(instances(Kind::LivingRoom, 2))
}

/// Returns the service and the properties of the only answer.
fn answer(objects: &mut Objects, request: &[u8]) -> (Esv, Vec<(u8, Vec<u8>)>) {
    let all = answers(objects, request);
    let frame = parsed(&all.first().expect("an answer").0);
    assert_eq!(frame.tid, 7);
    let lists = frame.properties.iter().chain(frame.second.iter());
    (
        frame.esv,
        lists.map(|(epc, edt)| (epc, edt.to_vec())).collect(),
    )
}

fn random_frame(random: &mut fastrand::Rng) -> Vec<u8> {
    let esv = Esv::ALL[random.usize(..Esv::ALL.len())];
    let to = [
        NODE_PROFILE,
        LIGHT,
        Eoj(0x02, 0x90, 0),
        Eoj(random.u8(..), random.u8(..), random.u8(..)),
    ][random.usize(..4)];
    let mut out = Vec::new();
    let mut writer = Writer::begin(&mut out, random.u16(..), CONTROLLER, to, esv);
    for list in 0..1 + usize::from(esv.has_two_lists()) {
        if list == 1 {
            writer.next_list();
        }
        for _ in 0..random.usize(..5) {
            let most = [3, 256][random.usize(..2)];
            let edt: Vec<u8> = (0..random.usize(..most)).map(|_| random.u8(..)).collect();
            assert!(writer.property(random.u8(0x80..), &edt));
        }
    }
    out
}

#[test]
fn a_frame_is_written_as_it_was_read() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..20_000 {
        let bytes = random_frame(&mut random);
        let mut again = Vec::new();
        parsed(&bytes).write(&mut again);
        assert_eq!(again, bytes);
        // In a stream, frames follow each other.
        let two = [&bytes[..], &bytes].concat();
        let (first, rest) = Frame::parse(&two).expect("a frame");
        assert_eq!((first, rest), (parsed(&bytes), &bytes[..]));
    }
    let arbitrary = Message::parse(&[0x10, 0x82, 1, 2, 3]);
    assert_eq!(
        arbitrary,
        Ok(Message::Arbitrary {
            tid: 0x0102,
            data: &[3]
        })
    );
}

/// Sends every service to a node, cut at every length, and with every byte changed to every value.
#[test]
fn broken_frames_are_refused_or_have_no_answer() {
    let mut objects = living_room();
    for esv in Esv::ALL {
        let second: &[Option<(u8, &[u8])>] = if esv.has_two_lists() {
            &[None, Some((0x80, &[]))]
        } else {
            &[]
        };
        let whole = written(
            LIGHT,
            *esv,
            &[&[Some((0xB0, &[50][..])), Some((0xE7, &[]))], second].concat(),
        );
        for length in 0..whole.len() {
            let cut = Message::parse(&whole[..length]);
            assert!(
                matches!(cut, Err(Malformed::Short(_))),
                "{esv:?} {length}: {cut:?}"
            );
        }
        let longer = [&whole[..], &[0]].concat();
        assert_eq!(Message::parse(&longer), Err(Malformed::Long(1)));
        for at in 0..whole.len() {
            for byte in 0..=255 {
                let mut changed = whole.clone();
                changed[at] = byte;
                if let Ok(Message::Frame(frame)) = Message::parse(&changed) {
                    let mut out = Outgoing::default();
                    objects.answer(&frame, &mut out);
                    for (frame, _) in out.iter() {
                        parsed(frame);
                    }
                }
            }
        }
    }
}

#[test]
fn random_frames_have_answers_that_are_frames() {
    let mut random = fastrand::Rng::with_seed(2);
    let mut objects = living_room();
    for _ in 0..20_000 {
        let request = random_frame(&mut random);
        for (bytes, is_for_all) in answers(&mut objects, &request) {
            let (frame, request) = (parsed(&bytes), parsed(&request));
            assert!(frame.esv.answers(request.esv) || is_for_all && frame.esv == Esv::Inf);
        }
    }
}

#[test]
fn each_request_is_answered_as_the_specification_says() {
    let mut room = living_room();
    let get = answer(
        &mut room,
        &written(LIGHT, Esv::Get, &[Some((0x80, &[])), Some((0xB0, &[]))]),
    );
    assert_eq!(
        get,
        (Esv::GetResponse, vec![(0x80, vec![0x31]), (0xB0, vec![80])])
    );
    let refused = answer(
        &mut room,
        &written(LIGHT, Esv::Get, &[Some((0x80, &[])), Some((0xF0, &[]))]),
    );
    assert_eq!(
        refused,
        (Esv::GetRefused, vec![(0x80, vec![0x31]), (0xF0, vec![])])
    );
    let set = answer(
        &mut room,
        &written(LIGHT, Esv::SetC, &[Some((0xB0, &[70]))]),
    );
    assert_eq!(set, (Esv::SetResponse, vec![(0xB0, vec![])]));
    let range = answer(
        &mut room,
        &written(
            LIGHT,
            Esv::SetC,
            &[Some((0xB0, &[101])), Some((0x80, &[0x30]))],
        ),
    );
    assert_eq!(
        range,
        (Esv::SetCRefused, vec![(0xB0, vec![101]), (0x80, vec![])])
    );
    let both = written(
        LIGHT,
        Esv::SetGet,
        &[Some((0xB0, &[30])), None, Some((0xB0, &[]))],
    );
    assert_eq!(
        answer(&mut room, &both),
        (Esv::SetGetResponse, vec![(0xB0, vec![]), (0xB0, vec![30])])
    );
    let read_only = written(
        LIGHT,
        Esv::SetGet,
        &[Some((0x82, &[0; 4])), None, Some((0xB0, &[]))],
    );
    assert_eq!(answer(&mut room, &read_only).0, Esv::SetGetRefused);
    let confirmed = answer(
        &mut room,
        &written(NODE_PROFILE, Esv::InfC, &[Some((0xD5, &[0]))]),
    );
    assert_eq!(confirmed, (Esv::InfCResponse, vec![(0xD5, vec![])]));
    let silent = written(LIGHT, Esv::SetI, &[Some((0x81, &[0x08]))]);
    assert_eq!(answers(&mut room, &silent), []);
    let wrong = answer(
        &mut room,
        &written(LIGHT, Esv::SetI, &[Some((0xB0, &[1, 2]))]),
    );
    assert_eq!(wrong, (Esv::SetIRefused, vec![(0xB0, vec![1, 2])]));
}

#[test]
fn everybody_hears_what_was_asked_for_and_what_has_changed() {
    let mut room = living_room();
    let list = answers(
        &mut room,
        &written(NODE_PROFILE, Esv::InfReq, &[Some((0xD5, &[]))]),
    );
    let frame = parsed(&list[0].0);
    assert_eq!(
        (frame.esv, frame.to, list[0].1),
        (Esv::Inf, NODE_PROFILE, true)
    );
    assert_eq!(
        frame.properties.iter().next(),
        Some((0xD5, &[3, 2, 0x90, 1, 2, 0x90, 2, 1, 0x30, 1][..]))
    );
    let none = answers(
        &mut room,
        &written(LIGHT, Esv::InfReq, &[Some((0xF0, &[]))]),
    );
    assert_eq!(
        (parsed(&none[0].0).esv, parsed(&none[0].0).to, none[0].1),
        (Esv::InfRefused, CONTROLLER, false)
    );
    // A request to all lights; one of them is already on.
    answers(
        &mut room,
        &written(LIGHT, Esv::SetI, &[Some((0x80, &[0x30]))]),
    );
    let all = answers(
        &mut room,
        &written(Eoj(0x02, 0x90, 0), Esv::SetC, &[Some((0x80, &[0x30]))]),
    );
    let services: Vec<_> = all
        .iter()
        .map(|(it, is_for_all)| (parsed(it).esv, parsed(it).from.instance(), *is_for_all))
        .collect();
    assert_eq!(
        services,
        [
            (Esv::SetResponse, 1, false),
            (Esv::SetResponse, 2, false),
            (Esv::Inf, 2, true)
        ]
    );
}

#[test]
fn what_is_for_others_has_no_answer() {
    let mut room = living_room();
    for (to, esv) in [
        (Eoj(0x02, 0x90, 9), Esv::Get),
        (Eoj(0x01, 0x35, 1), Esv::SetC),
        (LIGHT, Esv::GetResponse),
        (LIGHT, Esv::Inf),
    ] {
        assert_eq!(
            answers(&mut room, &written(to, esv, &[Some((0x80, &[]))])),
            []
        );
    }
    assert_eq!(answers(&mut room, &written(LIGHT, Esv::Get, &[])), []);
}

/// The typed devices agree with the facts about their classes.
#[test]
fn devices_are_what_the_appendix_says() {
    for kind in [Kind::LivingRoom, Kind::Weather, Kind::Controller] {
        for instance in instances(kind, 1) {
            let class = instance.eoj.class();
            let map = |epc: u8| {
                let mut edt = Vec::new();
                assert!(instance.get(epc, &mut edt));
                PropertyMap::read(&edt).expect("a map")
            };
            let [inf, set, get] = [0x9D, 0x9E, 0x9F].map(map);
            let own = objects::class(class).expect("a class").properties.iter();
            let common = objects::class(0).expect("a class").properties.iter();
            let is_device = class != 0x0EF0;
            for epc in own.chain(common.filter(|_| is_device)).map(|it| it.epc) {
                let fact = objects::property(class, epc).expect("a property");
                let rules = [
                    (fact.access.get, get),
                    (fact.access.set, set),
                    (fact.access.inf, inf),
                ];
                for (rule, map) in rules {
                    assert!(
                        rule != Rule::Required || map.contains(epc),
                        "{class:04X} {fact:?}"
                    );
                    assert!(
                        rule != Rule::Absent || !map.contains(epc),
                        "{class:04X} {fact:?}"
                    );
                }
            }
            for epc in get.iter() {
                let fact = objects::property(class, epc)
                    .unwrap_or_else(|| panic!("{class:04X} {epc:02X}"));
                let mut edt = Vec::new();
                assert!(
                    instance.get(epc, &mut edt) && fact.data.decode(&edt).is_some(),
                    "{fact:?} {edt:02X?}"
                );
            }
            values_are_in_range(instance, class, set);
        }
    }
}

/// A device accepts no byte that is not a value in the appendix.
fn values_are_in_range(mut instance: Instance, class: u16, set: PropertyMap) {
    for epc in set.iter() {
        let fact = objects::property(class, epc).expect("a property");
        for byte in 0..=255 {
            let is_set = instance.set(epc, &[byte]);
            assert!(
                !is_set || fact.data.decode(&[byte]).is_some(),
                "{fact:?} takes {byte:02X}"
            );
        }
    }
}

#[test]
fn a_derived_object_knows_its_properties() {
    let mut profile = echonet_lite::devices::NodeProfile::of(&[LIGHT], 1);
    let properties = profile.properties();
    // The mandatory properties of the node profile, without the three maps.
    let codes: Vec<u8> = properties.iter().map(|it| it.epc).collect();
    assert_eq!(
        codes,
        [0x80, 0x82, 0x83, 0x8A, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7]
    );
    // The device itself can set this property; `Instance` denies it to other nodes.
    assert!(profile.set(0x80, &[0x31]) && !profile.set(0x80, &[0x32]));
    let mut edt = Vec::new();
    assert!(profile.get(0xD4, &mut edt));
    assert_eq!(edt, [0, 2]);
}
