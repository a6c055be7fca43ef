//! Describes the machine of the measurements.

use std::fs;
use std::thread;

use crate::erlang;
use crate::step::{Outcome, say};

/// A higher load average means that other programs run.
const BUSY: f64 = 0.5;

const UNKNOWN: &str = "not known";

/// The properties of the machine that the figures depend on.
pub(in crate::bench) struct Machine {
    pub(in crate::bench) cores: usize,
    pub(in crate::bench) processor: String,
    pub(in crate::bench) otp: String,
    /// Load averages of 1, 5 and 15 minutes.
    pub(in crate::bench) load: String,
}

impl Machine {
    pub(in crate::bench) fn look() -> Outcome<Self> {
        Ok(Machine {
            cores: thread::available_parallelism().map_or(0, usize::from),
            processor: processor(),
            otp: otp()?,
            load: load(),
        })
    }

    pub(in crate::bench) fn say(&self) {
        let Self {
            cores,
            processor,
            otp,
            load,
        } = self;
        say(&format!(
            "{processor}, {cores} cores; OTP {otp}; load: {load}\n"
        ));
        let busy = load.split(' ').next().and_then(|load| load.parse().ok());
        if busy.is_some_and(|load: f64| load > BUSY) {
            say(
                "The machine has other work: ratios are roughly right, times and lateness are not.\n",
            );
        }
        say("\n");
    }
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(':'));
    name.map_or(UNKNOWN, |(_, name)| name.trim()).to_owned()
}

/// Returns the full version of OTP, if the installation contains it.
fn otp() -> Outcome<String> {
    let libraries = erlang::libraries().ok_or("there is no `erl` on PATH")?;
    let release = erlang::release(&libraries)?;
    let file = libraries.join(format!("../releases/{release}/OTP_VERSION"));
    let version = fs::read_to_string(file).map(|text| text.trim().to_owned());
    Ok(version.unwrap_or(release))
}

/// Returns the load averages of 1, 5 and 15 minutes.
pub(in crate::bench) fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    match words.as_slice() {
        [] => UNKNOWN.to_owned(),
        words => words.join(" "),
    }
}

/// Returns the processor time that a process has used, in seconds, to a hundredth.
pub(in crate::bench) fn processor_time(process: u32) -> Outcome<f64> {
    /// Clock ticks per second. Linux does not change this number.
    const TICKS: f64 = 100.0;
    let file = format!("/proc/{process}/stat");
    let text = fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
    // The second field may contain blanks, and ends with a bracket.
    let fields = text.rsplit(") ").next().unwrap_or_default();
    let times = fields.split(' ').skip(11).take(2);
    let ticks = times.filter_map(|field| field.parse::<f64>().ok());
    Ok(ticks.sum::<f64>() / TICKS)
}
