//! A form as the string of letters that the grammar reads, within limits that keep the parser, and
//! every later walk over the tree, from running out of stack.

use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::release::Release;
use crate::token::{Kind, Token};

/// Brackets inside each other. OTP needs ten.
const MAX_NESTING: usize = 64;
/// Infix operators, and prefix operators other than signs of a number, in one form.
const MAX_OPERATORS: usize = 512;
/// Annotations directly on annotations, in one form.
const MAX_ANNOTATIONS: usize = 128;
/// Stands for a token of a record field's default.
const MASK: u8 = b'^';

/// The letters of the tokens; with `mask`, defaults of record fields are masked.
pub(super) fn letters(
    tokens: &[Token],
    mask: bool,
    release: Release,
) -> Result<String, LocalDiagnostic> {
    let mut letters: Vec<u8> = tokens.iter().map(|token| token.kind as u8).collect();
    if release.has_native_records() {
        name_records(tokens, &mut letters);
    }
    if mask {
        mask_defaults(&mut letters);
    }
    if let Some(position) = beyond_limits(&letters) {
        return Err(catalog::TOO_DEEP.at(tokens[position].at, ""));
    }
    Ok(letters.into_iter().map(char::from).collect())
}

/// Names of native records may look like variables and keywords: `-record #Name{…}`, `#m:end{…}`.
fn name_records(tokens: &[Token], letters: &mut [u8]) {
    for index in 0..letters.len() {
        let name = match &letters[index..] {
            [b'#', b'a', b':', ..] => index + 3,
            [b'#', ..] if matches!(&letters[..index], b"-a" | b"-a(") => index + 1,
            _ => continue,
        };
        if let (Some(letter), Some(token)) = (letters.get_mut(name), tokens.get(name))
            && (token.kind == Kind::Variable || Kind::keyword(token.kind.text()).is_some())
        {
            *letter = Kind::Atom as u8;
        }
    }
}

/// Masks what stands between the `=` of a record field and the `,`, `::` or `}` that ends it.
fn mask_defaults(letters: &mut [u8]) {
    let Some(open) = letters.iter().position(|letter| *letter == b'{') else {
        return;
    };
    let mut depth = 0usize;
    let mut index = open;
    while index < letters.len() {
        match letters[index] {
            b'(' | b'{' | b'[' | b'<' => depth += 1,
            b')' | b'}' | b']' | b'>' => depth = depth.saturating_sub(1),
            b'=' if depth == 1 => {
                let end = expression_end(letters, index + 1);
                letters[index + 1..end].fill(MASK);
                index = end;
                continue;
            }
            _ => {}
        }
        index += 1;
    }
}

/// The end of the expression that starts at `start`: a `,`, `::` or `}` that no bracket or block
/// holds.
fn expression_end(letters: &[u8], start: usize) -> usize {
    let mut closers = Vec::new();
    for (offset, letter) in letters[start..].iter().enumerate() {
        let rest = &letters[start + offset + 1..];
        match letter {
            b'(' => closers.push(b')'),
            b'{' => closers.push(b'}'),
            b'[' => closers.push(b']'),
            b'<' => closers.push(b'>'),
            // begin case if receive try cond maybe … end
            b'B' | b'C' | b'I' | b'R' | b'Y' | b'D' | b'M' => closers.push(b'E'),
            // fun (…) -> … end, fun Name(…) -> … end
            b'F' if rest.starts_with(b"(") || rest.starts_with(b"v(") => closers.push(b'E'),
            letter if closers.last() == Some(letter) => drop(closers.pop()),
            b',' | b'T' | b'}' if closers.is_empty() => return start + offset,
            _ => {}
        }
    }
    letters.len()
}

/// The position at which a limit is passed.
fn beyond_limits(letters: &[u8]) -> Option<usize> {
    let (mut depth, mut operators, mut annotations) = (0usize, 0usize, 0usize);
    for (index, letter) in letters.iter().enumerate() {
        match letter {
            b'(' | b'{' | b'[' | b'<' => depth += 1,
            b')' | b'}' | b']' | b'>' => depth = depth.saturating_sub(1),
            b'+' | b'-'
                if letters.get(index + 1) == Some(&b'i') && !after_operand(letters, index) => {}
            // `f/1` in a list of names.
            b'/' if index > 0 && letters[index - 1] == b'a' => {}
            b'T' if index >= 2 && letters[index - 2] == b'T' => annotations += 1,
            letter if super::operators::is_operator(*letter) => operators += 1,
            _ => {}
        }
        if depth > MAX_NESTING || operators > MAX_OPERATORS || annotations > MAX_ANNOTATIONS {
            return Some(index);
        }
    }
    None
}

fn after_operand(letters: &[u8], index: usize) -> bool {
    index > 0
        && matches!(
            letters[index - 1],
            b'a' | b'v' | b'i' | b'c' | b')' | b'}' | b']' | b'>'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each kind's letter is its own, and the grammar names no letter that no kind has.
    #[test]
    fn letters_are_distinct_and_those_of_the_grammar() {
        let mut seen: Vec<u8> = Kind::ALL.iter().map(|(kind, _)| *kind as u8).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), Kind::ALL.len());
        assert!(!seen.contains(&MASK));
        let grammar = include_str!("forms.pest");
        let rules = grammar
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        for literal in rules.flat_map(|line| line.split('"').skip(1).step_by(2)) {
            for letter in literal.bytes().filter(|letter| *letter != MASK) {
                assert!(
                    seen.contains(&letter),
                    "no token has the letter {:?}",
                    letter as char
                );
            }
        }
    }

    #[test]
    fn the_grammar_means_the_signs_that_it_says() {
        let meant = [
            (Kind::DoubleColon, 'T'),
            (Kind::Arrow, 'g'),
            (Kind::MapAssoc, 'h'),
            (Kind::MapExact, 'e'),
            (Kind::BinaryOpen, '<'),
            (Kind::BinaryClose, '>'),
            (Kind::Range, 'u'),
            (Kind::Ellipsis, 'U'),
            (Kind::Fun, 'F'),
            (Kind::When, 'W'),
            (Kind::Dot, '.'),
        ];
        for (kind, letter) in meant {
            assert_eq!(kind as u8 as char, letter);
        }
    }
}
