//! A supervision tree as a picture: an SVG that any browser shows, in its light or dark colours.

use std::fmt::Write;

use super::drawing::label;
use crate::vm::tree::{Entry, TreeRow, Trees};

/// Pixels: a box, the gaps between two boxes, and the margin of the picture.
const HEIGHT: f64 = 42.0;
const GAP: f64 = 12.0;
const COLUMN_GAP: f64 = 56.0;
const MARGIN: f64 = 24.0;
/// Pixels between the edge of a box and its text.
const PADDING: f64 = 14.0;
/// Width in pixels of a character on each line, and the factor for wide characters, in rather wide
/// fonts.
const NAME_CHARACTER: f64 = 8.6;
const FACTS_CHARACTER: f64 = 6.6;
const WIDE: f64 = 1.6;
/// Maximum number of characters of a line; the whole text is shown when the mouse is over the box.
const LONGEST: usize = 48;

const STYLE: &str = "\
text{font-family:system-ui,'Segoe UI','DejaVu Sans',sans-serif;fill:#1f2933}\
.name{font-size:14px;font-weight:600}.facts{font-size:11px;fill:#52606d}\
.edge{fill:none;stroke:#9aa5b1;stroke-width:1.5}\
rect{stroke-width:1.5}\
.node rect{fill:#323f4b;stroke:#323f4b}.node text{fill:#fff}\
.application rect{fill:#f0f4f8;stroke:#829ab1}\
.supervisor rect{fill:#e3effc;stroke:#2f6fba}\
.worker rect{fill:#e7f6ec;stroke:#31884f}\
.omitted rect{fill:none;stroke:#9aa5b1;stroke-dasharray:4 3}\
@media (prefers-color-scheme:dark){svg{background:#151a21}text{fill:#e4e7eb}.facts{fill:#9aa5b1}\
.edge{stroke:#616e7c}.node rect{fill:#52606d;stroke:#52606d}.application rect{fill:#222b36;stroke:#627d98}\
.supervisor rect{fill:#16304f;stroke:#5b9be6}.worker rect{fill:#12351f;stroke:#4fb073}}";

/// A box, with the numbers of the boxes that its edges lead to.
struct DrawnBox {
    class: &'static str,
    name: String,
    facts: String,
    column: usize,
    children: Vec<usize>,
    /// The position of its middle.
    y: f64,
}

/// The picture.
pub(super) fn svg(trees: &Trees) -> String {
    let mut picture = Picture::default();
    let roots = picture.trees(trees);
    for root in roots {
        picture.lay_out(root);
    }
    picture.draw()
}

#[derive(Default)]
struct Picture {
    shapes: Vec<DrawnBox>,
    /// The number of occupied rows.
    rows: usize,
}

impl Picture {
    /// Adds all boxes and returns the roots.
    fn trees(&mut self, trees: &Trees) -> Vec<usize> {
        let node = (!trees.node.is_empty()).then(|| self.add("node", [&trees.node, ""], None));
        let mut roots = Vec::from_iter(node);
        for tree in &trees.applications {
            let application = self.add("application", [&tree.application, "application"], node);
            if node.is_none() {
                roots.push(application);
            }
            let first = self.shapes.len();
            for (index, entry) in tree.entries.iter().enumerate() {
                let above = tree
                    .parent(index)
                    .map_or(application, |parent| first + parent);
                let [name, facts] = label(entry);
                self.add(class(entry), [&name, &facts], Some(above));
            }
        }
        roots
    }

    fn add(
        &mut self,
        class: &'static str,
        [name, facts]: [&str; 2],
        above: Option<usize>,
    ) -> usize {
        let number = self.shapes.len();
        if let Some(above) = above {
            self.shapes[above].children.push(number);
        }
        self.shapes.push(DrawnBox {
            class,
            name: name.to_owned(),
            facts: facts.to_owned(),
            column: above.map_or(0, |above| self.shapes[above].column + 1),
            children: Vec::new(),
            y: 0.0,
        });
        number
    }

    /// Positions a box. A box without children occupies a row; another one is at the middle of its
    /// children.
    fn lay_out(&mut self, number: usize) {
        let children = self.shapes[number].children.clone();
        for child in &children {
            self.lay_out(*child);
        }
        self.shapes[number].y = match (children.first(), children.last()) {
            (Some(first), Some(last)) => (self.shapes[*first].y + self.shapes[*last].y) / 2.0,
            _ => {
                self.rows += 1;
                MARGIN + HEIGHT / 2.0 + (self.rows - 1) as f64 * (HEIGHT + GAP)
            }
        };
    }

    /// Returns the start of each column, and the end of the last one.
    fn columns(&self) -> Vec<(f64, f64)> {
        let mut widths: Vec<f64> = Vec::new();
        for shape in &self.shapes {
            widths.resize(widths.len().max(shape.column + 1), 0.0);
            widths[shape.column] = widths[shape.column].max(shape.width());
        }
        let mut x = MARGIN;
        let columns = widths.into_iter().map(|width| {
            let column = (x, width);
            x += width + COLUMN_GAP;
            column
        });
        columns.collect()
    }

