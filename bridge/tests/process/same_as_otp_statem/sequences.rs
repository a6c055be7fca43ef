//! Random sequences of events, equal in each run.

use otp_bridge::atom;

use super::{Act, Do, Enter, Kind, State, Step, Time, Timer, What};
use crate::otp::Numbers;

impl Numbers {
    fn event(&mut self, depth: u64) -> Do {
        let enters = (0..self.below(3)).map(|_| self.enter(depth)).collect();
        let what = match self.below(24) {
            0..=6 => What::Next(self.state(), self.acts(depth)),
            7..=11 => What::Keep(self.acts(depth)),
            12..=14 => What::KeepData(self.acts(depth)),
            15..=16 => What::Repeat(self.acts(depth)),
            17..=18 => What::RepeatData(self.acts(depth)),
            19 => What::StopAndReply(atom!("done"), self.below(100)),
            20 => What::Stop,
            21 => What::StopReason(atom!("shutdown")),
            22 => What::Raise(atom!("broken")),
            _ => What::Exit(atom!("gone")),
        };
        Do(self.below(100), what, enters)
    }

    fn enter(&mut self, depth: u64) -> Enter {
        match self.below(12) {
            0..=8 => Enter::Keep(self.acts(depth)),
            9..=10 => Enter::Repeat(self.acts(depth)),
            _ if self.below(3) > 0 => Enter::Keep(Vec::new()),
            _ if self.below(2) == 0 => Enter::Stop(atom!("entered")),
            _ => Enter::Raise(atom!("broken")),
        }
    }

    fn state(&mut self) -> State {
        match self.below(3) {
            0 => State::A,
            1 => State::B,
            _ => State::C,
        }
    }

    fn acts(&mut self, depth: u64) -> Vec<Act> {
        // The depth limits the events that create events.
        let most = if depth > 2 { 1 } else { 4 };
        (0..self.below(most)).map(|_| self.act(depth + 1)).collect()
    }

    fn act(&mut self, depth: u64) -> Act {
        match self.below(9) {
            0 | 1 => Act::Postpone,
            2 => Act::Reply(self.below(100)),
            3 => {
                let kind = match self.below(3) {
                    0 => Kind::Internal,
                    1 => Kind::Cast,
                    _ => Kind::Info,
                };
                Act::Next(kind, Box::new(self.event(depth)))
            }
            4 => Act::Cancel(self.timer()),
            5 => Act::Update(self.timer(), Box::new(self.event(depth))),
            _ => {
                let time = match self.below(6) {
                    0..=3 => Time::Zero,
                    4 => Time::Long,
                    _ => Time::Infinity,
                };
                Act::Timeout(self.timer(), time, Box::new(self.event(depth)))
            }
        }
    }

    fn timer(&mut self) -> Timer {
        match self.below(4) {
            0 => Timer::Event,
            1 => Timer::State,
            name => Timer::Named(name - 2),
        }
    }

    pub(super) fn step_of_statem(&mut self) -> Step {
        match self.below(3) {
            0 => Step::Call(self.event(0)),
            1 => Step::Cast(self.event(0)),
            _ => Step::Info(self.event(0)),
        }
    }
}
