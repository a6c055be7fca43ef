//! The lines in which a wrong program and the right one beside it differ from the program of their
//! page.

/// Meaning of a line in a `diff` block.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    /// ` `: in both programs.
    Both,
    /// `-`: only in the wrong one.
    Wrong,
    /// `+`: only in the right one.
    Right,
    /// `!`: in neither, but in the page's program, from which it is removed.
    Neither,
}

type Line<'a> = (Sign, &'a str);

/// Lines of the page's program that are replaced by others.
struct Change {
    start: usize,
    end: usize,
    wrong: Vec<String>,
    right: Vec<String>,
}

/// Returns the wrong and the right program. `@@` separates hunks.
pub(crate) fn programs(program: &[&str], diff: &[&str]) -> Result<(String, String), String> {
    let mut changes = Vec::new();
    for hunk in diff.split(|line| *line == "@@") {
        let lines = hunk.iter().map(|line| signed(line));
        changes.push(change(program, &lines.collect::<Result<Vec<_>, _>>()?)?);
    }
    changes.sort_by_key(|change| change.start);
    let overlap = changes.windows(2).any(|two| two[0].end > two[1].start);
    if overlap {
        return Err("two hunks change the same line".to_owned());
    }
    let with = |side: fn(&Change) -> &Vec<String>| {
        let mut lines: Vec<String> = program.iter().map(|line| (*line).to_owned()).collect();
        for change in changes.iter().rev() {
            lines.splice(change.start..change.end, side(change).iter().cloned());
        }
        lines.join("\n") + "\n"
    };
    Ok((with(|change| &change.wrong), with(|change| &change.right)))
}

fn signed(line: &str) -> Result<Line<'_>, String> {
    let mut characters = line.chars();
    let sign = match characters.next() {
        None | Some(' ') => Sign::Both,
        Some('-') => Sign::Wrong,
        Some('+') => Sign::Right,
        Some('!') => Sign::Neither,
        Some(_) => {
            return Err(format!(
                "a line of a diff begins with ` `, `-`, `+` or `!`: {line}"
            ));
        }
    };
    Ok((sign, characters.as_str()))
}

