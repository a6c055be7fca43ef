//! Mistakes in the use of memory, which `cargo xtask sanitize` has to find. Without the name of a
//! mistake, the program does nothing.

#![allow(unsafe_code)]

use std::hint::black_box;

use otp_bridge_novm as _;

fn main() {
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "use_after_free" => use_after_free(),
            "beyond_the_end" => beyond_the_end(),
            _ => {}
        }
    }
}

fn use_after_free() {
    let kept = Box::into_raw(Box::new(7_u64));
    // SAFETY: it was a box. Reading it below is the mistake.
    drop(unsafe { Box::from_raw(kept) });
    // SAFETY: there is none: this is the mistake.
    black_box(unsafe { black_box(kept).read() });
}

fn beyond_the_end() {
    let bytes = black_box(vec![0_u8; 10]);
    // SAFETY: there is none: this is the mistake.
    black_box(unsafe { bytes.as_ptr().add(black_box(10)).read() });
}
