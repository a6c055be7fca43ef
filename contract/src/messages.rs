//! Tables of the tools' messages: every message has a code, a label, a hint and a page.

use std::fmt::Display;

/// Declares a `static` of the type `Message` for each message, and `ALL` of them, in order of code.
///
/// `pub Message { severity }, "../errors/"` gives the visibility, the field with a message's
/// severity, and the folder of the pages, relative to the file of the table.
#[macro_export]
macro_rules! messages {
    (
        $public:vis Message { $field:ident }, $pages:literal;
        $($code:ident $name:ident: $value:ident $label:literal, $hint:literal;)*
    ) => {
        $(
            #[doc = concat!(stringify!($code), ": ", $label)]
            $public static $name: Message = Message {
                code: stringify!($code),
                label: $label,
                hint: $hint,
                $field: $value,
                page: include_str!(concat!($pages, stringify!($code), ".md")),
            };
        )*

        /// Every message, in order of code.
        $public static ALL: &[&Message] = &[$(&$name,)*];
    };
}

/// Returns a label with each `{}` filled in.
#[must_use]
pub fn filled(label: &str, arguments: &[&dyn Display]) -> String {
    debug_assert_eq!(label.matches("{}").count(), arguments.len());
    let mut filled = String::new();
    let mut arguments = arguments.iter();
    for (index, part) in label.split("{}").enumerate() {
        if index > 0
            && let Some(argument) = arguments.next()
        {
            filled.push_str(&argument.to_string());
        }
        filled.push_str(part);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_filled_in_order() {
        let text = filled("the name `{}` is taken: {}", &[&"a", &"b {}"]);
        assert_eq!(text, "the name `a` is taken: b {}");
    }
}
