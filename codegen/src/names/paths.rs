//! Names of types that Erlang has no name for, derived from the path from the form to the type.
//!
//! The shortest name is the form and the last step: the `flags` of `inet:ifopts()` is
//! `IfoptsFlags`. If that name is in use, steps between them are added from the end.

use super::words::joined;

/// The ending of a record's name. Names of types inside the record leave it out.
const RECORD: &str = "Record";

/// Returns names for the type at the end of `path`, the shortest first. `alternative` is a more
/// specific name of the form. `part` is the role of the type (an element, a value), which is
/// appended if a name is already in use.
pub(crate) fn names(path: &[String], alternative: Option<&str>, part: &str) -> Vec<String> {
    let Some((form, steps)) = path.split_first() else {
        return Vec::new();
    };
    let form = match form.strip_suffix(RECORD) {
        Some(plain) if !plain.is_empty() && !steps.is_empty() => plain,
        _ => form,
    };
    let mut names: Vec<String> = Vec::new();
    for count in 1..=steps.len().max(1) {
        let last = &steps[steps.len().saturating_sub(count)..];
        for form in [Some(form), alternative].into_iter().flatten() {
            let parts: Vec<&str> = std::iter::once(form)
                .chain(last.iter().map(String::as_str))
                .collect();
            let name = joined(&parts);
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let parts: Vec<String> = names.iter().map(|name| joined(&[name, part])).collect();
    names.extend(parts);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &[&str], alternative: Option<&str>) -> Vec<String> {
        let path: Vec<String> = path.iter().map(|step| (*step).to_owned()).collect();
        let mut names = names(&path, alternative, "Value");
        names.truncate(names.len() / 2);
        names
    }

    #[test]
    fn the_form_and_the_last_step_then_more() {
        assert_eq!(
            of(&["Getifaddrs", "Ifopts", "Ifopt", "Flags"], None),
            [
                "GetifaddrsFlags",
                "GetifaddrsIfoptFlags",
                "GetifaddrsIfoptsIfoptFlags"
            ]
        );
        assert_eq!(of(&["T"], None), ["T"]);
        assert_eq!(of(&["SessionRecord", "Keys"], None), ["SessionKeys"]);
        assert_eq!(
            of(&["Pread", "Result"], Some("PreadWithNumber")),
            ["PreadResult", "PreadWithNumberResult"]
        );
    }
}
