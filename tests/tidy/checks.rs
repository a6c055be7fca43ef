//! docs/checks.md lists the mistakes that `cargo otp check` finds, with a test for each: the table
//! is correct and complete.

use crate::{read, root};

/// A row of the tables: the code of the message, the module of the tests, and the test.
struct Row {
    code: String,
    module: String,
    test: String,
}

/// Returns the rows that end with the name of a test.
fn rows() -> Vec<Row> {
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.rsplit(" | ");
        let test = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
        let (module, test) = test.split_once("::")?;
        let (code, _) = cells.next()?.strip_prefix('[')?.split_once(']')?;
        let [code, module, test] = [code, module, test].map(str::to_owned);
        Some(Row { code, module, test })
    };
    read("docs/checks.md").lines().filter_map(row).collect()
}

/// Returns the text of a test, up to the next test.
fn body<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, from) = text.split_once(&format!("#[test]\nfn {name}() {{\n"))?;
    from.split("\n#[test]\n").next()
}

#[test]
fn each_check_has_the_test_that_its_table_names() {
    let rows = rows();
    assert!(rows.len() >= 12, "only {} rows are found", rows.len());
    for Row { code, module, test } in rows {
        let text = read(&format!("cli/tests/it/{module}.rs"));
        let body = body(&text, &test).unwrap_or_else(|| panic!("there is no `{module}::{test}`"));
        assert!(body.contains(&code), "`{module}::{test}` has no {code}");
    }
}

/// The command's codes are those from E0940.
#[test]
fn each_code_of_the_command_is_in_its_table() {
    let rows = rows();
    let pages = std::fs::read_dir(root().join("cli/errors")).expect("the pages");
    let names = pages.map(|page| {
        page.expect("a page")
            .file_name()
            .into_string()
            .expect("UTF-8")
    });
    let codes = names.filter_map(|name| name.strip_suffix(".md").map(str::to_owned));
    for code in codes.filter(|code| code.starts_with("E094")) {
        assert!(
            rows.iter().any(|row| row.code == code),
            "docs/checks.md has no {code}"
        );
    }
}

#[test]
fn the_page_has_every_rule() {
    let source = read("cli/src/commands/check/rules.rs");
    let (_, table) = source.split_once("RULES: &[Rule] = &[").expect("the table");
    let (table, _) = table.split_once("\n];").expect("its end");
    let names: Vec<&str> = table.split('"').skip(1).step_by(2).collect();
    assert!(names.len() >= 13, "only {} rules are found", names.len());
    let page = read("docs/checks.md");
    for name in names {
        assert!(
            page.contains(&format!("\n| {name} |")),
            "docs/checks.md has no rule `{name}`"
        );
    }
}
