//! The clients: they decide which calls to make and which of these are faults, and judge the
//! answers.
//!
//! This module is plain Rust, so that the programs with other frameworks (`peers/`) share its
//! rules.

use std::fmt;
use std::fs;
use std::time::{Duration, Instant};

/// Number of clients. Each makes one call after the other.
pub const CLIENTS: u64 = 8;

/// An answer that takes longer counts as late.
pub const DEADLINE: Duration = Duration::from_millis(250);

/// How long a client waits for an answer. After that, the call counts as lost.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// After this many lost calls in a row, a client gives up, because the service is unlikely to come
/// back. Its remaining calls also count as lost. So every program terminates.
pub const GIVES_UP: u32 = 10;

/// How long a client pauses before its next call after it was told that a call has failed.
pub const PAUSE: Duration = Duration::from_millis(1);

/// Total number of calls, and the number of faults among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    pub calls: u64,
    pub faults: u64,
}

/// A call with its number. `fault` asks the service to cause the fault of the scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    pub number: u64,
    pub fault: bool,
}

/// Returns the right answer to the call with this number.
#[must_use]
pub fn answer(number: u64) -> u64 {
    3 * number + 1
}

/// Outcome of a call, as its client sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    Answer(u64),
    /// The client was told that no answer will come, with or without a reason.
    Told,
    /// No answer came in time.
    Nothing,
}

/// Counts of the outcomes.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Tally {
    pub right: u64,
    pub wrong: u64,
    /// Right answers after the deadline.
    pub late: u64,
    pub told: u64,
    pub lost: u64,
    /// For each fault, the time from its call until its client got the next right answer.
    pub recoveries: Vec<Duration>,
}

/// A client.
#[derive(Debug)]
pub struct Client {
    load: Load,
    next: u64,
    under_way: Option<(Call, Instant)>,
    injected: Option<Instant>,
    /// Number of calls lost since the last answer or error.
    lost_in_a_row: u32,
    tally: Tally,
}

impl Load {
    /// Returns all clients. They share the calls: the first client makes 0, 8, 16, …
    pub fn clients(self) -> impl Iterator<Item = Client> {
        (0..CLIENTS).map(move |next| Client {
            load: self,
            next,
            under_way: None,
            injected: None,
            lost_in_a_row: 0,
            tally: Tally::default(),
        })
    }

    /// Returns whether a call is a fault. Each part of the calls has one fault, at a number that
    /// looks random but is equal in every run.
    fn is_fault(self, number: u64) -> bool {
        let part = self.calls / self.faults.max(1);
        self.faults > 0
            && number / part < self.faults
            && number % part == scatter(number / part) % part
    }
}

