//! Atoms that `otp_bridge::atoms` always defines, independent of the generated modules.

/// Common atoms of OTP, sorted. A set of modules that is generated outside `otp-bridge` imports
/// these from there and defines only the others.
#[rustfmt::skip]
pub const SHARED: [&str; 154] = [
    "DOWN", "EXIT", "abort", "abs", "accept", "active", "add", "all", "all_significant",
    "already_present", "already_started", "and", "any", "any_significant", "async", "badarg",
    "badarith", "badfun", "badkey", "badmap", "badmatch", "badrecord", "badrpc", "binary",
    "brutal_kill", "bytes", "call", "cancel", "case_clause", "cast", "closed", "code_change",
    "connected", "continue", "count_children", "data", "debug", "default", "delete",
    "delete_child", "disabled", "done", "down", "dynamic", "eacces", "econnrefused", "eexist",
    "einval", "emfile", "empty", "enabled", "enoent", "eof", "error", "exit", "exit_status",
    "false", "flags", "flush", "from", "function_clause", "get", "get_childspec", "global",
    "group_leader", "heir", "hibernate", "hibernate_after", "high", "id", "if_clause", "ignore",
    "inet", "infinity", "info", "init", "insert", "intensity", "kill", "killed", "link", "links",
    "list", "local", "log", "lookup", "low", "max", "message", "milli_seconds", "millisecond",
    "modules", "monitor", "name", "never", "next_state", "nil", "noalias", "noconnection", "node",
    "nodedown", "nodes", "nodeup", "noproc", "noreply", "normal", "not_found", "notsup", "ok",
    "one_for_all", "one_for_one", "period", "permanent", "postpone", "priority", "put", "reason",
    "registered", "remove", "reply", "rest_for_one", "restart", "restart_child", "restarting",
    "self", "set", "shutdown", "significant", "simple_one_for_one", "size", "spawn", "spawn_opt",
    "start", "start_child", "start_link", "start_monitor", "state", "stop", "strategy",
    "supervisor", "system", "temporary", "terminate", "terminate_child", "timeout", "transient",
    "trap_exit", "true", "type", "undefined", "update", "via", "which_children", "worker",
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
