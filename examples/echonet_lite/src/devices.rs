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

/// Code for makers without a code of their own.
const MAKER: [u8; 3] = [0xFF, 0xFF, 0xFE];

/// Whether a device is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term, EchonetValue)]
pub enum Power {
    /// On.
    On = 0x30,
    /// Off.
    Off = 0x31,
}

/// Whether a device has a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term, EchonetValue)]
pub enum Fault {
    /// The device has a fault.
    Fault = 0x41,
    /// The device has no fault.
    NoFault = 0x42,
}

/// Whether a device saves power.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term, EchonetValue)]
pub enum Saving {
    /// Saves power.
    Saving = 0x41,
    /// Works normally.
    Normal = 0x42,
}

/// Properties that all devices have.
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

/// Mode of a light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term, EchonetValue)]
pub enum LightMode {
    /// Chosen automatically.
    Auto = 0x41,
    /// Normal light.
    Normal = 0x42,
    /// Night light.
    Night = 0x43,
    /// Coloured light.
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

/// Mode of an air conditioner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term, EchonetValue)]
pub enum AirMode {
    /// Chosen automatically.
    Auto = 0x41,
    /// Cooling.
    Cooling = 0x42,
    /// Heating.
    Heating = 0x43,
    /// Drying the air.
    Dry = 0x44,
    /// Only moving the air.
    Fan = 0x45,
}

/// Air flow of an air conditioner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term, EchonetValue)]
pub enum Flow {
    /// The lowest level.
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
    /// The highest level.
    Level8 = 0x38,
    /// Chosen automatically.
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

/// A thermometer, in tenths of a degree Celsius. The node itself sets the value.
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

/// The node profile: a node's description of itself.
#[derive(Debug, Clone, EchonetObject)]
#[echonet(class = 0x0EF0)]
pub struct NodeProfile {
    #[echonet(epc = 0x80, get, inf)]
    power: Power,
    /// Version 1.13, formats 1 and 2.
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
    /// Returns the profile of a node with these devices. The number distinguishes nodes of one
    /// maker.
    #[must_use]
    pub fn of(devices: &[Eoj], number: u32) -> Self {
        let [count, class_count] = [devices.len(), classes(devices).len()];
        let mut id = [0; 17];
        id[0] = 0xFE;
        id[1..4].copy_from_slice(&MAKER);
        id[13..].copy_from_slice(&number.to_be_bytes());
        // The number of objects in a list is one byte, and a value has at most 255 bytes.
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
            // The count includes the node's own class.
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

/// Kinds of nodes, by their devices. Each node also has a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub enum Kind {
    /// Two lights and an air conditioner.
    LivingRoom,
    /// A thermometer.
    Weather,
    /// A controller.
    Controller,
}

/// Returns the instances of a node of this kind.
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
