//! Return values that do not mention the state.

/// A clause that leaves the state as it is, and the state.
///
/// Erlang's `keep_state_and_data`, or the `{error, Reason}` of `code_change/3`, mean the state that
/// the process has. In Rust the callback has moved it out, so that it is given back beside the
/// clause. The generated functions do it by their last argument:
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::Keeping;
/// use otp_bridge::atoms::{keep_state_and_data, stop};
/// # struct Lock; let (data, other) = (Lock, Lock);
///
/// let kept = Keeping(keep_state_and_data, data);     // keep_state_and_data
/// let stopped = Keeping((stop, "why"), other);       // {stop, Reason}
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keeping<Value, State>(pub Value, pub State);
