//! Formats a page of Markdown as plain text for a terminal.

/// Maximum number of columns for readable prose, even on a wider terminal.
const WIDEST: usize = 100;
/// The indentation of code.
const INDENT: &str = "    ";

/// Returns a page as plain text: paragraphs are filled, code is indented and has a caption,
/// headings lose their marks. `{}` in a heading is the placeholder in the label of a diagnostic.
pub(crate) fn plain(markdown: &str, width: usize) -> String {
    let mut page = Page {
        width: width.min(WIDEST),
        text: String::new(),
        paragraph: String::new(),
    };
    let mut in_code = false;
    for line in markdown.lines() {
        if let Some(words) = line.strip_prefix("```") {
            page.end_paragraph();
            page.gap();
            if !in_code && let Some(caption) = caption(words) {
                page.line(&caption);
            }
            in_code = !in_code;
        } else if in_code {
            page.line(&format!("{INDENT}{line}"));
        } else {
            page.prose(line);
        }
    }
    page.end_paragraph();
    page.text.truncate(page.text.trim_end().len());
    page.text.push('\n');
    page.text
}

/// Returns a caption for a block of code. Its first line, such as `erlang,E0302,otp27`, would not
/// be visible in plain text.
fn caption(words: &str) -> Option<String> {
    let mut words = words.split(',');
    if !["console", "erlang", "toml"].contains(&words.next()?) {
        return None;
    }
    let (mut caption, mut release) = ("right".to_owned(), None);
    for word in words {
        if let Some(number) = word.strip_prefix("otp") {
            release = Some(number);
        } else if word.starts_with('E') {
            caption = format!("gives {word}");
        }
    }
    caption.extend(release.map(|number| format!(" in OTP {number}")));
    Some(format!("{caption}:"))
}

struct Page {
    width: usize,
    text: String,
    paragraph: String,
}

impl Page {
    fn prose(&mut self, line: &str) {
        if let Some(heading) = line.strip_prefix('#') {
            self.end_paragraph();
            self.gap();
            let heading = heading.trim_start_matches('#').trim();
            self.line(&heading.replace("{}", "…"));
            self.gap();
        } else if line.trim().is_empty() {
            self.end_paragraph();
            self.gap();
        } else {
            if line.starts_with("- ") {
                self.end_paragraph();
            }
            self.paragraph.push_str(line);
            self.paragraph.push(' ');
        }
    }

    /// Fills the collected paragraph; further lines of a list's item are indented.
    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        let indent = if paragraph.starts_with("- ") {
            "  "
        } else {
            ""
        };
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let length = line.chars().count() + 1 + word.chars().count();
            if !line.is_empty() && length > self.width {
                self.line(&line);
                indent.clone_into(&mut line);
            } else if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        if !line.is_empty() {
            self.line(&line);
        }
    }

    /// Adds one empty line, however many there are in Markdown.
    fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_filled_and_code_is_indented() {
        let markdown = "\
# E0001: a title `{}`

One two
three four five.
```erlang,E0001,otp27
-type t() :: a.

-x.
```
```erlang
-x().
```
- six seven eight
  nine
- ten
";
        let expected = "\
E0001: a title `…`

One two three
four five.

gives E0001 in OTP 27:
    -type t() :: a.

    -x.

right:
    -x().

- six seven
  eight nine
- ten
";
        assert_eq!(plain(markdown, 14), expected);
    }

    #[test]
    fn no_page_is_wider_than_it_is_easy_to_read() {
        let wide = plain(&"word ".repeat(100), 500);
        assert!(wide.lines().all(|line| line.chars().count() <= WIDEST));
    }
}
