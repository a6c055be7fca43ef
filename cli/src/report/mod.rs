//! Output for the user: errors and diagnostics, their pages, and the printing of all of it.

pub(crate) mod catalog;
mod diagnostic;
mod error;
mod json;
mod location;
mod page;
mod progress;
mod size;
mod suggestion;
mod ui;

pub(crate) use diagnostic::{Diagnostic, visible};
pub(crate) use error::{Error, Result};
pub(crate) use location::{Location, at_attribute, at_line, locate};
pub(crate) use page::plain;
pub(crate) use progress::{Progress, Unit};
pub(crate) use size::size;
pub(crate) use suggestion::{nearest, quoted};
pub(crate) use ui::{Settings, Ui};
