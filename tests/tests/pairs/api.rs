//! Compiles each line of the table in `docs/api.md`, and checks which names the preludes leave to
//! the user.

use std::fs;
use std::path::Path;

use otp_contract::behaviour::BRIDGE_BEHAVIOURS;

use crate::compiler;

/// Declarations that the lines use.
const DECLARATIONS: &str = include_str!("api_declarations.rs.in");

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/api.md");
    fs::read_to_string(path).expect("the page is there")
}

/// Returns the second cells of the rows of the page's last table, with their line numbers.
fn rows(page: &str) -> Vec<(usize, String)> {
    let lines = page.lines().enumerate();
    let rows = lines.skip_while(|(_, line)| !line.starts_with("| what I want to do |"));
    let cells = rows.skip(2).map(|(number, line)| {
        let line = line.replace("\\|", "\u{1}");
        let cell = line.split('|').nth(2).unwrap_or_default();
        let code = cell.trim().trim_matches('`').replace('\u{1}', "|");
        (number + 1, code)
    });
    cells.filter(|(_, code)| !code.is_empty()).collect()
}

#[test]
fn every_line_of_the_api_page_compiles() {
    let page = page();
    let rows = rows(&page);
    assert!(rows.len() > 40, "{} rows", rows.len());
    let mut program =
        format!("{DECLARATIONS}\nstatic STORE: Server<Store> = Server::registered();\n");
    program += "static SHELVES: Server<Shelves> = Server::registered();\n";
    program += "static ORDER: otp_bridge::Registry<u64, Server<Store>> = otp_bridge::Registry::new(atom!(\"orders\"));\n";
    program += "static PRICES: Table<u64, u64> = Table::new(atom!(\"prices\"));\n";
    program += "otp_bridge::task_pool!(static POOL = otp_bridge::task::TaskPool::bounded(100););\n";
    for (line, code) in rows {
        program += &format!(
            "async fn line_{line}(cx: &Cx<'_>, pid: Pid, socket: Port, node: Atom, rows: Vec<u64>, stores: Vec<Server<Store>>) -> Result<()> {{\n{code};\nOk(())\n}}\n"
        );
    }
    let message = compiler::together(&[("api", &program)]);
    assert!(message.is_empty(), "\n{message}");
}

/// Each of these names can be a variable next to every prelude. If a prelude had an atom of the
/// name in scope, the name would be a pattern (ADR 40).
#[test]
fn preludes_leave_the_names_of_variables() {
    let event_types = [
        "call",
        "cast",
        "enter",
        "info",
        "internal",
        "state_timeout",
        "timeout",
    ];
    let atoms = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../bridge/src/generated/atoms.rs"),
    );
    let atoms = atoms.expect("generated atoms");
    let is_variable = |word: &&str| {
        word.starts_with(|letter: char| letter.is_ascii_lowercase())
            && word
                .chars()
                .all(|letter| letter.is_ascii_lowercase() || letter == '_')
    };
    let lists = atoms
        .split("__private::atoms! {")
        .skip(1)
        .filter_map(|list| list.split('}').next());
    let words = lists
        .flat_map(|list| list.split(','))
        .map(|item| item.split("=>").last().unwrap_or(item).trim());
    let words: Vec<&str> = words.filter(is_variable).collect();
    assert!(words.len() > 100, "{words:?}");
    let mut program = String::new();
    for behaviour in BRIDGE_BEHAVIOURS {
        program += &format!(
            "mod {behaviour} {{ use otp_bridge::{behaviour}::prelude::*; pub fn variables() {{\n"
        );
        for word in words
            .iter()
            .filter(|word| behaviour != "gen_statem" || !event_types.contains(word))
        {
            program += &format!("let {word} = 1_u8;\n");
        }
        program += "} }\n";
    }
    let message = compiler::together(&[("preludes", &program)]);
    assert!(message.is_empty(), "\n{message}");
}
