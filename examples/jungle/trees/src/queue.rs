//! Serialises the writers of one tree, in the order in which they arrive.
//!
//! The first writer that arrives becomes the leader. It makes its own edit, and then the edits that
//! other writers have queued in the meantime. So no writer retries, and the tree stays in one
//! core's caches.
//!
//! ```text
//! arrives, is not first ─┬─ rests: the leader makes its edit, and need not wake it
//!                        └─ stays awake, if one leader has worked for long: takes over
//! ```
//!
//! Waking a thread takes longer than several edits. So a waiting writer sleeps for a short time and
//! then checks for its result. Only if its edit is still queued does it ask to be woken.

use std::collections::VecDeque;
use std::hint;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum number of edits that a leader makes for others before the next writer takes over.
const TURN: usize = 256;
/// After this many edits under one leader, a writer that arrives takes over.
const RUN: usize = 256;
/// How long a writer rests: slightly less than `RUN` small edits take.
const REST: Duration = Duration::from_micros(150);
/// How often a writer that stays awake checks for its result before it rests.
const LOOKS: usize = 200;
/// Like `LOOKS`, for a writer whose job is short and waits for short ones.
const MORE_LOOKS: usize = 2000;

/// The queue of one tree's writers.
pub(crate) struct Queue<J, R> {
    state: Mutex<State<J, R>>,
}

struct State<J, R> {
    is_busy: bool,
    /// Number of edits since the leader changed.
    run: usize,
    waiting: VecDeque<Arc<Writer<J, R>>>,
}

/// The place where a writer waits for its result.
struct Writer<J, R> {
    entry: Mutex<Entry<J, R>>,
    is_told: AtomicBool,
    changed: Condvar,
}

struct Entry<J, R> {
    progress: Progress<J, R>,
    wait: Wait,
}

/// Way in which a writer waits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    Awake,
    /// Sleeps for a short time, and then checks.
    Rests,
    /// Sleeps until it is woken.
    Sleeps,
}

enum Progress<J, R> {
    Waiting(J),
    /// This writer becomes the leader, and starts with its own edit.
    Leads(J),
    Taken,
    Done(R),
}

/// The leader's next action after an edit.
enum Next<J, R> {
    Nothing,
    Edit(Arc<Writer<J, R>>, J),
}

impl<J, R> Queue<J, R> {
    pub(crate) fn new() -> Self {
        Queue {
            state: Mutex::new(State {
                is_busy: false,
                run: 0,
                waiting: VecDeque::new(),
            }),
        }
    }

    /// Runs the job after those that arrived before it. `work` must not panic.
    pub(crate) fn run(&self, job: J, work: impl Fn(J) -> R) -> R {
        self.run_or_rest(job, work, 0)
    }

    /// Like `run`, for a job that was prepared, so that it is short. Its writer does not rest soon,
    /// because it could prepare its next job instead.
    pub(crate) fn run_short(&self, job: J, work: impl Fn(J) -> R) -> R {
        self.run_or_rest(job, work, MORE_LOOKS)
    }

    fn run_or_rest(&self, job: J, work: impl Fn(J) -> R, looks: usize) -> R {
        let mut state = lock(&self.state);
        if !state.is_busy {
            state.is_busy = true;
            drop(state);
            return self.lead(job, work);
        }
        let takes_over = state.run >= RUN && state.waiting.is_empty();
        let looks = if takes_over { looks.max(LOOKS) } else { looks };
        let writer = Arc::new(Writer::new(job, looks > 0));
        state.waiting.push_back(writer.clone());
        drop(state);
        writer.stay_awake(looks);
        match writer.wait() {
            Ok(result) => result,
            Err(job) => self.lead(job, work),
        }
    }

    fn lead(&self, job: J, work: impl Fn(J) -> R) -> R {
        let own = work(job);
        for others in 0..=TURN {
            match self.next(others == TURN) {
                Next::Nothing => break,
                Next::Edit(writer, job) => writer.tell(Progress::Done(work(job))),
            }
        }
        own
    }

    /// Returns the next queued edit. Instead, the leadership passes to that edit's writer if this
    /// leader's turn ends, or if the writer is awake and this leader has made many edits. If the
    /// queue is empty, there is no leader any more.
    fn next(&self, turn_ends: bool) -> Next<J, R> {
        let mut state = lock(&self.state);
        state.run += 1;
        while let Some(writer) = state.waiting.pop_front() {
            let mut entry = lock(&writer.entry);
            let Progress::Waiting(job) = entry.take() else {
                continue;
            };
            let is_awake = entry.wait == Wait::Awake;
            drop(entry);
            if turn_ends || (is_awake && state.run >= RUN) {
                state.run = 0;
                drop(state);
                writer.tell(Progress::Leads(job));
                return Next::Nothing;
            }
            return Next::Edit(writer, job);
        }
        state.is_busy = false;
        Next::Nothing
    }
}