    fn draw(&self) -> String {
        let columns = self.columns();
        let width = columns.last().map_or(0.0, |(x, width)| x + width) + MARGIN;
        let height = self.rows.max(1) as f64 * (HEIGHT + GAP) - GAP + 2.0 * MARGIN;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n<title>supervision tree</title>\n<style>{STYLE}</style>\n"
        );
        for shape in &self.shapes {
            let (x, width) = columns[shape.column];
            for child in &shape.children {
                let to = &self.shapes[*child];
                text += &edge((x + width, shape.y), (columns[to.column].0, to.y));
            }
        }
        for shape in &self.shapes {
            text += &shape.draw(columns[shape.column]);
        }
        text + "</svg>\n"
    }
}

fn class(entry: &Entry) -> &'static str {
    match &entry.kind {
        TreeRow::Omitted(_) => "omitted",
        TreeRow::Process(process) => process.kind(),
    }
}

/// Returns a curve from the right side of a box to the left side of the next one.
fn edge((x, y): (f64, f64), (to_x, to_y): (f64, f64)) -> String {
    let middle = (x + to_x) / 2.0;
    format!(
        "<path class=\"edge\" d=\"M{x:.1} {y:.1}C{middle:.1} {y:.1} {middle:.1} {to_y:.1} {to_x:.1} {to_y:.1}\"/>\n"
    )
}

impl DrawnBox {
    fn width(&self) -> f64 {
        let length = |text: &str| {
            let shown = text.chars().take(LONGEST);
            let widths = shown.map(|c| if "mwMW@%…".contains(c) { WIDE } else { 1.0 });
            widths.sum::<f64>()
        };
        let name = length(&self.name) * NAME_CHARACTER;
        name.max(length(&self.facts) * FACTS_CHARACTER) + 2.0 * PADDING
    }

    fn draw(&self, (x, width): (f64, f64)) -> String {
        let DrawnBox {
            class,
            name,
            facts,
            y,
            ..
        } = self;
        let (top, at) = (y - HEIGHT / 2.0, x + PADDING);
        let mut text = format!("<g class=\"{class}\"><title>{}</title>", escaped(name));
        let _ = write!(
            text,
            "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" rx=\"8\"/>"
        );
        let mut line = |class: &str, y: f64, line: &str| {
            let line = escaped(&shortened(line));
            let _ = write!(
                text,
                "<text class=\"{class}\" x=\"{at:.1}\" y=\"{y:.1}\">{line}</text>"
            );
        };
        if facts.is_empty() {
            line("name", y + 5.0, name)
        } else {
            line("name", y - 2.0, name);
            line("facts", y + 14.0, facts);
        }
        text + "</g>\n"
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() > LONGEST {
        text.chars().take(LONGEST - 1).chain(['…']).collect()
    } else {
        text.to_owned()
    }
}

/// Escapes text for XML, which also has no control characters.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c if c.is_control() => safe.push(char::REPLACEMENT_CHARACTER),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vm::tree::{Process, SupervisionTree};

    fn entry(depth: usize, name: &str) -> Entry {
        let kind = TreeRow::Process(Process {
            is_supervisor: depth == 0,
            name: name.to_owned(),
            ..Process::default()
        });
        Entry { depth, kind }
    }

    #[test]
    fn boxes_do_not_overlap_and_a_parent_is_between_its_children() {
        let entries = ["root", "a", "b", "c"];
        let entries = entries.iter().enumerate();
        let tree = SupervisionTree {
            application: "shop".to_owned(),
            entries: entries
                .map(|(index, name)| entry(usize::from(index > 0), name))
                .collect(),
        };
        let mut picture = Picture::default();
        let roots = picture.trees(&Trees {
            node: String::new(),
            applications: vec![tree],
        });
        assert_eq!(roots, [0]);
        picture.lay_out(0);
        let y = |number: usize| picture.shapes[number].y;
        assert!(y(3) - y(2) >= HEIGHT + GAP && y(4) - y(3) >= HEIGHT + GAP);
        assert!((y(1) - y(3)).abs() < 0.01 && (y(0) - y(1)).abs() < 0.01);
        let columns = picture.columns();
        assert!(columns[1].0 >= columns[0].0 + columns[0].1 + COLUMN_GAP - 0.01);
        assert_eq!(picture.draw().matches("class=\"edge\"").count(), 4);
    }

    #[test]
    fn names_are_escaped_and_long_ones_shortened() {
        assert_eq!(
            escaped("<0.1.0> \"a\" & \u{1b}"),
            "&lt;0.1.0&gt; &quot;a&quot; &amp; \u{fffd}"
        );
        let long = shortened(&"ä".repeat(60));
        assert_eq!(long.chars().count(), LONGEST);
        assert!(long.ends_with('…'));
    }
}
