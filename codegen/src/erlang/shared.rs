//! The modules that are the same in every application.

use otp_contract::library::{ISOLATED_PROCESS, KEPT};
use otp_contract::modules::{
    ANNOUNCE, CHANGE, DYNAMIC, GUEST, HELPER, HELPER_PROCESS, ISOLATED, LATER, LIMITS, OUTPUT,
    PACKAGE, PROCESSES, REGISTRY, RESOURCE, SHARED_RESOURCES, SPANS, STATES, STATUS, TABLE,
    TELEMETRY, TEST, UPGRADE, VM,
};

use super::{head, shapes};

/// Returns their names and texts: all modules in [`otp_contract::modules::SHARED`].
pub fn shared_modules() -> [(&'static str, String); 22] {
    [
        (HELPER, include_str!("otp_rs.erl")),
        (HELPER_PROCESS, include_str!("otp_rs_helper.erl")),
        (OUTPUT, include_str!("otp_rs_output.erl")),
        (UPGRADE, include_str!("otp_rs_upgrade.erl")),
        (PACKAGE, include_str!("otp_rs_package.erl")),
        (PROCESSES, include_str!("otp_rs_processes.erl")),
        (CHANGE, include_str!("otp_rs_change.erl")),
        (STATES, include_str!("otp_rs_states.erl")),
        (LATER, include_str!("otp_rs_later.erl")),
        (ANNOUNCE, include_str!("otp_rs_announce.erl")),
        (RESOURCE, include_str!("otp_rs_resource.erl")),
        (SHARED_RESOURCES, include_str!("otp_rs_shared.erl")),
        (STATUS, include_str!("otp_rs_status.erl")),
        (VM, include_str!("otp_rs_vm.erl")),
        (LIMITS, include_str!("otp_rs_limits.erl")),
        (ISOLATED, include_str!("otp_rs_isolated.erl")),
        (GUEST, include_str!("otp_rs_guest.erl")),
        (REGISTRY, include_str!("otp_rs_registry.erl")),
        (DYNAMIC, include_str!("otp_rs_dynamic.erl")),
        (TABLE, include_str!("otp_rs_table.erl")),
        (SPANS, include_str!("otp_rs_spans.erl")),
        (TELEMETRY, include_str!("otp_rs_telemetry.erl")),
    ]
    .map(|(name, text)| (name, whole(name, text)))
}

/// Returns the text of the module [`TEST`], which only `cargo otp test` adds to a build.
pub fn test_module() -> String {
    whole(TEST, include_str!("otp_rs_test.erl"))
}

fn whole(name: &str, text: &str) -> String {
    let text = text.replace("%SHAPES%\n", &shapes::of_helper());
    let text = text.replace("%ENTRY%\n", &shapes::entry());
    let text = text.replace("%ISOLATED_PROCESS%", ISOLATED_PROCESS);
    let text = text.replace("%KEPT%", KEPT);
    let text = text.replace("%FRAMES%\n", include_str!("frames.hrl"));
    head(&format!("otp-rs: `{name}`")) + &text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_those_that_are_known_as_shared() {
        let names = shared_modules().map(|(name, _)| name);
        assert_eq!(names, otp_contract::modules::SHARED);
    }
}
