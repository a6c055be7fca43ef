//! Erlang terms in the files of a package.

use otp_contract::erlang::push_escaped;

/// Returns a text as a binary of Erlang, in UTF-8.
pub(super) fn binary(text: &str) -> String {
    let mut term = "<<\"".to_owned();
    text.chars()
        .for_each(|character| push_escaped(&mut term, character, '"'));
    let end = if text.is_ascii() { "\">>" } else { "\"/utf8>>" };
    term + end
}

/// Returns a list of terms.
pub(super) fn list(terms: impl IntoIterator<Item = String>) -> String {
    let terms: Vec<String> = terms.into_iter().collect();
    format!("[{}]", terms.join(","))
}

/// Returns a pair of a key, as a binary, and a term.
pub(super) fn pair(key: &str, value: &str) -> String {
    format!("{{{},{value}}}", binary(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_other_texts_than_ascii_name_their_encoding() {
        assert_eq!(binary("a\"b\\c\n"), r#"<<"a\"b\\c\n">>"#);
        assert_eq!(binary("\u{e9}"), "<<\"\u{e9}\"/utf8>>");
        let pairs = ["a", "b"].map(|key| pair(key, "1"));
        assert_eq!(list(pairs), r#"[{<<"a">>,1},{<<"b">>,1}]"#);
    }
}
