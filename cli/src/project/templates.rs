//! The files that `new` and `add` write, and the edit of lib.rs.

use std::path::Path;

use super::names;
use crate::args::Template;

/// The folder from which this program was built. While it exists, new applications use its crates.
const CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Returns the files of a new application: the path inside its folder, and the text.
pub(crate) fn application(name: &str, template: Template) -> Vec<(&'static str, String)> {
    let prefix = name.to_uppercase();
    let fill = |text: &str| text.replace("@NAME@", name).replace("@PREFIX@", &prefix);
    let bridge = format!("otp-bridge = {}\n", dependency("bridge"));
    let (more, log) = match template {
        Template::Application => (String::new(), ""),
        Template::Service => (
            include_str!("../../templates/service/Cargo.toml.in")
                .replace("@AXUM@", &dependency("bridge/axum")),
            include_str!("../../templates/service/otp.toml.in"),
        ),
    };
    let configuration = fill(include_str!("../../templates/otp.toml.in")) + log;
    let manifest = fill(include_str!("../../templates/Cargo.toml.in"))
        .replace("otp-bridge = @BRIDGE@\n", &format!("{bridge}{more}"))
        .replace("@NOVM@", &dependency("bridge/novm"));
    let mut files = vec![
        ("Cargo.toml", manifest),
        ("otp.toml", configuration),
        (
            ".gitignore",
            fill(include_str!("../../templates/gitignore.in")),
        ),
    ];
    let sources = sources(template).iter();
    files.extend(sources.map(|(path, text)| (*path, fill(text))));
    files
}

/// Returns the other files, each with its template.
fn sources(template: Template) -> &'static [(&'static str, &'static str)] {
    match template {
        Template::Application => &[
            ("src/lib.rs", include_str!("../../templates/lib.rs.in")),
            (
                "src/stroot.rs",
                include_str!("../../templates/stroot.rs.in"),
            ),
        ],
        Template::Service => &[
            (
                "src/lib.rs",
                include_str!("../../templates/service/lib.rs.in"),
            ),
            (
                "src/stroot.rs",
                include_str!("../../templates/service/stroot.rs.in"),
            ),
            (
                "src/database.rs",
                include_str!("../../templates/service/database.rs.in"),
            ),
            (
                "src/http.rs",
                include_str!("../../templates/service/http.rs.in"),
            ),
            (
                "src/visits.rs",
                include_str!("../../templates/service/visits.rs.in"),
            ),
            (
                "compose.yaml",
                include_str!("../../templates/service/compose.yaml.in"),
            ),
            (
                "compose.config",
                include_str!("../../templates/service/compose.config.in"),
            ),
        ],
    }
}

/// The name in `add` for a module of functions, which has no behaviour.
pub(crate) const FUNCTIONS: &str = "module";

/// Returns the text of a new module of that behaviour, or of [`FUNCTIONS`].
pub(crate) fn module(name: &str, behaviour: &str) -> Option<String> {
    let template = match behaviour {
        "application" => include_str!("../../templates/application.rs.in"),
        "gen_event" => include_str!("../../templates/gen_event.rs.in"),
        "gen_server" => include_str!("../../templates/gen_server.rs.in"),
        "gen_statem" => include_str!("../../templates/gen_statem.rs.in"),
        "supervisor" => include_str!("../../templates/supervisor.rs.in"),
        FUNCTIONS => include_str!("../../templates/module.rs.in"),
        "supervisor_bridge" => include_str!("../../templates/supervisor_bridge.rs.in"),
        _ => return None,
    };
    Some(
        template
            .replace("@NAME@", name)
            .replace("@TYPE@", &names::type_name(name)),
    )
}

/// Returns a dependency's value in Cargo.toml: a path into the checkout, or this version.
fn dependency(folder: &str) -> String {
    let path = Path::new(CHECKOUT).join(folder);
    match path
        .join("Cargo.toml")
        .is_file()
        .then(|| path.canonicalize())
    {
        Some(Ok(path)) => format!(
            "{{ path = {} }}",
            toml_edit::Value::from(path.display().to_string())
        ),
        _ => format!("\"{}\"", env!("CARGO_PKG_VERSION")),
    }
}

/// Adds `pub mod NAME;` to the last group of `mod` lines in lib.rs, in rustfmt's order. Without
/// such lines, it is placed after the head comment. Returns `None` if the module is already
/// declared.
pub(crate) fn with_module(text: &str, name: &str) -> Option<String> {
    let mut head = 0;
    let mut group = Group::default();
    let mut offset = 0;
    let mut comments = 0_usize;
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let inside = comments > 0;
        let code = line.split("//").next().unwrap_or_default();
        comments =
            (comments + code.matches("/*").count()).saturating_sub(code.matches("*/").count());
        if !inside && let Some(module) = declared_module(code) {
            if module == name {
                return None;
            }
            group.add(module, name, start, offset);
        }
        if !inside && head == start && is_head(line) {
            head = offset;
        }
    }
    let (before, rest) = text.split_at(group.insert_at.unwrap_or(head));
    let break_before = if before.is_empty() || before.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    Some(format!("{before}{break_before}pub mod {name};{end}{rest}"))
}

/// `mod` lines that follow each other directly.
#[derive(Default)]
struct Group {
    end: usize,
    /// The position for the new module: after the modules of the group that sort before it.
    insert_at: Option<usize>,
}

