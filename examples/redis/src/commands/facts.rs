//! Facts about each command, from redis-server. COMMAND shows them, and the access control lists
//! use them.

use std::ops::Range;
use std::sync::LazyLock;

use hashbrown::HashMap;

use crate::resp::Replies;

/// Replies of redis-server 7.0 to COMMAND for the commands of this server, one per line: name,
/// arity, flags, the first key, the last key, the distance between keys, categories, tips,
/// positions of the keys, the first version with the command, group.
const TEXT: &str = include_str!("facts.txt");

/// A command, or a subcommand: `config|get`.
#[derive(Debug)]
pub struct Fact {
    /// Name in lower case.
    pub name: &'static str,
    /// Number of words with the name. If negative, its absolute value is the minimum.
    pub arity: i32,
    flags: Vec<&'static str>,
    first: i64,
    last: i64,
    step: i64,
    /// Categories without their `@`.
    pub categories: Vec<&'static str>,
    tips: Vec<&'static str>,
    pub(super) places: Vec<Places>,
    since: &'static str,
    group: &'static str,
    /// Range of the subcommands in the list of all facts.
    pub subcommands: Range<usize>,
}

/// Positions of keys among the words of a command.
#[derive(Debug)]
pub struct Places {
    pub(super) flags: Vec<&'static str>,
    begin: Begin,
    find: Find,
}

#[derive(Debug)]
enum Begin {
    Index(i64),
    Keyword(&'static str, i64),
    Unknown,
}

#[derive(Debug)]
enum Find {
    Range(i64, i64, i64),
    Numbered(i64, i64, i64),
    Unknown,
}

/// The facts about all commands.
#[derive(Debug)]
pub struct Facts {
    /// The commands. Each one is followed by its subcommands.
    pub all: Vec<Fact>,
    by_name: HashMap<&'static str, usize>,
}

static FACTS: LazyLock<Facts> = LazyLock::new(|| {
    let mut all: Vec<Fact> = TEXT.lines().filter_map(read).collect();
    for at in 0..all.len() {
        let name = all[at].name;
        let is_of = |it: &&Fact| it.name.split_once('|').is_some_and(|(of, _)| of == name);
        let count = all[at + 1..].iter().take_while(is_of).count();
        all[at].subcommands = at + 1..at + 1 + count;
    }
    let by_name = all.iter().enumerate().map(|(at, it)| (it.name, at));
    Facts {
        by_name: by_name.collect(),
        all,
    }
});

/// Returns the facts about all commands.
#[must_use]
pub fn facts() -> &'static Facts {
    &FACTS
}

fn list(text: &'static str) -> Vec<&'static str> {
    let words = text.split(',').filter(|word| *word != "-");
    words.collect()
}

fn numbers(text: &str) -> Option<[i64; 3]> {
    let numbers: Vec<i64> = text.split(',').filter_map(|it| it.parse().ok()).collect();
    numbers.try_into().ok()
}

fn read(line: &'static str) -> Option<Fact> {
    let words: Vec<&'static str> = line.split(' ').collect();
    let [
        name,
        arity,
        flags,
        first,
        last,
        step,
        categories,
        tips,
        places,
        since,
        group,
    ] = words[..]
    else {
        return None;
    };
    let places = places.split(';').filter(|it| *it != "-");
    Some(Fact {
        name,
        arity: arity.parse().ok()?,
        flags: list(flags),
        first: first.parse().ok()?,
        last: last.parse().ok()?,
        step: step.parse().ok()?,
        categories: list(categories),
        tips: list(tips),
        places: places.filter_map(read_places).collect(),
        since,
        group,
        subcommands: 0..0,
    })
}

fn read_places(text: &'static str) -> Option<Places> {
    let parts: Vec<&'static str> = text.split('/').collect();
    let [flags, begin, find] = parts[..] else {
        return None;
    };
    let begin = match begin.split_at(1) {
        ("i", index) => Begin::Index(index.parse().ok()?),
        ("k", rest) => {
            let (word, from) = rest.split_once(',')?;
            Begin::Keyword(word, from.parse().ok()?)
        }
        _ => Begin::Unknown,
    };
    let find = match find.split_at(1) {
        ("r", rest) => numbers(rest).map(|[last, step, limit]| Find::Range(last, step, limit))?,
        ("n", rest) => numbers(rest).map(|[at, first, step]| Find::Numbered(at, first, step))?,
        _ => Find::Unknown,
    };
    Some(Places {
        flags: list(flags),
        begin,
        find,
    })
}

impl Facts {
    /// Returns a command by its name in lower case, and its index.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<(usize, &Fact)> {
        let at = *self.by_name.get(name)?;
        Some((at, &self.all[at]))
    }

    /// Returns the subcommand of a request, or the command itself if it has none.
    #[must_use]
    pub fn of_request(&self, words: &[&[u8]]) -> Option<(usize, &Fact)> {
        let name = String::from_utf8_lossy(words.first()?).to_ascii_lowercase();
        let (at, fact) = self.find(&name)?;
        if fact.subcommands.is_empty() {
            return Some((at, fact));
        }
        let Some(word) = words.get(1) else {
            return Some((at, fact));
        };
        let word = String::from_utf8_lossy(word).to_ascii_lowercase();
        self.find(&format!("{name}|{word}"))
    }

    /// Iterates over the commands without their subcommands.
    pub fn commands(&self) -> impl Iterator<Item = &Fact> {
        self.all.iter().filter(|it| !it.name.contains('|'))
    }
}

