//! The types of property values.

/// Whether a property supports a kind of access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Every object of the class supports it.
    Required,
    /// Every object that fulfils a condition of the specification supports it.
    Conditional,
    /// Some objects support it.
    Optional,
    /// No object supports it.
    Absent,
}

/// The kinds of access that a property supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// Reading.
    pub get: Rule,
    /// Writing.
    pub set: Rule,
    /// Announcing that it has changed.
    pub inf: Rule,
}

/// Type of a property's value, or of a part of it.
#[derive(Debug)]
pub enum Data {
    /// A number.
    Number(Number),
    /// One of several codes. States named `true` and `false` form a boolean.
    State {
        /// Number of bytes; 0 for bits of a [`Data::Bits`].
        size: usize,
        /// The codes and their names.
        values: Vec<State>,
    },
    /// A level, counted from 1.
    Level {
        /// Number of bytes.
        size: usize,
        /// Code of level 1.
        base: u32,
        /// Number of levels.
        count: u32,
    },
    /// Bytes.
    Raw {
        /// Minimum number of bytes.
        least: usize,
        /// Maximum number of bytes.
        most: usize,
    },
    /// Hour and minute; with size 3, also the second.
    Time {
        /// Number of bytes.
        size: usize,
    },
    /// A year (two bytes), month and day; with size 6, also hour and minute; with size 7, also the
    /// second.
    Date {
        /// Number of bytes.
        size: usize,
    },
    /// Several values of one type.
    List {
        /// Size of each value in bytes.
        size: usize,
        /// Minimum number of values.
        least: usize,
        /// Maximum number of values.
        most: usize,
        /// Type of the values.
        items: Box<Data>,
    },
    /// Several named values, one after the other.
    Object(Vec<(&'static str, Data)>),
    /// Several named values that share bytes.
    Bits {
        /// Number of bytes.
        size: usize,
        /// The name, the byte and the bits of each value.
        fields: Vec<(&'static str, usize, u8, Data)>,
    },
    /// The first of these types that fits.
    OneOf(Vec<Data>),
}

/// A named state.
#[derive(Debug)]
pub struct State {
    /// The first code of the state.
    pub first: Box<[u8]>,
    /// The last code, which is mostly equal to the first.
    pub last: Box<[u8]>,
    /// The state's name.
    pub name: &'static str,
}

impl State {
    /// Returns whether this is one of the state's codes.
    #[must_use]
    pub fn contains(&self, code: &[u8]) -> bool {
        code.len() == self.first.len() && (&*self.first..=&*self.last).contains(&code)
    }
}

/// A number.
#[derive(Debug)]
pub struct Number {
    /// Number of bytes.
    pub size: usize,
    /// Whether the number may be negative.
    pub is_signed: bool,
    /// Minimum, before it is scaled.
    pub least: i64,
    /// Maximum, before it is scaled.
    pub most: i64,
    /// The value is the encoded number times `times`, divided by `divisor`.
    pub times: i64,
    /// See `times`.
    pub divisor: i64,
    /// Code of another property, a factor by which the value has to be multiplied as well.
    pub coefficient: Option<u8>,
    /// The unit, or an empty text.
    pub unit: &'static str,
}

impl Data {
    /// Returns the minimum and the maximum number of bytes.
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
