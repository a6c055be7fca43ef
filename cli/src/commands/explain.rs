//! `otp-rs explain [CODE…]`: the pages of diagnostics, or a list of all.

use crate::args::Explain;
use crate::report::{Error, Result, Ui, catalog, nearest, plain};

/// A diagnostic of one of the catalogues.
struct Entry {
    code: &'static str,
    label: &'static str,
    page: &'static str,
}

/// Returns the diagnostics of all catalogues, in order of code.
fn entries() -> Vec<Entry> {
    macro_rules! entries {
        ($($catalog:expr),*) => {
            [$($catalog.iter().map(|message| Entry {
                code: message.code,
                label: message.label,
                page: message.page,
            }).collect::<Vec<_>>()),*].into_iter().flatten()
        };
    }
    let mut all: Vec<Entry> = entries!(
        otp_specs::catalog::ALL,
        otp_codegen::catalog::ALL,
        catalog::ALL
    )
    .collect();
    all.sort_by_key(|entry| entry.code);
    all
}

pub(crate) fn execute(options: &Explain, ui: &Ui) -> Result<()> {
    let all = entries();
    if options.codes.is_empty() {
        ui.output(&list(&all));
        return Ok(());
    }
    let mut pages = Vec::new();
    for word in &options.codes {
        let code = normal(word);
        let found = all.iter().find(|entry| entry.code == code);
        let entry = found.ok_or_else(|| unknown(word, &code, &all))?;
        pages.push(plain(entry.page, ui.width()));
    }
    ui.output(&pages.join("\n\n"));
    Ok(())
}

/// Normalizes a code: `e101`, `101` and `E0101` are equal.
fn normal(word: &str) -> String {
    let digits = word.trim_start_matches(['e', 'E']);
    format!("E{digits:0>4}")
}

/// Returns a line for each code. `…` is a placeholder in the label.
fn list(all: &[Entry]) -> String {
    all.iter()
        .map(|entry| format!("{}  {}\n", entry.code, entry.label.replace("{}", "…")))
        .collect()
}

fn unknown(word: &str, code: &str, all: &[Entry]) -> Error {
    let near = nearest(code, all.iter().map(|entry| entry.code), 3);
    catalog::UNKNOWN_CODE.with(&[&word]).suggest(&near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_over_all_catalogues() {
        let all = entries();
        assert!(all.is_sorted_by(|one, next| one.code < next.code));
    }

    #[test]
    fn a_code_may_be_written_short() {
        for word in ["E0902", "e0902", "902", "0902", "e902"] {
            assert_eq!(normal(word), "E0902");
        }
        let near = unknown("E0999", &normal("E0999"), &entries());
        assert!(near.remedies()[0].starts_with("did you mean `E0"));
    }
}
