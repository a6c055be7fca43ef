//! What the user is told: errors, diagnostics with their line of source, and the terminal.

pub(crate) mod catalog;
mod diagnostic;
mod error;
mod location;
mod page;
mod suggestion;
mod ui;

pub(crate) use diagnostic::{Diagnostic, visible};
pub(crate) use error::{Error, Result};
pub(crate) use location::{Location, locate};
pub(crate) use page::plain;
pub(crate) use suggestion::{nearest, quoted};
pub(crate) use ui::Ui;
