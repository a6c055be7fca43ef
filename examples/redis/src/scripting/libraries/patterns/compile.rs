//! Compiles a pattern of Lua 5.1, before it is matched.
//!
//! A mistake in a pattern becomes an item of its own, because Lua reports it only when the matcher
//! reaches it.

/// One byte of the text.
#[derive(Clone, Copy, Debug)]
pub enum Single {
    Any,
    Byte(u8),
    OneOf(Set),
}

/// The bytes of a class such as `%a` or `[a-z]`, as a set of bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Set([u64; 4]);

impl Set {
    fn add(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    pub fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    fn of(belongs: impl Fn(u8) -> bool) -> Self {
        let mut set = Set::default();
        (0..=u8::MAX)
            .filter(|it| belongs(*it))
            .for_each(|it| set.add(it));
        set
    }

    fn add_all(&mut self, other: Set) {
        for (mine, its) in self.0.iter_mut().zip(other.0) {
            *mine |= its;
        }
    }

    fn inverted(self) -> Self {
        Set(self.0.map(|it| !it))
    }
}

impl Single {
    pub fn suits(&self, byte: u8) -> bool {
        match self {
            Single::Any => true,
            Single::Byte(own) => *own == byte,
            Single::OneOf(set) => set.has(byte),
        }
    }
}

/// How many times a byte is matched.
#[derive(Clone, Copy, Debug)]
pub enum Times {
    Once,
    /// `?`
    AtMostOnce,
    /// `*`
    Any,
    /// `+`
    AtLeastOnce,
    /// `-`
    Fewest,
}

/// A part of a pattern.
#[derive(Clone, Copy, Debug)]
pub enum Item {
    Single(Single, Times),
    /// `(`, or `()` for a position.
    Open {
        is_position: bool,
    },
    /// `)`
    Close,
    /// `%bxy`
    Balanced(u8, u8),
    /// `%f[…]`
    Frontier(Set),
    /// `%1`
    Again(u8),
    /// `$` at the end.
    End,
    Mistake(&'static str),
}

/// Returns the class for a letter after `%`, or `None` if the letter stands for itself.
fn class(letter: u8) -> Option<Set> {
    let belongs: fn(u8) -> bool = match letter.to_ascii_lowercase() {
        b'a' => |it| it.is_ascii_alphabetic(),
        b'c' => |it| it.is_ascii_control(),
        b'd' => |it| it.is_ascii_digit(),
        b'l' => |it| it.is_ascii_lowercase(),
        b'p' => |it| it.is_ascii_punctuation(),
        b's' => |it| matches!(it, b' ' | 9..=13),
        b'u' => |it| it.is_ascii_uppercase(),
        b'w' => |it| it.is_ascii_alphanumeric(),
        b'x' => |it| it.is_ascii_hexdigit(),
        b'z' => |it| it == 0,
        _ => return None,
    };
    let set = Set::of(belongs);
    Some(match letter.is_ascii_uppercase() {
        true => set.inverted(),
        false => set,
    })
}

/// The rest of the pattern.
struct Rest<'p>(&'p [u8]);

impl Rest<'_> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.0.first() == Some(&byte);
        if is_next {
            self.0 = &self.0[1..];
        }
        is_next
    }

    /// Parses the set after `[`.
    fn set(&mut self) -> Option<Set> {
        let is_inverted = self.takes(b'^');
        let mut set = Set::default();
        let mut is_first = true;
        loop {
            match self.next()? {
                b']' if !is_first => break,
                b'%' => {
                    let letter = self.next()?;
                    match class(letter) {
                        Some(class) => set.add_all(class),
                        None => set.add(letter),
                    }
                }
                low => match *self.0 {
                    [b'-', high, ..] if high != b']' => {
                        self.0 = &self.0[2..];
                        (low..=high).for_each(|it| set.add(it));
                    }
                    _ => set.add(low),
                },
            }
            is_first = false;
        }
        Some(if is_inverted { set.inverted() } else { set })
    }

    fn escaped(&mut self) -> Result<Item, &'static str> {
        let letter = self.next().ok_or("malformed pattern (ends with '%')")?;
        Ok(match letter {
            b'b' => match *self.0 {
                [from, to, ..] => {
                    self.0 = &self.0[2..];
                    Item::Balanced(from, to)
                }
                _ => return Err("unbalanced pattern"),
            },
            b'f' => {
                if !self.takes(b'[') {
                    return Err("missing '[' after '%f' in pattern");
                }
                Item::Frontier(self.set().ok_or(UNCLOSED)?)
            }
            digit @ b'0'..=b'9' => Item::Again(digit),
            _ => {
                let single = class(letter).map_or(Single::Byte(letter), Single::OneOf);
                self.repeated(single)
            }
        })
    }

    fn repeated(&mut self, single: Single) -> Item {
        let times = match self.0.first() {
            Some(b'?') => Times::AtMostOnce,
            Some(b'*') => Times::Any,
            Some(b'+') => Times::AtLeastOnce,
            Some(b'-') => Times::Fewest,
            _ => return Item::Single(single, Times::Once),
        };
        self.0 = &self.0[1..];
        Item::Single(single, times)
    }

    fn item(&mut self, first: u8) -> Result<Item, &'static str> {
        Ok(match first {
            b'(' => Item::Open {
                is_position: self.takes(b')'),
            },
            b')' => Item::Close,
            b'$' if self.0.is_empty() => Item::End,
            b'%' => self.escaped()?,
            b'[' => {
                let set = self.set().ok_or(UNCLOSED)?;
                self.repeated(Single::OneOf(set))
            }
            b'.' => self.repeated(Single::Any),
            byte => self.repeated(Single::Byte(byte)),
        })
    }
}

const UNCLOSED: &str = "malformed pattern (missing ']')";

/// Compiles a pattern. As in Lua 5.1, it ends at its first zero byte.
pub fn compile(pattern: &[u8]) -> Vec<Item> {
    let end = pattern.iter().position(|it| *it == 0);
    let mut rest = Rest(&pattern[..end.unwrap_or(pattern.len())]);
    let mut items = Vec::new();
    while let Some(first) = rest.next() {
        match rest.item(first) {
            Ok(item) => items.push(item),
            Err(why) => {
                items.push(Item::Mistake(why));
                break;
            }
        }
    }
    items
}
