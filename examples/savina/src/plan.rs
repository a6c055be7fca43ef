//! The application's command line.

use otp_bridge::{Exit, Result, Term};

/// Implementation of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Each actor is a process.
    Processes,
    /// Each actor is a task, and all are in one process.
    Tasks,
}

impl Form {
    /// Parses the command line.
    ///
    /// # Errors
    /// `usage`, with the given words.
    pub fn parse(arguments: &[String]) -> Result<(Self, Plan)> {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (form, words) = match words.as_slice() {
            ["tasks", words @ ..] => (Form::Tasks, words),
            words => (Form::Processes, words),
        };
        let plan = Plan::read(words);
        let plan = plan.filter(|plan| form == Form::Tasks || !matches!(plan, Plan::Timers(_)));
        let Some(plan) = plan else {
            let usage = "usage: cargo otp run --release -- [tasks] ring MEMBERS HOPS | \
                         throughput ACTORS MESSAGES | creation ACTORS | big ACTORS | idle ACTORS; \
                         latency CLIENTS PERMILLE; tasks timers TIMERS";
            return Err(Exit::new((usage, arguments.join(" "))));
        };
        Ok((form, plan))
    }
}

/// The benchmark to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub enum Plan {
    /// `{ring, Members, Hops}`
    Ring(u32, u64),
    /// `{throughput, Actors, Messages}`
    Throughput(u32, u64),
    /// `{creation, Actors}`
    Creation(u32),
    /// `{big, Actors}`
    Big(u32),
    /// `{idle, Actors}`
    Idle(u32),
    /// `{latency, Clients, PerMille}`
    Latency(u32, u32),
    /// `{timers, Timers}`: only with tasks
    Timers(u32),
}

impl Plan {
    /// Parses the command line after the form.
    fn read(words: &[&str]) -> Option<Self> {
        let plan = match *words {
            ["ring", members, hops] => both(members, hops).map(|(it, hops)| Plan::Ring(it, hops)),
            ["throughput", actors, messages] => {
                both(actors, messages).map(|(actors, messages)| Plan::Throughput(actors, messages))
            }
            ["creation", actors] => actors.parse().ok().map(Plan::Creation),
            ["big", actors] => actors.parse().ok().map(Plan::Big),
            ["idle", actors] => actors.parse().ok().map(Plan::Idle),
            ["latency", clients, within] => clients
                .parse()
                .ok()
                .zip(within.parse().ok())
                .map(|(clients, within)| Plan::Latency(clients, within)),
            ["timers", timers] => timers.parse().ok().map(Plan::Timers),
            _ => None,
        };
        plan.filter(|plan| plan.actors() > 0)
    }

    /// Returns the number of actors.
    #[must_use]
    pub fn actors(self) -> u32 {
        let (Plan::Ring(actors, _)
        | Plan::Throughput(actors, _)
        | Plan::Creation(actors)
        | Plan::Big(actors)
        | Plan::Idle(actors)
        | Plan::Latency(actors, _)
        | Plan::Timers(actors)) = self;
        actors
    }

    /// Returns how many actors report that they have finished.
    #[must_use]
    pub fn ends(self) -> u32 {
        match self {
            Plan::Ring(..) => 1,
            _ => self.actors(),
        }
    }
}

fn both(number: &str, other: &str) -> Option<(u32, u64)> {
    number.parse().ok().zip(other.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_a_form_and_a_plan() {
        let parse = |line: &str| {
            let words = line.split_whitespace().map(str::to_owned);
            Form::parse(&words.collect::<Vec<_>>())
        };
        let processes = |plan| Ok((Form::Processes, plan));
        assert_eq!(parse("ring 2 1000000"), processes(Plan::Ring(2, 1_000_000)));
        assert_eq!(
            parse("throughput 1000 10"),
            processes(Plan::Throughput(1_000, 10))
        );
        assert_eq!(parse("creation 7"), processes(Plan::Creation(7)));
        assert_eq!(parse("big 7"), processes(Plan::Big(7)));
        assert_eq!(parse("latency 50 990"), processes(Plan::Latency(50, 990)));
        assert_eq!(parse("tasks timers 7"), Ok((Form::Tasks, Plan::Timers(7))));
        for wrong in ["", "ring 2", "big 0", "big many", "small 7", "timers 7"] {
            let exit = parse(wrong).expect_err("not a plan");
            assert!(exit.to_string().contains("usage"), "{exit}");
        }
    }
}
