//! The events that took long (LATENCY): for each kind of event, the slowest one of each second.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::store::now;

/// Maximum number of samples of an event, as in redis-server.
const MOST: usize = 160;

/// The samples of a kind of event.
#[derive(Debug, Default, Clone)]
pub struct LatencyEvent {
    /// Times in seconds since 1970, and durations in milliseconds. The latest one is the last.
    pub samples: VecDeque<(u64, u64)>,
    /// The longest duration since the start or the last reset.
    pub highest: u64,
}

/// The monitor of events that took long.
#[derive(Debug, Default)]
pub struct LatencyMonitor {
    /// See `latency-monitor-threshold`: minimum duration in milliseconds; 0 turns the monitor off.
    pub threshold: AtomicI64,
    events: Mutex<BTreeMap<&'static str, LatencyEvent>>,
}

impl LatencyMonitor {
    /// Returns the events by name.
    pub fn events(&self) -> MutexGuard<'_, BTreeMap<&'static str, LatencyEvent>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether an event with this duration in microseconds is recorded.
    pub fn takes(&self, took: u64) -> bool {
        let least = self.threshold.load(Ordering::Relaxed);
        least > 0 && u64::try_from(least).is_ok_and(|least| took / 1000 >= least)
    }

    /// Records an event with its duration in microseconds.
    pub fn add(&self, name: &'static str, took: u64) {
        let (second, took) = (now() / 1000, took / 1000);
        let mut events = self.events();
        let event = events.entry(name).or_default();
        event.highest = event.highest.max(took);
        match event.samples.back_mut() {
            Some((time, longest)) if *time == second => *longest = took.max(*longest),
            _ => event.samples.push_back((second, took)),
        }
        if event.samples.len() > MOST {
            event.samples.pop_front();
        }
    }

    /// Forgets the events with these names, or all events. Returns how many.
    pub fn reset(&self, names: &[String]) -> usize {
        let mut events = self.events();
        let before = events.len();
        events.retain(|name, _| !names.is_empty() && !names.iter().any(|it| it == name));
        before - events.len()
    }
}

/// Returns a report for people.
#[must_use]
pub fn doctor(monitor: &LatencyMonitor) -> String {
    if monitor.threshold.load(Ordering::Relaxed) <= 0 {
        return "Latency monitoring is disabled. Use CONFIG SET latency-monitor-threshold <milliseconds> to enable it. \
                SLOWLOG GET shows the commands that took long.\n"
            .to_owned();
    }
    let mut text = String::new();
    for (name, event) in monitor.events().iter() {
        let count = event.samples.len();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{name}: {count} samples, at most {} ms.",
            event.highest
        );
    }
    if text.is_empty() {
        text.push_str("No event took longer than latency-monitor-threshold.\n");
    }
    text
}

/// Returns a chart of an event for people: a line for each sample.
#[must_use]
pub fn graph(name: &str, event: &LatencyEvent) -> String {
    const WIDTH: u64 = 60;
    let durations = || event.samples.iter().map(|it| it.1);
    let (high, low) = (
        durations().max().unwrap_or(0),
        durations().min().unwrap_or(0),
    );
    let mut text = format!(
        "{name} - high {high} ms, low {low} ms (all time high {} ms)\n",
        event.highest
    );
    let now = now() / 1000;
    for (time, took) in &event.samples {
        let bar = "#".repeat(usize::try_from(took * WIDTH / high.max(1)).unwrap_or(0));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:>6}s {took:>8} ms {bar}", now.saturating_sub(*time));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_event_of_a_second_is_kept() {
        let monitor = LatencyMonitor::default();
        assert!(!monitor.takes(u64::MAX));
        monitor.threshold.store(10, Ordering::Relaxed);
        assert!(!monitor.takes(9_999) && monitor.takes(10_000));
        for took in [20_000, 50_000, 30_000] {
            monitor.add("command", took);
        }
        let events = monitor.events().clone();
        let event = &events["command"];
        // The test may run when a second begins.
        assert!(event.highest == 50 && event.samples.iter().any(|it| it.1 == 50));
        assert!(event.samples.len() <= 2);
        assert!(graph("command", event).contains("high 50 ms"));
        assert_eq!(monitor.reset(&["other".to_owned()]), 0);
        assert_eq!(monitor.reset(&[]), 1);
    }
}
