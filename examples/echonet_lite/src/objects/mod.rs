//! The object classes and their properties, parsed from the facts in `facts/objects.txt`.
//!
//! The facts of a class are parsed when they are first needed, so that no callback has to parse all
//! of them at once.

mod data;
mod schema;
mod text;
mod value;

use std::sync::{LazyLock, OnceLock};

pub use data::{Access, Data, Rule, State};
pub use schema::schema;
pub use value::Value;

/// Code of the properties that all devices have in addition to those of their class.
const COMMON: u16 = 0;

/// A class of objects.
#[derive(Debug)]
pub struct Class {
    /// Group and class.
    pub code: u16,
    /// The class's short name.
    pub name: &'static str,
    /// The class's title.
    pub title: &'static str,
    /// The properties, sorted by code. If a property has several releases, the last one counts.
    pub properties: Vec<Property>,
}

/// A property of a class.
#[derive(Debug)]
pub struct Property {
    /// The property's code.
    pub epc: u8,
    /// The property's short name.
    pub name: &'static str,
    /// The release of the appendix in which this description first appears, and the one in which it
    /// ends, if there is one.
    pub releases: (&'static str, &'static str),
    /// The supported kinds of access.
    pub access: Access,
    /// Type of the value.
    pub data: Data,
}

/// A class whose facts may not have been parsed yet.
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

/// Returns all classes.
pub fn classes() -> impl Iterator<Item = &'static Class> {
    CLASSES.iter().map(Unread::class)
}

/// Returns the class with a code.
#[must_use]
pub fn class(code: u16) -> Option<&'static Class> {
    let unread = CLASSES.iter().find(|it| it.code == code);
    unread.map(Unread::class)
}

impl Class {
    /// Returns the class's own property with this code.
    #[must_use]
    pub fn own_property(&self, epc: u8) -> Option<&Property> {
        self.properties.iter().rev().find(|it| it.epc == epc)
    }
}

/// Returns the property of a class, which may be one that all devices have.
#[must_use]
pub fn property(code: u16, epc: u8) -> Option<&'static Property> {
    let own = class(code).and_then(|class| class.own_property(epc));
    // The node profile is not a device.
    let is_device = code >> 8 != 0x0E;
    own.or_else(|| class(COMMON).filter(|_| is_device)?.own_property(epc))
}

/// Returns a property by its short name.
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
        // A property of all devices, in its last release.
        assert_eq!(
            property(0x0290, 0x8A).map(|it| it.releases),
            Some(("R", ""))
        );
        assert!(property(0x0EF0, 0xB1).is_none());
    }

    /// For every property: decoding a value and encoding it gives bytes with an equal value.
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

    /// Returns random bytes that are likely to be a value.
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
