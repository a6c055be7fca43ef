//! Derive and attribute macros of otp-bridge
