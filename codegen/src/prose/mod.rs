//! OTP's own documentation as doc comments. It is off by default, because the text belongs to OTP
//! and is under OTP's licence.

mod indented;
mod inline;

use std::collections::BTreeMap;

use otp_specs::ast::{Doc, DocText, Entry, FormKind, FunctionFormKind, Module};
use otp_specs::{NoIncludes, Options, parse_source, print};

use crate::files::Files;
use crate::write::is_from;

/// Marks of text direction: they may hide text of a comment, and rustc refuses them.
const DIRECTIONS: [std::ops::RangeInclusive<char>; 2] =
    ['\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}'];
/// The beginning of a callback's form in a doc comment.
const CALLBACK: &str = "/// `-callback ";
/// With one more space, the line would become code, which rustdoc would treat as a test.
const MOST_INDENT: usize = 3;

/// Adds the documentation of a module's types and callbacks below their forms, and the
/// documentation of the module at the top of its file. Returns the number of doc comments that were
/// added.
///
/// The text comes from [`Module::doc`] and each entry's `doc`, in Markdown;
/// [`Module::add_documentation`] adds that of a chunk to a module.
pub fn add_documentation(files: &mut Files, module: &Module) -> usize {
    let module_name = module.name.as_deref().unwrap_or_default();
    let found = files.iter().find(|(_, text)| is_from(text, module_name));
    let Some((name, text)) = found else {
        return 0;
    };
    let name = name.to_owned();
    let mut known: BTreeMap<String, String> = module
        .forms
        .iter()
        .filter_map(|entry| {
            let doc = words(entry.doc.as_deref()?)?;
            Some((format!("/// `{}`", print::form(&entry.form)), doc))
        })
        .collect();
    let functions: BTreeMap<(String, usize), String> = module
        .forms
        .iter()
        .filter_map(|entry| Some((specified(entry)?, words(entry.doc.as_deref()?)?)))
        .collect();
    let mut about = module.doc.as_ref().and_then(words);
    let mut before = [""; 2];
    let mut count = 0;
    let mut documented = String::with_capacity(text.len() * 2);
    for line in text.lines() {
        documented.push_str(line);
        documented.push('\n');
        let form = line.trim_start();
        let indent = &line[..line.len() - form.len()];
        // A callback's form is quoted on every item generated for it. The documentation goes to the
        // callback's own trait.
        let found = match form.starts_with("//!") {
            true => about.take().map(|doc| (doc, "//!")),
            false if form.starts_with(CALLBACK) && !is_trait(&before) => None,
            false => known
                .remove(form)
                .or_else(|| functions.get(&part_of_specification(form)?).cloned())
                .map(|doc| (doc, "///")),
        };
        before = [before[1], form];
        if let Some((doc, mark)) = found {
            count += 1;
            documented.push_str(&format!("{indent}{mark}\n"));
            for line in doc.lines() {
                let space = if line.is_empty() { "" } else { " " };
                documented.push_str(&format!("{indent}{mark}{space}{line}\n"));
            }
        }
    }
    files.insert(name, documented);
    count
}

/// Returns the function of a `-spec`.
fn specified(entry: &Entry) -> Option<(String, usize)> {
    match &entry.form.kind {
        FormKind::Function(form) if form.kind == FunctionFormKind::Spec => {
            Some((form.name.to_string(), form.arity))
        }
        _ => None,
    }
}

/// Returns the function of a `-spec` in a doc comment. One Erlang function may become several in
/// Rust, each with its own `-spec`, which is a part of the module's.
fn part_of_specification(line: &str) -> Option<(String, usize)> {
    let form = line.strip_prefix("/// `")?.strip_suffix('`')?;
    if !form.starts_with("-spec ") {
        return None;
    }
    let parsed = parse_source("", form.as_bytes(), &NoIncludes, &Options::default());
    parsed.module.forms.first().and_then(specified)
}

/// Returns whether the two lines begin the documentation of a callback's trait, before its form.
fn is_trait(before: &[&str; 2]) -> bool {
    let named = before[0].strip_prefix("/// `");
    let name = named.and_then(|named| named.strip_suffix("`."));
    before[1] == "///" && name.is_some_and(|name| name.contains(':'))
}

