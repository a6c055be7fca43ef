//! Strategies: they choose the next step of a node.

use crate::testing::node::Candidate;

/// Chooses the next step of a node.
pub(super) trait ScheduleStrategy {
    /// Returns the index of one of at least two candidates. The signal that was sent first is at
    /// index 0.
    fn choose(&mut self, candidates: &[Candidate]) -> usize;
}

/// Pseudo-random numbers, the same ones for a seed on every machine: SplitMix64.
#[derive(Debug, Clone)]
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn new(seed: u64) -> Self {
        Numbers(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        let limit = limit.max(1) as u64;
        usize::try_from(self.next() % limit).unwrap_or(0)
    }
}

/// Every step is equally likely.
pub(super) struct RandomWalk(pub(super) Numbers);

impl ScheduleStrategy for RandomWalk {
    fn choose(&mut self, candidates: &[Candidate]) -> usize {
        self.0.below(candidates.len())
    }
}

/// Probabilistic concurrency testing (PCT, Burckhardt and others, 2010): each pair of processes has
/// a random priority, the step of the highest one comes next, and at a few random steps the highest
/// priority becomes the lowest one. It finds a bug that needs `depth` ordered steps with a
/// probability that does not depend on the rest of the program.
pub(super) struct PriorityChanges {
    numbers: Numbers,
    /// The pairs that have had a step, each with its priority.
    priorities: Vec<(Candidate, u64)>,
    /// The numbers of the steps at which a priority changes.
    changes: Vec<usize>,
    steps: usize,
}

/// The number of choices of a schedule is unknown, so a power of two is drawn: up to two to the
/// power of this.
const LONGEST: usize = 8;

impl PriorityChanges {
    pub(super) fn new(mut numbers: Numbers, depth: usize) -> Self {
        let length = 2 << numbers.below(LONGEST);
        let changes = (1..depth).map(|_| numbers.below(length)).collect();
        PriorityChanges {
            numbers,
            priorities: Vec::new(),
            changes,
            steps: 0,
        }
    }

    fn priority(&mut self, candidate: Candidate) -> u64 {
        let known = self.priorities.iter().find(|(it, _)| *it == candidate);
        if let Some((_, priority)) = known {
            return *priority;
        }
        // Those that a change has lowered are below all others.
        let priority = self.numbers.next() | (1 << 63);
        self.priorities.push((candidate, priority));
        priority
    }

    fn highest(&mut self, candidates: &[Candidate]) -> usize {
        let mut highest = (0, 0);
        for (index, candidate) in candidates.iter().enumerate() {
            highest = highest.max((self.priority(*candidate), index));
        }
        highest.1
    }
}

impl ScheduleStrategy for PriorityChanges {
    fn choose(&mut self, candidates: &[Candidate]) -> usize {
        let step = self.steps;
        self.steps += 1;
        let changed = self.changes.iter().position(|it| *it == step);
        if let Some(rank) = changed {
            let highest = candidates[self.highest(candidates)];
            for (candidate, priority) in &mut self.priorities {
                if *candidate == highest {
                    *priority = rank as u64;
                }
            }
        }
        self.highest(candidates)
    }
}

/// Repeats choices, and then always takes the signal that was sent first.
pub(super) struct Repetition<'a> {
    pub(super) choices: &'a [usize],
    pub(super) next: usize,
}

impl ScheduleStrategy for Repetition<'_> {
    fn choose(&mut self, candidates: &[Candidate]) -> usize {
        let choice = self.choices.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        choice.min(candidates.len() - 1)
    }
}

/// Tries all schedules of a small program, one after another. The next schedule differs from this
/// one in its last choice that has another possibility.
#[derive(Debug, Default)]
pub(super) struct Exhaustion {
    /// Each choice of this schedule, with the number of its candidates.
    choices: Vec<(usize, usize)>,
    next: usize,
}

impl Exhaustion {
    /// Prepares the next schedule. Returns false if all have run.
    pub(super) fn advance(&mut self) -> bool {
        self.choices.truncate(self.next);
        self.next = 0;
        while let Some((choice, count)) = self.choices.pop() {
            if choice + 1 < count {
                self.choices.push((choice + 1, count));
                return true;
            }
        }
        false
    }
}

