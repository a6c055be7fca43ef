//! Matches a compiled pattern without recursion: the matcher keeps its choices on a stack of its
//! own.

use super::compile::{Item, Single, Times};

/// Maximum number of captures.
const MOST_CAPTURES: usize = 32;

/// Reason why matching has stopped without a result.
#[derive(Debug, PartialEq, Eq)]
pub enum Stop {
    /// The pattern has a mistake.
    Mistake(&'static str),
    /// The script was killed.
    Killed,
}

/// A captured part of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// It starts here, and has no end yet.
    Open(usize),
    Position(usize),
    /// It has this start and this end.
    Part(usize, usize),
}

/// How to continue if the rest of the pattern does not match.
enum Undo {
    /// Try the next item with one byte less, while there are this many bytes left.
    Shorter {
        item: usize,
        from: usize,
        more: usize,
    },
    /// Match one more byte.
    Longer { item: usize, at: usize },
    /// Remove the newest capture.
    Open,
    /// Open this capture again.
    Close(usize, usize),
}

/// A text, a compiled pattern, and the captures of the last match.
pub struct Matcher<'a> {
    pub text: &'a [u8],
    items: &'a [Item],
    pub captures: Vec<Capture>,
    undo: Vec<Undo>,
    steps: u64,
    /// Called regularly; matching stops when it returns `true`.
    is_killed: &'a dyn Fn() -> bool,
}

impl<'a> Matcher<'a> {
    pub fn new(text: &'a [u8], items: &'a [Item], is_killed: &'a dyn Fn() -> bool) -> Self {
        Matcher {
            text,
            items,
            captures: Vec::new(),
            undo: Vec::new(),
            steps: 0,
            is_killed,
        }
    }

    /// Counts the steps of a match: one for each byte that is examined.
    fn step(&mut self, count: usize) -> Result<(), Stop> {
        const LOOK: u64 = 100_000;
        let before = self.steps / LOOK;
        self.steps += 1 + count as u64;
        match self.steps / LOOK > before && (self.is_killed)() {
            true => Err(Stop::Killed),
            false => Ok(()),
        }
    }

    /// Finds the first match at or after a position. Returns its start and end.
    pub fn find(&mut self, from: usize, is_anchored: bool) -> Result<Option<(usize, usize)>, Stop> {
        for begin in from..=self.text.len() {
            if let Some(end) = self.matches(begin)? {
                return Ok(Some((begin, end)));
            }
            if is_anchored {
                break;
            }
        }
        Ok(None)
    }

    /// Returns the end of a match that starts here.
    fn matches(&mut self, begin: usize) -> Result<Option<usize>, Stop> {
        self.captures.clear();
        self.undo.clear();
        let (mut item, mut at) = (0, begin);
        loop {
            self.step(0)?;
            let Some(current) = self.items.get(item) else {
                return Ok(Some(at));
            };
            match self.advance(*current, item, at)? {
                Some(next) => (item, at) = (item + 1, next),
                None => match self.retry()? {
                    Some(next) => (item, at) = next,
                    None => return Ok(None),
                },
            }
        }
    }

    fn suits(&self, single: &Single, at: usize) -> bool {
        self.text.get(at).is_some_and(|it| single.suits(*it))
    }

