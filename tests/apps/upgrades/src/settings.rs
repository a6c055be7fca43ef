//! The application's environment.
use otp_bridge::Env;

/// The tests write another `[env]` for some builds, and set some parameters in other ways.
#[derive(Debug, Env)]
pub struct Settings {
    /// Differs between the builds.
    pub port: u64,
    /// The test sets this parameter at run time.
    pub mine: u64,
    /// The VM is started with this parameter.
    pub file: u64,
    /// Only in the first build.
    pub gone: Option<bool>,
    /// Not in the first build.
    pub fresh: Option<String>,
}
