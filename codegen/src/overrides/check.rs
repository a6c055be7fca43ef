//! Checks that names, derives and types in overrides are valid Rust.

use otp_contract::rust::is_primitive_type;
use proc_macro2::{TokenStream, TokenTree};

use crate::catalog;
use crate::names::is_reserved;
use crate::options::{OverrideId, Overrides, TypeOverride};
use crate::report::OverrideDiagnostic;

/// Returns `overrides` without invalid Rust, and the problems that can be found without the
/// modules.
pub(super) fn legal(overrides: &Overrides) -> (Overrides, Vec<OverrideDiagnostic>) {
    let mut legal = overrides.clone();
    let mut diagnostics = Vec::new();
    keep(&mut legal.derives, &mut diagnostics, |text| {
        derive(OverrideId::Derives, "derives", text)
    });
    shorten(&mut legal.derives);
    for (index, decided) in legal.types.iter_mut().enumerate() {
        type_override(OverrideId::Type(index), decided, &mut diagnostics);
    }
    for (index, decided) in legal.functions.iter_mut().enumerate() {
        let id = OverrideId::Function(index);
        if decided.skip && decided.rename.is_some() {
            diagnostics.push(conflict(id, "rename", "skip"));
        } else if !decided.skip && decided.rename.is_none() {
            diagnostics.push(OverrideDiagnostic::new(&catalog::NOTHING, id, &[]));
        }
        keep_one(&mut decided.rename, &mut diagnostics, |name| {
            lower(id, name).map(|bad| bad.at("rename"))
        });
    }
    (legal, diagnostics)
}

fn type_override(
    id: OverrideId,
    decided: &mut TypeOverride,
    diagnostics: &mut Vec<OverrideDiagnostic>,
) {
    conflicts(id, decided, diagnostics);
    keep_one(&mut decided.rename, diagnostics, |name| {
        upper(id, name).map(|bad| bad.at("rename"))
    });
    keep_one(&mut decided.rust, diagnostics, |rust| {
        written_type(id, rust)
    });
    keep(&mut decided.derives, diagnostics, |text| {
        derive(id, "derives", text)
    });
    shorten(&mut decided.derives);
    shorten(&mut decided.no_derives);
    let inner = |key, diagnostic: Option<OverrideDiagnostic>, old: &str| {
        diagnostic.map(|diagnostic| diagnostic.at(key).inside(old))
    };
    decided.variants.retain(|old, new| {
        let bad = inner("variants", upper(id, new), old);
        diagnostics.extend(bad.clone());
        bad.is_none()
    });
    decided.fields.retain(|old, new| {
        let bad = inner("fields", lower(id, new), old);
        diagnostics.extend(bad.clone());
        bad.is_none()
    });
}

/// Writes `std::hash::Hash` as `Hash`, because a derive must not be listed twice.
fn shorten(derives: &mut [String]) {
    for derive in derives {
        let path: String = derive.split_whitespace().collect();
        let path = path.trim_start_matches("::");
        let inside = |root| {
            path.strip_prefix(root)
                .and_then(|rest| rest.rsplit_once("::"))
        };
        if let Some((_, name)) = inside("std::").or_else(|| inside("core::")) {
            *derive = name.to_owned();
        }
    }
}

/// Keeps texts without problems.
fn keep(
    texts: &mut Vec<String>,
    diagnostics: &mut Vec<OverrideDiagnostic>,
    check: impl Fn(&str) -> Option<OverrideDiagnostic>,
) {
    texts.retain(|text| {
        let bad = check(text);
        diagnostics.extend(bad.clone());
        bad.is_none()
    });
}

fn keep_one(
    text: &mut Option<String>,
    diagnostics: &mut Vec<OverrideDiagnostic>,
    check: impl Fn(&str) -> Option<OverrideDiagnostic>,
) {
    let mut texts: Vec<String> = text.take().into_iter().collect();
    keep(&mut texts, diagnostics, check);
    *text = texts.pop();
}

/// Reports keys that have no effect beside others.
fn conflicts(id: OverrideId, decided: &TypeOverride, diagnostics: &mut Vec<OverrideDiagnostic>) {
    let keys = [
        ("rename", decided.rename.is_some()),
        ("rust", decided.rust.is_some()),
        ("derives", !decided.derives.is_empty()),
        ("no_derives", !decided.no_derives.is_empty()),
        ("variants", !decided.variants.is_empty()),
        ("fields", !decided.fields.is_empty()),
    ];
    let keys = keys.into_iter().filter(|one| one.1).map(|one| one.0);
    let keys: Vec<&'static str> = keys.collect();
    if keys.is_empty() && !decided.skip {
        diagnostics.push(OverrideDiagnostic::new(&catalog::NOTHING, id, &[]));
    }
    for key in keys {
        let by = match key {
            _ if decided.skip => "skip",
            "derives" | "no_derives" | "variants" | "fields" if decided.rust.is_some() => "rust",
            _ => continue,
        };
        diagnostics.push(conflict(id, key, by));
    }
}

