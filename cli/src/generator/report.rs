//! Reports where generated types are less precise than Erlang's, and why.

use std::collections::{BTreeMap, BTreeSet};

use otp_codegen::{Fallback, HeaderDifference, ModuleReport, Output, Reason};

use crate::report::Ui;

/// Maximum number of types that are named for each reason.
const MOST_NAMED: usize = 5;

/// Reports input that the generator could not use, and types that became a dynamic term.
pub(super) fn report(output: &Output, ui: &Ui) {
    for diagnostic in &output.diagnostics {
        ui.note(&diagnostic.to_string());
    }
    for difference in &output.report.headers {
        ui.note(&of_header(difference));
    }
    for (module, report) in &output.report.modules {
        if !report.fallbacks.is_empty() {
            ui.note(&of_module(module, report));
        }
    }
}

/// `#jid{}` of `xmpp.hrl` is not the same in all modules: …
fn of_header(difference: &HeaderDifference) -> String {
    let same = difference.modules.iter().map(|modules| modules.join(", "));
    let (header, definition) = (&difference.header, &difference.definition);
    format!(
        "`{definition}` of `{header}` is not the same in all modules, and is a Rust type for each: {}",
        same.collect::<Vec<_>>().join("; ")
    )
}

/// `door: 3 of 14 types became a dynamic `Term`: 2 of modules that are not generated here …`
fn of_module(module: &str, report: &ModuleReport) -> String {
    let mut reasons: BTreeMap<Reason, Vec<&Fallback>> = BTreeMap::new();
    for fallback in &report.fallbacks {
        reasons.entry(fallback.reason).or_default().push(fallback);
    }
    let mut ranked: Vec<(Reason, Vec<&Fallback>)> = reasons.into_iter().collect();
    ranked.sort_by_key(|(_, fallbacks)| std::cmp::Reverse(fallbacks.len()));
    let reasons: Vec<String> = ranked
        .iter()
        .map(|(reason, fallbacks)| of_reason(*reason, fallbacks))
        .collect();
    format!(
        "{module}: {} of {} types became a dynamic `Term`: {}",
        report.fallbacks.len(),
        report.positions,
        reasons.join("; ")
    )
}

/// Returns the number of types, the reason, and their names. For types of other modules, the
/// modules are named, because the user can generate them too.
fn of_reason(reason: Reason, fallbacks: &[&Fallback]) -> String {
    let texts = fallbacks.iter().map(|fallback| fallback.erlang.as_str());
    let which: BTreeSet<&str> = match reason {
        Reason::OtherModule => texts
            .filter_map(|text| Some(text.split_once(':')?.0))
            .collect(),
        _ => texts.collect(),
    };
    let named: Vec<String> = which
        .iter()
        .take(MOST_NAMED)
        .map(|text| format!("`{text}`"))
        .collect();
    let more = if which.len() > MOST_NAMED {
        ", …"
    } else {
        ""
    };
    format!("{} {reason} ({}{more})", fallbacks.len(), named.join(", "))
}
