//! The text of documentation: Markdown as it is, `application/erlang+html` made Markdown.

use super::etf::Term;

/// The text of an entry.
pub(super) fn markdown(text: &Term, format: &str) -> String {
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
    /// What stands before each new line: indentation of lists.
    indent: String,
    preformatted: bool,
}

impl Writer {
    /// Text, an element, or a list of both. The depth is bounded by the decoder's.
    fn content(&mut self, content: &Term) {
        match content {
            Term::Binary(bytes) => self.words(&String::from_utf8_lossy(bytes)),
            Term::List(parts, _) => match content.as_text() {
                Some(characters) if !parts.is_empty() => self.words(&characters),
                _ => parts.iter().for_each(|part| self.content(part)),
            },
            Term::Tuple(parts) => {
                if let [Term::Atom(tag), attributes, content] = parts.as_slice() {
                    self.element(tag, attributes, content);
                }
            }
            _ => {}
        }
    }

    fn words(&mut self, text: &str) {
        let mut lines = text.split('\n');
        if let Some(first) = lines.next() {
            self.text.push_str(first);
        }
        for line in lines {
            self.line_break();
            self.text.push_str(if self.preformatted {
                line
            } else {
                line.trim_start()
            });
        }
    }

    fn element(&mut self, tag: &str, attributes: &Term, content: &Term) {
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
            "code" if self.preformatted => self.content(content),
            "code" => self.wrapped("`", content),
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

    fn wrapped(&mut self, sign: &str, content: &Term) {
        self.text.push_str(sign);
        self.content(content);
        self.text.push_str(sign);
    }

    fn block(&mut self, mark: &str, content: &Term) {
        self.paragraph();
        self.text.push_str(mark);
        self.content(content);
        self.paragraph();
    }

    fn item(&mut self, mark: &str, content: &Term) {
        self.paragraph();
        self.text.push_str(mark);
        self.indent.push_str("  ");
        self.content(content);
        self.indent.truncate(self.indent.len() - 2);
        self.paragraph();
    }

    fn code_block(&mut self, content: &Term) {
        self.paragraph();
        self.text.push_str("```");
        self.line_break();
        self.preformatted = true;
        self.content(content);
        self.preformatted = false;
        self.line_break();
        self.text.push_str("```");
        self.paragraph();
    }

    fn line_break(&mut self) {
        self.text.push('\n');
        self.text.push_str(&self.indent);
    }

    /// An empty line, unless the text is at the start of a paragraph or list item.
    fn paragraph(&mut self) {
        let written = self.text.trim_end_matches(' ');
        if written.is_empty() || written.ends_with("\n\n") || written.ends_with("\n-") {
            return;
        }
        let kept = written.len();
        self.text.truncate(kept);
        self.text.push('\n');
        self.line_break();
    }
}

/// `[{class, <<"note">>}]`
fn class(attributes: &Term) -> String {
    let attributes = attributes.as_list().unwrap_or_default();
    let class = attributes
        .iter()
        .find_map(|attribute| match attribute.as_tuple() {
            Some([name, value]) if name.is_atom("class") => value.as_text(),
            _ => None,
        });
    class.unwrap_or_default()
}
