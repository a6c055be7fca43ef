//! The suggestion of the attribute's macro for the author of a method that returns nothing.

use crate::ir::{Behaviour, Callback, ClauseTerm, ReturnClause, Returns};
use crate::names::snake;

/// Returns the type behind `->`, and the first value that the method may end with: `HandleCast`,
/// `noreply()`. `None` if it may return nothing, or something that has no clauses.
pub(super) fn of(
    behaviour: &Behaviour,
    callback: &Callback,
    is_inside: bool,
) -> Option<(String, String)> {
    let Returns::Clauses { name, clauses } = &callback.result.returns else {
        return None;
    };
    // A clause that is only the state is empty without it.
    if clauses
        .iter()
        .any(|clause| clause.term == ClauseTerm::State)
    {
        return None;
    }
    // In this crate, the preludes name the enum after its callback, whatever else has that name.
    let name = if is_inside {
        &callback.names.callback_trait
    } else {
        name
    };
    let end = end(behaviour, name, clauses.first()?);
    Some((ty(callback, name), end))
}

/// Returns `Init<…, Self>`, because only the author of the method knows the other types.
fn ty(callback: &Callback, name: &str) -> String {
    let parameters = callback.return_parameters().into_iter();
    let parameters: Vec<&str> = parameters
        .map(|parameter| {
            if parameter == callback.parameters.state {
                "Self"
            } else {
                "…"
            }
        })
        .collect();
    if parameters.is_empty() {
        name.to_owned()
    } else {
        format!("{name}<{}>", parameters.join(", "))
    }
}

/// Returns the function of the clause if every prelude has it under the clause's own name,
/// otherwise the variant.
fn end(behaviour: &Behaviour, name: &str, clause: &ReturnClause) -> String {
    let function = snake(&clause.variant.name);
    let function = if behaviour.prelude.constructors.contains(&function) {
        function
    } else {
        format!("{name}::{}", clause.variant.name)
    };
    let fields = clause.variant.shape.types();
    match (fields.is_empty(), function.contains("::")) {
        (true, true) => function,
        (true, false) => format!("{function}()"),
        (false, _) => format!("{function}(…)"),
    }
}
