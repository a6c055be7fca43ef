use otp_bindings::os::{self, ValueOrFalse};
use otp_bridge::{Cx, Result};

/// The environment, a command, and where a program is.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    os::putenv(cx, "OTP_BINDINGS_OS", "set").await?;
    let value = os::getenv_with_var_name(cx, "OTP_BINDINGS_OS").await?;
    assert_eq!(value, "set".into());
    assert_eq!(&*os::cmd(cx, "echo hello").await?, "hello\n");
    let program = os::find_executable(cx, "no-such-program").await?;
    assert_eq!(program, os::FilenameOrFalse::False);
    os::unsetenv(cx, "OTP_BINDINGS_OS").await?;
    let value = os::getenv_with_var_name(cx, "OTP_BINDINGS_OS").await?;
    assert_eq!(value, ValueOrFalse::False);
    Ok(())
}
