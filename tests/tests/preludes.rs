//! Preludes reserve no names: a Rust module that imports one can still use any name for its own
//! items.
//!
//! The test passes if this file compiles.
#![allow(unused_imports, dead_code)]

use otp_bridge_novm as _;

/// Declares a Rust module for each behaviour, with names that OTP or Rust's own prelude also has.
macro_rules! modules {
    ($($behaviour:ident)+) => {$(
        mod $behaviour {
            use otp_bridge::$behaviour::prelude::*;

            #[derive(Debug, PartialEq)]
            pub(super) struct Money(pub(super) u64);

            impl From<u64> for Money {
                fn from(cents: u64) -> Self {
                    Money(cents)
                }
            }

            impl TryFrom<&str> for Money {
                type Error = std::num::ParseIntError;

                fn try_from(text: &str) -> std::result::Result<Self, Self::Error> {
                    text.parse().map(Money)
                }
            }

            /// Variables may have the names of atoms, event types and constructors.
            pub(super) fn words() -> Vec<Money> {
                let ok = 1;
                let error = 2;
                let normal = 3;
                let stop = 4;
                let reply = 5;
                let noreply = 6;
                let ignore = 7;
                let shutdown = 8;
                let hibernate = 9;
                let (call, cast, info, internal, timeout, enter) = (10, 11, 12, 13, 14, 15);
                let (keep_state, next_state, state, data, continue_) = (16, 17, 18, 19, 20);
                let (permanent, transient, temporary, local, global) = (21, 22, 23, 24, 25);
                let (remove_handler, swap_handler, ok_with, atom, from) = (26, 27, 28, 29, 30);
                let all = [
                    ok, error, normal, stop, reply, noreply, ignore, shutdown, hibernate, call,
                    cast, info, internal, timeout, enter, keep_state, next_state, state, data,
                    continue_, permanent, transient, temporary, local, global, remove_handler,
                    swap_handler, ok_with, atom, from,
                ];
                all.into_iter().map(Money::from).collect()
            }

            /// A definition shadows the prelude's item of the same name.
            pub(super) enum Action {
                Init,
                Reply,
            }

            pub(super) fn stop(action: Action) -> bool {
                matches!(action, Action::Init | Action::Reply)
            }
        }
    )+};
}

modules! { application gen_event gen_server gen_statem supervisor supervisor_bridge }

#[test]
fn own_words_are_meant() {
    assert_eq!(gen_server::words().last(), Some(&gen_server::Money(30)));
    assert!(gen_statem::stop(gen_statem::Action::Init));
}
