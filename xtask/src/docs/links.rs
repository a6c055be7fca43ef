//! Links of a page that is copied into the book.

use std::path::{Component, Path, PathBuf};

/// Returns the text of a page with links for the site. `folder` is the page's folder in the
/// repository. A link to a file outside of the site becomes its text.
pub(super) fn rewritten(text: &str, folder: &Path) -> String {
    let mut out = String::with_capacity(text.len());
    // Where the open brackets are in `out`.
    let mut open = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '[', ']']) {
        let (before, from) = rest.split_at(at);
        out += before;
        rest = match from.as_bytes()[0] {
            b'`' => code(from, &mut out),
            b'[' => {
                open.push(out.len());
                out.push('[');
                &from[1..]
            }
            _ => link(from, open.pop(), folder, &mut out),
        };
    }
    out + rest
}

/// Copies code between backquotes, or the backquotes alone if there is no end. Returns the text
/// behind.
fn code<'t>(text: &'t str, out: &mut String) -> &'t str {
    let count = text.len() - text.trim_start_matches('`').len();
    let (mark, inside) = text.split_at(count);
    let ends = inside.match_indices(mark).map(|(at, _)| at);
    let is_end = |at: &usize| {
        let behind = &inside[at + count..];
        !behind.starts_with('`') && !inside[..*at].ends_with('`')
    };
    let copied = ends
        .into_iter()
        .find(is_end)
        .map_or(count, |at| at + 2 * count);
    out.push_str(&text[..copied]);
    &text[copied..]
}

/// Copies `](target)` with the target on the site. Without one, removes the brackets. Returns the
/// text behind.
fn link<'t>(text: &'t str, begin: Option<usize>, folder: &Path, out: &mut String) -> &'t str {
    let target = text
        .strip_prefix("](")
        .and_then(|text| text.split_once(')'));
    let (Some(begin), Some((target, behind))) = (begin, target) else {
        out.push(']');
        return &text[1..];
    };
    match on_site(target, folder) {
        Some(target) => *out += &format!("]({target})"),
        None => drop(out.remove(begin)),
    }
    behind
}

/// Returns the link's target on the site, from a page in `folder`.
fn on_site(target: &str, folder: &Path) -> Option<String> {
    if target.contains("://") || target.starts_with(['#']) {
        return Some(target.to_owned());
    }
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let (page, own) = (place(&folder.join(file))?, place(folder)?);
    let up = "../".repeat(own.components().count());
    let heading = if heading.is_empty() {
        String::new()
    } else {
        format!("#{heading}")
    };
    Some(format!("{up}{}{heading}", page.display()))
}

/// Returns the place on the site of a file or folder of the repository. mdBook calls each
/// `README.md` `index.md`.
fn place(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    for errors in super::ERRORS {
        if let Ok(page) = plain.strip_prefix(errors) {
            return Some(Path::new("errors").join(page));
        }
    }
    if plain.ends_with("README.md") {
        plain.set_file_name("index.md");
    }
    plain.strip_prefix("docs").ok().map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages_of_the_site() {
        let guide = Path::new("docs/guide");
        for (page, expected) in [
            ("[a](b.md#c) [d](#e)", "[a](../guide/b.md#c) [d](#e)"),
            ("[g](README.md)", "[g](../guide/index.md)"),
            ("[a\nb](../x.md)", "[a\nb](../x.md)"),
            (
                "[E1061](../../cli/errors/E1061.md)",
                "[E1061](../errors/E1061.md)",
            ),
            ("[a](../../examples/x), [1]", "a, [1]"),
            (
                "![p](p.svg) [a](https://b.c)",
                "![p](../guide/p.svg) [a](https://b.c)",
            ),
            (
                "`[a](x)` ```\n[b](../../y)\n``` `",
                "`[a](x)` ```\n[b](../../y)\n``` `",
            ),
        ] {
            assert_eq!(rewritten(page, guide), expected);
        }
        let errors = Path::new("cli/errors");
        assert_eq!(rewritten("[a](../../docs/b.md)", errors), "[a](../b.md)");
    }
}
