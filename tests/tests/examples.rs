//! The examples on the real Erlang VM.

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, observe};

#[test]
fn tokios_sockets_are_awaited_in_a_gen_server() {
    let observed = observe("examples/health", "health.escript");
    assert_observed(&observed, &[("listening", "up"), ("closed", "down")]);
}