    /// Returns the end of an item that starts here.
    fn advance(&mut self, it: Item, item: usize, at: usize) -> Result<Option<usize>, Stop> {
        Ok(match it {
            Item::Mistake(why) => return Err(Stop::Mistake(why)),
            Item::End => (at == self.text.len()).then_some(at),
            Item::Single(single, times) => return self.repeated(&single, times, item, at),
            Item::Open { is_position } => {
                if self.captures.len() >= MOST_CAPTURES {
                    return Err(Stop::Mistake("too many captures"));
                }
                self.captures.push(match is_position {
                    true => Capture::Position(at),
                    false => Capture::Open(at),
                });
                self.undo.push(Undo::Open);
                Some(at)
            }
            Item::Close => {
                let is_open = |it: &Capture| matches!(it, Capture::Open(_));
                let newest = self.captures.iter().rposition(is_open);
                let newest = newest.ok_or(Stop::Mistake("invalid pattern capture"))?;
                if let Capture::Open(begin) = self.captures[newest] {
                    self.captures[newest] = Capture::Part(begin, at);
                    self.undo.push(Undo::Close(newest, begin));
                }
                Some(at)
            }
            Item::Balanced(open, close) => return self.balanced(open, close, at),
            Item::Frontier(set) => {
                let byte = |at: usize| self.text.get(at).copied().unwrap_or(0);
                let before = if at == 0 { 0 } else { byte(at - 1) };
                (!set.has(before) && set.has(byte(at))).then_some(at)
            }
            Item::Again(digit) => {
                let capture = usize::from(digit).checked_sub(usize::from(b'1'));
                let capture = capture.and_then(|it| self.captures.get(it));
                let part = match capture {
                    Some(Capture::Part(from, to)) => &self.text[*from..*to],
                    // As in Lua, a position capture never matches again.
                    Some(Capture::Position(_)) => return Ok(None),
                    _ => return Err(Stop::Mistake("invalid capture index")),
                };
                let is_here = self.text[at..].starts_with(part);
                let length = part.len();
                self.step(length)?;
                is_here.then_some(at + length)
            }
        })
    }

    fn repeated(
        &mut self,
        single: &Single,
        times: Times,
        item: usize,
        at: usize,
    ) -> Result<Option<usize>, Stop> {
        let least = match times {
            Times::Once => return Ok(self.suits(single, at).then_some(at + 1)),
            Times::Fewest => {
                self.undo.push(Undo::Longer { item, at });
                return Ok(Some(at));
            }
            Times::AtMostOnce => {
                if !self.suits(single, at) {
                    return Ok(Some(at));
                }
                let (from, more) = (at, 1);
                self.undo.push(Undo::Shorter { item, from, more });
                return Ok(Some(at + 1));
            }
            Times::Any => 0,
            Times::AtLeastOnce => 1,
        };
        let rest = self.text[at..].iter();
        let count = rest.take_while(|it| single.suits(**it)).count();
        self.step(count)?;
        if count < least {
            return Ok(None);
        }
        self.undo.push(Undo::Shorter {
            item,
            from: at + least,
            more: count - least,
        });
        Ok(Some(at + count))
    }

    fn balanced(&mut self, open: u8, close: u8, at: usize) -> Result<Option<usize>, Stop> {
        if self.text.get(at) != Some(&open) {
            return Ok(None);
        }
        let mut depth = 1_usize;
        let mut end = None;
        for (offset, byte) in self.text[at + 1..].iter().enumerate() {
            if *byte == close {
                depth -= 1;
                if depth == 0 {
                    end = Some(at + offset + 2);
                    break;
                }
            } else if *byte == open {
                depth += 1;
            }
        }
        self.step(end.unwrap_or(self.text.len()) - at)?;
        Ok(end)
    }

    /// Backtracks to the newest choice. Returns the item and the position to continue with.
    fn retry(&mut self) -> Result<Option<(usize, usize)>, Stop> {
        while let Some(last) = self.undo.pop() {
            self.step(0)?;
            match last {
                Undo::Open => drop(self.captures.pop()),
                Undo::Close(capture, begin) => self.captures[capture] = Capture::Open(begin),
                Undo::Shorter { more: 0, .. } => {}
                Undo::Shorter { item, from, more } => {
                    let more = more - 1;
                    self.undo.push(Undo::Shorter { item, from, more });
                    return Ok(Some((item + 1, from + more)));
                }
                Undo::Longer { item, at } => {
                    let Some(Item::Single(single, _)) = self.items.get(item) else {
                        continue;
                    };
                    if self.suits(single, at) {
                        let at = at + 1;
                        self.undo.push(Undo::Longer { item, at });
                        return Ok(Some((item + 1, at)));
                    }
                }
            }
        }
        Ok(None)
    }
}
