//! `otp-rs gen-types MODULE…`: Rust for the types and callbacks of Erlang modules.

use crate::args::GenTypes;
use crate::error::{Error, Result};
use crate::ui::Ui;

pub(super) fn execute(options: &GenTypes, _ui: &Ui) -> Result<()> {
    let _ = (&options.modules, &options.out);
    Err(Error::ours("gen-types is not built yet"))
}
