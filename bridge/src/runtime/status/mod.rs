//! The state of a process as others see it: in reports, in an Erlang shell, and by `otp_rs_status`.
//!
//! Its callers are the NIFs of the same names. It reads a state only while no callback of its
//! process runs or waits.

pub(super) mod report;
