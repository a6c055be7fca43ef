//! Converts plots to PNG, for viewers that do not show SVG.

use std::path::Path;
use std::process::Command;

use crate::step::{self, Outcome, say};

/// Writes `NAME.png` beside `NAME.svg`, if librsvg's `rsvg-convert` is installed.
pub(super) fn beside(svg: &Path) -> Outcome {
    if step::on_path("rsvg-convert").is_none() {
        say("there is no `rsvg-convert` (librsvg2-bin): no PNG is written\n");
        return Ok(());
    }
    let mut convert = Command::new("rsvg-convert");
    convert.arg("--output").arg(svg.with_extension("png"));
    step::run(convert.arg(svg))
}
