//! Terms of the running VM: decoding and encoding them, and their bytes, text and order.

use std::process::Command;

use otp_bridge_novm as _;
use otp_tests::application::{build, root, text};

#[test]
fn terms_come_back_from_rust_as_they_were() {
    let output = Command::new("escript")
        .arg(root().join("tests/live/terms.escript"))
        .arg(build("tests/apps/terms"))
        .env("LC_ALL", "C.UTF-8")
        .output()
        .expect("escript runs");
    let complained = text(&output.stderr);
    assert_eq!(text(&output.stdout), "done 74\n", "{complained}");
}
