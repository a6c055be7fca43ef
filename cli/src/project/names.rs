//! Names of applications and modules. Every rule and every derived name is defined here:
//!
//! | name | of `my_counter` | used for |
//! |---|---|---|
//! | the name | `my_counter` | Erlang module, Rust module, key in otp.toml, registered name |
//! | file | `src/my_counter.rs` | [`source_file`] |
//! | type | `MyCounter` | [`type_name`] |
//! | generated modules of an application | `my_counter_nif`, `_app`, `_run`, `otp_rs`, `otp_rs_helper`, `otp_rs_output`, `otp_rs_upgrade`, `otp_rs_package`, `otp_rs_processes`, `otp_rs_change`, `otp_rs_states`, `otp_rs_announce`, `otp_rs_later`, `otp_rs_resource`, `otp_rs_shared`, `otp_rs_status`, `otp_rs_vm`, `otp_rs_limits`, `otp_rs_isolated`, `otp_rs_guest`, `otp_rs_registry`, `otp_rs_dynamic`, `otp_rs_table`, `otp_rs_spans`, `otp_rs_telemetry`, `otp_rs_test` | [`generated_modules`] |

use crate::installation::Applications;
use crate::report::{Error, Result, catalog};
use otp_contract::erlang::{is_module_name, is_reserved_word};
use otp_contract::modules;
use otp_contract::rust::{is_keyword, is_never_raw};

/// Additional modules of the application that every release contains.
const OF_RELEASES: [&str; 5] = [
    "otp_rs_release",
    "otp_rs_relup",
    "otp_rs_relup_text",
    "otp_rs_unpack",
    "otp_rs_upgrader",
];

/// The prefix of otp-rs's own names.
const OWN: &str = modules::HELPER;

/// Maximum length of a name: the library's file name (`lib`, name, hash, extension) must stay under
/// 255 bytes.
const LONGEST: usize = 200;

/// Names of crates that a library of the same name would shadow, and of source files that cargo
/// does not read as a module.
const RESERVED: &[&str] = &[
    "alloc",
    "core",
    "lib",
    "main",
    "otp_bindings",
    "otp_bridge",
    "otp_bridge_novm",
    "proc_macro",
    "std",
    "test",
];

/// Types that the templates use by their bare name, and other capitalized names in them.
pub(crate) const TEMPLATE_TYPES: &[&str] = &[
    "Application",
    "Args",
    "Atom",
    "Caller",
    "ChildSpec",
    "Clone",
    "Count",
    "Cx",
    "Debug",
    "GenEvent",
    "GenServer",
    "GenStatem",
    "Get",
    "HandleCall",
    "HandleCallReturn",
    "HandleEvent",
    "HandleEventReturn",
    "Init",
    "InitArgs",
    "InitReturn",
    "Machine",
    "Off",
    "Ok",
    "On",
    "Option",
    "PartialEq",
    "Pid",
    "Push",
    "Result",
    "Self",
    "Server",
    "Start",
    "StartArgs",
    "StartReturn",
    "StartType",
    "State",
    "String",
    "Stroot",
    "SupFlags",
    "Supervisor",
    "SupervisorBridge",
    "Term",
    "Vec",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// `cargo otp new NAME`
    Application,
    /// `cargo otp add NAME …`
    Module,
}

impl Named {
    fn phrase(self) -> &'static str {
        match self {
            Named::Application => "an application",
            Named::Module => "a module",
        }
    }
}

/// Checks a name: it must be an Erlang atom without quotes that is also a Rust identifier, and not
/// a reserved word of either language.
pub(crate) fn check(named: Named, name: &str) -> Result<()> {
    let refused = |why: String| {
        let error = catalog::BAD_NAME
            .with(&[&name, &named.phrase()])
            .detail(why);
        match suggestion(name) {
            Some(better) => error.help(format!("for example `{better}`")),
            None => error,
        }
    };
    if !is_module_name(name) {
        return Err(refused(
            "it is not an Erlang atom that can be written without quotes".into(),
        ));
    }
    if name.len() > LONGEST {
        return Err(refused(format!("it is longer than {LONGEST} characters")));
    }
    if is_keyword(name) {
        return Err(refused("it is a keyword of Rust".into()));
    }
    if is_reserved_word(name) {
        return Err(refused("it is a reserved word of Erlang".into()));
    }
    if RESERVED.contains(&name) {
        return Err(refused("cargo gives this name a meaning of its own".into()));
    }
    // Every node with an application in Rust has modules and processes with such names.
    if name == OWN
        || name
            .strip_prefix(OWN)
            .is_some_and(|rest| rest.starts_with('_'))
    {
        return Err(refused(format!(
            "otp-rs has modules and processes whose names begin with `{OWN}`"
        )));
    }
    Ok(())
}