/// Sebastiano Vigna's SplitMix64.
fn scatter(number: u64) -> u64 {
    let mixed = (number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

impl Client {
    /// Starts the next call. Returns `None` if the client has made all of its calls, or gives up.
    pub fn next_call(&mut self) -> Option<Call> {
        let number = self.next;
        if number >= self.load.calls {
            return None;
        }
        if self.lost_in_a_row == GIVES_UP {
            self.tally.lost += (self.load.calls - number).div_ceil(CLIENTS);
            self.next = self.load.calls;
            return None;
        }
        self.next += CLIENTS;
        let fault = self.load.is_fault(number);
        let call = Call { number, fault };
        let now = Instant::now();
        self.under_way = Some((call, now));
        if fault {
            self.injected.get_or_insert(now);
        }
        Some(call)
    }

    /// Ends the current call with an outcome. Returns how long to wait before the next call.
    pub fn saw(&mut self, seen: Seen) -> Duration {
        let Some((call, begun)) = self.under_way.take() else {
            return Duration::ZERO;
        };
        let tally = &mut self.tally;
        match seen {
            Seen::Answer(value) if value != answer(call.number) => tally.wrong += 1,
            Seen::Answer(_) => {
                if begun.elapsed() > DEADLINE {
                    tally.late += 1;
                } else {
                    tally.right += 1;
                }
                if !call.fault {
                    let recovery = self.injected.take().map(|injected| injected.elapsed());
                    tally.recoveries.extend(recovery);
                }
            }
            Seen::Told => tally.told += 1,
            Seen::Nothing => tally.lost += 1,
        }
        self.lost_in_a_row = match seen {
            Seen::Nothing => self.lost_in_a_row + 1,
            Seen::Answer(_) | Seen::Told => 0,
        };
        match seen {
            Seen::Answer(_) => Duration::ZERO,
            Seen::Told | Seen::Nothing => PAUSE,
        }
    }

    /// Returns the client's counts.
    #[must_use]
    pub fn into_tally(self) -> Tally {
        self.tally
    }
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.late += other.late;
        self.told += other.told;
        self.lost += other.lost;
        self.recoveries.extend(other.recoveries);
    }
}

/// Prints a line `key=value` for each count.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally {
            right,
            wrong,
            late,
            told,
            lost,
            recoveries,
        } = self;
        writeln!(
            f,
            "right={right}\nwrong={wrong}\nlate={late}\ntold={told}\nlost={lost}"
        )?;
        let recoveries: Vec<String> = recoveries
            .iter()
            .map(|time| time.as_micros().to_string())
            .collect();
        writeln!(f, "recoveries_us={}", recoveries.join(","))?;
        write!(f, "peak_bytes={}", peak())
    }
}

/// Returns the peak memory of this program on Linux; elsewhere 0.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    1024 * kilobytes
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOAD: Load = Load {
        calls: 1_000,
        faults: 7,
    };

    #[test]
    fn clients_share_all_calls_and_there_is_a_fault_in_each_part() {
        let mut calls = Vec::new();
        for mut client in LOAD.clients() {
            while let Some(call) = client.next_call() {
                calls.push((call.number, call.fault));
                client.saw(Seen::Told);
            }
        }
        calls.sort_unstable();
        let numbers: Vec<u64> = calls.iter().map(|call| call.0).collect();
        assert_eq!(numbers, (0..1_000).collect::<Vec<_>>());
        let faults: Vec<u64> = calls
            .iter()
            .filter(|call| call.1)
            .map(|call| call.0 / 142)
            .collect();
        assert_eq!(faults, [0, 1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn a_client_judges_what_comes_back() {
        let mut client = Load {
            calls: 64,
            faults: 0,
        }
        .clients()
        .next()
        .expect("a client");
        for seen in [Seen::Answer(1), Seen::Answer(1), Seen::Told, Seen::Nothing] {
            client.next_call().expect("a call");
            client.saw(seen);
        }
        let Tally {
            right,
            wrong,
            late,
            told,
            lost,
            ..
        } = client.into_tally();
        assert_eq!([right, wrong, late, told, lost], [1, 1, 0, 1, 1]);
    }

    #[test]
    fn a_client_that_nobody_answers_any_more_gives_up() {
        let mut client = Client {
            next: 5,
            ..LOAD.clients().next().expect("a client")
        };
        let mut calls = 0;
        while client.next_call().is_some() {
            calls += 1;
            client.saw(if calls == 9 {
                Seen::Told
            } else {
                Seen::Nothing
            });
        }
        assert_eq!(calls, 9 + GIVES_UP);
        let Tally { told, lost, .. } = client.into_tally();
        assert_eq!([told, lost], [1, 124]);
    }

    #[test]
    fn recovery_ends_with_a_right_answer_to_another_call() {
        let mut client = Load {
            calls: 24,
            faults: 3,
        }
        .clients()
        .find(|client| client.load.is_fault(client.next))
        .expect("a fault is a first call");
        client.next_call().expect("a call");
        client.saw(Seen::Told);
        assert_eq!(client.tally.recoveries.len(), 0);
        let next = client.next_call().expect("a call");
        assert!(!next.fault, "{next:?}");
        client.saw(Seen::Answer(answer(next.number)));
        assert_eq!(client.into_tally().recoveries.len(), 1);
    }
}
