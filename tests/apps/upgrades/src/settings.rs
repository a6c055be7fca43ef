//! The environment.
use otp_bridge::Env;

/// The tests write another `[env]` for some builds, and set some of it elsewhere.
#[derive(Debug, Env)]
pub struct Settings {
    /// It is another number in each build.
    pub port: u64,
    /// The test sets it while the application runs.
    pub mine: u64,
    /// The VM is started with it.
    pub file: u64,
    /// The first build has it only.
    pub gone: Option<bool>,
    /// The first build does not have it.
    pub fresh: Option<String>,
}
