//! The object classes and their properties, from the facts in `facts/objects.txt`.
//!
//! The facts of a class are read when it is asked for first, so that no callback reads all of them
//! at once.

mod data;
mod schema;
mod text;
mod value;

use std::sync::{LazyLock, OnceLock};

pub use data::{Access, Data, Rule, State};
pub use schema::schema;
pub use value::Value;

/// What all devices have beside their class's own properties.
const COMMON: u16 = 0;

/// A class of objects.
#[derive(Debug)]
pub struct Class {
    /// The group and the class.
    pub code: u16,
    /// Its short name.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its properties, sorted by code; of one with several releases, the last one counts.
    pub properties: Vec<Property>,
}

/// A property of a class.
#[derive(Debug)]
pub struct Property {
    /// Its code.
    pub epc: u8,
    /// Its short name.
    pub name: &'static str,
    /// The release of the appendix with which this description begins, and the one with which it
    /// has ended, if it has.
    pub releases: (&'static str, &'static str),
    /// What may be done with it.
    pub access: Access,
    /// What its value is.
    pub data: Data,
}

/// A class whose facts may not have been read yet.
struct Unread {
    code: u16,
    text: &'static str,
    class: OnceLock<Class>,
}

static CLASSES: LazyLock<Vec<Unread>> = LazyLock::new(|| {
    let unread = |(code, text)| Unread {
        code,
        text,
        class: OnceLock::new(),
    };
    text::classes(include_str!("../../facts/objects.txt"))
        .map(unread)
        .collect()
});

impl Unread {
    fn class(&self) -> &Class {
        self.class.get_or_init(|| text::class(self.text))
    }
}

/// All classes.
pub fn classes() -> impl Iterator<Item = &'static Class> {
    CLASSES.iter().map(Unread::class)
}

/// The class of a code.
#[must_use]
pub fn class(code: u16) -> Option<&'static Class> {
    let unread = CLASSES.iter().find(|it| it.code == code);
    unread.map(Unread::class)
}

impl Class {
    /// Its own property of this code.
    #[must_use]
    pub fn own_property(&self, epc: u8) -> Option<&Property> {
        self.properties.iter().rev().find(|it| it.epc == epc)
    }
}

/// The property of a class, which may be one that all devices have.
#[must_use]
pub fn property(code: u16, epc: u8) -> Option<&'static Property> {
    let own = class(code).and_then(|class| class.own_property(epc));
    // The node profile is not a device.
    let is_device = code >> 8 != 0x0E;
    own.or_else(|| class(COMMON).filter(|_| is_device)?.own_property(epc))
}

/// The same by its short name.
#[must_use]
pub fn named(code: u16, name: &str) -> Option<&'static Property> {
    let of = |code| {
        let all = class(code)
            .into_iter()
            .flat_map(|class| class.properties.iter().rev());
        all.into_iter().find(|it| it.name == name)
    };
    of(code).or_else(|| of(COMMON))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_facts_are_read() {
        assert_eq!(classes().count(), 57);
        let properties: usize = classes().map(|class| class.properties.len()).sum();
        assert_eq!(properties, 982);
    }

    #[test]
    fn a_property_is_found_by_code_and_name() {
        let level = property(0x0290, 0xB0).expect("it is there");
        assert_eq!(level.name, "lightLevel");
        assert_eq!(named(0x0290, "lightLevel").map(|it| it.epc), Some(0xB0));
        // Of all devices, and of the last release.
        assert_eq!(
            property(0x0290, 0x8A).map(|it| it.releases),
            Some(("R", ""))
        );
        assert!(property(0x0EF0, 0xB1).is_none());
    }

    /// For every property: a value that was read from bytes is written as bytes that have the same
    /// value.
    #[test]
    fn values_are_written_and_read_again() {
        let mut random = fastrand::Rng::with_seed(3);
        for property in classes().flat_map(|class| &class.properties) {
            let mut count = 0;
            for _ in 0..20_000 {
                let edt = sample(&property.data, &mut random);
                let Some(value) = property.data.decode(&edt) else {
                    continue;
                };
                let written = property.data.encode(&value);
                let written =
                    written.unwrap_or_else(|| panic!("{property:?} {value:?} of {edt:02X?}"));
                assert_eq!(property.data.decode(&written), Some(value), "{property:?}");
                count += 1;
                if count == 20 {
                    break;
                }
            }
            assert!(count > 0, "{property:?} has no value");
        }
    }

    /// Bytes that are likely to be a value.
    fn sample(data: &Data, random: &mut fastrand::Rng) -> Vec<u8> {
        match data {
            Data::OneOf(all) => sample(&all[random.usize(..all.len())], random),
            Data::State { values, .. } => values[random.usize(..values.len())].last.to_vec(),
            Data::Object(fields) => fields
                .iter()
                .flat_map(|(_, field)| sample(field, random))
                .collect(),
            Data::List {
                items, least, most, ..
            } => {
                let count = random.usize(*least..=*most.min(&(least + 3)));
                (0..count).flat_map(|_| sample(items, random)).collect()
            }
            Data::Level { size, base, count } => {
                (base + random.u32(..*count)).to_be_bytes()[4 - size..].to_vec()
            }
            Data::Date { size } => {
                let all = [
                    20,
                    random.u8(20..28),
                    random.u8(1..13),
                    random.u8(1..29),
                    random.u8(..24),
                    30,
                    59,
                ];
                let mut all = all.to_vec();
                all.splice(..2, (random.u16(2000..2100)).to_be_bytes());
                all.truncate(*size);
                all
            }
            Data::Time { size } => {
                [random.u8(..24), random.u8(..60), random.u8(..60)][..*size].to_vec()
            }
            Data::Number(number) => {
                let value = random.i64(number.least..=number.most);
                value.to_be_bytes()[8 - number.size..].to_vec()
            }
            Data::Raw { least, .. } => (0..*least).map(|_| random.u8(..)).collect(),
            Data::Bits { size, .. } => (0..*size).map(|_| random.u8(..)).collect(),
        }
    }

    #[test]
    fn no_bytes_and_no_value_are_too_odd() {
        let mut random = fastrand::Rng::with_seed(4);
        let values = [
            Value::Integer(300),
            Value::Float(f64::NAN),
            Value::Text("é0G1".to_owned()),
            Value::List(vec![]),
        ];
        for property in classes().flat_map(|class| &class.properties) {
            for length in 0..20 {
                let edt: Vec<u8> = (0..length).map(|_| random.u8(..)).collect();
                let _ = property.data.decode(&edt);
            }
            for value in &values {
                let _ = property.data.encode(value);
            }
        }
    }
}
