//! Types whose text is no Erlang: a hand-written `ErlangType` may give any.

use otp_contract::manifest::Module;
use otp_specs::{NoIncludes, Options, Severity, Trusting, parse_source, resolve};

use super::specification::{spec, types};

/// What is wrong with the types of `module`, each with the line that it is wrong in.
///
/// Erlang's compiler would refuse the whole module.
pub fn wrong_types(module: &Module) -> Vec<String> {
    let mut text = format!("-module(types).\n{}", types(module));
    let of_callbacks = module.callbacks.iter().map(|it| (&it.name, &it.signature));
    let of_starts = module.start.iter().map(|it| (&it.name, &it.signature));
    for (name, signature) in of_callbacks.chain(of_starts) {
        text += &spec(name, signature);
    }
    let parsed = parse_source("types", text.as_bytes(), &NoIncludes, &Options::default());
    let mut problems = parsed.diagnostics;
    if problems.is_empty() {
        problems = resolve(&parsed.module, &mut Trusting).1;
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut wrong = Vec::new();
    for problem in &problems {
        let place = usize::try_from(problem.line).ok();
        let place = place.and_then(|line| line.checked_sub(1));
        let line = place.and_then(|line| lines.get(line)).copied();
        let said = format!("{}: {}", problem.label, line.unwrap_or_default().trim());
        if problem.severity == Severity::Error && !wrong.contains(&said) {
            wrong.push(said);
        }
    }
    wrong
}
