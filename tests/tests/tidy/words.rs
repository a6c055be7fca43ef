//! Comments, documentation and messages are in plain English: docs/style.md says which. This test
//! refuses the patterns that can be found without understanding a sentence.

use std::collections::BTreeSet;
use std::process::Command;

use crate::tokens::{Token, texts, tokens};
use crate::{read, root, sources};

/// Folders and files that are not clean yet.
const NOT_YET: &[&str] = &[];

/// These show what is refused.
const EXAMPLES: &[&str] = &["docs/style.md", "tests/tests/tidy/words.rs"];

/// What a file says to people, piece by piece.
fn pieces(path: &str, text: &str) -> Vec<Token> {
    let (_, extension) = path.rsplit_once('.').unwrap_or_default();
    match extension {
        "rs" => joined(texts(text)),
        "md" => joined(lines(text, |line| {
            Some(line.trim_start_matches(['#', '|', ' ']))
        })),
        "toml" => joined(lines(text, |line| {
            Some(line.split_once('#')?.1.trim_start_matches('#'))
        })),
        _ => joined(lines(text, |line| {
            Some(line.split_once('%')?.1.trim_start_matches('%'))
        })),
    }
}

/// The part of each line that `part` picks.
fn lines<'t>(text: &'t str, part: impl Fn(&'t str) -> Option<&'t str>) -> Vec<Token> {
    let numbered = text.lines().zip(1..);
    let tokens = numbered.filter_map(|(text, line)| {
        let text = part(text)?.trim().to_owned();
        Some(Token { text, line })
    });
    tokens.collect()
}

/// Pieces on lines that follow each other are one: a sentence may be broken anywhere. An empty
/// line, a list's item and a row of a table begin a new one.
fn joined(pieces: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::new();
    for piece in pieces {
        let begins = piece.text.is_empty() || piece.text.starts_with(['-', '|', '#', '`']);
        match joined.last_mut() {
            Some(last)
                if !begins && last.line + last.text.matches('\n').count() + 1 == piece.line =>
            {
                last.text.push('\n');
                last.text.push_str(&piece.text);
            }
            _ => joined.push(piece),
        }
    }
    joined
}

/// Why a run of words is refused; nothing if it is not. `words` begins anywhere in a sentence.
fn refusal(before: Option<&str>, words: &[&str]) -> Option<&'static str> {
    let bare = |index: usize| -> &str {
        let word = words.get(index).copied().unwrap_or_default();
        word.trim_end_matches(|c: char| !c.is_alphanumeric())
    };
    let is_whole = |index: usize| words.get(index).is_some_and(|word| *word == bare(index));
    let begins_sentence = before.is_none_or(|before| before.ends_with(['.', '!', '?', ':']));
    let first = words.first().copied().unwrap_or_default();
    let be = ["is", "are", "was", "were", "be"];
    if be.contains(&first) && !before.is_some_and(|before| before.eq_ignore_ascii_case("there")) {
        let comparative = ["longer", "more", "less", "one"];
        if is_whole(1) && bare(1) == "no" && !comparative.contains(&bare(2)) {
            return Some("write `is not a`, never `is no`");
        }
        if bare(1) == "none" {
            return Some("write `is not one`, never `is none`");
        }
    }
    if first == "of"
        && ["these", "them", "which", "those"].contains(&bare(1))
        && ["none", "there"].contains(&bare(2))
    {
        return Some("write `none of these`, never `of these none`");
    }
    if begins_sentence && is_whole(0) && ["Of", "What"].contains(&first) {
        match first {
            "Of" => return Some("no sentence begins with `Of`: the main clause comes first"),
            _ if bare(1) == "of" => return Some("no sentence begins with `What of`"),
            _ => {}
        }
    }
    None
}

/// The refused patterns of a piece, each with its line.
fn findings(piece: &Token) -> Vec<(usize, &'static str)> {
    let mut words = Vec::new();
    for (offset, line) in piece.text.split('\n').enumerate() {
        let split = line.split_whitespace();
        let split = split.map(|word| word.trim_start_matches(['(', '"', '“', '*']));
        let real =
            split.filter(|word| word.contains(|c: char| c.is_alphanumeric()) || *word == "`");
        words.extend(real.map(|word| (piece.line + offset, word)));
    }
    let only: Vec<&str> = words.iter().map(|(_, word)| *word).collect();
    let found = words.iter().enumerate().filter_map(|(index, (line, _))| {
        let before = index.checked_sub(1).map(|before| only[before]);
        Some((*line, refusal(before, &only[index..])?))
    });
    found.collect()
}

#[test]
fn sentences_are_plain() {
    let listed = Command::new("git")
        .args([
            "ls-files",
            "*.rs",
            "*.md",
            "*.toml",
            "*.erl",
            "*.hrl",
            "*.escript",
        ])
        .current_dir(root())
        .output();
    let listed = String::from_utf8(listed.expect("git runs").stdout).expect("UTF-8");
    let mut wrong = Vec::new();
    for path in listed.lines() {
        let skipped = NOT_YET.iter().chain(EXAMPLES);
        if skipped.into_iter().any(|part| path.starts_with(part)) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(root().join(path)) else {
            continue;
        };
        let found = pieces(path, &text);
        let found = found.iter().flat_map(findings);
        wrong.extend(found.map(|(line, why)| format!("{path}:{line}: {why}")));
    }
    assert!(wrong.is_empty(), "docs/style.md:\n{}", wrong.join("\n"));
}

