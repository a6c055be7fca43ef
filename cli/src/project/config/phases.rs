//! `[application] start_phases`: the phases in which an application starts.
//!
//! ```toml
//! start_phases = ["prepare", { fill = 1000 }]
//! ```
//!
//! A phase is a name, or a table with one name and the argument for `start_phase/3`. The default
//! argument is `{}`.

use toml_edit::{Item, TableLike, Value};

use super::environment::{is_atom, of_value};
use super::reader::Reader;
use crate::report::Result;

/// The key in `[application]`.
pub(super) const KEY: &str = "start_phases";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Phase {
    /// Its name, an atom.
    pub(crate) name: String,
    /// Its arguments as Erlang text.
    pub(crate) arguments: String,
    /// Line in otp.toml, from 1.
    pub(crate) line: usize,
}

/// Reads the phases, in order.
pub(super) fn phases(reader: &Reader<'_>, table: &dyn TableLike) -> Result<Vec<Phase>> {
    let Some(item) = table.get(KEY) else {
        return Ok(Vec::new());
    };
    let phases = item.as_array();
    let phases = phases.and_then(|phases| {
        let of = |value: &Value| phase(reader, value);
        phases.iter().map(of).collect::<Option<Vec<_>>>()
    });
    let phases: Vec<Phase> = phases.ok_or_else(|| wrong(reader, item, EXPECTED))?;
    let twice = phases.iter().enumerate().any(|(index, phase)| {
        let before = &phases[..index];
        before.iter().any(|it| it.name == phase.name)
    });
    if twice {
        Err(wrong(reader, item, "a list without a name twice"))
    } else {
        Ok(phases)
    }
}

const EXPECTED: &str =
    "a list of names and of tables with one name, `[\"prepare\", { fill = 1000 }]`";

fn wrong(reader: &Reader<'_>, item: &Item, expected: &str) -> crate::report::Error {
    reader.wrong_value(item, &format!("application.{KEY}"), expected)
}

fn phase(reader: &Reader<'_>, value: &Value) -> Option<Phase> {
    let (name, arguments) = match value {
        Value::String(name) => (name.value().as_str(), "{}".to_owned()),
        Value::InlineTable(table) if table.len() == 1 => {
            let (name, arguments) = table.iter().next()?;
            (name, of_value(arguments)?)
        }
        _ => return None,
    };
    is_atom(name).then(|| Phase {
        name: name.to_owned(),
        arguments,
        line: reader.line(value.span()),
    })
}
