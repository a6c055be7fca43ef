//! Finds types whose text is not Erlang: a hand-written `ErlangType` may return any text.

use otp_contract::manifest::Module;
use otp_specs::{NoIncludes, Options, Severity, Trusting, parse_source, resolve};

use super::documentation::Documentation;
use super::specification::{spec, types};

/// Returns the errors in the types of `module`, each with its line.
///
/// Without this check, Erlang's compiler would refuse the whole module.
pub fn wrong_types(module: &Module) -> Vec<String> {
    let mut text = format!("-module(types).\n{}", types(module, Documentation::Edoc));
    let of_callbacks = module.callbacks.iter().map(|it| (&it.name, &it.signature));
    let of_starts = module.start.iter().map(|it| (&it.name, &it.signature));
    for (name, signature) in of_callbacks.chain(of_starts) {
        text += &spec(name, signature);
    }
    let parsed = parse_source("types", text.as_bytes(), &NoIncludes, &Options::default());
    let mut diagnostics = parsed.diagnostics;
    if diagnostics.is_empty() {
        diagnostics = resolve(&parsed.module, &mut Trusting).1;
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut wrong = Vec::new();
    for diagnostic in &diagnostics {
        let number = usize::try_from(diagnostic.line).ok();
        let index = number.and_then(|number| number.checked_sub(1));
        let line = index.and_then(|index| lines.get(index)).copied();
        let text = format!("{}: {}", diagnostic.label, line.unwrap_or_default().trim());
        if diagnostic.severity == Severity::Error && !wrong.contains(&text) {
            wrong.push(text);
        }
    }
    wrong
}
