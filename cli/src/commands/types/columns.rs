//! Erlang and Rust in two columns, or in one.

use super::erlang_layout;

/// Minimum number of columns for Erlang beside Rust.
const NARROWEST: usize = 36;
/// The separator between the two.
const BETWEEN: &str = " │ ";
const INDENT: usize = 2;

/// Returns pairs of Erlang and Rust, each line indented. The two are side by side if there is
/// enough space, otherwise one after the other.
pub(super) fn text(pairs: &[(String, String)], width: usize) -> String {
    let lines = match left(pairs, width) {
        Some(left) => side_by_side(&left, pairs),
        None => stacked(pairs, width),
    };
    let mut text = String::new();
    for line in lines {
        let line = format!("{}{line}", " ".repeat(INDENT));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The left column: the lines of each pair's Erlang, and the length of the longest.
struct Left {
    erlang: Vec<Vec<String>>,
    width: usize,
}

/// Returns the left column, if Rust has enough space beside it.
fn left(pairs: &[(String, String)], width: usize) -> Option<Left> {
    let longest = |lines: &mut dyn Iterator<Item = usize>| lines.max().unwrap_or(0);
    let mut right = pairs.iter().flat_map(|(_, rust)| rust.lines()).map(length);
    let taken = INDENT + BETWEEN.chars().count() + longest(&mut right);
    let left = width.checked_sub(taken)?.min(width / 2);
    if left < NARROWEST {
        return None;
    }
    let laid = pairs.iter();
    let laid = laid.map(|(erlang, _)| erlang_layout::lines(erlang, left));
    let erlang: Vec<Vec<String>> = laid.collect();
    let needed = longest(&mut erlang.iter().flatten().map(|line| length(line)));
    (needed <= left).then_some(Left {
        erlang,
        width: needed,
    })
}

fn length(line: &str) -> usize {
    line.chars().count()
}

fn side_by_side(left: &Left, pairs: &[(String, String)]) -> Vec<String> {
    let width = left.width;
    let mut lines = Vec::new();
    for (erlang, (_, rust)) in left.erlang.iter().zip(pairs) {
        if !lines.is_empty() {
            lines.push(format!("{:width$}{BETWEEN}", ""));
        }
        let rust: Vec<&str> = rust.lines().collect();
        for index in 0..erlang.len().max(rust.len()) {
            let one = erlang.get(index).map_or("", String::as_str);
            let other = rust.get(index).copied().unwrap_or_default();
            lines.push(format!("{one:<width$}{BETWEEN}{other}"));
        }
    }
    lines
}

fn stacked(pairs: &[(String, String)], width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, (erlang, rust)) in pairs.iter().enumerate() {
        let erlang = erlang_layout::lines(erlang, width.saturating_sub(INDENT));
        let is_form = index == 0;
        lines.extend(
            erlang
                .into_iter()
                .filter(|line| !line.is_empty())
                .map(|line| if is_form { line } else { format!("// {line}") }),
        );
        if is_form {
            lines.push(String::new());
        }
        lines.extend(rust.lines().map(str::to_owned));
        lines.push(String::new());
    }
    lines.pop();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_columns_or_one() {
        let pairs = [
            (
                "-type t() :: a.".to_owned(),
                "pub enum T {\n    A,\n}".to_owned(),
            ),
            ("x | y".to_owned(), "pub enum XOrY;".to_owned()),
        ];
        let expected = [
            "-type t() :: a. │ pub enum T {",
            "                │     A,",
            "                │ }",
            "                │ ",
            "x | y           │ pub enum XOrY;",
        ];
        let left = left(&pairs, 80).expect("room for both");
        assert_eq!(side_by_side(&left, &pairs), expected);
        let expected = [
            "-type t() :: a.",
            "",
            "pub enum T {",
            "    A,",
            "}",
            "",
            "// x | y",
            "pub enum XOrY;",
        ];
        assert_eq!(stacked(&pairs, 80), expected);
    }
}
