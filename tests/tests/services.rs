//! The HTTP server of otp-bridge-axum on the real Erlang VM: the tests of the application
//! `services`.

use otp_bridge_novm as _;
use otp_tests::application::{cargo_otp, text};

#[test]
fn an_http_server_is_a_process() {
    let tested = cargo_otp("tests/apps/services", &["test"]);
    let (printed, told) = (text(&tested.stdout), text(&tested.stderr));
    assert!(tested.status.success(), "{printed}\n{told}");
    assert!(printed.contains("7 passed"), "{printed}");
}
