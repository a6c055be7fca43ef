//! Normalises the compiler's messages for the pages: removes everything that depends on the machine
//! or on the place in a program.

/// Stands for the path of the program.
pub(crate) const FILE: &str = "<anon>";

/// Returns rustc's output without line numbers, paths of this machine, and closing remarks.
pub(crate) fn normal(printed: &str, root: &str) -> String {
    let (mut text, mut margin, mut is_of_rust) = (String::new(), 0, false);
    for line in printed.lines() {
        if is_last_word(line) {
            continue;
        }
        if let Some(arrow) = line
            .find("--> ")
            .filter(|arrow| line[..*arrow].trim().is_empty())
        {
            margin = arrow;
        }
        let line = with_narrow_margin(line, margin);
        let line = with_place(&line, root);
        let line = without_folder(without_numbers(&line));
        // The standard library's lines are only shown if its sources are installed.
        is_of_rust = line.contains("--> $RUST") || is_of_rust && is_snippet(&line);
        if is_of_rust && is_snippet(&line) {
            continue;
        }
        text += line.trim_end();
        text.push('\n');
    }
    text.trim_end().to_owned() + "\n"
}

/// Returns whether a line has the number of errors, or tells how to read more about them.
fn is_last_word(line: &str) -> bool {
    let starts = [
        "error: aborting due to ",
        "For more information about this error, try ",
        "Some errors have detailed explanations: ",
        "For more information about an error, try ",
    ];
    starts.iter().any(|start| line.starts_with(start))
        || line.starts_with("warning: ") && line.ends_with(" emitted")
}

/// Returns whether a line is source, or annotates source.
fn is_snippet(line: &str) -> bool {
    line.starts_with("  |") || line == "..." || line.starts_with("  ...")
}

/// Reduces the margin to one blank. Its width depends on the longest line number.
fn with_narrow_margin(line: &str, margin: usize) -> String {
    match line.split_at_checked(margin) {
        Some((numbers, rest))
            if margin > 0 && numbers.chars().all(|it| it == ' ' || it.is_ascii_digit()) =>
        {
            format!(" {rest}")
        }
        _ => line.to_owned(),
    }
}

/// Replaces the file, the line and the column by `--> src/lib.rs`.
fn with_place(line: &str, root: &str) -> String {
    let Some((before, place)) = line.split_once("--> ").or_else(|| line.split_once("::: ")) else {
        return with_paths(line);
    };
    let arrow = &line[before.len()..before.len() + 4];
    let mut parts = place.rsplitn(3, ':');
    let (column, number) = (parts.next(), parts.next());
    let is_number = |part: Option<&str>| part.is_some_and(|part| part.parse::<u32>().is_ok());
    let Some(file) = parts
        .next()
        .filter(|_| is_number(column) && is_number(number))
    else {
        return line.to_owned();
    };
    let file = match file {
        FILE => "src/lib.rs".to_owned(),
        file => in_crate(file.strip_prefix(&format!("{root}/")).unwrap_or(file)),
    };
    let file = match file.split_once("/library/") {
        Some((_, file)) => format!("$RUST/{file}"),
        None => file,
    };
    format!("{before}{arrow}{file}")
}

/// Removes the file within otp-rs, because files are moved often, and users do not need it.
fn in_crate(file: &str) -> String {
    match file.split_once('/') {
        Some((folder @ ("bridge" | "bindings" | "contract"), _)) => format!("{folder}/…"),
        _ => file.to_owned(),
    }
}

/// Removes the numbers with which the compiler identifies a closure or an async block.
fn without_numbers(line: &str) -> String {
    let mut parts = line.split("<anon>:");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|it: char| !matches!(it, ':' | ' ' | '0'..='9'));
        text += "src/lib.rs";
        text += &part[end.unwrap_or(part.len())..];
    }
    text
}

/// Removes the folder of a file that contains a long type.
fn without_folder(line: String) -> String {
    const BEFORE: &str = "has been written to '";
    match line.split_once(BEFORE) {
        Some((before, _)) => format!("{before}{BEFORE}$FILE'"),
        None => line,
    }
}

/// Removes the number of other types, because it depends on the programs that are compiled
/// together.
fn with_paths(line: &str) -> String {
    let Some((before, count)) = line
        .split_once("and ")
        .filter(|(before, _)| before.trim().is_empty())
    else {
        return line.to_owned();
    };
    match count.strip_suffix(" others") {
        Some(number) if number.parse::<u32>().is_ok() => format!("{before}and $N others"),
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_no_numbers() {
        let printed = "\
error[E0308]: mismatched types
   --> <anon>:16:28
    |
16  |     wrong
    |     ^^^^^ `{async block@<anon>:16:9: 17:10}`
    |
    = note: x
              y
              and 98 others
    = note: the full name for the type has been written to '/tmp/x/program.long-type-1.txt'
note: there
   --> /home/me/otp-rs/bridge/src/lib.rs:123:4
    |
123 |     pub fn right()
...
130 |     }
note: here
   --> /rustc/abc/library/std/src/thread.rs:1:2
    |
  1 |     fn spawn()

error: aborting due to 1 previous error; 1 warning emitted

For more information about this error, try `rustc --explain E0308`.
";
        let expected = "\
error[E0308]: mismatched types
 --> src/lib.rs
  |
  |     wrong
  |     ^^^^^ `{async block@src/lib.rs}`
  |
  = note: x
            y
            and $N others
  = note: the full name for the type has been written to '$FILE'
note: there
 --> bridge/…
  |
  |     pub fn right()
...
  |     }
note: here
 --> $RUST/std/src/thread.rs
";
        assert_eq!(normal(printed, "/home/me/otp-rs"), expected);
    }
}
