//! The counters, gauges and histograms that the application and its dependencies register by the
//! crate `metrics`.
//!
//! The number of series is limited, because a label may contain input. When the limit is reached,
//! all further series of a metric are counted as one series with the label `overflow="true"`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, HistogramFn, Key, KeyName, Metadata, SharedString, Unit,
};

use crate::histogram::{DECADES, Histogram, SECONDS, Sum};
use crate::text::{MetricKind, OpenMetrics, number};

/// The largest number of names, and of series of all names together.
const NAMES: usize = 500;
const SERIES: usize = 10_000;

/// The prefix of this crate's own metrics, which others cannot have.
const RESERVED: &str = "otp_rs_";

static REGISTRY: Mutex<Registry> = Mutex::new(Registry::new());

/// Makes the macros of the crate `metrics` write to this recorder, unless the application has set
/// another one.
pub(crate) fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // An error means that the application has set one.
        let _ = metrics::set_global_recorder(LibraryRecorder);
    });
}

/// Writes all of them.
pub(crate) fn write(text: &mut OpenMetrics) {
    registry().write(text);
}

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug, Default)]
struct Count(AtomicU64);

impl CounterFn for Count {
    fn increment(&self, value: u64) {
        self.0.fetch_add(value, Ordering::Relaxed);
    }

    fn absolute(&self, value: u64) {
        self.0.fetch_max(value, Ordering::Relaxed);
    }
}

impl GaugeFn for Sum {
    fn increment(&self, value: f64) {
        self.add(value);
    }

    fn decrement(&self, value: f64) {
        self.add(-value);
    }

    fn set(&self, value: f64) {
        self.set(value);
    }
}

impl HistogramFn for Histogram {
    fn record(&self, value: f64) {
        self.record(value);
    }
}

#[derive(Debug, Clone)]
enum Series {
    Counter(Arc<Count>),
    Gauge(Arc<Sum>),
    Histogram(Arc<Histogram>),
}

impl Series {
    fn new(name: &str, kind: MetricKind) -> Self {
        let bounds = match name.ends_with("_seconds") {
            true => SECONDS,
            false => DECADES,
        };
        match kind {
            MetricKind::Counter => Series::Counter(Arc::default()),
            MetricKind::Gauge => Series::Gauge(Arc::default()),
            MetricKind::Histogram => Series::Histogram(Arc::new(Histogram::new(bounds))),
        }
    }
}

/// The labels of a series, with their names as OpenMetrics allows them.
type OwnLabels = Vec<(String, String)>;

/// All series of a name.
struct Family {
    kind: MetricKind,
    series: BTreeMap<OwnLabels, Series>,
}

struct Registry {
    families: BTreeMap<String, Family>,
    help: BTreeMap<String, String>,
    /// The number of series of all families.
    count: usize,
    /// The number of registrations that were refused.
    refused: u64,
}

impl Registry {
    const fn new() -> Self {
        Registry {
            families: BTreeMap::new(),
            help: BTreeMap::new(),
            count: 0,
            refused: 0,
        }
    }

    /// Returns the series, which is created if it does not exist. `None` if the name is reserved or
    /// belongs to a metric of another kind, or if there are too many names.
    fn series(&mut self, key: &Key, kind: MetricKind) -> Option<Series> {
        let found = self.find(key, kind);
        self.refused += u64::from(found.is_none());
        found
    }

    fn find(&mut self, key: &Key, kind: MetricKind) -> Option<Series> {
        let name = family_name(key.name());
        let is_new = !self.families.contains_key(&name);
        if name.starts_with(RESERVED) || is_new && self.families.len() >= NAMES {
            return None;
        }
        let family = self.families.entry(name.clone()).or_insert(Family {
            kind,
            series: BTreeMap::new(),
        });
        if family.kind != kind {
            return None;
        }
        let mut labels = labels(key);
        if !family.series.contains_key(&labels) {
            if self.count >= SERIES {
                labels = vec![("overflow".to_owned(), "true".to_owned())];
            } else {
                self.count += 1;
            }
        }
        let series = family.series.entry(labels);
        Some(series.or_insert_with(|| Series::new(&name, kind)).clone())
    }

    fn describe(&mut self, name: &KeyName, help: &str) {
        let name = family_name(name.as_str());
        if self.help.contains_key(&name) || self.help.len() < NAMES {
            self.help.insert(name, help.to_owned());
        }
    }

    fn write(&self, text: &mut OpenMetrics) {
        for (name, family) in &self.families {
            let help = self.help.get(name).map_or("", String::as_str);
            text.metric(name, family.kind, help);
            for (labels, series) in &family.series {
                let labels = labels
                    .iter()
                    .map(|(name, value)| (name.as_str(), value.as_str()));
                let labels: Vec<(&str, &str)> = labels.collect();
                match series {
                    Series::Counter(count) => {
                        text.counter(name, &labels, count.0.load(Ordering::Relaxed));
                    }
                    Series::Gauge(value) => text.gauge(name, &labels, number(value.get())),
                    Series::Histogram(values) => text.histogram(name, &labels, values),
                }
            }
        }
        let name = "otp_rs_refused_metrics";
        let help = "Registrations of the crate `metrics` that were refused.";
        text.metric(name, MetricKind::Counter, help);
        text.counter(name, &[], self.refused);
    }
}

