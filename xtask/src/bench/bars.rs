//! Bar charts: groups from left to right, each with one bar per contestant.

use std::path::Path;

use plotters::coord::Shift;
use plotters::coord::ranged1d::SegmentValue;
use plotters::prelude::*;

use super::png;
use crate::step::Outcome;

/// Sizes in pixels. Each group needs some width for its name.
const LEAST_WIDTH: usize = 1100;
const WIDTH_OF_GROUP: usize = 80;
const HEIGHT: u32 = 480;

/// The properties of the chart that all bars share.
pub(super) struct BarChart<'c> {
    pub(super) title: &'c str,
    pub(super) groups: Vec<String>,
    pub(super) contestants: &'c [&'c str],
    pub(super) axis: Axis,
    /// The height of a horizontal line for comparison.
    pub(super) line: Option<f64>,
}

/// A bar, and a thin line over it from one height to another.
pub(super) struct Bar {
    /// The indices of its group and contestant.
    pub(super) group: usize,
    pub(super) contestant: usize,
    pub(super) height: f64,
    pub(super) thin: [f64; 2],
}

/// The vertical axis.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Axis {
    /// The number of decimal places.
    Linear(usize),
    /// Values below 0.1 cannot be distinguished.
    Logarithmic,
}

impl Axis {
    fn scaled(self, height: f64) -> f64 {
        match self {
            Axis::Linear(_) => height,
            Axis::Logarithmic => height.max(0.1).log10(),
        }
    }

    fn bottom(self) -> f64 {
        match self {
            Axis::Linear(_) => 0.0,
            Axis::Logarithmic => -0.5,
        }
    }

    fn label(self, place: f64) -> String {
        match self {
            Axis::Linear(digits) => format!("{place:.digits$}"),
            Axis::Logarithmic => format!("{:.1}", 10f64.powf(place)),
        }
    }
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

impl BarChart<'_> {
    /// Writes `NAME.svg`, and `NAME.png` if librsvg's `rsvg-convert` is installed.
    pub(super) fn write(&self, path: &Path, bars: &[Bar]) -> Outcome {
        let drawn = self.draw(path, bars);
        drawn.map_err(|error| format!("{}: {error}", path.display()))?;
        png::beside(path)
    }

    fn draw(&self, path: &Path, bars: &[Bar]) -> Drawn {
        let axis = self.axis;
        let tips = bars.iter().map(|bar| axis.scaled(bar.thin[1]));
        let top = tips.fold(1.0, f64::max);
        let width = LEAST_WIDTH.max(self.groups.len() * WIDTH_OF_GROUP) as u32;
        let area = SVGBackend::new(path, (width, HEIGHT)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut builder = ChartBuilder::on(&area);
        builder.caption(self.title, ("sans-serif", 20)).margin(12);
        builder.x_label_area_size(40).y_label_area_size(60);
        let places = (0..self.groups.len()).into_segmented();
        let mut chart = builder.build_cartesian_2d(places, axis.bottom()..top * 1.15)?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_x_mesh().x_labels(self.groups.len() + 1);
        let name = |place: &SegmentValue<usize>| self.name(place);
        mesh.x_label_formatter(&name);
        mesh.y_label_formatter(&|place| axis.label(*place)).draw()?;

        // Draws bars in pixels, because one segment contains several bars.
        let plane = chart.plotting_area();
        let pixel = |group, height| plane.map_coordinate(&(SegmentValue::Exact(group), height));
        let segment = pixel(1, 0.0).0 - pixel(0, 0.0).0;
        let width = segment / (self.contestants.len() as i32 + 1);
        for bar in bars {
            let (left, base) = pixel(bar.group, axis.bottom());
            let [top, low, high] = [bar.height, bar.thin[0], bar.thin[1]]
                .map(|height| pixel(bar.group, axis.scaled(height)).1);
            let left = left + width / 2 + width * bar.contestant as i32;
            let style = Palette99::pick(bar.contestant).filled();
            let corners = [(left, top), (left + width - 2, base)];
            area.draw(&Rectangle::new(corners, style))?;
            let middle = left + width / 2 - 1;
            area.draw(&PathElement::new([(middle, low), (middle, high)], BLACK))?;
        }
        if let Some(line) = self.line {
            let (left, height) = pixel(0, axis.scaled(line));
            let right = left + segment * self.groups.len() as i32;
            area.draw(&PathElement::new([(left, height), (right, height)], BLACK))?;
        }
        self.legend(&area)?;
        area.present()?;
        Ok(())
    }

    fn name(&self, place: &SegmentValue<usize>) -> String {
        match place {
            SegmentValue::CenterOf(place) => self.groups.get(*place).cloned().unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// Draws the legend: each contestant with its colour.
    fn legend(&self, area: &DrawingArea<SVGBackend<'_>, Shift>) -> Drawn {
        for (index, who) in self.contestants.iter().enumerate() {
            let (x, y) = (80 + 140 * index as i32, 44);
            let style = Palette99::pick(index).filled();
            area.draw(&Rectangle::new([(x, y), (x + 14, y + 12)], style))?;
            area.draw(&Text::new(*who, (x + 20, y), ("sans-serif", 15)))?;
        }
        Ok(())
    }
}
