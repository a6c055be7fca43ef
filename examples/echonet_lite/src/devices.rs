//! The devices of the example's nodes.

use echonet_lite_derive::{EchonetObject, EchonetValue};
use otp_bridge::Term;
use otp_bridge::term::Ranged;

use crate::device::Instance;
use crate::frame::Eoj;

type Percent = Ranged<u8, 0, 100>;
type Target = Ranged<u8, 0, 50>;
type RoomTemperature = Ranged<i8, { -127 }, 125>;
type Tenths = Ranged<i16, { -2732 }, 32766>;

/// The code for makers who have none.
const MAKER: [u8; 3] = [0xFF, 0xFF, 0xFE];

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term, EchonetValue)]
pub enum Power {
    /// On.
    On = 0x30,
    /// Off.
    Off = 0x31,
}

/// Whether something is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term, EchonetValue)]
pub enum Fault {
    /// Something is.
    Fault = 0x41,
    /// Nothing is.
    NoFault = 0x42,
}

/// Whether a device saves power.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term, EchonetValue)]
pub enum Saving {
    /// It does.
    Saving = 0x41,
    /// It does not.
    Normal = 0x42,
}

/// What all devices have.
#[derive(Debug, Clone, EchonetObject)]
#[echonet(part)]
pub struct Common {
    #[echonet(epc = 0x80, get, set, inf)]
    power: Power,
    #[echonet(epc = 0x81, get, set, inf)]
    location: u8,
    #[echonet(epc = 0x82, get)]
    standard: [u8; 4],
    #[echonet(epc = 0x88, get, inf)]
    fault: Fault,
    #[echonet(epc = 0x8A, get)]
    maker: [u8; 3],
}

impl Common {
    fn new(power: Power) -> Self {
        Common {
            power,
            location: 0x08,
            standard: *b"\0\0R\0",
            fault: Fault::NoFault,
            maker: MAKER,
        }
    }
}

/// How a light shines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term, EchonetValue)]
pub enum LightMode {
    /// As it thinks best.
    Auto = 0x41,
    /// Normally.
    Normal = 0x42,
    /// For the night.
    Night = 0x43,
    /// In colours.
    Colour = 0x45,
}

/// A light.
#[derive(Debug, Clone, EchonetObject)]
#[echonet(class = 0x0290)]
pub struct Light {
    #[echonet(common)]
    common: Common,
    #[echonet(epc = 0xB0, get, set, inf)]
    level: Percent,
    #[echonet(epc = 0xB6, get, set, inf)]
    mode: LightMode,
    #[echonet(epc = 0xC0, get, set, inf)]
    rgb: [u8; 3],
}

/// What an air conditioner does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term, EchonetValue)]
pub enum AirMode {
    /// As it thinks best.
    Auto = 0x41,
    /// Cools.
    Cooling = 0x42,
    /// Heats.
    Heating = 0x43,
    /// Dries the air.
    Dry = 0x44,
    /// Moves the air.
    Fan = 0x45,
}

/// How much air it moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term, EchonetValue)]
pub enum Flow {
    /// The least.
    Level1 = 0x31,
    /// More.
    Level2 = 0x32,
    /// More.
    Level3 = 0x33,
    /// More.
    Level4 = 0x34,
    /// More.
    Level5 = 0x35,
    /// More.
    Level6 = 0x36,
    /// More.
    Level7 = 0x37,
    /// The most.
    Level8 = 0x38,
    /// As it thinks best.
    Auto = 0x41,
}

/// An air conditioner.
#[derive(Debug, Clone, EchonetObject)]
#[echonet(class = 0x0130)]
pub struct AirConditioner {
    #[echonet(common)]
    common: Common,
    #[echonet(epc = 0x8F, get, set, inf)]
    saving: Saving,
    #[echonet(epc = 0xA0, get, set, inf)]
    flow: Flow,
    #[echonet(epc = 0xB0, get, set, inf)]
    mode: AirMode,
    #[echonet(epc = 0xB3, get, set, inf)]
    target: Target,
    #[echonet(epc = 0xBB, get)]
    room: RoomTemperature,
}

/// A thermometer, in tenths of a degree Celsius. Its own node sets it.
#[derive(Debug, Clone, EchonetObject)]
#[echonet(class = 0x0011)]
pub struct Thermometer {
    #[echonet(common)]
    common: Common,
    #[echonet(epc = 0xE0, get, inf)]
    celsius: Tenths,
}

