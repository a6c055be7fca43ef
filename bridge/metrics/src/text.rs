//! Writes metrics as OpenMetrics text.

use std::fmt::{Display, Write};

use crate::histogram::Histogram;

/// The type of the text in HTTP.
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The kind of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MetricKind {
    Counter,
    Gauge,
    Histogram,
}

/// Names and values of labels.
pub(crate) type Labels<'a> = &'a [(&'a str, &'a str)];

/// A page of metrics while it is written.
#[derive(Debug, Default)]
pub(crate) struct OpenMetrics(String);

impl OpenMetrics {
    /// Begins a metric. Its samples have to follow at once. A name that ends with `_seconds` or
    /// `_bytes` has this unit.
    pub(crate) fn metric(&mut self, name: &str, kind: MetricKind, help: &str) {
        let kind = match kind {
            MetricKind::Counter => "counter",
            MetricKind::Gauge => "gauge",
            MetricKind::Histogram => "histogram",
        };
        self.line(format_args!("# TYPE {name} {kind}"));
        for unit in ["seconds", "bytes"] {
            if name.strip_suffix(unit).is_some_and(|it| it.ends_with('_')) {
                self.line(format_args!("# UNIT {name} {unit}"));
            }
        }
        if !help.is_empty() {
            self.line(format_args!("# HELP {name} {}", escaped(help)));
        }
    }

    pub(crate) fn counter(&mut self, name: &str, labels: Labels<'_>, value: impl Display) {
        self.sample(&format!("{name}_total"), labels, value);
    }

    pub(crate) fn gauge(&mut self, name: &str, labels: Labels<'_>, value: impl Display) {
        self.sample(name, labels, value);
    }

    pub(crate) fn histogram(&mut self, name: &str, labels: Labels<'_>, histogram: &Histogram) {
        let (below, count, sum) = histogram.read();
        let bucket = format!("{name}_bucket");
        for (bound, below) in below {
            let bound = number(bound);
            self.sample(&bucket, &[labels, &[("le", &bound)]].concat(), below);
        }
        self.sample(&bucket, &[labels, &[("le", "+Inf")]].concat(), count);
        self.sample(&format!("{name}_count"), labels, count);
        self.sample(&format!("{name}_sum"), labels, number(sum));
    }

    fn sample(&mut self, name: &str, labels: Labels<'_>, value: impl Display) {
        let labels = labels
            .iter()
            .map(|(name, value)| format!("{name}=\"{}\"", escaped(value)));
        let labels: Vec<String> = labels.collect();
        match &labels[..] {
            [] => self.line(format_args!("{name} {value}")),
            labels => self.line(format_args!("{name}{{{}}} {value}", labels.join(","))),
        }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{line}");
    }

    /// Ends the text.
    pub(crate) fn end(mut self) -> String {
        self.line(format_args!("# EOF"));
        self.0
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', r"\\")
        .replace('"', r#"\""#)
        .replace('\n', r"\n")
}

/// Returns a number as OpenMetrics writes it.
pub(crate) fn number(value: f64) -> String {
    match value {
        f64::INFINITY => "+Inf".to_owned(),
        f64::NEG_INFINITY => "-Inf".to_owned(),
        value if value.is_nan() => "NaN".to_owned(),
        value => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_types_units_and_escaped_labels() {
        let mut text = OpenMetrics::default();
        text.metric("pause_seconds", MetricKind::Counter, "Pauses.");
        text.counter("pause_seconds", &[("of", "a \"b\"\\\n")], number(1.5));
        let histogram = Histogram::new(&[1.0]);
        histogram.record(2.0);
        text.metric("size", MetricKind::Histogram, "");
        text.histogram("size", &[], &histogram);
        let expected = r#"# TYPE pause_seconds counter
# UNIT pause_seconds seconds
# HELP pause_seconds Pauses.
pause_seconds_total{of="a \"b\"\\\n"} 1.5
# TYPE size histogram
size_bucket{le="1.0"} 0
size_bucket{le="+Inf"} 1
size_count 1
size_sum 2.0
# EOF
"#;
        assert_eq!(text.end(), expected);
    }

    #[test]
    fn numbers_that_are_not_finite_have_names() {
        let all = [1e-5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN].map(number);
        assert_eq!(all, ["1e-5", "+Inf", "-Inf", "NaN"]);
    }
}