impl Fact {
    /// Returns whether the command has a flag of COMMAND.
    #[must_use]
    pub fn has(&self, flag: &str) -> bool {
        self.flags.contains(&flag)
    }

    /// Writes the element of COMMAND's reply.
    pub fn describe(&self, replies: &mut Replies) {
        replies.array(10);
        replies.bulk(self.name.as_bytes());
        replies.integer(i64::from(self.arity));
        replies.set(self.flags.len());
        self.flags.iter().for_each(|it| replies.simple(it));
        for number in [self.first, self.last, self.step] {
            replies.integer(number);
        }
        replies.set(self.categories.len());
        for category in &self.categories {
            replies.simple(&format!("@{category}"));
        }
        replies.set(self.tips.len());
        self.tips.iter().for_each(|it| replies.bulk(it.as_bytes()));
        replies.set(self.places.len());
        self.places.iter().for_each(|it| it.describe(replies));
        replies.set(self.subcommands.len());
        for fact in &facts().all[self.subcommands.clone()] {
            fact.describe(replies);
        }
    }

    /// Writes the element of COMMAND DOCS' reply, without texts for people.
    pub fn document(&self, replies: &mut Replies) {
        let has_more = !self.subcommands.is_empty();
        replies.bulk(self.name.as_bytes());
        replies.map(3 + usize::from(has_more));
        let short = self.name.replace('|', " ").to_ascii_uppercase();
        for (key, value) in [
            ("summary", &*short),
            ("since", self.since),
            ("group", self.group),
        ] {
            replies.bulk(key.as_bytes());
            replies.bulk(value.as_bytes());
        }
        if has_more {
            replies.bulk(b"subcommands");
            replies.map(self.subcommands.len());
            for fact in &facts().all[self.subcommands.clone()] {
                fact.document(replies);
            }
        }
    }
}

impl Places {
    /// Returns the indexes of the keys among the words.
    pub(super) fn indexes(&self, words: &[&[u8]]) -> Vec<usize> {
        let len = i64::try_from(words.len()).unwrap_or(i64::MAX);
        let is_like = |it: &&[u8], word: &str| it.eq_ignore_ascii_case(word.as_bytes());
        let first = match self.begin {
            Begin::Index(index) => index,
            Begin::Keyword(word, from) => {
                let from = if from < 0 { len + from } else { from };
                let from = usize::try_from(from).unwrap_or(0).min(words.len());
                let found = words[from..].iter().position(|it| is_like(it, word));
                match found.and_then(|at| i64::try_from(from + at + 1).ok()) {
                    Some(first) => first,
                    None => return Vec::new(),
                }
            }
            Begin::Unknown => return Vec::new(),
        };
        let (first, last, step) = match self.find {
            Find::Range(last, step, limit) if last < 0 && limit > 1 => {
                (first, first + (len - first) / limit + last, step)
            }
            Find::Range(last, step, _) if last < 0 => (first, len + last, step),
            Find::Range(last, step, _) => (first, first + last, step),
            Find::Numbered(at, begin, step) => {
                let count = usize::try_from(first + at).ok();
                let count = count.and_then(|at| crate::resp::number(words.get(at)?));
                let count = count.unwrap_or(0).clamp(0, len);
                (first + begin, first + begin + (count - 1) * step, step)
            }
            Find::Unknown => return Vec::new(),
        };
        let step = usize::try_from(step).unwrap_or(1).max(1);
        let all = (first..=last.min(len - 1)).step_by(step);
        all.filter_map(|at| usize::try_from(at).ok()).collect()
    }

    fn describe(&self, replies: &mut Replies) {
        let pairs = |name: &str, kind: &str, pairs: &[(&str, i64)], replies: &mut Replies| {
            replies.bulk(name.as_bytes());
            replies.map(2);
            replies.bulk(b"type");
            replies.bulk(kind.as_bytes());
            replies.bulk(b"spec");
            replies.map(pairs.len());
            for (name, number) in pairs {
                replies.bulk(name.as_bytes());
                replies.integer(*number);
            }
        };
        replies.map(3);
        replies.bulk(b"flags");
        replies.set(self.flags.len());
        self.flags.iter().for_each(|it| replies.simple(it));
        match self.begin {
            Begin::Index(at) => pairs("begin_search", "index", &[("index", at)], replies),
            Begin::Keyword(word, from) => {
                replies.bulk(b"begin_search");
                replies.map(2);
                replies.bulk(b"type");
                replies.bulk(b"keyword");
                replies.bulk(b"spec");
                replies.map(2);
                replies.bulk(b"keyword");
                replies.bulk(word.as_bytes());
                replies.bulk(b"startfrom");
                replies.integer(from);
            }
            Begin::Unknown => pairs("begin_search", "unknown", &[], replies),
        }
        match self.find {
            Find::Range(last, step, limit) => {
                let spec = [("lastkey", last), ("keystep", step), ("limit", limit)];
                pairs("find_keys", "range", &spec, replies);
            }
            Find::Numbered(at, first, step) => {
                let spec = [("keynumidx", at), ("firstkey", first), ("keystep", step)];
                pairs("find_keys", "keynum", &spec, replies);
            }
            Find::Unknown => pairs("find_keys", "unknown", &[], replies),
        }
    }
}