fn conflict(id: OverrideId, key: &'static str, by: &str) -> OverrideDiagnostic {
    let message = match by {
        "skip" => &catalog::OF_SKIPPED,
        _ => &catalog::OF_RUST,
    };
    let hint = format!("leave out either `{key}` or `{by}`");
    let diagnostic = OverrideDiagnostic::new(message, id, &[&key]);
    diagnostic.at(key).hint(hint)
}

/// Checks the name of a type or variant.
fn upper(id: OverrideId, name: &str) -> Option<OverrideDiagnostic> {
    let legal = is_identifier(name) && name.starts_with(|first: char| first.is_ascii_uppercase());
    (!legal).then(|| OverrideDiagnostic::new(&catalog::NOT_UPPER, id, &[&name]))
}

/// Checks the name of a field or function.
fn lower(id: OverrideId, name: &str) -> Option<OverrideDiagnostic> {
    let legal = is_identifier(name)
        && !name.starts_with(|first: char| first.is_ascii_uppercase())
        && name != "cx";
    (!legal).then(|| OverrideDiagnostic::new(&catalog::NOT_LOWER, id, &[&name]))
}

fn is_identifier(name: &str) -> bool {
    name.is_ascii() && syn::parse_str::<syn::Ident>(name).is_ok() && !is_reserved(name)
}

fn derive(id: OverrideId, key: &'static str, text: &str) -> Option<OverrideDiagnostic> {
    let plain = |path: &syn::Path| path.segments.iter().all(|one| one.arguments.is_none());
    let legal = syn::parse_str::<syn::Path>(text).is_ok_and(|path| plain(&path));
    let diagnostic = || OverrideDiagnostic::new(&catalog::NOT_A_DERIVE, id, &[&text]);
    (!legal)
        .then(diagnostic)
        .map(|bad| bad.at(key).inside(text))
}

/// Checks a Rust type, which must have the same meaning everywhere.
fn written_type(id: OverrideId, text: &str) -> Option<OverrideDiagnostic> {
    let is_of_values = |ty| matches!(ty, syn::Type::Path(_) | syn::Type::Tuple(_));
    let borrows = text.contains(['\'', '&']);
    if borrows || !syn::parse_str::<syn::Type>(text).is_ok_and(is_of_values) {
        let diagnostic = OverrideDiagnostic::new(&catalog::NOT_A_TYPE, id, &[&text]);
        return Some(diagnostic.at("rust"));
    }
    let tokens: TokenStream = text.parse().unwrap_or_default();
    let local = local_name(tokens)?;
    let diagnostic = OverrideDiagnostic::new(&catalog::LOCAL_NAME, id, &[&local, &text]);
    Some(diagnostic.at("rust"))
}

/// Returns the first name in a type that another module may not have.
fn local_name(tokens: TokenStream) -> Option<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon = |index: usize| matches!(tokens.get(index), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                if let Some(found) = local_name(group.stream()) {
                    return Some(found);
                }
            }
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let follows = index > 0 && is_colon(index - 1);
                let is_root = is_colon(index + 1) && !["self", "super", "Self"].contains(&&*name);
                let is_word = ["as", "const", "dyn", "for", "impl", "mut"].contains(&&*name);
                if !follows && !is_root && !is_word && !is_primitive_type(&name) {
                    return Some(name);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_written_with_whole_paths() {
        let good = [
            "u16",
            "crate::net::Socket",
            "::std::vec::Vec<u8>",
            "(u8, std::net::IpAddr)",
        ];
        for text in good {
            assert_eq!(written_type(OverrideId::Type(0), text), None);
        }
        for text in [
            "Socket",
            "std::vec::Vec<Socket>",
            "super::Socket",
            "self::S",
            "(u8, S)",
            "",
            "_",
            "!",
            "&str",
            "[u8]",
            "fn(u8)",
            "impl Copy",
            "dyn Copy",
            "m!()",
        ] {
            assert!(written_type(OverrideId::Type(0), text).is_some(), "{text}");
        }
    }

    #[test]
    fn names_are_of_their_kind() {
        for name in ["Port", "P2", "Vec"] {
            assert_eq!(upper(OverrideId::Type(0), name), None);
        }
        for name in ["port", "Self", "_", "", "A-B", "Größe", "2a", "A B"] {
            assert!(upper(OverrideId::Type(0), name).is_some(), "{name}");
        }
        for name in ["port", "_port", "a2"] {
            assert_eq!(lower(OverrideId::Type(0), name), None);
        }
        for name in ["Port", "type", "cx", "self", "", "a.b", "_"] {
            assert!(lower(OverrideId::Type(0), name).is_some(), "{name}");
        }
    }
}
