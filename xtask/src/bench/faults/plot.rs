//! The plots: the scenarios to the right, a bar for each contestant.

use std::path::Path;
use std::process::Command;

use plotters::coord::Shift;
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
    heights: impl Fn(&'static Scenario, &'static str) -> Option<(f64, f64)>,
) -> Outcome {
    let axis = Axis { logarithmic };
    let drawn = draw(path, title, axis, &self::bars(axis, heights));
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

/// A bar with the line above it, in the units of the axis.
struct Bar {
    /// The indices of its scenario and contestant.
    scenario: usize,
    contestant: usize,
    height: f64,
    longest: f64,
}

/// The axis upwards.
#[derive(Clone, Copy)]
struct Axis {
    logarithmic: bool,
}

impl Axis {
    fn scaled(self, height: f64) -> f64 {
        if self.logarithmic {
            height.max(0.1).log10()
        } else {
            height
        }
    }

    fn bottom(self) -> f64 {
        if self.logarithmic { -0.5 } else { 0.0 }
    }

    fn label(self, place: f64) -> String {
        if self.logarithmic {
            format!("{:.1}", 10f64.powf(place))
        } else {
            format!("{place:.0}")
        }
    }
}

/// The bars of everybody who has one.
fn bars(
    axis: Axis,
    heights: impl Fn(&'static Scenario, &'static str) -> Option<(f64, f64)>,
) -> Vec<Bar> {
    let mut bars = Vec::new();
    for (scenario, it) in SCENARIOS.iter().enumerate() {
        for (contestant, who) in CONTESTANTS.iter().enumerate() {
            bars.extend(heights(it, who).map(|(height, longest)| Bar {
                scenario,
                contestant,
                height: axis.scaled(height),
                longest: axis.scaled(longest),
            }));
        }
    }
    bars
}

fn draw(path: &Path, title: &str, axis: Axis, bars: &[Bar]) -> Drawn {
    let top = bars.iter().map(|bar| bar.longest).fold(1.0, f64::max);

    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut builder = ChartBuilder::on(&area);
    builder.caption(title, ("sans-serif", 20)).margin(12);
    builder.x_label_area_size(40).y_label_area_size(60);
    let places = (0..SCENARIOS.len()).into_segmented();
    let mut chart = builder.build_cartesian_2d(places, axis.bottom()..top * 1.15)?;
    let mut mesh = chart.configure_mesh();
    mesh.disable_x_mesh().x_labels(SCENARIOS.len() + 1);
    mesh.x_label_formatter(&name);
    mesh.y_label_formatter(&|place| axis.label(*place)).draw()?;

    // Bars are drawn in pixels, as several stand in one segment.
    let plane = chart.plotting_area();
    let pixel = |scenario, height| plane.map_coordinate(&(SegmentValue::Exact(scenario), height));
    let segment = pixel(1, 0.0).0 - pixel(0, 0.0).0;
    let width = segment / (CONTESTANTS.len() as i32 + 1);
    for bar in bars {
        let (left, base) = pixel(bar.scenario, axis.bottom());
        let (top, tip) = (
            pixel(bar.scenario, bar.height).1,
            pixel(bar.scenario, bar.longest).1,
        );
        let left = left + width / 2 + width * bar.contestant as i32;
        let style = Palette99::pick(bar.contestant).filled();
        area.draw(&Rectangle::new(
            [(left, top), (left + width - 2, base)],
            style,
        ))?;
        let middle = left + width / 2 - 1;
        area.draw(&PathElement::new([(middle, top), (middle, tip)], BLACK))?;
    }
    legend(&area)?;
    area.present()?;
    Ok(())
}

/// The label of a scenario.
fn name(place: &SegmentValue<usize>) -> String {
    match place {
        SegmentValue::CenterOf(place) => SCENARIOS.get(*place).map_or("", |it| it.name).to_owned(),
        _ => String::new(),
    }
}

/// Which colour is whose.
fn legend(area: &DrawingArea<SVGBackend<'_>, Shift>) -> Drawn {
    for (index, who) in CONTESTANTS.iter().enumerate() {
        let (x, y) = (80 + 110 * index as i32, 44);
        let style = Palette99::pick(index).filled();
        area.draw(&Rectangle::new([(x, y), (x + 14, y + 12)], style))?;
        area.draw(&Text::new(*who, (x + 20, y), ("sans-serif", 15)))?;
    }
    Ok(())
}
