//! A function of an Erlang module cannot have bytes that live for ever.

use otp_bridge::module;

#[module]
pub mod keeper {
    use std::sync::Mutex;

    static KEPT: Mutex<&[u8]> = Mutex::new(&[]);

    pub fn keep(bytes: &[u8]) {
        *KEPT.lock().unwrap() = bytes;
    }
}

fn main() {}