/// A controller.
#[derive(Debug, Clone, EchonetObject)]
#[echonet(class = 0x05FF)]
pub struct ControllerObject {
    #[echonet(common)]
    common: Common,
}

/// What a node says of itself.
#[derive(Debug, Clone, EchonetObject)]
#[echonet(class = 0x0EF0)]
pub struct NodeProfile {
    #[echonet(epc = 0x80, get, inf)]
    power: Power,
    /// 1.13, formats 1 and 2.
    #[echonet(epc = 0x82, get)]
    version: [u8; 4],
    #[echonet(epc = 0x83, get)]
    id: [u8; 17],
    #[echonet(epc = 0x8A, get)]
    maker: [u8; 3],
    #[echonet(epc = 0xD3, get)]
    instance_count: [u8; 3],
    #[echonet(epc = 0xD4, get)]
    class_count: u16,
    #[echonet(epc = 0xD5, get, inf)]
    announced: Vec<u8>,
    #[echonet(epc = 0xD6, get)]
    instances: Vec<u8>,
    #[echonet(epc = 0xD7, get)]
    classes: Vec<u8>,
}

impl NodeProfile {
    /// The profile of a node with these devices. The number tells nodes of one maker apart.
    #[must_use]
    pub fn of(devices: &[Eoj], number: u32) -> Self {
        let [count, class_count] = [devices.len(), classes(devices).len()];
        let mut id = [0; 17];
        id[0] = 0xFE;
        id[1..4].copy_from_slice(&MAKER);
        id[13..].copy_from_slice(&number.to_be_bytes());
        // The lists have one byte for their number, and values end after 255 bytes.
        let listed = &devices[..count.min(84)];
        let instances = [
            &[listed.len() as u8],
            &listed.iter().flat_map(|it| it.bytes()).collect::<Vec<_>>()[..],
        ]
        .concat();
        let all = classes(devices);
        let listed = &all[..class_count.min(8)];
        let of_classes = [
            &[listed.len() as u8],
            &listed
                .iter()
                .flat_map(|it| it.to_be_bytes())
                .collect::<Vec<_>>()[..],
        ];
        let [.., b0, b1, b2] = count.to_be_bytes();
        NodeProfile {
            power: Power::On,
            version: [1, 13, 3, 0],
            id,
            maker: MAKER,
            instance_count: [b0, b1, b2],
            // With the node's own class.
            class_count: class_count as u16 + 1,
            announced: instances.clone(),
            instances,
            classes: of_classes.concat(),
        }
    }
}

fn classes(devices: &[Eoj]) -> Vec<u16> {
    let mut classes: Vec<u16> = devices.iter().map(|it| it.class()).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// What a node has, by its kind, with its profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub enum Kind {
    /// Two lights and an air conditioner.
    LivingRoom,
    /// A thermometer.
    Weather,
    /// A controller.
    Controller,
}

/// The instances of a node of this kind.
#[must_use]
pub fn instances(kind: Kind, number: u32) -> Vec<Instance> {
    let light = |level| Light {
        common: Common::new(Power::Off),
        level,
        mode: LightMode::Normal,
        rgb: [255, 240, 220],
    };
    let mut all = match kind {
        Kind::LivingRoom => vec![
            Instance::new(1, light(Percent::of::<80>())),
            Instance::new(2, light(Percent::of::<40>())),
            Instance::new(
                1,
                AirConditioner {
                    common: Common::new(Power::Off),
                    saving: Saving::Normal,
                    flow: Flow::Auto,
                    mode: AirMode::Auto,
                    target: Target::of::<24>(),
                    room: RoomTemperature::of::<26>(),
                },
            ),
        ],
        Kind::Weather => vec![Instance::new(
            1,
            Thermometer {
                common: Common::new(Power::On),
                celsius: Tenths::of::<215>(),
            },
        )],
        Kind::Controller => vec![Instance::new(
            1,
            ControllerObject {
                common: Common::new(Power::On),
            },
        )],
    };
    let eojs: Vec<Eoj> = all.iter().map(|it| it.eoj).collect();
    all.push(Instance::new(1, NodeProfile::of(&eojs, number)));
    all
}
