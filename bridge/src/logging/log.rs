//! The crate `log`.

use std::sync::atomic::{AtomicBool, Ordering};

use ::log::kv::{Error, Key, Value, VisitSource, VisitValue};
use ::log::{LevelFilter, Log, Metadata, Record};

use super::level;
use crate::runtime::output::{self, Level, LogEvent};
use crate::runtime::shown;
use crate::term::OwnedHeap;
use crate::{Float, Term, ToTerm};

struct Logger;

static LOGGER: Logger = Logger;

/// Whether the levels of the crate `log` follow `logger`. They do not if the application has a
/// logger of its own.
static IS_INSTALLED: AtomicBool = AtomicBool::new(false);

/// Returns the logger that sends the records of `log` to Erlang's `logger`, for your own logger
/// that passes records on. An application that installs another logger (`application!(load = …)`)
/// sets `log::set_max_level` itself.
pub fn logger() -> &'static dyn Log {
    &LOGGER
}

pub(super) fn install() {
    if ::log::set_logger(&LOGGER).is_ok() {
        IS_INSTALLED.store(true, Ordering::Relaxed);
    }
}

pub(super) fn follow(level: Level) {
    if IS_INSTALLED.load(Ordering::Relaxed) {
        ::log::set_max_level(match level {
            Level::Off => LevelFilter::Off,
            Level::Error => LevelFilter::Error,
            Level::Warn => LevelFilter::Warn,
            Level::Info => LevelFilter::Info,
            Level::Debug => LevelFilter::Debug,
            Level::Trace => LevelFilter::Trace,
        });
    }
}

fn level_of(level: ::log::Level) -> Level {
    match level {
        ::log::Level::Error => Level::Error,
        ::log::Level::Warn => Level::Warn,
        ::log::Level::Info => Level::Info,
        ::log::Level::Debug => Level::Debug,
        ::log::Level::Trace => Level::Trace,
    }
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        level::is_enabled(level_of(metadata.level()))
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let mut fields = Fields(Vec::new());
        // If a source fails, the fields before the failure are used.
        let _ = record.key_values().visit(&mut fields);
        output::log(LogEvent {
            level: level_of(record.level()),
            message: record.args().to_string(),
            fields: fields.0,
            target: record.target(),
            module: record.module_path(),
            file: record.file().map(shown),
            line: record.line(),
            spans: Vec::new(),
        });
    }

    fn flush(&self) {}
}

/// A record's keys and values. The keys may be created at run time, so they are binaries, because
/// atoms are never freed.
struct Fields(Vec<(Term, Term)>);

impl<'kvs> VisitSource<'kvs> for Fields {
    fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> Result<(), Error> {
        let mut read = Read(None);
        let _ = value.visit(&mut read);
        let value = read.0.unwrap_or_else(|| Term::of(&value.to_string()));
        self.0.push((Term::of(key.as_str()), value));
        Ok(())
    }
}

/// Converts a value into a term. A value that is not a number, a boolean or a text becomes the text
/// of its `Display`.
struct Read(Option<Term>);

impl Read {
    #[expect(
        clippy::unnecessary_wraps,
        reason = "what the methods of the trait return"
    )]
    fn is(&mut self, value: &(impl ToTerm + ?Sized)) -> Result<(), Error> {
        self.0 = Some(value.to_term(OwnedHeap));
        Ok(())
    }
}

impl VisitValue<'_> for Read {
    fn visit_any(&mut self, value: Value<'_>) -> Result<(), Error> {
        self.is(&value.to_string())
    }

    fn visit_u64(&mut self, value: u64) -> Result<(), Error> {
        self.is(&value)
    }

    fn visit_i64(&mut self, value: i64) -> Result<(), Error> {
        self.is(&value)
    }

    fn visit_u128(&mut self, value: u128) -> Result<(), Error> {
        self.is(&value)
    }

    fn visit_i128(&mut self, value: i128) -> Result<(), Error> {
        self.is(&value)
    }

    fn visit_f64(&mut self, value: f64) -> Result<(), Error> {
        match Float::new(value) {
            Some(float) => self.is(&float),
            None => self.is(&value.to_string()),
        }
    }

    fn visit_bool(&mut self, value: bool) -> Result<(), Error> {
        self.is(&value)
    }

    fn visit_str(&mut self, value: &str) -> Result<(), Error> {
        self.is(value)
    }

    fn visit_char(&mut self, value: char) -> Result<(), Error> {
        self.is(&value.to_string())
    }
}
