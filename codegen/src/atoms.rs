//! Atoms that `otp_bridge::atoms` always defines, whatever is generated.

/// Common atoms of OTP, sorted. A set of modules that is generated outside `otp-bridge` imports
/// these from there and defines only the others.
#[rustfmt::skip]
pub const SHARED: [&str; 113] = [
    "DOWN", "EXIT", "abort", "abs", "accept", "active", "all", "all_significant",
    "already_present", "already_started", "and", "any", "any_significant", "async", "badarg",
    "badarith", "badmatch", "badrpc", "binary", "brutal_kill", "bytes", "call", "cancel", "cast",
    "closed", "code_change", "connected", "continue", "count_children", "data", "debug", "default",
    "delete_child", "disabled", "done", "down", "dynamic", "empty", "enabled", "eof", "error",
    "exit", "false", "flush", "from", "function_clause", "get", "global", "heir", "hibernate",
    "hibernate_after", "high", "id", "ignore", "inet", "infinity", "info", "init", "intensity",
    "kill", "killed", "link", "list", "local", "log", "low", "max", "message", "milli_seconds",
    "millisecond", "modules", "monitor", "name", "never", "next_state", "nil", "noconnection",
    "nodedown", "nodeup", "noproc", "noreply", "normal", "not_found", "ok", "one_for_all",
    "one_for_one", "period", "permanent", "postpone", "reason", "reply", "rest_for_one", "restart",
    "restarting", "shutdown", "significant", "simple_one_for_one", "spawn_opt", "start", "state",
    "stop", "strategy", "supervisor", "temporary", "terminate", "timeout", "transient", "true",
    "type", "undefined", "via", "which_children", "worker",
];

#[cfg(test)]
mod tests {
    use super::SHARED;

    #[test]
    fn sorted_without_duplicates() {
        assert!(
            SHARED.windows(2).all(|pair| pair[0] < pair[1]),
            "{SHARED:?}"
        );
    }
}