impl Group {
    fn add(&mut self, module: &str, name: &str, start: usize, end: usize) {
        let first = self.end != start || self.insert_at.is_none();
        self.end = end;
        if module < name {
            self.insert_at = Some(end);
        } else if first {
            self.insert_at = Some(start);
        }
    }
}

/// `pub mod x;` -> `x`
fn declared_module(code: &str) -> Option<&str> {
    let words = code.trim_end().strip_suffix(';')?.trim_end();
    let (visibility, name) = words.rsplit_once("mod ")?;
    let visibility = visibility.trim();
    let visible = visibility.is_empty() || visibility == "pub" || visibility.starts_with("pub(");
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = name.trim();
    let name = name.strip_prefix("r#").unwrap_or(name);
    (visible && !name.is_empty() && name.chars().all(is_name)).then_some(name)
}

fn is_head(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with("//!") || line.starts_with("#![")
}

#[cfg(test)]
mod tests {
    use super::*;
    use otp_codegen::BRIDGE_BEHAVIOURS;

    /// A module `state` with a type `State` would clash with the template's own.
    #[test]
    fn no_type_is_named_like_what_its_template_uses() {
        for behaviour in BRIDGE_BEHAVIOURS {
            let text = module("counter", behaviour).expect(behaviour);
            let code = text
                .lines()
                .map(|line| line.split("//").next().unwrap_or_default());
            for word in code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'))
            {
                let capital = word.starts_with(|first: char| first.is_ascii_uppercase());
                assert!(
                    !capital || word == "Counter" || names::TEMPLATE_TYPES.contains(&word),
                    "{behaviour}: {word}"
                );
            }
        }
    }

    /// Returns whether the text contains a mark such as `@NAME@`. The URL of a database has an `@`.
    fn has_mark(text: &str) -> bool {
        let inside = text.split('@').skip(1);
        let is_mark = |word: &str| {
            let is_letter = |it: char| it.is_ascii_uppercase() || it == '_';
            !word.is_empty() && word.chars().all(is_letter)
        };
        inside.into_iter().any(is_mark)
    }

    #[test]
    fn every_behaviour_has_a_template_and_no_mark_is_left() {
        assert!(has_mark("a @NAME@ b") && !has_mark("postgres://a@b"));
        for behaviour in BRIDGE_BEHAVIOURS {
            let text = module("my_counter", behaviour).expect(behaviour);
            assert!(text.contains("for MyCounter {"), "{text}");
            assert!(!has_mark(&text), "{text}");
        }
        let text = module("my_counter", FUNCTIONS).expect(FUNCTIONS);
        assert!(text.contains("#[module(\"my_counter\")]"), "{text}");
        assert!(!has_mark(&text), "{text}");
        for template in [Template::Application, Template::Service] {
            for (path, text) in application("counting", template) {
                assert!(!has_mark(&text), "{path}: {text}");
            }
        }
    }

    #[test]
    fn the_manifest_is_toml_and_a_workspace_of_its_own() {
        for template in [Template::Application, Template::Service] {
            let files = application("counting", template);
            let manifest: toml_edit::DocumentMut = files[0].1.parse().unwrap();
            assert!(manifest.contains_key("workspace"));
            assert!(manifest["dependencies"]["otp-bridge"]["path"].is_str());
        }
    }

    #[test]
    fn modules_stay_in_order() {
        let text = "//! x\n\npub mod b;\npub mod d;\n\nfn f() {}\n";
        for (name, group) in [("a", "abd"), ("c", "bcd"), ("e", "bde")] {
            let lines: String = group
                .chars()
                .map(|name| format!("pub mod {name};\n"))
                .collect();
            let expected = format!("//! x\n\n{lines}\nfn f() {{}}\n");
            assert_eq!(with_module(text, name).as_deref(), Some(expected.as_str()));
        }
        let text = "mod a;\nmod x;\n\nmod d;\n";
        assert_eq!(
            with_module(text, "c").unwrap(),
            "mod a;\nmod x;\n\npub mod c;\nmod d;\n"
        );
    }

    #[test]
    fn a_module_comes_after_the_last_one() {
        assert_eq!(
            with_module("//! x\n\npub mod a;\nmod b; // c\n\nfn f() {}\n", "c").unwrap(),
            "//! x\n\npub mod a;\nmod b; // c\npub mod c;\n\nfn f() {}\n"
        );
        assert_eq!(
            with_module("//! x\nfn f() {}\n", "c").unwrap(),
            "//! x\npub mod c;\nfn f() {}\n"
        );
        assert_eq!(with_module("", "c").unwrap(), "pub mod c;\n");
        assert_eq!(with_module("mod a;", "c").unwrap(), "mod a;\npub mod c;\n");
        assert_eq!(
            with_module("mod a;\r\n", "c").unwrap(),
            "mod a;\r\npub mod c;\r\n"
        );
    }

    #[test]
    fn comments_and_other_words_are_no_modules() {
        assert_eq!(
            with_module(
                "mod a;\n// mod b;\n/*\nmod c;\n*/\nlet x = \"mod d;\";\n",
                "c"
            )
            .unwrap(),
            "mod a;\npub mod c;\n// mod b;\n/*\nmod c;\n*/\nlet x = \"mod d;\";\n"
        );
    }

    #[test]
    fn a_module_twice_is_told() {
        for line in [
            "mod c;",
            "pub mod c;\n",
            "pub(crate) mod c;\n",
            "mod r#c;\n",
        ] {
            assert!(with_module(line, "c").is_none(), "{line}");
        }
    }
}
