//! The plot of a program: its parameter on the horizontal axis, the mean on the vertical axis.

use std::path::Path;

use plotters::prelude::*;

use super::programs::{Evaluation, Program};
use super::samples::ActorSamples;
use crate::bench::png;
use crate::step::Outcome;

const SIZE: (u32, u32) = (840, 520);

/// Writes `NAME.svg`, and `NAME.png` if librsvg's `rsvg-convert` is installed.
pub(super) fn write(
    evaluation: &Evaluation,
    program: &'static Program,
    samples: &ActorSamples,
    folder: &Path,
) -> Outcome {
    let path = folder.join(format!("{}_{}.svg", evaluation.name, program.name));
    let problem = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    draw(evaluation, program, samples, &path).map_err(|error| problem(&error))?;
    png::beside(&path)
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The points of a contestant's line.
type Points = Vec<(f64, f64)>;

/// Returns the means of all contestants that ran the program.
fn lines(
    evaluation: &Evaluation,
    program: &'static Program,
    samples: &ActorSamples,
) -> Vec<(&'static str, Points)> {
    let of = |&contestant: &&'static str| {
        let point = |&x: &u64| Some((x as f64, samples.mean(program, contestant, x)?));
        let points: Points = program.series.iter().filter_map(point).collect();
        (contestant, points)
    };
    let all = evaluation.contestants.iter().map(of);
    all.filter(|(_, points)| !points.is_empty()).collect()
}

fn draw(
    evaluation: &Evaluation,
    program: &'static Program,
    samples: &ActorSamples,
    path: &Path,
) -> Drawn {
    let lines = lines(evaluation, program, samples);
    let points = || lines.iter().flat_map(|(_, points)| points);
    let right = points().map(|point| point.0).fold(0.0, f64::max);
    let heights = || points().map(|point| point.1);
    let top = heights().fold(f64::MIN_POSITIVE, f64::max);
    let bottom = heights().fold(top, f64::min).max(top / 1e6);

    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut builder = ChartBuilder::on(&area);
    builder
        .caption(program.title, ("sans-serif", 22))
        .margin(12);
    builder.x_label_area_size(44).y_label_area_size(70);
    let heights = (bottom * 0.7..top * 1.3).log_scale();
    let mut chart = builder.build_cartesian_2d(0.0..right * 1.02, heights)?;
    let mut mesh = chart.configure_mesh();
    let height = format!("{} (logarithmic)", program.unit.name());
    mesh.x_desc(program.axis).y_desc(height);
    mesh.x_label_formatter(&|x| format!("{x:.0}"));
    mesh.y_label_formatter(&|y| format!("{y}")).draw()?;
    for (index, (contestant, points)) in lines.iter().enumerate() {
        let style = Palette99::pick(index).to_rgba().stroke_width(2);
        let line = LineSeries::new(points.iter().copied(), style).point_size(3);
        let line = chart.draw_series(line)?.label(*contestant);
        line.legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
    }
    let mut labels = chart.configure_series_labels();
    labels.position(SeriesLabelPosition::UpperLeft);
    labels.background_style(WHITE.mix(0.8));
    labels.border_style(BLACK.mix(0.3)).draw()?;
    area.present()?;
    Ok(())
}
