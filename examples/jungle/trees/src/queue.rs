//! The writers of one tree, in the order in which they came.
//!
//! Who finds nobody at work edits the tree, and then does what others have asked for meanwhile:
//! nobody retries, and a tree stays in one core's caches. After some edits the next one in the
//! queue takes over, so that nobody works for others for ever.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// After so many edits for others, the next writer takes over.
const TURN: usize = 256;

/// The writers of one tree.
pub(crate) struct Queue<J, R> {
    state: Mutex<State<J, R>>,
}

struct State<J, R> {
    is_busy: bool,
    waiting: VecDeque<Arc<Writer<J, R>>>,
}

/// Where a writer waits.
struct Writer<J, R> {
    progress: Mutex<Progress<J, R>>,
    changed: Condvar,
}

enum Progress<J, R> {
    Waiting(J),
    /// This writer works now, with its own edit first.
    Leads(J),
    Taken,
    Done(R),
}

impl<J, R> Queue<J, R> {
    pub(crate) fn new() -> Self {
        Queue {
            state: Mutex::new(State {
                is_busy: false,
                waiting: VecDeque::new(),
            }),
        }
    }

    /// Does the job, after those that came before it. `work` does not panic.
    pub(crate) fn run(&self, job: J, work: impl Fn(J) -> R) -> R {
        let mut state = lock(&self.state);
        let place = match state.is_busy {
            false => {
                state.is_busy = true;
                drop(state);
                return self.lead(job, work);
            }
            true => Arc::new(Writer {
                progress: Mutex::new(Progress::Waiting(job)),
                changed: Condvar::new(),
            }),
        };
        state.waiting.push_back(place.clone());
        drop(state);
        let mut progress = lock(&place.progress);
        loop {
            match std::mem::replace(&mut *progress, Progress::Taken) {
                Progress::Done(result) => return result,
                Progress::Leads(job) => {
                    drop(progress);
                    return self.lead(job, work);
                }
                other => *progress = other,
            }
            let waited = place.changed.wait(progress);
            progress = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lead(&self, job: J, work: impl Fn(J) -> R) -> R {
        let own = work(job);
        for _ in 0..TURN {
            let Some(place) = self.next() else { return own };
            let taken = std::mem::replace(&mut *lock(&place.progress), Progress::Taken);
            if let Progress::Waiting(job) = taken {
                place.tell(Progress::Done(work(job)));
            }
        }
        if let Some(place) = self.next() {
            let taken = std::mem::replace(&mut *lock(&place.progress), Progress::Taken);
            if let Progress::Waiting(job) = taken {
                place.tell(Progress::Leads(job));
            }
        }
        own
    }

    /// The next one who waits. If there is nobody, nobody leads any more.
    fn next(&self) -> Option<Arc<Writer<J, R>>> {
        let mut state = lock(&self.state);
        let next = state.waiting.pop_front();
        state.is_busy = next.is_some();
        next
    }
}

impl<J, R> Writer<J, R> {
    fn tell(&self, progress: Progress<J, R>) {
        *lock(&self.progress) = progress;
        self.changed.notify_one();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
