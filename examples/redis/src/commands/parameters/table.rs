//! The table of all parameters that redis-server 7.0 has.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::{NOT_A_NUMBER, bytes};

/// The parameters of redis-server 7.0, one per line: name, form, default, and the range or the
/// words, and whether patterns do not find the parameter, separated by tabs. A parameter with a
/// form of its own has no default, but it may have the reason why it cannot be changed.
const TEXT: &str = include_str!("table.txt");

/// A parameter.
#[derive(Debug)]
pub(super) struct Parameter {
    pub name: &'static str,
    pub kind: Form,
    /// Whether only its whole name finds it.
    pub is_hidden: bool,
    default: &'static str,
}

/// Form of the values of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// Another name of a parameter.
    Alias(&'static str),
    /// `yes` or `no`.
    Switch,
    /// One of these words.
    Word(Vec<&'static str>),
    /// A number in this range.
    Number(i64, i64),
    /// A number of bytes.
    Memory,
    /// A number of bytes, or a part of the memory.
    Percent,
    /// Any text.
    Text,
    /// It cannot be changed.
    Fixed,
    /// It cannot be changed, because it is protected.
    Protected,
    /// A form of its own.
    Own,
}

static TABLE: LazyLock<Vec<Parameter>> = LazyLock::new(|| TEXT.lines().filter_map(read).collect());

fn read(line: &'static str) -> Option<Parameter> {
    let words: Vec<&'static str> = line.split('\t').collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let kind = match word(1) {
        "alias" => Form::Alias(word(2)),
        "bool" => Form::Switch,
        "enum" => Form::Word(word(3).split(',').collect()),
        "number" => {
            let (least, most) = word(3).split_once(',')?;
            Form::Number(least.parse().ok()?, most.parse().ok()?)
        }
        "memory" => Form::Memory,
        "percent" => Form::Percent,
        "text" => Form::Text,
        "fixed" => Form::Fixed,
        "protected" => Form::Protected,
        _ => Form::Own,
    };
    Some(Parameter {
        name: words[0],
        kind,
        is_hidden: word(4) == "hidden",
        default: word(2),
    })
}

/// Returns all parameters, sorted by name.
pub(super) fn table() -> &'static [Parameter] {
    &TABLE
}

/// Returns the parameter with a name or another name.
pub(super) fn find(name: &str) -> Option<&'static Parameter> {
    let found = TABLE.iter().find(|it| it.name == name);
    found.map(Parameter::resolved)
}

impl Parameter {
    /// Returns the parameter that this one is another name of, or itself.
    pub fn resolved(&'static self) -> &'static Self {
        match &self.kind {
            Form::Alias(name) => find(name).unwrap_or(self),
            _ => self,
        }
    }

    /// Checks a value. Returns it in the form of CONFIG GET.
    ///
    /// # Errors
    /// The mistake.
    pub fn checked(&self, value: &str) -> Result<String, String> {
        let lower = value.to_ascii_lowercase();
        let part = lower
            .strip_suffix('%')
            .and_then(|it| it.parse::<u64>().ok());
        match &self.kind {
            Form::Switch if matches!(&*lower, "yes" | "no") => Ok(lower),
            Form::Switch => Err("argument must be 'yes' or 'no'".to_owned()),
            Form::Word(words) if words.contains(&&*lower) => Ok(lower),
            Form::Word(words) => {
                let words = words.join(", ");
                Err(format!("argument(s) must be one of the following: {words}"))
            }
            Form::Number(least, most) => {
                let number: i64 = value.parse().map_err(|_| NOT_A_NUMBER)?;
                match (*least..=*most).contains(&number) {
                    true => Ok(number.to_string()),
                    false => Err(format!(
                        "argument must be between {least} and {most} inclusive"
                    )),
                }
            }
            Form::Percent if part.is_some_and(|it| it <= 100) => Ok(lower),
            Form::Percent if part.is_some() => {
                Err("percentage argument must be less or equal to 100".to_owned())
            }
            Form::Percent => match bytes(value) {
                Some(bytes) => Ok(bytes.to_string()),
                None => Err("argument must be a memory or percent value".to_owned()),
            },
            Form::Memory => match bytes(value) {
                Some(bytes) => Ok(bytes.to_string()),
                None => Err("argument must be a memory value".to_owned()),
            },
            Form::Fixed => Err("can't set immutable config".to_owned()),
            Form::Protected => Err("can't set protected config".to_owned()),
            Form::Own if !self.default.is_empty() => Err(self.default.to_owned()),
            Form::Text | Form::Own | Form::Alias(_) => self.checked_text(value),
        }
    }

    fn checked_text(&self, value: &str) -> Result<String, String> {
        let mut words = value.split_whitespace();
        let is_number = |it: &str| it.parse::<f64>().is_ok();
        let is_share = |it: &str| {
            it.parse::<f64>()
                .is_ok_and(|it| (0.0..=100.0).contains(&it))
        };
        let is_of_host = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '.');
        let why = match self.name {
            "save" if !words.all(|it| it.parse::<u32>().is_ok()) => "Invalid save parameters",
            "save" if value.split_whitespace().count() % 2 == 1 => "Invalid save parameters",
            "latency-tracking-info-percentiles" if !words.all(is_number) => {
                "Invalid latency-tracking-info-percentiles parameters"
            }
            "latency-tracking-info-percentiles" if !value.split_whitespace().all(is_share) => {
                "latency-tracking-info-percentiles parameters should sit between [0.0,100.0]"
            }
            "cluster-announce-hostname" if !value.chars().all(is_of_host) => {
                "Hostnames may only contain alphanumeric characters, hyphens or dots"
            }
            "oom-score-adj-values" if words.count() != 3 => "wrong number of arguments",
            "notify-keyspace-events" if !value.chars().all(|it| "Ag$lshzxeKEtmdn".contains(it)) => {
                "Invalid event class character. Use 'Ag$lshzxeKEtmdn'."
            }
            _ => return Ok(value.to_owned()),
        };
        Err(why.to_owned())
    }
}

/// The values of parameters that are stored and returned, but have no effect.
#[derive(Debug, Default)]
pub struct StoredParameters(Mutex<HashMap<&'static str, String>>);

impl StoredParameters {
    fn all(&self) -> MutexGuard<'_, HashMap<&'static str, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, parameter: &Parameter) -> String {
        let all = self.all();
        let stored = all.get(parameter.name).cloned();
        stored.unwrap_or_else(|| parameter.default.to_owned())
    }

    pub(super) fn set(&self, parameter: &'static Parameter, value: String) {
        self.all().insert(parameter.name, value);
    }
}
