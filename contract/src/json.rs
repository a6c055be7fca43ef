//! JSON texts, written without a library, because an application would need one only for this.

pub(crate) trait ToJson {
    /// Returns the value as JSON.
    fn to_json(&self) -> String;
}

/// `{"key":value,…}` for structs, each with its fields as keys.
macro_rules! json_objects {
    ($($name:ident { $($field:ident),* $(,)? })*) => {$(
        impl $crate::json::ToJson for $name {
            fn to_json(&self) -> String {
                // A field that is not listed is a compile error here.
                let $name { $($field),* } = self;
                let entries = [$((stringify!($field), $crate::json::ToJson::to_json($field))),*];
                let entries = entries.map(|(key, value)| format!("\"{key}\":{value}"));
                format!("{{{}}}", entries.join(","))
            }
        }
    )*};
}
pub(crate) use json_objects;

macro_rules! displayed {
    ($($type:ty)*) => {$(
        impl ToJson for $type {
            fn to_json(&self) -> String {
                self.to_string()
            }
        }
    )*};
}
displayed!(bool u32 usize);

impl ToJson for String {
    fn to_json(&self) -> String {
        self.as_str().to_json()
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn to_json(&self) -> String {
        self.as_ref().map_or_else(|| "null".to_owned(), T::to_json)
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn to_json(&self) -> String {
        let elements: Vec<String> = self.iter().map(T::to_json).collect();
        format!("[{}]", elements.join(","))
    }
}

/// `"text"` (RFC 8259, section 7).
impl ToJson for str {
    fn to_json(&self) -> String {
        let mut json = String::with_capacity(self.len() + 2);
        json.push('"');
        for character in self.chars() {
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
}

#[cfg(test)]
mod tests {
    use super::ToJson;

    #[test]
    fn strings_are_json() {
        assert_eq!("a\"b\\c\n'\u{7f}ß".to_json(), r#""a\"b\\c\u000a'\u007fß""#);
    }
}
