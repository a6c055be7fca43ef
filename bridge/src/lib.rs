//! The run time of OTP applications written in Rust: typed terms, behaviours, processes
