//! The crate `tracing`.

use std::fmt;

use ::tracing::field::{Field, Visit};
use ::tracing::level_filters::LevelFilter;
use ::tracing::span::{Attributes, Id, Record};
use ::tracing::subscriber::{Interest, set_global_default};
use ::tracing::{Event as Traced, Metadata, Span, Subscriber, callsite};
use tracing_subscriber::layer::{Context, Filter, SubscriberExt};
use tracing_subscriber::registry::{LookupSpan, SpanRef};
use tracing_subscriber::{Layer, Registry};

use super::level;
use crate::runtime::output::{self, Level, LogEvent};
use crate::runtime::shown;
use crate::term::OwnedHeap;
use crate::{Atom, Float, Heap, Term, ToTerm};

/// Returns the layer that sends the events of `tracing` to Erlang's `logger`, for use beside
/// others:
///
/// ```
/// # use otp_bridge_novm as _;
/// use tracing_subscriber::layer::SubscriberExt;
///
/// fn prepare() {
///     let subscriber = tracing_subscriber::registry()
///         .with(otp_bridge::logging::layer());                 // and .with(…) more
///     tracing::subscriber::set_global_default(subscriber).expect("nothing else sets one");
/// }
///
/// otp_bridge::application!(load = prepare);
/// ```
///
/// If you do not set a subscriber, the application gets one with this layer alone.
pub fn layer<S>() -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    ToLogger.with_filter(LevelOfLogger)
}

pub(super) fn install() {
    // An error means that the application has set one.
    let _ = set_global_default(Registry::default().with(layer()));
}

/// Returns the spans around the running code, outermost first: `[{Name, Fields}]`. Only a
/// subscriber of `tracing_subscriber` stores them.
pub(super) fn spans() -> Option<Term> {
    let spans = Span::current().with_subscriber(|(id, dispatch)| {
        let scope = dispatch.downcast_ref::<Registry>()?.span(id)?.scope();
        Some(scope.from_root().map(|span| term_of(&span)).collect())
    });
    spans.flatten().map(Term::List)
}

/// `{Name, Fields}`
fn term_of<'a, R: LookupSpan<'a>>(span: &SpanRef<'a, R>) -> Term {
    let extensions = span.extensions();
    let fields = extensions.get::<Fields>().map(Fields::entries);
    let fields = OwnedHeap.map_from(fields.unwrap_or_default());
    OwnedHeap.tuple([span.name().to_term(OwnedHeap), fields])
}

/// Updates the cached levels after a change of `logger`'s level.
pub(super) fn follow() {
    callsite::rebuild_interest_cache();
}

fn level_of(level: ::tracing::Level) -> Level {
    match level {
        ::tracing::Level::ERROR => Level::Error,
        ::tracing::Level::WARN => Level::Warn,
        ::tracing::Level::INFO => Level::Info,
        ::tracing::Level::DEBUG => Level::Debug,
        ::tracing::Level::TRACE => Level::Trace,
    }
}

/// A filter with the level of `logger`.
struct LevelOfLogger;

impl<S> Filter<S> for LevelOfLogger {
    fn enabled(&self, metadata: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        level::is_enabled(level_of(*metadata.level()))
    }

    fn callsite_enabled(&self, metadata: &'static Metadata<'static>) -> Interest {
        match level::is_enabled(level_of(*metadata.level())) {
            true => Interest::always(),
            false => Interest::never(),
        }
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        let levels = [
            (Level::Trace, LevelFilter::TRACE),
            (Level::Debug, LevelFilter::DEBUG),
            (Level::Info, LevelFilter::INFO),
            (Level::Warn, LevelFilter::WARN),
            (Level::Error, LevelFilter::ERROR),
        ];
        let enabled = levels
            .into_iter()
            .find(|(level, _)| level::is_enabled(*level));
        Some(enabled.map_or(LevelFilter::OFF, |(_, filter)| filter))
    }
}

struct ToLogger;

impl<S> Layer<S> for ToLogger
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            let mut fields = Fields::default();
            attributes.record(&mut fields);
            span.extensions_mut().insert(fields);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(fields) = span.extensions_mut().get_mut::<Fields>()
        {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Traced<'_>, context: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let metadata = event.metadata();
        let spans: Vec<Term> = context
            .event_scope(event)
            .into_iter()
            .flat_map(tracing_subscriber::registry::Scope::from_root)
            .map(|span| term_of(&span))
            .collect();
        output::log(LogEvent {
            level: level_of(*metadata.level()),
            fields: fields.entries(),
            message: fields.message,
            target: metadata.target(),
            module: metadata.module_path(),
            file: metadata.file().map(shown),
            line: metadata.line(),
            spans,
        });
    }
}

/// The fields of an event or a span.
#[derive(Default)]
struct Fields {
    message: String,
    others: Vec<(&'static str, Term)>,
}

impl Fields {
    /// Returns the fields as entries. The keys are names in the program's text, so they are atoms,
    /// unless they are longer than the limit of an atom.
    fn entries(&self) -> Vec<(Term, Term)> {
        let key = |name: &str| Atom::new(name).map_or_else(|_| Term::of(name), Term::Atom);
        let others = self.others.iter();
        others
            .map(|(name, value)| (key(name), value.clone()))
            .collect()
    }

    fn add(&mut self, field: &Field, value: &(impl ToTerm + ?Sized)) {
        self.others.push((field.name(), value.to_term(OwnedHeap)));
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        match field.name() {
            "message" => self.message = format!("{value:?}"),
            _ => self.add(field, &format!("{value:?}")),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "message" => self.message = value.to_owned(),
            _ => self.add(field, value),
        }
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        match Float::new(value) {
            Some(float) => self.add(field, &float),
            None => self.add(field, &value.to_string()),
        }
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, &value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, &value);
    }

    fn record_i128(&mut self, field: &Field, value: i128) {
        self.add(field, &value);
    }

    fn record_u128(&mut self, field: &Field, value: u128) {
        self.add(field, &value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, &value);
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.add(field, &value.to_string());
    }
}
