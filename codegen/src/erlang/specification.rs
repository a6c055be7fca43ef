//! `-type` and `-spec` lines.

use otp_contract::manifest::{Module, Signature, TypeDefinition};

use super::documentation::Documentation;
use crate::text::atom;

/// Maximum length of a line. In a longer union, each member has its own line.
const WIDTH: usize = 100;

/// Returns `-export_type([…]).` and the definitions; an empty text for a module without types.
pub(super) fn types(module: &Module, format: Documentation) -> String {
    let names = module
        .state
        .iter()
        .chain(module.types.iter().map(|ty| &ty.name));
    let exported: Vec<String> = names.map(|name| format!("{}/0", atom(name))).collect();
    if exported.is_empty() {
        return String::new();
    }
    let mut text = format!("-export_type([{}]).\n\n", exported.join(", "));
    if let Some(state) = &module.state {
        // The library's reference to the Rust value, opaque to other modules.
        text += &format!("-opaque {}() :: reference().\n", atom(state));
    }
    for TypeDefinition {
        name,
        text: body,
        is_opaque,
        doc,
    } in &module.types
    {
        text += &format.of_type(doc);
        let attribute = if *is_opaque { "opaque" } else { "type" };
        text += &union(&format!("-{attribute} {}() ::", atom(name)), &members(body));
    }
    text
}

/// Returns the `-spec` of a function.
pub(super) fn spec(function: &str, signature: &Signature) -> String {
    let (name, arguments) = (atom(function), &signature.arguments);
    let mut head = format!("-spec {name}({}) ->", arguments.join(", "));
    if head.len() > WIDTH {
        head = format!("-spec {name}(\n    {}\n) ->", arguments.join(",\n    "));
    }
    let returns = signature.returns.iter();
    let returns: Vec<&str> = returns.flat_map(|text| members(text)).collect();
    union(&head, &returns)
}

/// Returns `head member | member.`, on one line if that is short enough.
fn union(head: &str, members: &[&str]) -> String {
    let line = format!("{head} {}.\n", members.join(" | "));
    if line.lines().all(|line| line.len() <= WIDTH) {
        return line;
    }
    format!("{head}\n    {}.\n", members.join("\n  | "))
}

/// Returns the members of a union's text.
fn members(text: &str) -> Vec<&str> {
    let mut members = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    let (mut quoted, mut escaped) = (false, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                members.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    members.push(text[start..].trim());
    members
}

#[cfg(test)]
mod tests {
    use super::members;

    #[test]
    fn members_end_at_bars_outside_of_brackets_and_quotes() {
        let text = r"a | {b, c | d} | 'e | \' | f' | [g | h] | fun((i | j) -> k)";
        let expected = [
            "a",
            "{b, c | d}",
            r"'e | \' | f'",
            "[g | h]",
            "fun((i | j) -> k)",
        ];
        assert_eq!(members(text), expected);
        assert_eq!(members("only()"), ["only()"]);
        assert_eq!(members("'unended | }"), ["'unended | }"]);
    }
}
