//! Wrong programs do not compile, and the compiler's message quotes OTP's own form.

use otp_bridge_novm as _;

#[test]
fn wrong_programs_are_refused() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("compile_fail/*.rs");
}