/// Returns the text, and the version of introduction; `None` if there is neither.
fn words(doc: &Doc) -> Option<String> {
    let mut paragraphs = Vec::new();
    if let DocText::Text(text) = &doc.text {
        paragraphs.push(harmless(text));
    }
    if let Some(reason) = &doc.deprecated {
        paragraphs.push(harmless(&format!("Deprecated: {reason}")));
    }
    if let Some(since) = &doc.since {
        paragraphs.push(harmless(&format!("Since {since}.")));
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"))
}

/// Returns Markdown in which rustdoc finds no code to compile, and nothing to warn about.
fn harmless(markdown: &str) -> String {
    let mut text = String::new();
    // Lines outside fences are collected and handled together, because code between back quotes may
    // span two lines.
    let mut prose: Vec<String> = Vec::new();
    let mut fence: Option<String> = None;
    let flush = |prose: &mut Vec<String>, text: &mut String| {
        if !prose.is_empty() {
            text.push_str(&inline::harmless(&prose.join("\n")));
            text.push('\n');
            prose.clear();
        }
    };
    for line in indented::fenced(&markdown.replace('\t', "    "))
        .trim()
        .lines()
    {
        let line: String = line
            .trim_end()
            .chars()
            .filter(|letter| !letter.is_control())
            .filter(|letter| !DIRECTIONS.iter().any(|range| range.contains(letter)))
            .collect();
        let bare = line.trim_start();
        let indent = " ".repeat((line.len() - bare.len()).min(MOST_INDENT));
        match &fence {
            Some(mark) if closes(bare, mark) => {
                text.push_str(&format!("{indent}{mark}\n"));
                fence = None;
            }
            Some(_) => text.push_str(&format!("{line}\n")),
            None => match opening(&bare[list_mark(bare)..]) {
                Some((mark, language)) => {
                    let indent = format!("{indent}{}", &bare[..list_mark(bare)]);
                    flush(&mut prose, &mut text);
                    let erlang = if language == "erlang" {
                        "erlang"
                    } else {
                        "text"
                    };
                    text.push_str(&format!("{indent}{mark}{erlang}\n"));
                    fence = Some(mark);
                }
                None => prose.push(format!("{indent}{bare}")),
            },
        }
    }
    flush(&mut prose, &mut text);
    text.push_str(fence.as_deref().unwrap_or_default());
    text.trim_end().to_owned()
}

/// Returns whether a line closes a fence: it consists only of the fence's letter, at least as
/// often.
fn closes(line: &str, mark: &str) -> bool {
    let letter = mark.chars().next().unwrap_or('`');
    line.len() >= mark.len() && line.chars().all(|other| other == letter)
}

/// Returns the length of the mark of a list item at the start of a line.
fn list_mark(line: &str) -> usize {
    let marks = ["- ", "* ", "+ "];
    marks
        .iter()
        .find(|mark| line.starts_with(**mark))
        .map_or(0, |mark| mark.len())
}

/// Returns the fence that a line opens, and its language.
fn opening(line: &str) -> Option<(String, &str)> {
    let letter = line
        .chars()
        .next()
        .filter(|letter| "`~".contains(*letter))?;
    let rest = line.trim_start_matches(letter);
    let length = line.len() - rest.len();
    let is_fence = length >= 3 && !rest.contains('`');
    is_fence.then(|| (line[..length].to_owned(), rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_doc_comment_is_a_test() {
        let markdown =
            "One.\n\n    indented();\n\n```\nplain();\n    deep();\n```\n\n~~~ rust\nx\n";
        assert_eq!(
            harmless(markdown),
            "One.\n\n```text\nindented();\n```\n\n```text\nplain();\n    deep();\n```\n\n~~~text\nx\n~~~"
        );
        assert_eq!(harmless("```erlang\nok.\n```"), "```erlang\nok.\n```");
        assert_eq!(harmless("a\u{202e}b\u{7}c"), "abc");
    }

    #[test]
    fn words_end_with_when_it_came_and_whether_it_goes() {
        let doc = Doc {
            text: DocText::Text("Opens it.".to_owned()),
            since: Some("OTP 23.0".to_owned()),
            deprecated: Some("use a key".to_owned()),
            equiv: None,
        };
        let expected = "Opens it.\n\nDeprecated: use a key\n\nSince OTP 23.0.";
        assert_eq!(words(&doc).as_deref(), Some(expected));
        assert_eq!(words(&Doc::default()), None);
        let hidden = Doc {
            text: DocText::Hidden,
            ..Doc::default()
        };
        assert_eq!(words(&hidden), None);
    }
}
