//! A timer wheel: starting, cancelling and expiring a timer take constant time, no matter how many
//! timers there are.
//!
//! There are six levels of 64 slots. A slot of the lowest level is a millisecond, and a slot of
//! each other level is as long as the whole level below it. A timer is in the lowest level at which
//! its time and the present differ. When the present reaches a slot of a higher level, the slot's
//! timers move to lower levels.

use crate::tasks::raw::waiter::Waiter;

const BITS: u32 = 6;
const SLOTS: usize = 1 << BITS;
const LEVELS: usize = 6;
const NONE: u32 = u32::MAX;

/// How far in the future a timer can be: a year. It is half of the span of the highest level, so
/// that no timer is placed in the slot of the present.
const FARTHEST: u64 = 1 << (BITS * LEVELS as u32 - 1);

/// Identifies a timer. The number is not reused before the timer is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimerId(u32);

/// The timers of a process.
pub(in crate::tasks) struct Wheel {
    /// All timers before this time have expired, in milliseconds.
    now: u64,
    slots: Option<Box<[[u32; SLOTS]; LEVELS]>>,
    /// A bit for each slot that has timers.
    occupied: [u64; LEVELS],
    timers: Vec<Timer>,
    free: u32,
    live: usize,
}

struct Timer {
    due: Due,
    waiter: Waiter,
    next: u32,
    before: u32,
}

/// When a timer expires, in milliseconds, and its level and slot, in one word: the lowest two bytes
/// are the level and the slot. `None` if the timer has expired.
#[derive(Clone, Copy)]
struct Due(u64);

impl Due {
    fn new(at: u64, slot: Option<(u8, u8)>) -> Self {
        let (level, slot) = slot.unwrap_or((u8::MAX, 0));
        Due(at << 16 | u64::from(level) << 8 | u64::from(slot))
    }

    fn at(self) -> u64 {
        self.0 >> 16
    }

    fn slot(self) -> Option<(u8, u8)> {
        let [slot, level, ..] = self.0.to_le_bytes();
        (level != u8::MAX).then_some((level, slot))
    }
}

/// The cost of a timer in addition to the future that waits for it.
const _: () = assert!(size_of::<Timer>() <= 32);

impl Wheel {
    pub(in crate::tasks) const fn new() -> Self {
        Wheel {
            now: 0,
            slots: None,
            occupied: [0; LEVELS],
            timers: Vec::new(),
            free: NONE,
            live: 0,
        }
    }

    /// Returns whether there are no timers.
    pub(in crate::tasks) fn is_empty(&self) -> bool {
        self.live == 0
    }

    pub(in crate::tasks) fn start(&mut self, at: u64, waiter: Waiter) -> TimerId {
        let timer = Timer {
            due: Due::new(at.min(self.now + FARTHEST), None),
            waiter,
            next: NONE,
            before: NONE,
        };
        let index = match self.free {
            NONE => {
                self.timers.push(timer);
                (self.timers.len() - 1) as u32
            }
            free => {
                self.free = self.timers[free as usize].next;
                self.timers[free as usize] = timer;
                free
            }
        };
        self.live += 1;
        self.put(index);
        TimerId(index)
    }

    /// Sets the waiter of a timer. Returns the previous waiter, and whether the timer has expired.
    pub(in crate::tasks) fn wait(&mut self, id: TimerId, waiter: Waiter) -> (Waiter, bool) {
        let timer = &mut self.timers[id.0 as usize];
        (
            std::mem::replace(&mut timer.waiter, waiter),
            timer.due.slot().is_none(),
        )
    }

    /// Returns whether the timer has expired.
    #[cfg(test)]
    fn is_over(&self, id: TimerId) -> bool {
        self.timers[id.0 as usize].due.slot().is_none()
    }

    /// Removes a timer. Returns its waiter.
    pub(in crate::tasks) fn remove(&mut self, id: TimerId) -> Waiter {
        self.unlink(id.0);
        let timer = &mut self.timers[id.0 as usize];
        let waiter = std::mem::take(&mut timer.waiter);
        timer.next = self.free;
        self.free = id.0;
        self.live -= 1;
        if self.live == 0 {
            (self.timers, self.free, self.slots) = (Vec::new(), NONE, None);
        }
        waiter
    }

    /// Advances the present, and passes the waiters of expired timers to `woken`.
    pub(in crate::tasks) fn advance(&mut self, to: u64, mut woken: impl FnMut(Waiter)) {
        while let Some((level, slot, at)) = self.first().filter(|(_, _, at)| *at <= to) {
            self.now = self.now.max(at);
            let mut index = self.take(level, slot);
            while index != NONE {
                let next = self.timers[index as usize].next;
                self.put(index);
                let timer = &mut self.timers[index as usize];
                if timer.due.slot().is_none() {
                    woken(std::mem::take(&mut timer.waiter));
                }
                index = next;
            }
        }
        self.now = self.now.max(to);
    }

    /// Returns when the wheel has to advance next, because a timer expires or moves to a lower
    /// level.
    pub(in crate::tasks) fn next(&self) -> Option<u64> {
        self.first().map(|(_, _, at)| at)
    }

