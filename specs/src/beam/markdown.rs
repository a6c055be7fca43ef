//! Converts the text of documentation: keeps Markdown, and turns `application/erlang+html` into
//! Markdown.

use super::etf::EtfTerm;

/// The text of an entry.
pub(super) fn markdown(text: &EtfTerm, format: &str) -> String {
    if format != "application/erlang+html" {
        return text.as_text().unwrap_or_default();
    }
    let mut writer = Writer::default();
    writer.content(text);
    writer.text.trim().to_owned()
}

#[derive(Default)]
struct Writer {
    text: String,
    /// The text in front of each new line: indentation of lists.
    indent: String,
    /// Whether the text is at the start of a list item.
    in_new_item: bool,
}

impl Writer {
    /// Text, an element, or a list of both. The depth is bounded by the decoder's.
    fn content(&mut self, content: &EtfTerm) {
        match content {
            EtfTerm::Binary(bytes) => self.words(&String::from_utf8_lossy(bytes)),
            EtfTerm::List(parts, _) => match content.as_text() {
                Some(characters) if !parts.is_empty() => self.words(&characters),
                _ => parts.iter().for_each(|part| self.content(part)),
            },
            EtfTerm::Tuple(parts) => {
                if let [EtfTerm::Atom(tag), attributes, content] = parts.as_slice() {
                    self.element(tag, attributes, content);
                }
            }
            _ => {}
        }
    }

    /// Appends words of a text, and escapes letters that have a meaning in Markdown.
    fn words(&mut self, text: &str) {
        for (index, line) in text.split('\n').enumerate() {
            let line = match index {
                0 => line,
                _ => {
                    self.line_break();
                    line.trim_start()
                }
            };
            let is_first = self.is_line_start();
            escape(&mut self.text, line, is_first);
            self.in_new_item &= line.trim().is_empty();
        }
    }

    /// Returns whether the line contains only indentation and the mark of a list item.
    fn is_line_start(&self) -> bool {
        let line = self.text.rsplit('\n').next().unwrap_or_default();
        self.in_new_item || line.trim().is_empty()
    }

    fn element(&mut self, tag: &str, attributes: &EtfTerm, content: &EtfTerm) {
        match tag {
            "p" => self.block("", content),
            "h1" => self.block("# ", content),
            "h2" => self.block("## ", content),
            "h3" => self.block("### ", content),
            "h4" => self.block("#### ", content),
            "h5" => self.block("##### ", content),
            "h6" => self.block("###### ", content),
            "li" => self.item("- ", content),
            "dd" => self.item("  ", content),
            "dt" => self.block("", content),
            "pre" => self.code_block(content),
            "code" => self.code(content),
            "em" | "i" => self.wrapped("*", content),
            "strong" | "b" => self.wrapped("**", content),
            "br" => self.line_break(),
            "div" => {
                let class = class(attributes);
                if !class.is_empty() {
                    self.paragraph();
                    self.text.push_str(&format!("{}:", class.to_uppercase()));
                }
                self.block("", content);
            }
            _ => self.content(content),
        }
    }

    /// Appends emphasis. Its signs touch the words, not the spaces around them.
    fn wrapped(&mut self, sign: &str, content: &EtfTerm) {
        let start = self.text.len();
        self.content(content);
        let written = self.text.split_off(start);
        let words = written.trim();
        let Some(before) = written.find(words).filter(|_| !words.is_empty()) else {
            return self.text.push_str(&written);
        };
        self.text.push_str(&written[..before]);
        // Paragraphs cannot be inside emphasis.
        let sign = if words.contains("\n\n") { "" } else { sign };
        self.text.push_str(&format!("{sign}{words}{sign}"));
        self.text.push_str(&written[before + words.len()..]);
    }

    fn code(&mut self, content: &EtfTerm) {
        let code = plain(content)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        if code.is_empty() {
            return;
        }
        self.in_new_item = false;
        let fence = "`".repeat(longest_run(&code) + 1);
        let space = if code.starts_with('`') || code.ends_with('`') {
            " "
        } else {
            ""
        };
        // Two adjacent code spans would be read as one with longer back quotes.
        let touches = self.text.ends_with('`') && !self.text.ends_with("\\`");
        let between = if touches { " " } else { "" };
        let written = format!("{between}{fence}{space}{code}{space}{fence}");
        self.text.push_str(&written);
    }

