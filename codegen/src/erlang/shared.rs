//! The modules that are the same in every application.

use otp_erlang::{ErlangSource, HEADERS, RUN_TIME};

use super::head;

/// Returns their names and texts: all modules in [`otp_contract::modules::SHARED`].
pub fn shared_modules() -> Vec<(&'static str, String)> {
    let modules = RUN_TIME.iter();
    modules.map(|module| (module.name, whole(module))).collect()
}

/// Returns the text of the module [`otp_contract::modules::TEST`], which only `cargo otp test` adds
/// to a build.
pub fn test_module() -> String {
    whole(&otp_erlang::TEST)
}

/// Replaces the headers by their texts, because an application contains only modules.
fn whole(module: &ErlangSource) -> String {
    let mut text = head(&format!("otp-rs: `{}`", module.name)) + module.source;
    for (name, header) in HEADERS {
        text = text.replace(&format!("-include(\"{name}\").\n"), header);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_those_that_are_known_as_shared() {
        let names = RUN_TIME.map(|module| module.name);
        assert_eq!(names, otp_contract::modules::SHARED);
        assert_eq!(otp_erlang::TEST.name, otp_contract::modules::TEST);
    }

    #[test]
    fn no_module_includes_a_file() {
        let modules = shared_modules().into_iter().map(|(_, text)| text);
        for text in modules.chain([test_module()]) {
            assert!(!text.contains("\n-include(\""), "{text}");
        }
    }
}
