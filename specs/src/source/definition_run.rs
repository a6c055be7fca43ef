//! Runs of `-define`s that are added at once, because a header with thousands of them is included
//! by a hundred modules.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::definition::{Defined, Definition};
use super::unit::{RawForm, RawKind};
use crate::ast::Name;

/// Shorter runs are added one by one.
const FEWEST: usize = 64;

/// The definitions of a run. Their names are distinct.
#[derive(Debug)]
pub(crate) struct DefinitionRun {
    /// The order of the table does not matter: questions about all names do not depend on it.
    #[allow(clippy::disallowed_types)]
    table: std::collections::HashMap<Name, Arc<Definition>>,
}

impl DefinitionRun {
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Arc<Definition>> {
        self.table.get(name)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        self.table.keys()
    }

    /// Returns whether both runs define a common name.
    pub(crate) fn meets(&self, other: &DefinitionRun) -> bool {
        let (fewer, more) = if self.len() < other.len() {
            (self, other)
        } else {
            (other, self)
        };
        fewer.names().any(|name| more.find(name).is_some())
    }

    /// Returns `None` if the definitions have to be read one by one.
    fn of(forms: &[RawForm]) -> Option<Arc<Self>> {
        let mut run = DefinitionRun {
            table: Default::default(),
        };
        for form in forms {
            let Defined {
                name, definition, ..
            } = form.defined().ok()?;
            if run.table.insert(name, definition).is_some() {
                return None;
            }
        }
        Some(Arc::new(run))
    }
}

/// The position of a run in a file. The run is read when it is first needed.
#[derive(Debug)]
pub(crate) struct RunOfForms {
    pub(crate) forms: Range<usize>,
    run: OnceLock<Option<Arc<DefinitionRun>>>,
}

impl RunOfForms {
    /// All runs in a file.
    pub(super) fn all(forms: &[RawForm]) -> Vec<Self> {
        let mut runs = Vec::new();
        let mut start = 0;
        for (index, form) in forms.iter().enumerate() {
            if !is_definition(form) {
                runs.push(start..index);
                start = index + 1;
            }
        }
        runs.push(start..forms.len());
        let are_many = |forms: &Range<usize>| forms.len() >= FEWEST;
        let run = |forms| RunOfForms {
            forms,
            run: OnceLock::new(),
        };
        runs.into_iter().filter(are_many).map(run).collect()
    }

    pub(super) fn definitions(&self, all: &[RawForm]) -> Option<&Arc<DefinitionRun>> {
        let forms = &all[self.forms.clone()];
        self.run.get_or_init(|| DefinitionRun::of(forms)).as_ref()
    }
}

/// Returns whether it is a `-define` whose meaning does not depend on a feature.
fn is_definition(form: &RawForm) -> bool {
    let name = form.tokens.get(1);
    form.kind == RawKind::Attribute
        && !form.has_feature_words
        && name.is_some_and(|name| name.text() == "define")
}