impl<J, R> Entry<J, R> {
    fn take(&mut self) -> Progress<J, R> {
        std::mem::replace(&mut self.progress, Progress::Taken)
    }
}

impl<J, R> Writer<J, R> {
    fn new(job: J, is_awake: bool) -> Self {
        let wait = if is_awake { Wait::Awake } else { Wait::Rests };
        Writer {
            entry: Mutex::new(Entry {
                progress: Progress::Waiting(job),
                wait,
            }),
            is_told: AtomicBool::new(false),
            changed: Condvar::new(),
        }
    }

    fn tell(&self, progress: Progress<J, R>) {
        let mut entry = lock(&self.entry);
        entry.progress = progress;
        let sleeps = entry.wait == Wait::Sleeps;
        drop(entry);
        self.is_told.store(true, Ordering::Release);
        if sleeps {
            self.changed.notify_one();
        }
    }

    fn stay_awake(&self, looks: usize) {
        for _ in 0..looks {
            if self.is_told.load(Ordering::Acquire) {
                return;
            }
            hint::spin_loop();
        }
    }

    /// Waits for the result. Returns the job instead if this writer becomes the leader.
    fn wait(&self) -> Result<R, J> {
        let mut entry = lock(&self.entry);
        loop {
            match entry.take() {
                Progress::Done(result) => return Ok(result),
                Progress::Leads(job) => return Err(job),
                other => entry.progress = other,
            }
            entry = match entry.wait {
                Wait::Awake => {
                    entry.wait = Wait::Rests;
                    entry
                }
                Wait::Rests => {
                    let waited = self.changed.wait_timeout(entry, REST);
                    let mut entry = waited.unwrap_or_else(PoisonError::into_inner).0;
                    entry.wait = Wait::Sleeps;
                    entry
                }
                Wait::Sleeps => {
                    let waited = self.changed.wait(entry);
                    waited.unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    /// The number of a job, and a channel that holds the job up, if any.
    type Job = (usize, Option<mpsc::Receiver<()>>);

    /// Returns the order in which `writers` that arrive one after the other are served. The first
    /// one is held until all have arrived.
    fn served(writers: usize, run: usize, until_they_sleep: bool) -> Vec<usize> {
        let queue: Queue<Job, usize> = Queue::new();
        lock(&queue.state).run = run;
        let order = Mutex::new(Vec::new());
        let work = |(number, held): Job| {
            if let Some(held) = held {
                held.recv().expect("it is let go");
            }
            lock(&order).push(number);
            number
        };
        let (let_go, held) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| assert_eq!(queue.run((0, Some(held)), work), 0));
            while !lock(&queue.state).is_busy {
                thread::yield_now();
            }
            for number in 1..=writers {
                let (queue, work) = (&queue, &work);
                scope.spawn(move || assert_eq!(queue.run((number, None), work), number));
                while lock(&queue.state).waiting.len() < number {
                    thread::yield_now();
                }
            }
            let sleep = |queue: &Queue<Job, usize>| {
                let mut all = lock(&queue.state).waiting.clone().into_iter();
                all.all(|writer| lock(&writer.entry).wait == Wait::Sleeps)
            };
            while until_they_sleep && !sleep(&queue) {
                thread::yield_now();
            }
            let_go.send(()).expect("it waits");
        });
        assert!(!lock(&queue.state).is_busy);
        order.into_inner().expect("nobody has panicked")
    }

    #[test]
    fn writers_are_served_in_the_order_in_which_they_came() {
        for writers in 1..8 {
            for run in [0, RUN] {
                for until_they_sleep in [false, true] {
                    let expected: Vec<usize> = (0..=writers).collect();
                    assert_eq!(served(writers, run, until_they_sleep), expected);
                }
            }
        }
    }

    #[test]
    fn a_writer_does_not_work_for_others_for_ever() {
        let expected: Vec<usize> = (0..=TURN + 20).collect();
        assert_eq!(served(TURN + 20, 0, false), expected);
    }

    #[test]
    fn a_writer_is_served_among_others_that_never_stop() {
        let queue: Queue<usize, usize> = Queue::new();
        let (has_ended, count) = (AtomicBool::new(false), Mutex::new([0_usize; 4]));
        let work = |number: usize| {
            let mut count = lock(&count);
            count[number] += 1;
            count[number]
        };
        thread::scope(|scope| {
            for number in 1..4 {
                let (queue, work, has_ended) = (&queue, &work, &has_ended);
                scope.spawn(move || {
                    let mut own = 0;
                    while !has_ended.load(Ordering::Relaxed) {
                        own += 1;
                        assert_eq!(queue.run(number, work), own);
                    }
                });
            }
            for own in 1..=2000 {
                assert_eq!(queue.run(0, work), own);
            }
            has_ended.store(true, Ordering::Relaxed);
        });
        assert_eq!(lock(&count)[0], 2000);
    }
}
