//! Names that a mistyped one may have meant.

/// Returns the candidates that `name` may have meant: at most `most` of them, the nearest first.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= 1 + name.chars().count() / 4)
        .collect();
    near.sort();
    near.dedup();
    near.into_iter()
        .take(most)
        .map(|(_, candidate)| candidate)
        .collect()
}

/// Returns names in back quotes.
pub(crate) fn quoted(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_only() {
        assert_eq!(
            nearest("gen_sever", ["gen_server", "supervisor"], 3),
            ["gen_server"]
        );
        assert!(nearest("zzz", ["gen_server", "supervisor"], 3).is_empty());
    }
}
