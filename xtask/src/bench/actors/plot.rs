//! The plot of a program: its parameter to the right, the mean upwards.

use std::path::Path;
use std::process::Command;

use plotters::prelude::*;

use super::programs::{Evaluation, Program};
use super::samples::Samples;
use crate::step::{self, Outcome, say};

const SIZE: (u32, u32) = (840, 520);

/// Writes `NAME.svg`, and `NAME.png` where there is librsvg's `rsvg-convert`.
pub(super) fn write(
    evaluation: &Evaluation,
    program: &'static Program,
    samples: &Samples,
    folder: &Path,
) -> Outcome {
    let path = folder.join(format!("{}_{}.svg", evaluation.name, program.name));
    let problem = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    draw(evaluation, program, samples, &path).map_err(|error| problem(&error))?;
    if step::on_path("rsvg-convert").is_none() {
        say("there is no `rsvg-convert` (librsvg2-bin): no PNG is written\n");
        return Ok(());
    }
    let png = path.with_extension("png");
    step::run(
        Command::new("rsvg-convert")
            .arg("--output")
            .arg(png)
            .arg(&path),
    )
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

fn draw(
    evaluation: &Evaluation,
    program: &'static Program,
    samples: &Samples,
    path: &Path,
) -> Drawn {
    let lines: Vec<(&str, Vec<(f64, f64)>)> = evaluation
        .contestants
        .iter()
        .map(|&contestant| {
            let point = |&x: &u64| Some((x as f64, samples.mean(program, contestant, x)?));
            (
                contestant,
                program.series.iter().filter_map(point).collect(),
            )
        })
        .filter(|(_, points): &(_, Vec<_>)| !points.is_empty())
        .collect();
    let points = || lines.iter().flat_map(|(_, points)| points);
    let right = points().map(|point| point.0).fold(0.0, f64::max);
    let top = points()
        .map(|point| point.1)
        .fold(f64::MIN_POSITIVE, f64::max);
    let bottom = points()
        .map(|point| point.1)
        .fold(top, f64::min)
        .max(top / 1e6);

    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(program.title, ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(70)
        .build_cartesian_2d(0.0..right * 1.02, (bottom * 0.7..top * 1.3).log_scale())?;
    chart
        .configure_mesh()
        .x_desc(program.axis)
        .y_desc(format!("{} (logarithmic)", program.unit.name()))
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("{y}"))
        .draw()?;
    for (index, (contestant, points)) in lines.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        let line = LineSeries::new(points.iter().copied(), color.stroke_width(2)).point_size(3);
        chart
            .draw_series(line)?
            .label(*contestant)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()?;
    Ok(())
}
