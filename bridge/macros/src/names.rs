//! Erlang names for Rust ones.

/// `HttpGet` → `http_get`, `ThreadRing2` → `thread_ring2`; a trailing `_`, which keeps a name off
/// Rust's keywords, is dropped.
pub(crate) fn snake_case(name: &str) -> String {
    let name = name.trim_start_matches("r#").trim_end_matches('_');
    let characters: Vec<char> = name.chars().collect();
    let mut snake = String::with_capacity(name.len() + 4);
    for (place, &character) in characters.iter().enumerate() {
        let after_small = place > 0 && !characters[place - 1].is_uppercase();
        let before_small = characters
            .get(place + 1)
            .is_some_and(|next| next.is_lowercase());
        if character.is_uppercase()
            && place > 0
            && (after_small || before_small)
            && !snake.ends_with('_')
        {
            snake.push('_');
        }
        snake.extend(character.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::snake_case;

    #[test]
    fn words_are_parted_where_a_capital_begins_one() {
        for (rust, erlang) in [
            ("Get", "get"),
            ("HttpGet", "http_get"),
            ("HTTPGet", "http_get"),
            ("ThreadRing2", "thread_ring2"),
            ("continue_", "continue"),
            ("r#type", "type"),
            ("already_snake", "already_snake"),
        ] {
            assert_eq!(snake_case(rust), erlang, "{rust}");
        }
    }
}