/// Finds the place of a hunk. It is the first of these places that occurs exactly once in the
/// page's program:
///
/// - the lines up to the last `!`, if the hunk has one;
/// - its lines of the right program;
/// - its lines of both programs;
/// - as many of its first lines of both programs as possible;
/// - the line `// here`, which it stands above;
/// - the end.
fn change(program: &[&str], hunk: &[Line<'_>]) -> Result<Change, String> {
    let has_removed = hunk.iter().any(|(sign, _)| *sign == Sign::Neither);
    let of = |signs: &[Sign]| {
        let lines = hunk.iter().filter(|(sign, _)| signs.contains(sign));
        lines
            .map(|(_, line)| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    let (wrong, right) = (
        of(&[Sign::Both, Sign::Wrong]),
        of(&[Sign::Both, Sign::Right]),
    );
    let change = |start, end| Change {
        start,
        end,
        wrong: wrong.clone(),
        right: right.clone(),
    };
    if !has_removed && let Some((start, end)) = find(program, &right)? {
        return Ok(change(start, end));
    }
    if has_removed {
        let (start, end) = removed(program, hunk)?;
        return Ok(change(start, end));
    }
    let both = of(&[Sign::Both]);
    if let Ok(Some((start, end))) = find(program, &both)
        && !both.iter().all(|line| is_attribute(line))
    {
        return Ok(change(start, end));
    }
    if let Some((start, end)) = first_lines(program, hunk) {
        return Ok(change(start, end));
    }
    let here = program.iter().position(|line| line.trim() == "// here");
    let here = here.unwrap_or(program.len());
    Ok(change(here, here))
}

/// Returns the place of the lines up to the last one that is removed.
fn removed(program: &[&str], hunk: &[Line<'_>]) -> Result<(usize, usize), String> {
    let last = hunk.iter().rposition(|(sign, _)| *sign == Sign::Neither);
    let until = &hunk[..last.map_or(0, |last| last + 1)];
    let is_in_program = |(sign, _): &&Line<'_>| matches!(sign, Sign::Both | Sign::Neither);
    let lines: Vec<String> = until
        .iter()
        .filter(is_in_program)
        .map(|(_, line)| (*line).to_owned())
        .collect();
    let missing = || format!("the page's program does not have\n{}", lines.join("\n"));
    find(program, &lines)?.ok_or_else(missing)
}

/// Returns the place of the longest sequence of its first lines that the program contains.
fn first_lines(program: &[&str], hunk: &[Line<'_>]) -> Option<(usize, usize)> {
    let first = hunk.iter().take_while(|(sign, _)| *sign == Sign::Both);
    let first: Vec<String> = first.map(|(_, line)| (*line).to_owned()).collect();
    let lengths = (1..=first.len()).rev();
    let prefixes = lengths.map(|length| &first[..length]);
    let telling = prefixes.filter(|prefix| !prefix.iter().all(|line| is_attribute(line)));
    telling
        .filter_map(|prefix| find(program, prefix).ok().flatten())
        .next()
}

/// Many items have the same attributes, so these do not identify the place of a hunk.
fn is_attribute(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with("#[")
}

/// Returns the place of lines in a program, ignoring indentation and empty lines.
fn find(program: &[&str], lines: &[String]) -> Result<Option<(usize, usize)>, String> {
    let wanted: Vec<&str> = lines
        .iter()
        .map(|line| line.trim())
        .filter(|line| !line.is_empty())
        .collect();
    if wanted.is_empty() {
        return Ok(None);
    }
    let numbered = program.iter().map(|line| line.trim()).enumerate();
    let program: Vec<(usize, &str)> = numbered.filter(|(_, line)| !line.is_empty()).collect();
    let is_there = |window: &&[(usize, &str)]| {
        window
            .iter()
            .map(|(_, line)| *line)
            .eq(wanted.iter().copied())
    };
    let mut places = program.windows(wanted.len()).filter(is_there);
    let first = places
        .next()
        .map(|window| (window[0].0, window[window.len() - 1].0 + 1));
    match places.next() {
        Some(_) => Err(format!(
            "the page's program has more than once\n{}",
            wanted.join("\n")
        )),
        None => Ok(first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &[&str] = &[
        "struct A;",
        "",
        "// here",
        "fn b() {",
        "    1;",
        "    2;",
        "    2;",
        "}",
    ];

    fn of(diff: &str) -> (String, String) {
        let lines: Vec<&str> = diff.lines().collect();
        let (wrong, right) = programs(PROGRAM, &lines).unwrap();
        let short = |text: String| text.replace(['\n', ' '], "");
        (short(wrong), short(right))
    }

    #[test]
    fn a_hunk_stands_where_the_right_lines_are() {
        let (wrong, right) = of("-    x;\n+    1;");
        assert_eq!(right, "structA;//herefnb(){1;2;2;}");
        assert_eq!(wrong, "structA;//herefnb(){x;2;2;}");
        assert_eq!(of("+struct A;").0, "//herefnb(){1;2;2;}");
    }

    #[test]
    fn a_hunk_stands_below_its_first_lines() {
        let (wrong, right) = of(" fn b() {\n+    right;\n-    wrong;\n     both;");
        assert_eq!(right, "structA;//herefnb(){right;both;1;2;2;}");
        assert_eq!(wrong, "structA;//herefnb(){wrong;both;1;2;2;}");
    }

    #[test]
    fn what_neither_has_gives_way() {
        let (wrong, right) = of("!    1;\n+    right;\n-    wrong;\n     both;");
        assert_eq!(right, "structA;//herefnb(){right;both;2;2;}");
        assert_eq!(wrong, "structA;//herefnb(){wrong;both;2;2;}");
    }

    #[test]
    fn a_hunk_that_is_new_stands_here() {
        let (wrong, right) = of("-wrong;\n+right;\n@@\n-    x;\n+    1;");
        assert_eq!(right, "structA;right;//herefnb(){1;2;2;}");
        assert_eq!(wrong, "structA;wrong;//herefnb(){x;2;2;}");
        let (wrong, _) = programs(&["a"], &["-b"]).unwrap();
        assert_eq!(wrong, "a\nb\n");
    }

    #[test]
    fn a_hunk_that_could_stand_in_two_places_is_refused() {
        let problem = |diff: &[&str]| programs(PROGRAM, diff).unwrap_err();
        assert!(problem(&["-x;", "+2;"]).contains("more than once"));
        assert!(problem(&["!3;", "+2;"]).contains("does not have"));
        assert!(problem(&["+1;", "@@", "-x", "+1;"]).contains("the same line"));
        assert!(problem(&["?"]).contains("begins with"));
    }
}
