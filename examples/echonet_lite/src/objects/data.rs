//! What the values of properties are.

/// Whether something may be done with a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Every object of the class can do it.
    Required,
    /// Every object can that fulfils a condition of the specification.
    Conditional,
    /// Some can.
    Optional,
    /// None can.
    Absent,
}

/// What may be done with a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// Reading.
    pub get: Rule,
    /// Writing.
    pub set: Rule,
    /// Announcing that it has changed.
    pub inf: Rule,
}

/// What a property's value, or a part of it, is.
#[derive(Debug)]
pub enum Data {
    /// A number.
    Number(Number),
    /// One of several codes. Those with the names `true` and `false` are booleans.
    State {
        /// The number of bytes; 0 for some bits of a [`Data::Bits`].
        size: usize,
        /// Their codes and names.
        values: Vec<State>,
    },
    /// A level from 1 on.
    Level {
        /// The number of bytes.
        size: usize,
        /// The code of level 1.
        base: u32,
        /// How many levels there are.
        count: u32,
    },
    /// Bytes.
    Raw {
        /// The least number of them.
        least: usize,
        /// The largest number of them.
        most: usize,
    },
    /// Hour and minute, and of size 3 the second.
    Time {
        /// The number of bytes.
        size: usize,
    },
    /// A year (two bytes), month and day; of size 6 hour and minute, of size 7 also the second.
    Date {
        /// The number of bytes.
        size: usize,
    },
    /// Several of one kind.
    List {
        /// The bytes of each.
        size: usize,
        /// The least number of them.
        least: usize,
        /// The largest number of them.
        most: usize,
        /// What they are.
        items: Box<Data>,
    },
    /// Several with names, one behind the other.
    Object(Vec<(&'static str, Data)>),
    /// Several with names, within the same bytes.
    Bits {
        /// The number of bytes.
        size: usize,
        /// The name, the byte and the bits of each.
        fields: Vec<(&'static str, usize, u8, Data)>,
    },
    /// The first of these that fits.
    OneOf(Vec<Data>),
}

/// A state.
#[derive(Debug)]
pub struct State {
    /// The first code of it.
    pub first: Box<[u8]>,
    /// The last one, mostly the same.
    pub last: Box<[u8]>,
    /// Its name.
    pub name: &'static str,
}

impl State {
    /// Whether this is one of its codes.
    #[must_use]
    pub fn contains(&self, code: &[u8]) -> bool {
        code.len() == self.first.len() && (&*self.first..=&*self.last).contains(&code)
    }
}

/// A number.
#[derive(Debug)]
pub struct Number {
    /// The number of bytes.
    pub size: usize,
    /// Whether it may be negative.
    pub is_signed: bool,
    /// The smallest one, as it is in the bytes.
    pub least: i64,
    /// The largest one, as it is in the bytes.
    pub most: i64,
    /// What it stands for is the number times `times`, divided by `divisor`.
    pub times: i64,
    /// See `times`.
    pub divisor: i64,
    /// The property that it is to be multiplied with as well.
    pub coefficient: Option<u8>,
    /// The unit, or nothing.
    pub unit: &'static str,
}

impl Data {
    /// The least and the largest number of bytes.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        match self {
            Data::Number(number) => (number.size, number.size),
            Data::State { size, .. } | Data::Bits { size, .. } => (*size, *size),
            Data::Time { size } | Data::Date { size } | Data::Level { size, .. } => (*size, *size),
            Data::Raw { least, most } => (*least, *most),
            Data::List {
                size, least, most, ..
            } => (size * least, size * most),
            Data::Object(fields) => fields.iter().fold((0, 0), |(least, most), (_, field)| {
                let (a, b) = field.size();
                (least + a, most + b)
            }),
            Data::OneOf(all) => {
                let sizes = all.iter().map(Data::size);
                sizes
                    .reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
                    .unwrap_or((0, 0))
            }
        }
    }
}
