//! JSON texts, written without a library: applications have none for them.

/// `{"key":value,…}`, of values that are JSON.
pub(crate) fn object<const N: usize>(entries: [(&str, String); N]) -> String {
    let entries = entries.map(|(key, value)| format!("{}:{value}", string(key)));
    format!("{{{}}}", entries.join(","))
}

/// `[element,…]`, `write` making JSON of each element.
pub(crate) fn array<T>(elements: &[T], write: impl Fn(&T) -> String) -> String {
    let elements: Vec<String> = elements.iter().map(write).collect();
    format!("[{}]", elements.join(","))
}

/// `["text",…]`
pub(crate) fn strings(texts: &[String]) -> String {
    array(texts, |text| string(text))
}

/// `null`, or what `write` makes of the value.
pub(crate) fn optional<T: ?Sized>(value: Option<&T>, write: impl Fn(&T) -> String) -> String {
    value.map_or_else(|| "null".to_owned(), write)
}

/// `"text"` (RFC 8259, section 7).
pub(crate) fn string(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            _ if character.is_control() => {
                json.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            _ => json.push(character),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use super::string;

    #[test]
    fn strings_are_json() {
        assert_eq!(string("a\"b\\c\n'\u{7f}ß"), r#""a\"b\\c\u000a'\u007fß""#);
    }
}