/// Refuses the name of a module of the installed OTP, or, for an application, of an application.
pub(crate) fn check_free(named: Named, name: &str, otp: &Applications) -> Result<()> {
    let taken = |what: String, path: &std::path::Path| {
        catalog::NAME_TAKEN
            .with(&[&name, &what])
            .at(path.display())
            .help("two modules of one name cannot live in one Erlang VM; choose another name")
    };
    if let Some(beam) = otp.beam(name) {
        return Err(taken(format!("OTP has a module `{name}`"), &beam));
    }
    if named == Named::Application {
        if let Some(folder) = otp.folder(name) {
            return Err(taken(format!("OTP has an application `{name}`"), folder));
        }
        for module in generated_modules(name) {
            if let Some(beam) = otp.beam(&module) {
                return Err(taken(format!("OTP has a module `{module}`"), &beam));
            }
        }
    }
    Ok(())
}

/// Returns the error for the name of a module that `cargo otp build` writes.
pub(crate) fn taken_by_build(name: &str) -> Error {
    let what = "`cargo otp build` writes an Erlang module of this name";
    catalog::NAME_TAKEN
        .with(&[&name, &what])
        .help("choose another name")
}

/// Returns the modules that `cargo otp build` writes for an application beside its callback
/// modules.
pub(crate) fn generated_modules(application: &str) -> Vec<String> {
    let generated = modules::all(application).into_iter();
    generated.chain(OF_RELEASES.map(str::to_owned)).collect()
}

/// Returns a name in Rust source: a keyword becomes raw, `type` -> `r#type`. `None` if Rust cannot
/// use it.
pub(crate) fn rust_name(name: &str) -> Option<String> {
    let plain = name.strip_prefix("r#").unwrap_or(name);
    let starts_well = plain.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let letters = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_name = starts_well && plain.chars().all(letters) && plain != "_";
    if !is_name || is_never_raw(plain) {
        return None;
    }
    Some(if is_keyword(plain) {
        format!("r#{plain}")
    } else {
        plain.to_owned()
    })
}

/// `my_counter` -> `src/my_counter.rs`
pub(crate) fn source_file(module: &str) -> String {
    format!("src/{module}.rs")
}

/// `my_counter` -> `MyCounter`. A suffix is added if the template uses a type of that name.
pub(crate) fn type_name(module: &str) -> String {
    let mut name = String::new();
    for word in module.split('_').filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    if TEMPLATE_TYPES.contains(&name.as_str()) {
        name.push_str("Process");
    }
    name
}

/// Returns a similar valid name: `MyCounter` and `my-counter` -> `my_counter`.
fn suggestion(name: &str) -> Option<String> {
    let mut better = String::new();
    let mut last = ' ';
    for character in name.chars().take(LONGEST) {
        if character.is_ascii_uppercase() && last.is_ascii_lowercase() {
            better.push('_');
        }
        last = character;
        match character {
            c if c.is_ascii_alphanumeric() => better.push(c.to_ascii_lowercase()),
            _ if better.ends_with('_') || better.is_empty() => {}
            _ => better.push('_'),
        }
    }
    let better = better.trim_end_matches('_').to_owned();
    (better != name && is_module_name(&better) && check(Named::Module, &better).is_ok())
        .then_some(better)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(name: &str) -> String {
        let error = check(Named::Module, name).expect_err(name);
        assert_eq!(error.exit_code(), 1);
        format!(
            "{} {:?} {:?}",
            error.what(),
            error.details(),
            error.remedies()
        )
    }

    #[test]
    fn plain_atoms_pass() {
        for name in ["counter", "my_counter2", "a", "x_", "stroot", "otp_rsx"] {
            check(Named::Module, name).expect(name);
        }
    }

    #[test]
    fn what_is_not_a_plain_atom_is_refused_with_a_better_name() {
        assert!(refusal("MyCounter").contains("`my_counter`"));
        assert!(refusal("my-counter").contains("`my_counter`"));
        assert!(refusal("../up").contains("`up`"));
        assert!(refusal("SHOP").contains("`shop`"));
        assert!(refusal("1st").contains("not an Erlang atom"));
        for name in ["", "_x", "é", "naïve", "a b", "a.b", "a@b", "a\nb"] {
            assert!(refusal(name).contains("not an Erlang atom"), "{name}");
        }
    }

    #[test]
    fn words_of_both_languages_are_refused() {
        assert!(refusal("match").contains("keyword of Rust"));
        assert!(refusal("match").contains("choose another name"));
        assert!(refusal("gen").contains("keyword of Rust"));
        assert!(refusal("receive").contains("reserved word of Erlang"));
        assert!(refusal("main").contains("cargo"));
        for name in ["otp_rs", "otp_rs_helper", "otp_rs_anything"] {
            assert!(refusal(name).contains("begin with `otp_rs`"), "{name}");
        }
        assert!(refusal(&"a".repeat(201)).contains("longer than 200"));
    }

    #[test]
    fn type_names() {
        assert_eq!(type_name("my_counter"), "MyCounter");
        assert_eq!(type_name("a1__b_"), "A1B");
        assert_eq!(type_name("caller"), "CallerProcess");
    }
}