/// The words that docs/glossary.md refuses as names.
fn refused_names() -> BTreeSet<String> {
    let text = read("docs/glossary.md");
    let (_, section) = text.split_once("\n## Not used\n").expect("the section");
    let (list, _) = section
        .split_once("are not names")
        .expect("a list of words");
    let words = list.split('`').skip(1).step_by(2);
    words.map(str::to_owned).collect()
}

#[test]
fn names_are_the_field_s() {
    let refused = refused_names();
    assert!(refused.len() >= 10, "{refused:?}");
    let definitions = ["struct", "enum", "trait", "type", "fn", "mod"];
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if NOT_YET.iter().any(|part| path.starts_with(part)) {
            continue;
        }
        for pair in tokens(&text).windows(2) {
            let (keyword, name) = (&pair[0], &pair[1]);
            let is_refused = refused.contains(&name.text.to_lowercase());
            if is_refused && definitions.contains(&keyword.text.as_str()) {
                wrong.push(format!(
                    "{path}:{}: {} {}",
                    name.line, keyword.text, name.text
                ));
            }
        }
    }
    let wrong = wrong.join("\n");
    assert!(
        wrong.is_empty(),
        "docs/glossary.md has better names:\n{wrong}"
    );
}

/// Words that docs/glossary.md allows in no name: those of moods and errands.
fn refused_words() -> BTreeSet<String> {
    let text = read("docs/glossary.md");
    let (_, list) = text
        .split_once("these words: ")
        .expect("a list of words in the section");
    let (list, _) = list.split_once(".\n").expect("its end");
    let words = list.split('`').skip(1).step_by(2);
    words.map(str::to_owned).collect()
}

/// The words of a name: `KeptCell` and `KEPT_CELL` have `kept` and `cell`.
fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut before = '_';
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && before.is_lowercase()) {
            words.push(String::new());
        }
        if let (Some(last), true) = (words.last_mut(), letter.is_alphanumeric()) {
            last.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words
}

/// The names that a file defines, each with its line. A test's name is a sentence.
fn defined(text: &str) -> Vec<Token> {
    let keywords = [
        "struct", "enum", "trait", "union", "type", "fn", "mod", "const", "static",
    ];
    let tokens = tokens(text);
    let pairs = tokens.windows(2).enumerate();
    let names = pairs.filter(|(index, pair)| {
        let before = &tokens[index.saturating_sub(4)..*index];
        let is_test = before
            .iter()
            .map(|it| it.text.as_str())
            .eq(["#", "[", "test", "]"]);
        keywords.contains(&pair[0].text.as_str()) && !is_test
    });
    names.map(|(_, pair)| pair[1].clone()).collect()
}

#[test]
fn names_have_no_moods_and_errands() {
    let refused = refused_words();
    assert!(refused.len() >= 10, "{refused:?}");
    let is_refused = |name: &str| words_of(name).iter().any(|word| refused.contains(word));
    let crates = [
        "bridge/",
        "bindings/",
        "cli/",
        "codegen/",
        "contract/",
        "specs/",
        "xtask/",
    ];
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let of_tests = path.contains("/tests/") || path.contains("/examples/");
        if of_tests || !crates.iter().any(|of| path.starts_with(of)) {
            continue;
        }
        let stem = path.rsplit('/').next().unwrap_or_default();
        if is_refused(stem) {
            wrong.push(path.clone());
        }
        let names = defined(&text).into_iter().filter(|it| is_refused(&it.text));
        wrong.extend(names.map(|it| format!("{path}:{}: {}", it.line, it.text)));
    }
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty(), "name these after what they do:\n{wrong}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_names_are_found() {
        assert_eq!(words_of("KeptCell"), ["kept", "cell"]);
        assert_eq!(words_of("KEPT_CELL"), ["kept", "cell"]);
        let text = "mod lent;\n#[test]\nfn it_is_kept() {}\nfn asked() { let kept = 1; }";
        let names: Vec<String> = defined(text).into_iter().map(|it| it.text).collect();
        assert_eq!(names, ["lent", "asked"]);
    }

    fn refused(path: &str, text: &str) -> Vec<usize> {
        let pieces = pieces(path, text);
        let found = pieces.iter().flat_map(findings);
        found.map(|(line, _)| line).collect()
    }

    #[test]
    fn bad_sentences_are_found_across_lines() {
        assert_eq!(refused("a.rs", "/// `x` is\n/// no arity.\nfn a() {}"), [1]);
        assert_eq!(refused("a.rs", "let a = \"this is no text\";"), [1]);
        assert_eq!(refused("a.rs", "// An integer is none."), [1]);
        assert_eq!(refused("a.md", "\nOf a typed one there is one."), [2]);
        assert_eq!(refused("a.erl", "%% What of it takes long."), [1]);
        assert_eq!(refused("a.toml", "a = 1 # and of these none"), [1]);
    }

    #[test]
    fn good_sentences_are_not() {
        let good = "// There is no VM, and it is no longer needed. There is none.\nlet a = is(no);";
        let none: [usize; 0] = [];
        assert_eq!(refused("a.rs", good), none);
        assert_eq!(refused("a.rs", "// It is: no more.\n\n// no"), none);
        assert_eq!(refused("a.md", "What a form is.\n\none of these"), none);
    }
}
