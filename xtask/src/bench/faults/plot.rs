//! The plots: the scenarios to the right, a bar for each contestant.

use std::path::Path;
use std::process::Command;

use plotters::coord::ranged1d::SegmentValue;
use plotters::prelude::*;

use super::figures::Results;
use super::lines;
use super::scenarios::{CONTESTANTS, SCENARIOS, Scenario};
use crate::step::{self, Outcome, say};

const SIZE: (u32, u32) = (1100, 480);

/// From a fault to the next right answer: the median, up to the longest.
pub(super) fn recovery(results: &Results, folder: &Path) -> Outcome {
    let bars = |scenario: &Scenario, who| {
        let figures = results.of(scenario.name, who)?;
        Some((figures.recovery()?.median, figures.longest()?))
    };
    let title = "From a fault to the next right answer: median (bar) and longest (line), ms";
    write(&folder.join("faults_recovery.svg"), title, true, bars)
}

/// Lines of code.
pub(super) fn lines_of_code(folder: &Path) -> Outcome {
    let bars = |scenario: &Scenario, who: &str| {
        let lines = scenario.has(who).then(|| lines::of(scenario, who).ok())??;
        Some((lines as f64, lines as f64))
    };
    write(
        &folder.join("faults_lines.svg"),
        "Lines of code",
        false,
        bars,
    )
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Writes `NAME.svg`, and `NAME.png` where there is librsvg's `rsvg-convert`.
fn write(
    path: &Path,
    title: &str,
    logarithmic: bool,
    bars: impl Fn(&'static Scenario, &'static str) -> Option<(f64, f64)>,
) -> Outcome {
    let drawn = draw(path, title, logarithmic, bars);
    drawn.map_err(|error| format!("{}: {error}", path.display()))?;
    if step::on_path("rsvg-convert").is_none() {
        say("there is no `rsvg-convert` (librsvg2-bin): no PNG is written\n");
        return Ok(());
    }
    let png = path.with_extension("png");
    step::run(
        Command::new("rsvg-convert")
            .arg("--output")
            .arg(png)
            .arg(path),
    )
}

fn draw(
    path: &Path,
    title: &str,
    logarithmic: bool,
    bars: impl Fn(&'static Scenario, &'static str) -> Option<(f64, f64)>,
) -> Drawn {
    let mut all = Vec::new();
    for (place, scenario) in SCENARIOS.iter().enumerate() {
        for (index, who) in CONTESTANTS.iter().enumerate() {
            let bar = bars(scenario, who);
            all.extend(bar.map(|(height, longest)| (place, index, height, longest)));
        }
    }
    let shown = |height: f64| {
        if logarithmic {
            height.max(0.1).log10()
        } else {
            height
        }
    };
    let top = all.iter().map(|bar| shown(bar.3)).fold(1.0, f64::max);
    let bottom = if logarithmic { -0.5 } else { 0.0 };

    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut builder = ChartBuilder::on(&area);
    builder.caption(title, ("sans-serif", 20)).margin(12);
    builder.x_label_area_size(40).y_label_area_size(60);
    let places = (0..SCENARIOS.len()).into_segmented();
    let mut chart = builder.build_cartesian_2d(places, bottom..top * 1.15)?;
    let name = |place: &SegmentValue<usize>| match place {
        SegmentValue::CenterOf(place) => SCENARIOS.get(*place).map_or("", |it| it.name).to_owned(),
        _ => String::new(),
    };
    let number = |height: &f64| match logarithmic {
        true => format!("{:.1}", 10f64.powf(*height)),
        false => format!("{height:.0}"),
    };
    let mut mesh = chart.configure_mesh();
    mesh.disable_x_mesh().x_labels(SCENARIOS.len() + 1);
    mesh.x_label_formatter(&name)
        .y_label_formatter(&number)
        .draw()?;

    // Bars are drawn in pixels of the chart, as several stand in one segment.
    let plane = chart.plotting_area().clone();
    let (left, right) = (
        plane.map_coordinate(&(SegmentValue::Exact(0), bottom)),
        plane.map_coordinate(&(SegmentValue::Exact(1), bottom)),
    );
    let width = (right.0 - left.0) / (CONTESTANTS.len() as i32 + 1);
    for (place, index, height, longest) in all {
        let base = plane.map_coordinate(&(SegmentValue::Exact(place), bottom));
        let top = plane
            .map_coordinate(&(SegmentValue::Exact(place), shown(height)))
            .1;
        let tip = plane
            .map_coordinate(&(SegmentValue::Exact(place), shown(longest)))
            .1;
        let from = base.0 + width / 2 + width * index as i32;
        let style = Palette99::pick(index);
        area.draw(&Rectangle::new(
            [(from, top), (from + width - 2, base.1)],
            style.filled(),
        ))?;
        let middle = from + width / 2 - 1;
        area.draw(&PathElement::new(
            [(middle, top), (middle, tip)],
            BLACK.stroke_width(1),
        ))?;
    }
    for (index, who) in CONTESTANTS.iter().enumerate() {
        let (x, y) = (80 + 110 * index as i32, 44);
        area.draw(&Rectangle::new(
            [(x, y), (x + 14, y + 12)],
            Palette99::pick(index).filled(),
        ))?;
        area.draw(&Text::new(*who, (x + 20, y), ("sans-serif", 15)))?;
    }
    area.present()?;
    Ok(())
}