impl ScheduleStrategy for Exhaustion {
    fn choose(&mut self, candidates: &[Candidate]) -> usize {
        if self.next == self.choices.len() {
            self.choices.push((0, candidates.len()));
        }
        let (choice, _) = self.choices[self.next];
        self.next += 1;
        choice
    }
}

/// A process that is killed before a step: the number of the step, and a number that stands for the
/// process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kill {
    pub(super) step: usize,
    pub(super) victim: usize,
}

/// Returns the kills of a seed.
pub(super) fn kills_of_seed(seed: u64, count: usize) -> Vec<Kill> {
    // Other numbers than those of the strategy.
    let mut numbers = Numbers::new(!seed);
    let mut kill = || {
        let length = 2 << numbers.below(LONGEST);
        let step = numbers.below(length);
        let victim = numbers.below(usize::MAX);
        Kill { step, victim }
    };
    (0..count).map(|_| kill()).collect()
}

/// Returns the strategy of a seed: a random walk, or PCT with a depth of up to 4.
pub(super) fn of_seed(seed: u64) -> Box<dyn ScheduleStrategy> {
    let mut numbers = Numbers::new(seed);
    match numbers.below(6) {
        depth @ 1..=4 => Box::new(PriorityChanges::new(numbers, depth)),
        _ => Box::new(RandomWalk(numbers)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(count: usize) -> Vec<Candidate> {
        let candidate = |from| Candidate {
            from: Some(from),
            to: Some(9),
        };
        (0..count).map(candidate).collect()
    }

    #[test]
    fn a_seed_always_makes_the_same_choices() {
        for seed in 0..1000 {
            let (mut one, mut other) = (of_seed(seed), of_seed(seed));
            for step in 2..100 {
                let candidates = candidates(2 + step % 5);
                let chosen = one.choose(&candidates);
                assert!(chosen < candidates.len());
                assert_eq!(chosen, other.choose(&candidates));
            }
        }
    }

    #[test]
    fn exhaustion_tries_each_schedule_once() {
        let mut strategy = Exhaustion::default();
        let mut schedules = Vec::new();
        loop {
            // The second choice exists only after the first candidate.
            let first = strategy.choose(&candidates(2));
            let second = (first == 0).then(|| strategy.choose(&candidates(3)));
            schedules.push((first, second));
            if !strategy.advance() {
                break;
            }
        }
        let expected = [(0, Some(0)), (0, Some(1)), (0, Some(2)), (1, None)];
        assert_eq!(schedules, expected);
    }

    /// Three steps of different processes have to come in one order: a bug of depth 3. With `n`
    /// pairs and `k` steps, PCT finds it with a probability of at least `1 / (n * k^2)`. Here the
    /// number of steps, 4, is itself drawn with a probability of `1 / LONGEST`.
    #[test]
    fn pct_finds_a_bug_of_depth_three_as_often_as_it_promises() {
        const RUNS: u64 = 200_000;
        let found = (0..RUNS).filter(|seed| {
            let mut strategy = PriorityChanges::new(Numbers::new(*seed), 3);
            // Each of two processes has two steps. The bug needs the order 0, 1, 0, 1.
            let mut left = [2, 2];
            let mut order = Vec::new();
            while left != [0, 0] {
                let open: Vec<_> = (0..2).filter(|it| left[*it] > 0).collect();
                let all = candidates(2);
                let open_candidates: Vec<_> = open.iter().map(|it| all[*it]).collect();
                let chosen = match open.len() {
                    1 => open[0],
                    _ => open[strategy.choose(&open_candidates)],
                };
                left[chosen] -= 1;
                order.push(chosen);
            }
            order == [0, 1, 0, 1]
        });
        let found = found.count() as u64;
        let bound = RUNS / (2 * 4 * 4 * LONGEST as u64);
        assert!(found >= bound, "{found} of {RUNS}, at least {bound}");
    }
}
