//! A field of the environment has a default or a key.

use otp_bridge::Env;

#[derive(Env)]
struct Settings {
    #[env(optional)]
    port: u16,
}

fn main() {}