    fn block(&mut self, mark: &str, content: &EtfTerm) {
        self.paragraph();
        self.text.push_str(mark);
        self.in_new_item &= mark.is_empty();
        self.content(content);
        self.paragraph();
    }

    fn item(&mut self, mark: &str, content: &EtfTerm) {
        self.paragraph();
        self.text.push_str(mark);
        self.in_new_item = true;
        self.indent.push_str("  ");
        self.content(content);
        self.in_new_item = false;
        self.indent.truncate(self.indent.len() - 2);
        self.paragraph();
    }

    fn code_block(&mut self, content: &EtfTerm) {
        let code = plain(content);
        let fence = "`".repeat(longest_run(&code).max(2) + 1);
        self.paragraph();
        self.in_new_item = false;
        self.text.push_str(&fence);
        for line in code.trim_end().split('\n').chain([fence.as_str()]) {
            self.line_break();
            self.text.push_str(line);
        }
        self.paragraph();
    }

    fn line_break(&mut self) {
        self.text.push('\n');
        self.text.push_str(&self.indent);
    }

    /// Appends an empty line, unless the text is at the start of a paragraph or list item.
    fn paragraph(&mut self) {
        let written = self.text.trim_end_matches(' ');
        if written.is_empty() || self.in_new_item {
            return;
        }
        if written.ends_with("\n\n") {
            // The indentation may have changed.
            let kept = written.len();
            self.text.truncate(kept);
            return self.text.push_str(&self.indent);
        }
        let kept = written.len();
        self.text.truncate(kept);
        self.text.push('\n');
        self.line_break();
    }
}

/// The text of a content, without its elements.
fn plain(content: &EtfTerm) -> String {
    match content {
        EtfTerm::Binary(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        EtfTerm::List(parts, _) => match content.as_text() {
            Some(characters) if !parts.is_empty() => characters,
            _ => parts.iter().map(plain).collect(),
        },
        EtfTerm::Tuple(parts) => match parts.as_slice() {
            [EtfTerm::Atom(tag), ..] if tag == "br" => "\n".to_owned(),
            [EtfTerm::Atom(_), _, content] => plain(content),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// Returns the length of the longest run of back quotes.
fn longest_run(text: &str) -> usize {
    let mut runs = text.split(|letter| letter != '`').map(str::len);
    runs.by_ref().max().unwrap_or(0)
}

/// Appends a line of words, so that Markdown shows it unchanged.
fn escape(text: &mut String, line: &str, is_line_start: bool) {
    let mut before = text.chars().next_back();
    let mut letters = line.chars().peekable();
    let marks = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = marks.len() < line.len() && marks.starts_with(['.', ')']);
    let mut is_first = is_line_start;
    let mut only_digits = is_line_start;
    while let Some(letter) = letters.next() {
        let is_word = |other: Option<char>| other.is_some_and(char::is_alphanumeric);
        let means_something = match letter {
            '\\' | '`' | '*' | '[' | ']' | '<' | '~' | '|' | '&' => true,
            '_' => !(is_word(before) && is_word(letters.peek().copied())),
            '#' | '>' | '-' | '+' | '=' => is_first,
            '.' | ')' => only_digits && is_numbered,
            _ => false,
        };
        if means_something {
            text.push('\\');
        }
        is_first &= letter == ' ';
        only_digits &= letter.is_ascii_digit();
        text.push(letter);
        before = Some(letter);
    }
}

/// `[{class, <<"note">>}]`
fn class(attributes: &EtfTerm) -> String {
    let attributes = attributes.as_list().unwrap_or_default();
    let class = attributes
        .iter()
        .find_map(|attribute| match attribute.as_tuple() {
            Some([name, value]) if name.is_atom("class") => value.as_text(),
            _ => None,
        });
    class.unwrap_or_default()
}
