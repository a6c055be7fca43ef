//! Writes results between two marker lines of a page.

use std::fs;

use crate::step::{self, Outcome, say};

/// Writes results between the lines `<!-- bench NAME -->` and `<!-- end of bench NAME -->`.
pub(super) fn write(page: &str, name: &str, results: &str) -> Outcome {
    let path = step::root().join(page);
    let problem = |error| format!("{page}: {error}");
    let text = fs::read_to_string(&path).map_err(problem)?;
    let text = replaced(&text, name, results).map_err(|why| format!("{page}: {why}"))?;
    fs::write(&path, text).map_err(problem)?;
    say(&format!("{page} has the results\n"));
    Ok(())
}

fn replaced(page: &str, name: &str, results: &str) -> Outcome<String> {
    let (begin, end) = (
        format!("<!-- bench {name} -->"),
        format!("<!-- end of bench {name} -->"),
    );
    let missing =
        || format!("the lines `{begin}` and `{end}`, between which the results go, are missing");
    let (before, rest) = page.split_once(&begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once(&end).ok_or_else(missing)?;
    Ok(format!("{before}{begin}\n{results}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_go_between_the_markers() {
        let page = |results| {
            format!("above\n<!-- bench x -->\n{results}\n<!-- end of bench x -->\nbelow\n")
        };
        assert_eq!(replaced(&page("old"), "x", "new\n"), Ok(page("new")));
        assert!(replaced(&page("old"), "y", "new").is_err());
    }

    #[test]
    fn the_pages_have_their_markers() {
        for (page, name) in [
            ("docs/performance.md", "bridge"),
            ("examples/board/README.md", "board"),
        ] {
            let text = fs::read_to_string(step::root().join(page)).unwrap();
            assert!(replaced(&text, name, "").is_ok(), "{page}");
        }
    }
}
