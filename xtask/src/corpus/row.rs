//! The numbers of a collection. They are stored in `target/corpus`, so that the page can contain
//! collections that were compiled separately.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::generate::Counts;
use super::survey::Survey;
use crate::step::{Outcome, target};

/// A reason, the number of times it applies, and an example.
pub(super) type Reasons = BTreeMap<String, (usize, String)>;

/// The number that differs between runs of the same code.
const MEGABYTES: &str = "megabytes";

/// A row of the page.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct PageRow {
    pub(super) name: String,
    /// Numbers by their names, as in [`PageRow::of`].
    counts: BTreeMap<String, usize>,
    /// Seconds of generating, and of compiling without and with `json`. `None` for a build that was
    /// left out.
    pub(super) seconds: [Option<usize>; 3],
    /// Why positions became a dynamic term.
    pub(super) fallbacks: Reasons,
    /// Why functions are not bound.
    pub(super) unbound: Reasons,
}

impl PageRow {
    pub(super) fn of(survey: &Survey) -> PageRow {
        let modules = || survey.modules.values();
        let sum = |count: fn(&Counts) -> usize| modules().map(count).sum::<usize>();
        let fallbacks = reasons(modules().flat_map(|it| &it.fallbacks));
        let unbound = reasons(modules().flat_map(|it| &it.unbound));
        let megabytes = usize::try_from(survey.memory >> 20).unwrap_or(usize::MAX);
        let counts = [
            ("modules", survey.modules.len() + survey.failures.len()),
            ("compile", survey.modules.len()),
            ("empty", survey.empty),
            ("unread", survey.unread.len()),
            ("types", sum(|it| it.types)),
            ("positions", sum(|it| it.positions)),
            ("fallbacks", sum(|it| it.fallbacks.len())),
            ("functions", sum(|it| it.functions)),
            ("unbound", sum(|it| it.unbound.len())),
            ("crates", survey.crates),
            (MEGABYTES, megabytes),
        ];
        let counts = counts.map(|(name, count)| (name.to_owned(), count));
        PageRow {
            name: survey.name.clone(),
            counts: counts.into_iter().collect(),
            seconds: survey
                .seconds
                .map(|seconds| Some(seconds?.round() as usize)),
            fallbacks,
            unbound,
        }
    }

    pub(super) fn count(&self, name: &str) -> usize {
        self.counts.get(name).copied().unwrap_or_default()
    }

    /// Stores the row for the page. Keeps a measurement of an earlier run if this run left it out
    /// and found the same modules, types and functions.
    pub(super) fn keep(mut self) -> Outcome {
        let slug = self.name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let path = rows().join(format!("{slug}.json"));
        if let Some(earlier) = fs::read_to_string(&path)
            .ok()
            .and_then(|text| read(&serde_json::from_str(&text).ok()?))
        {
            self.add(&earlier);
        }
        let text = self.json();
        fs::create_dir_all(rows())
            .and_then(|()| fs::write(&path, format!("{text:#}\n")))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    fn add(&mut self, earlier: &PageRow) {
        let mut counts = earlier.counts.clone();
        let megabytes = counts.insert(MEGABYTES.to_owned(), self.count(MEGABYTES));
        if counts != self.counts {
            return;
        }
        for (seconds, earlier) in self.seconds.iter_mut().zip(earlier.seconds) {
            *seconds = seconds.or(earlier);
        }
        let most = self.count(MEGABYTES).max(megabytes.unwrap_or_default());
        self.counts.insert(MEGABYTES.to_owned(), most);
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "counts": self.counts,
            "seconds": self.seconds,
            "fallbacks": self.fallbacks,
            "unbound": self.unbound,
        })
    }

    /// Returns all stored rows, in the order of their names.
    pub(super) fn all() -> Outcome<Vec<PageRow>> {
        let folder = rows();
        let entries = fs::read_dir(&folder);
        let entries = entries.map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut all = Vec::new();
        for path in entries.flatten().map(|entry| entry.path()) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let row = serde_json::from_str(&text).ok().and_then(|it| read(&it));
            all.push(row.ok_or_else(|| format!("{}: not a row; remove it", path.display()))?);
        }
        all.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(all)
    }
}

fn rows() -> PathBuf {
    target().join("corpus/rows")
}

fn reasons<'a>(of: impl Iterator<Item = &'a (String, String)>) -> Reasons {
    let mut reasons = Reasons::new();
    for (reason, example) in of {
        let entry = reasons.entry(reason.clone());
        entry.or_insert((0, example.clone())).0 += 1;
    }
    reasons
}

fn read(value: &Value) -> Option<PageRow> {
    let number = |value: &Value| usize::try_from(value.as_u64()?).ok();
    let reasons = |value: &Value| {
        let entries = value.as_object()?.iter();
        let entry = |(reason, value): (&String, &Value)| {
            let example = value[1].as_str()?.to_owned();
            Some((reason.clone(), (number(&value[0])?, example)))
        };
        entries.map(entry).collect::<Option<Reasons>>()
    };
    let counts = value["counts"].as_object()?.iter();
    let counts = counts.map(|(name, count)| Some((name.clone(), number(count)?)));
    let seconds = |index: usize| match &value["seconds"][index] {
        Value::Null => Some(None),
        seconds => number(seconds).map(Some),
    };
    Some(PageRow {
        name: value["name"].as_str()?.to_owned(),
        counts: counts.collect::<Option<_>>()?,
        seconds: [seconds(0)?, seconds(1)?, seconds(2)?],
        fallbacks: reasons(&value["fallbacks"])?,
        unbound: reasons(&value["unbound"])?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> PageRow {
        let reason = ("no such type".to_owned(), (2, "t()".to_owned()));
        let counts = [("modules", 3), (MEGABYTES, 70)];
        PageRow {
            name: "stdlib".to_owned(),
            counts: counts.map(|(name, count)| (name.to_owned(), count)).into(),
            seconds: [Some(1), Some(2), None],
            fallbacks: BTreeMap::from([reason]),
            unbound: BTreeMap::new(),
        }
    }

    #[test]
    fn builds_of_the_same_code_make_one_row() {
        let with_json = PageRow {
            seconds: [Some(4), None, Some(5)],
            counts: [("modules".to_owned(), 3), (MEGABYTES.to_owned(), 40)].into(),
            ..row()
        };
        let mut both = with_json.clone();
        both.add(&row());
        assert_eq!(both.seconds, [Some(4), Some(2), Some(5)]);
        assert_eq!(both.count(MEGABYTES), 70);
        let mut other_code = with_json.clone();
        other_code.counts.insert("modules".to_owned(), 4);
        other_code.add(&row());
        assert_eq!(other_code.seconds, with_json.seconds);
    }

    #[test]
    fn a_row_is_read_as_it_was_written() {
        let row = row();
        assert_eq!(read(&row.json()), Some(row));
        assert_eq!(read(&json!({ "name": "x" })), None);
    }
}
