//! The summary of a collection, and `docs/corpus.md`.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::fs;

use super::row::{PageRow, Reasons};
use crate::step::{Outcome, root, say};

const PAGE: &str = "docs/corpus.md";

const HEAD: &str = "\
# Modules that compile

`cargo xtask corpus --page` writes this page. It generates Rust for every module, with `--functions` and `--docs`, and compiles it
without and with the feature `json` of `otp-bridge`. Compiling is `cargo check`: types, traits and constants are checked, and no
machine code is made.

A *position* is a type without parts of its own. It is *precise* unless it became the dynamic `Term` although its Erlang type
is more specific. A *function* is exported and has a `-spec`; each arity counts as one function. It is *bound* if Rust can
call it. Modules without types, callbacks and functions with a `-spec` are not counted, nor are those without source or debug
information. An application that has a row of its own is also in the row of its collection. A project is generated without its
dependencies, whose types are dynamic terms.

| | modules | compile | types | positions | precise | functions | bound |
|---|---:|---:|---:|---:|---:|---:|---:|
";

const COSTS: &str = "
## Time and memory

One crate has up to 250 modules, and the types of other modules that they name. Memory is the largest amount that rustc has
used. Times are elapsed seconds on machines that may have had other work, and the builds of a row may be from different runs.
A dash stands for a build that was left out: those modules were compiled only in the other way.

| | crates | generating | compiling | with `json` | memory |
|---|---:|---:|---:|---:|---:|
";

impl PageRow {
    pub(super) fn summary(&self) -> String {
        let count = |name: &str| self.count(name);
        let mut text = format!(
            "\n{}: {} of {} modules compile; {} have nothing to generate, {} could not be read\n\
             {} types; {} of {} positions became a dynamic term; {} of {} functions are not bound\n",
            self.name,
            count("compile"),
            count("modules"),
            count("empty"),
            count("unread"),
            count("types"),
            count("fallbacks"),
            count("positions"),
            count("unbound"),
            count("functions"),
        );
        for (reason, (count, example)) in self.fallbacks.iter().chain(&self.unbound) {
            _ = writeln!(text, "{count:6}  {reason}, such as {example}");
        }
        let [generating, without, with] = self.seconds.map(shown);
        _ = writeln!(
            text,
            "generating {generating}, compiling {without}, compiling with `json` {with}, {} crates, {} MB",
            count("crates"),
            count("megabytes"),
        );
        text
    }
}

/// Writes the page.
pub(super) fn write() -> Outcome {
    let page = root().join(PAGE);
    fs::write(&page, text(&PageRow::all()?))
        .map_err(|error| format!("{}: {error}", page.display()))?;
    say(&format!("{PAGE} is written\n"));
    Ok(())
}

fn text(rows: &[PageRow]) -> String {
    let mut page = HEAD.to_owned();
    for row in rows {
        let [positions, functions] = ["positions", "functions"].map(|name| row.count(name));
        _ = writeln!(
            page,
            "| {} | {} | {} | {} | {positions} | {} | {functions} | {} |",
            row.name,
            row.count("modules"),
            row.count("compile"),
            row.count("types"),
            percent(positions - row.count("fallbacks"), positions),
            functions - row.count("unbound"),
        );
    }
    page += COSTS;
    for row in rows {
        let [generating, without, with] = row.seconds.map(shown);
        _ = writeln!(
            page,
            "| {} | {} | {generating} | {without} | {with} | {} MB |",
            row.name,
            row.count("crates"),
            row.count("megabytes"),
        );
    }
    let of_all = |of: fn(&PageRow) -> &Reasons| together(rows.iter().map(of));
    list(
        &mut page,
        "What became a dynamic term",
        of_all(|row| &row.fallbacks),
    );
    list(&mut page, "What is not bound", of_all(|row| &row.unbound));
    page
}

/// Merges the reasons of several collections.
fn together<'a>(of: impl Iterator<Item = &'a Reasons>) -> Reasons {
    let mut all = Reasons::new();
    for (reason, (count, example)) in of.flatten() {
        let entry = all.entry(reason.clone());
        entry.or_insert((0, example.clone())).0 += count;
    }
    all
}

/// Lists the reasons, the most frequent first.
fn list(page: &mut String, title: &str, reasons: Reasons) {
    _ = writeln!(page, "\n## {title}\n");
    if reasons.is_empty() {
        page.push_str("Nothing.\n");
    }
    let mut ranked: Vec<_> = reasons.into_iter().collect();
    ranked.sort_by_key(|(_, (count, _))| Reverse(*count));
    for (reason, (count, example)) in ranked {
        _ = writeln!(page, "- {count}: {reason}, such as ``{example}``");
    }
}

/// Formats seconds. A build that was left out has a dash.
fn shown(seconds: Option<usize>) -> String {
    seconds.map_or("–".to_owned(), |seconds| format!("{seconds} s"))
}

/// Formats a share with two places, rounded down.
fn percent(part: usize, whole: usize) -> String {
    let hundredths = match whole {
        0 => 10_000,
        whole => part * 10_000 / whole,
    };
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_down() {
        assert_eq!(percent(2999, 3000), "99.96 %");
        assert_eq!(percent(0, 0), "100.00 %");
    }

    #[test]
    fn the_most_frequent_reason_is_first() {
        let reason = |name: &str, count| (name.to_owned(), (count, "t()".to_owned()));
        let one = Reasons::from([reason("a", 1), reason("b", 2)]);
        let other = Reasons::from([reason("a", 4)]);
        let mut page = String::new();
        list(&mut page, "Title", together([&one, &other].into_iter()));
        let expected = "\n## Title\n\n- 5: a, such as ``t()``\n- 2: b, such as ``t()``\n";
        assert_eq!(page, expected);
    }
}
