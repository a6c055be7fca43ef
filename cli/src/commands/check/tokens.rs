//! Parts of Rust sources, as tokens.

use proc_macro2::{Delimiter, Group, TokenTree};

/// Returns the text of `"text"` or `atom!("text")`.
pub(super) fn literal(tokens: &[TokenTree]) -> Option<String> {
    match tokens {
        [TokenTree::Literal(literal)] => text(&literal.to_string()),
        [.., TokenTree::Ident(atom), _, TokenTree::Group(given)] if atom == "atom" => {
            let given: Vec<TokenTree> = given.stream().into_iter().collect();
            literal(&given)
        }
        _ => None,
    }
}

/// Splits arguments at their commas. Those in `<…>` of a path do not count.
pub(super) fn arguments(tokens: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    let (mut all, mut one, mut depth) = (Vec::new(), Vec::new(), 0_usize);
    for token in tokens {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == ',' && depth == 0 => {
                all.push(std::mem::take(&mut one));
                continue;
            }
            TokenTree::Punct(mark) if mark.as_char() == '<' && is_mark(one.last(), ':') => {
                depth += 1;
            }
            TokenTree::Punct(mark) if mark.as_char() == '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        one.push(token.clone());
    }
    if !one.is_empty() {
        all.push(one);
    }
    all
}

/// Returns the contents of a literal without escapes.
pub(super) fn text(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    (!inner.contains('\\')).then(|| inner.to_owned())
}

/// Returns whether an item may begin behind this token. `impl` in a type is behind a mark.
pub(super) fn starts_item(before: Option<&TokenTree>) -> bool {
    match before {
        None | Some(TokenTree::Group(_)) => true,
        Some(TokenTree::Ident(word)) => word == "unsafe",
        Some(TokenTree::Punct(mark)) => mark.as_char() == ';',
        Some(TokenTree::Literal(_)) => false,
    }
}

/// Returns the type of an `impl` block: of `impl GenServer for Desk {`, `Desk`.
pub(super) fn block(tokens: &[TokenTree]) -> String {
    let end = tokens.iter().position(
        |it| matches!(it, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace),
    );
    let head = &tokens[..end.unwrap_or(0)];
    let after = head.iter().rposition(|it| is_word(Some(it), "for"));
    last_name(&head[after.map_or(0, |at| at + 1)..], &['<'])
}

/// Returns the last name of the path at the start of these tokens: `Table` of
/// `otp_bridge::Table<u64, u64>`.
pub(super) fn last_name(tokens: &[TokenTree], ends: &[char]) -> String {
    let mut last = String::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) => last = name.to_string(),
            TokenTree::Punct(mark) if mark.as_char() == '<' || ends.contains(&mark.as_char()) => {
                break;
            }
            _ => {}
        }
    }
    last
}

/// Returns the tokens before `::<Type>` at their end.
pub(super) fn without_generics(tokens: &[TokenTree]) -> &[TokenTree] {
    if !is_mark(tokens.last(), '>') {
        return tokens;
    }
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().rev() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '>' => depth += 1,
            TokenTree::Punct(mark) if mark.as_char() == '<' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &tokens[..index.saturating_sub(2)];
        }
    }
    tokens
}

pub(super) fn is_of_path(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => word != "return" && word != "await" && word != "in",
        TokenTree::Punct(mark) => matches!(mark.as_char(), ':' | '<' | '>' | '.'),
        _ => false,
    }
}

pub(super) fn is_mark(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(found)) if found.as_char() == mark)
}

pub(super) fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(found)) if found == word)
}

/// `cfg(test)`, `test`, `otp_bridge::test`
pub(super) fn is_of_tests(attribute: &Group) -> bool {
    let text: String = attribute
        .stream()
        .into_iter()
        .map(|token| token.to_string())
        .collect();
    text == "cfg(test)" || text == "test" || text.ends_with("::test")
}
