//! Documentation in Erlang modules: attributes (EEP 59, since OTP 27), or EDoc comments in older
//! releases.

use std::fmt::Write;

/// The formats of documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Documentation {
    /// `-moduledoc "…".` and `-doc "…".`, from which the compiler builds the doc chunk.
    Attributes,
    /// `%% @doc …`, for EDoc.
    Edoc,
}

impl Documentation {
    /// Returns the format of an OTP release.
    #[must_use]
    pub fn of_release(release: u32) -> Self {
        match release {
            27.. => Documentation::Attributes,
            _ => Documentation::Edoc,
        }
    }

    /// Returns the text before `-module`.
    pub(super) fn before_module(self, markdown: &str) -> String {
        match self {
            Documentation::Attributes => String::new(),
            Documentation::Edoc => edoc(markdown),
        }
    }

    /// Returns the text after `-module`.
    pub(super) fn in_module(self, markdown: &str) -> String {
        match self {
            Documentation::Attributes => attribute("moduledoc", markdown),
            Documentation::Edoc => String::new(),
        }
    }

    /// Returns the text before the `-spec` of a function.
    pub(super) fn of_function(self, markdown: &str) -> String {
        match self {
            Documentation::Attributes => attribute("doc", markdown),
            Documentation::Edoc => edoc(markdown),
        }
    }

    /// Returns the text before a `-type`.
    pub(super) fn of_type(self, markdown: &str) -> String {
        match self {
            Documentation::Attributes => attribute("doc", markdown),
            // EDoc takes the comment after a type.
            Documentation::Edoc => String::new(),
        }
    }
}

/// `-doc "…".`
fn attribute(name: &str, markdown: &str) -> String {
    if markdown.is_empty() {
        return String::new();
    }
    let mut literal = String::with_capacity(markdown.len() + 16);
    for character in markdown.chars() {
        match character {
            '"' | '\\' => literal.extend(['\\', character]),
            character if character.is_control() && character != '\n' => {
                let _ = write!(literal, "\\x{{{:x}}}", u32::from(character));
            }
            character => literal.push(character),
        }
    }
    format!("-{name} \"{literal}\".\n")
}

/// `%% @doc …`, in EDoc's XHTML.
fn edoc(markdown: &str) -> String {
    if markdown.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    let mut is_code = false;
    for (index, line) in markdown.lines().enumerate() {
        let tag = if index == 0 { "@doc " } else { "" };
        let line = match (line.trim_start().starts_with("```"), is_code) {
            (true, false) => {
                is_code = true;
                "<pre>".to_owned()
            }
            (true, true) => {
                is_code = false;
                "</pre>".to_owned()
            }
            (false, true) => escaped(line),
            (false, false) => code_spans(line),
        };
        text += format!("%% {tag}{line}").trim_end();
        text += "\n";
    }
    if is_code {
        text += "%% </pre>\n";
    }
    text
}

/// Returns a line in which text between backquotes is `<code>`.
fn code_spans(line: &str) -> String {
    let parts: Vec<&str> = line.split('`').collect();
    let last = parts.len() - 1;
    let mut text = String::new();
    for (index, part) in parts.iter().enumerate() {
        match (index % 2 == 1, index == last) {
            (true, false) => {
                let _ = write!(text, "<code>{}</code>", escaped(part));
            }
            (true, true) => {
                let _ = write!(text, "&#96;{}", escaped(part));
            }
            (false, _) => text += &escaped(part),
        }
    }
    text
}

/// Escapes characters with a meaning for EDoc or in XHTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' | '<' | '>' | '`' | '@' | '[' | '{' | '}' => {
                let _ = write!(escaped, "&#{};", u32::from(character));
            }
            character if character.is_control() => escaped.push(' '),
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "The `area` of \"it\" \\ & <co>.\n\n```\narea(`X`) @here\n```\nAn odd ` one.";

    #[test]
    fn an_attribute_is_a_string() {
        assert_eq!(
            Documentation::Attributes.of_function("a \"b\" \\\r\nc"),
            "-doc \"a \\\"b\\\" \\\\\\x{d}\nc\".\n"
        );
        assert_eq!(Documentation::Attributes.of_function(""), "");
        assert_eq!(Documentation::Attributes.before_module(TEXT), "");
    }

    #[test]
    fn a_comment_is_xhtml() {
        assert_eq!(
            Documentation::Edoc.before_module(TEXT),
            "%% @doc The <code>area</code> of \"it\" \\ &#38; &#60;co&#62;.\n%%\n%% <pre>\n\
             %% area(&#96;X&#96;) &#64;here\n%% </pre>\n%% An odd &#96; one.\n"
        );
        assert_eq!(Documentation::Edoc.in_module(TEXT), "");
    }
}