/// Returns the name with the characters that OpenMetrics allows, and without the suffix that the
/// samples of a counter get.
fn family_name(name: &str) -> String {
    let name = allowed(name, true);
    match name.strip_suffix("_total") {
        Some(start) if !start.is_empty() => start.to_owned(),
        _ => name,
    }
}

/// Replaces all characters that the name of a metric or a label cannot have.
fn allowed(name: &str, has_colons: bool) -> String {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || has_colons && c == ':';
    let replaced = name.chars().map(|c| if is_allowed(c) { c } else { '_' });
    let name: String = replaced.collect();
    match name.chars().next() {
        Some(first) if !first.is_ascii_digit() => name,
        _ => format!("_{name}"),
    }
}

/// Returns the labels in order. Two labels with one name would make the text invalid, so the last
/// one wins.
fn labels(key: &Key) -> OwnLabels {
    let labels = key.labels().map(|label| {
        let name = match allowed(label.key(), false) {
            name if name == "le" => "_le".to_owned(),
            name => name,
        };
        (name, label.value().to_owned())
    });
    labels.collect::<BTreeMap<_, _>>().into_iter().collect()
}

/// Has no data of its own, so an unloaded library leaves no data behind.
struct LibraryRecorder;

impl metrics::Recorder for LibraryRecorder {
    fn describe_counter(&self, name: KeyName, _: Option<Unit>, help: SharedString) {
        registry().describe(&name, &help);
    }

    fn describe_gauge(&self, name: KeyName, _: Option<Unit>, help: SharedString) {
        registry().describe(&name, &help);
    }

    fn describe_histogram(&self, name: KeyName, _: Option<Unit>, help: SharedString) {
        registry().describe(&name, &help);
    }

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        match registry().series(key, MetricKind::Counter) {
            Some(Series::Counter(count)) => Counter::from_arc(count),
            _ => Counter::noop(),
        }
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        match registry().series(key, MetricKind::Gauge) {
            Some(Series::Gauge(value)) => Gauge::from_arc(value),
            _ => Gauge::noop(),
        }
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> metrics::Histogram {
        match registry().series(key, MetricKind::Histogram) {
            Some(Series::Histogram(values)) => metrics::Histogram::from_arc(values),
            _ => metrics::Histogram::noop(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(registry: &mut Registry, key: Key) {
        if let Some(Series::Counter(count)) = registry.series(&key, MetricKind::Counter) {
            count.increment(1);
        }
    }

    fn text(registry: &Registry) -> String {
        let mut text = OpenMetrics::default();
        registry.write(&mut text);
        text.end()
    }

    #[test]
    fn the_number_of_series_is_limited() {
        let mut registry = Registry::new();
        for number in 0..SERIES + 5 {
            let labels = vec![metrics::Label::new("guest", number.to_string())];
            add(&mut registry, Key::from_parts("greetings", labels));
        }
        let text = text(&registry);
        let series = text
            .lines()
            .filter(|line| line.starts_with("greetings_total"));
        assert_eq!(series.count(), SERIES + 1);
        assert!(
            text.contains("greetings_total{overflow=\"true\"} 5\n"),
            "no overflow"
        );
    }

    #[test]
    fn the_number_of_names_is_limited() {
        let mut registry = Registry::new();
        for number in 0..NAMES + 5 {
            add(&mut registry, Key::from_name(format!("of {number}")));
        }
        let text = text(&registry);
        assert!(text.contains("of_499_total 1\n") && !text.contains("of_500"));
        assert!(text.contains("otp_rs_refused_metrics_total 5\n"));
    }

    #[test]
    fn a_name_has_one_kind_and_is_valid() {
        let mut registry = Registry::new();
        let labels = vec![
            metrics::Label::new("le", "1"),
            metrics::Label::new("0 x", "2"),
        ];
        add(&mut registry, Key::from_parts("1st.round_total", labels));
        let gauge = registry.series(&Key::from_name("_1st_round"), MetricKind::Gauge);
        assert!(gauge.is_none());
        add(&mut registry, Key::from_name("otp_rs_callbacks"));
        registry.describe(&KeyName::from("1st.round"), "Rounds.");
        let expected = "# TYPE _1st_round counter\n# HELP _1st_round Rounds.\n_1st_round_total{_0_x=\"2\",_le=\"1\"} 1\n";
        assert!(text(&registry).starts_with(expected), "{}", text(&registry));
    }
}
