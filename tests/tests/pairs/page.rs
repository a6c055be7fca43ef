//! Parses a page of pairs: Markdown with a program, and pairs that differ from it.

use std::path::PathBuf;
use std::{fs, ops};

use crate::compiler::Stage;
use crate::hunk;

/// A wrong program, its message, and the right program beside it.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) name: String,
    /// The text between its heading and its first block.
    pub(crate) prose: String,
    pub(crate) stage: Stage,
    pub(crate) wrong: String,
    pub(crate) right: String,
    /// The message; empty if the page has none yet.
    pub(crate) message: String,
    /// Range of the lines of its `text` block, with the fences, or of the place for one.
    place: ops::Range<usize>,
}

/// A file of `tests/pairs/`.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) pairs: Vec<Pair>,
    lines: Vec<String>,
}

/// Returns all pages, by their names.
pub(crate) fn all() -> Vec<Page> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("pairs");
    let files = fs::read_dir(&folder).expect("the folder of the pairs can be read");
    let mut paths: Vec<PathBuf> = files
        .map(|file| file.expect("a file").path())
        .filter(|path| {
            path.extension().is_some_and(|it| it == "md") && !path.ends_with("README.md")
        })
        .collect();
    paths.sort();
    let page = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a page can be read");
        let name = path.file_name().expect("a name").to_string_lossy();
        let mut page =
            Page::read(&name, &text).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        page.path = path;
        page
    };
    paths.into_iter().map(page).collect()
}

/// A part of the page between headings.
#[derive(Default)]
struct Part<'a> {
    prose: String,
    blocks: Vec<Block<'a>>,
}

/// The text between two fences.
struct Block<'a> {
    language: &'a str,
    lines: Vec<&'a str>,
    place: ops::Range<usize>,
}

impl<'a> Part<'a> {
    fn block(&self, language: &str) -> Option<&Block<'a>> {
        self.blocks.iter().find(|block| block.language == language)
    }
}

impl Page {
    /// Parses a page.
    pub(crate) fn read(name: &str, text: &str) -> Result<Page, String> {
        let lines: Vec<&str> = text.lines().collect();
        let (mut pairs, mut program) = (Vec::new(), Vec::new());
        for (heading, part) in parts(&lines)? {
            match heading.strip_prefix("## ") {
                Some(name) => {
                    pairs.push(pair(name, &program, &part).map_err(|it| format!("{name}: {it}"))?)
                }
                None => {
                    program = part
                        .block("rust")
                        .map_or_else(Vec::new, |block| block.lines.clone())
                }
            }
        }
        let lines = lines.into_iter().map(str::to_owned).collect();
        Ok(Page {
            name: name.to_owned(),
            path: PathBuf::new(),
            pairs,
            lines,
        })
    }

    /// Returns the page with other messages, one for each pair.
    pub(crate) fn with_messages(&self, messages: &[String]) -> String {
        let mut lines = self.lines.clone();
        for (pair, message) in self.pairs.iter().zip(messages).rev() {
            if !message.is_empty() {
                let block = format!("```text\n{}\n```", message.trim_end());
                lines.splice(pair.place.clone(), block.lines().map(str::to_owned));
            }
        }
        lines.join("\n") + "\n"
    }
}

/// Returns the headings, each with the part below it. A line in a block is not a heading.
fn parts<'a>(lines: &[&'a str]) -> Result<Vec<(&'a str, Part<'a>)>, String> {
    let mut parts: Vec<(&str, Part<'_>)> = Vec::new();
    let mut all = lines.iter().enumerate();
    while let Some((number, line)) = all.next() {
        if line.starts_with("# ") || line.starts_with("## ") {
            parts.push((line, Part::default()));
            continue;
        }
        let Some((_, part)) = parts.last_mut() else {
            return Err("a page begins with a heading".to_owned());
        };
        let Some(language) = line.strip_prefix("```") else {
            part.prose += line;
            part.prose.push('\n');
            continue;
        };
        let inside: Vec<&str> = all
            .by_ref()
            .map(|(_, line)| *line)
            .take_while(|line| *line != "```")
            .collect();
        let place = number..number + inside.len() + 2;
        part.blocks.push(Block {
            language,
            lines: inside,
            place,
        });
    }
    Ok(parts)
}

fn pair(name: &str, program: &[&str], part: &Part<'_>) -> Result<Pair, String> {
    let diff = part.block("diff").ok_or("a pair has a `diff` block")?;
    let (wrong, right) = hunk::programs(program, &diff.lines)?;
    if wrong == right {
        return Err("the wrong and the right program are the same".to_owned());
    }
    let message = part.block("text");
    Ok(Pair {
        name: name.to_owned(),
        prose: part.prose.trim().to_owned(),
        stage: match &part.prose {
            prose if prose.contains("Refused by the build.") => Stage::Build,
            prose if prose.contains("Refused by nobody, because ") => Stage::Nobody,
            _ => Stage::Rustc,
        },
        wrong,
        right,
        message: message.map_or_else(String::new, |block| block.lines.join("\n") + "\n"),
        place: message.map_or(diff.place.end..diff.place.end, |block| block.place.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Numbers\n\n```rust\nfn one() -> u64 {\n    1\n}\n```\n\n## text\nA text.\n```diff\n-    \"1\"\n+    1\n```\n\n## late\nRefused by the build.\n```diff\n-    2\n+    1\n```\n```text\n# error\n```\n";

    #[test]
    fn a_page_has_pairs_that_differ_from_its_program() {
        let page = Page::read("numbers.md", PAGE).unwrap();
        let [text, late] = &page.pairs[..] else {
            panic!("two pairs")
        };
        assert_eq!(
            (&*text.name, &*text.prose, text.stage),
            ("text", "A text.", Stage::Rustc)
        );
        assert_eq!(text.wrong, "fn one() -> u64 {\n    \"1\"\n}\n");
        assert_eq!(text.right, "fn one() -> u64 {\n    1\n}\n");
        assert_eq!(text.message, "");
        assert_eq!((late.stage, &*late.message), (Stage::Build, "# error\n"));
    }

    #[test]
    fn new_messages_take_the_place_of_the_old_ones() {
        let page = Page::read("numbers.md", PAGE).unwrap();
        let new = page.with_messages(&["a\n".to_owned(), "b\n\nc\n".to_owned()]);
        let expected = PAGE
            .replace(
                "+    1\n```\n\n## late",
                "+    1\n```\n```text\na\n```\n\n## late",
            )
            .replace("# error", "b\n\nc");
        assert_eq!(new, expected);
    }

    #[test]
    fn a_page_that_is_not_one_is_refused() {
        let problem = |text| Page::read("x.md", text).unwrap_err();
        assert!(problem("text").contains("begins with a heading"));
        assert!(problem("# A\n## b\nprose\n").contains("b: a pair has a `diff` block"));
        assert!(problem("# A\n## b\n```diff\n fn a() {}\n```\n").contains("the same"));
    }
}