    fn first(&self) -> Option<(usize, usize, u64)> {
        let level = self.occupied.iter().position(|slots| *slots != 0)?;
        let shift = BITS * level as u32;
        let present = (self.now >> shift) as u32 % SLOTS as u32;
        let ahead = self.occupied[level].rotate_right(present).trailing_zeros();
        // At the lowest level the slot of the present may have timers; at others it cannot.
        let begin = (self.now >> shift) + u64::from(ahead);
        let slot = ((present + ahead) % SLOTS as u32) as usize;
        Some((level, slot, begin << shift))
    }

    /// Puts a timer into its slot, or into none if it has expired.
    fn put(&mut self, index: u32) {
        let at = self.timers[index as usize].due.at();
        if at <= self.now {
            let timer = &mut self.timers[index as usize];
            (timer.due, timer.next, timer.before) = (Due::new(at, None), NONE, NONE);
            return;
        }
        let level = ((63 - (at ^ self.now).leading_zeros()) / BITS).min(LEVELS as u32 - 1);
        let slot = (at >> (BITS * level)) as usize % SLOTS;
        let level = level as usize;
        let slots = self
            .slots
            .get_or_insert_with(|| Box::new([[NONE; SLOTS]; LEVELS]));
        let head = std::mem::replace(&mut slots[level][slot], index);
        if head != NONE {
            self.timers[head as usize].before = index;
        }
        let timer = &mut self.timers[index as usize];
        timer.due = Due::new(at, Some((level as u8, slot as u8)));
        (timer.next, timer.before) = (head, NONE);
        self.occupied[level] |= 1 << slot;
    }

    /// Takes all timers of a slot, which stay linked.
    fn take(&mut self, level: usize, slot: usize) -> u32 {
        self.occupied[level] &= !(1 << slot);
        match &mut self.slots {
            Some(slots) => std::mem::replace(&mut slots[level][slot], NONE),
            None => NONE,
        }
    }

    fn unlink(&mut self, index: u32) {
        let timer = &self.timers[index as usize];
        let (next, before) = (timer.next, timer.before);
        let (Some((level, slot)), Some(slots)) = (timer.due.slot(), &mut self.slots) else {
            return;
        };
        let (level, slot) = (usize::from(level), usize::from(slot));
        if next != NONE {
            self.timers[next as usize].before = before;
        }
        match before {
            NONE => {
                slots[level][slot] = next;
                if next == NONE {
                    self.occupied[level] &= !(1 << slot);
                }
            }
            before => self.timers[before as usize].next = next,
        }
        let timer = &mut self.timers[index as usize];
        timer.due = Due::new(timer.due.at(), None);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Returns the next pseudo-random number (xorshift).
    fn random(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    #[test]
    fn it_does_what_a_sorted_map_does() {
        let mut state = 88_172_645_463_325_252;
        let mut wheel = Wheel::new();
        let mut map: BTreeMap<(u64, u32), ()> = BTreeMap::new();
        let mut ids: BTreeMap<u32, TimerId> = BTreeMap::new();
        let (mut now, mut number) = (0, 0);
        for _ in 0..20_000 {
            match random(&mut state) % 4 {
                0 | 1 => {
                    let ahead = random(&mut state) % (1 << (random(&mut state) % 30));
                    ids.insert(number, wheel.start(now + ahead, Waiter::Nobody));
                    map.insert((now + ahead, number), ());
                    number += 1;
                }
                2 => {
                    let chosen = ids.keys().nth((random(&mut state) % 7) as usize).copied();
                    if let Some(number) = chosen {
                        wheel.remove(ids.remove(&number).expect("it is there"));
                        map.retain(|(_, other), ()| *other != number);
                    }
                }
                _ => {
                    now += random(&mut state) % (1 << (random(&mut state) % 20));
                    wheel.advance(now, |_| {});
                    let over: Vec<u32> = ids
                        .iter()
                        .filter(|(_, id)| wheel.is_over(**id))
                        .map(|(number, _)| *number)
                        .collect();
                    let mut due: Vec<u32> = map
                        .range(..=(now, NONE))
                        .map(|((_, number), ())| *number)
                        .collect();
                    due.sort_unstable();
                    assert_eq!(over, due, "at {now}");
                    for number in over {
                        wheel.remove(ids.remove(&number).expect("it is there"));
                    }
                    map = map.split_off(&(now, NONE));
                    let first = map.keys().next().map(|(at, _)| *at);
                    assert!(wheel.next() <= first, "it would come late");
                    assert_eq!(wheel.next().is_none(), first.is_none());
                }
            }
        }
        assert!(number > 9000 && wheel.live == ids.len());
    }

    #[test]
    fn a_million_timers_end_in_their_order() {
        const COUNT: u64 = 1_000_000;
        let mut wheel = Wheel::new();
        let mut ids = Vec::new();
        for number in 0..COUNT {
            ids.push(wheel.start(1 + number * 7919 % COUNT, Waiter::Nobody));
        }
        let mut woken = 0;
        wheel.advance(COUNT / 2, |_| woken += 1);
        assert_eq!(woken, COUNT / 2);
        let over = ids.iter().filter(|id| wheel.is_over(**id)).count();
        assert_eq!(over as u64, COUNT / 2);
        wheel.advance(COUNT, |_| woken += 1);
        assert_eq!((woken, wheel.next()), (COUNT, None));
        ids.into_iter().for_each(|id| drop(wheel.remove(id)));
        assert!(wheel.is_empty() && wheel.timers.is_empty());
    }
}
