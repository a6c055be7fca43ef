//! Writes `docs/coverage.md`, and compares it with the previous one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{APPLICATIONS, Broken, PAGE, Survey};
use crate::step::Outcome;

impl Survey {
    pub(super) fn page(&self, broken: &Broken) -> String {
        let mut page = format!(
            "# How much of OTP is typed\n\n\
             Written by `cargo xtask coverage` from Erlang/OTP {}; `--check` sees that it only improves. It also prints what is not precise or not bound. Every module of\n\
             {} is generated, and compiled in a crate that depends on `otp-bridge` alone.\n\n\
             A *position* is a type without parts of its own; it is *precise* unless it became the dynamic `Term`\n\
             although Erlang says more of it. A *function* is exported and has a `-spec`, each arity for itself; it is\n\
             *bound* when Rust can call it, an overloaded one by several Rust functions.\n\n\
             | application | modules | compiling | positions | precise | | functions | bound | in Rust |\n\
             |---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
            self.release,
            APPLICATIONS.join(" and "),
        );
        for (version, modules) in self.applications.values() {
            let bad = self.broken(broken, Some(modules));
            row(&mut page, version, &self.totals(Some(modules)), bad);
        }
        row(
            &mut page,
            "together",
            &self.totals(None),
            self.broken(broken, None),
        );
        self.fallbacks(&mut page);
        self.unbound(&mut page);
        page
    }

    fn unbound(&self, page: &mut String) {
        if self.skips().is_empty() {
            page.push_str("\nEvery function is bound.\n");
            return;
        }
        page.push_str("\n## What is not bound\n\n");
        for (reason, count) in self.skips() {
            _ = writeln!(page, "- {count}: {reason}");
        }
    }

    fn fallbacks(&self, page: &mut String) {
        if self.reasons().is_empty() {
            page.push_str("\nNothing fell back.\n");
            return;
        }
        page.push_str("\n## What fell back\n\n");
        for (reason, count) in self.reasons() {
            _ = writeln!(page, "- {count}: {reason}");
        }
    }
}

/// Sums of several modules' reports.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) modules: usize,
    pub(super) positions: usize,
    pub(super) fallbacks: usize,
    /// Exported functions with a `-spec`.
    pub(super) functions: usize,
    /// Those of them that are not bound.
    pub(super) skipped: usize,
    /// Rust functions for the others.
    pub(super) written: usize,
}

impl Totals {
    /// The share of precise positions in hundredths of a per cent, rounded down.
    pub(super) fn precise(&self) -> usize {
        match self.positions {
            0 => 10_000,
            positions => (positions - self.fallbacks) * 10_000 / positions,
        }
    }
}

pub(super) fn percent(hundredths: usize) -> String {
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}

fn row(page: &mut String, name: &str, totals: &Totals, broken: usize) {
    _ = writeln!(
        page,
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {} |",
        totals.modules,
        totals.modules - broken,
        totals.positions,
        totals.positions - totals.fallbacks,
        percent(totals.precise()),
        totals.functions,
        totals.functions - totals.skipped,
        totals.written,
    );
}

/// Whether `fresh` is at least as good as `kept` in each row. Another OTP has other rows.
pub(super) fn compare(kept: &str, fresh: &str) -> Outcome {
    let fresh = rows(fresh);
    for (name, before) in rows(kept) {
        let Some(now) = fresh.get(&name) else {
            continue;
        };
        let now = now.worse();
        let before = before.worse();
        if now.iter().zip(before).any(|(now, before)| *now > before) {
            let said = |[failed, fell, unbound]: [usize; 3]| {
                format!(
                    "{failed} modules failed, {fell} positions fell back and {unbound} functions were not bound"
                )
            };
            return Err(format!(
                "{PAGE}: {name} was better: {}; now {}",
                said(before),
                said(now)
            ));
        }
    }
    Ok(())
}

/// A row of the page: modules, compiling ones, positions, precise ones, functions and bound ones.
struct Row([usize; 6]);

impl Row {
    /// The numbers that may only get smaller: modules, positions and functions that are not yet
    /// right.
    fn worse(&self) -> [usize; 3] {
        let [modules, compiling, positions, precise, functions, bound] = self.0;
        [modules - compiling, positions - precise, functions - bound]
    }
}

fn rows(page: &str) -> BTreeMap<String, Row> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let number = |index: usize| cells.get(index)?.parse::<usize>().ok();
        let numbers = [
            number(2)?,
            number(3)?,
            number(4)?,
            number(5)?,
            number(7)?,
            number(8)?,
        ];
        Some((cells.get(1)?.to_string(), Row(numbers)))
    };
    page.lines().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(compiling: usize, precise: usize, bound: usize) -> String {
        let mut page = String::from(
            "| application | modules | compiling | positions | precise | | functions | bound |\n|---|---:|\n",
        );
        let totals = Totals {
            modules: 10,
            positions: 1000,
            fallbacks: 1000 - precise,
            functions: 50,
            skipped: 50 - bound,
            written: bound,
        };
        row(&mut page, "kernel-8", &totals, 10 - compiling);
        page
    }

    #[test]
    fn what_is_better_or_equal_passes_and_what_is_worse_does_not() {
        let kept = page(10, 990, 49);
        for (compiling, precise, bound, passes) in [
            (10, 990, 49, true),
            (10, 991, 50, true),
            (10, 989, 49, false),
            (9, 995, 50, false),
            (10, 995, 48, false),
        ] {
            let outcome = compare(&kept, &page(compiling, precise, bound));
            assert_eq!(outcome.is_ok(), passes, "{compiling} {precise} {outcome:?}");
        }
    }

    #[test]
    fn applications_of_another_otp_are_not_compared() {
        assert!(
            compare(
                &page(10, 990, 50),
                "| stdlib-9 | 1 | 0 | 1 | 0 | 0.00 % | 1 | 0 | 0 |\n"
            )
            .is_ok()
        );
    }

    #[test]
    fn shares_are_rounded_down() {
        let totals = Totals {
            modules: 1,
            positions: 3000,
            fallbacks: 1,
            ..Totals::default()
        };
        assert_eq!(percent(totals.precise()), "99.96 %");
        assert_eq!(percent(Totals::default().precise()), "100.00 %");
    }
}
