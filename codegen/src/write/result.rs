//! What the attribute's macro tells the author of a method that returns nothing to write.

use crate::ir::{Behaviour, Callback, ClauseTerm, ReturnClause, Returns};
use crate::names::snake;

/// What stands behind `->`, and the first of the values that the method may end with: `HandleCast`,
/// `noreply()`. `None` if it may return nothing, or something that has no clauses.
pub(super) fn of(
    behaviour: &Behaviour,
    callback: &Callback,
    is_inside: bool,
) -> Option<(String, String)> {
    let Returns::Clauses { name, clauses } = &callback.result.returns else {
        return None;
    };
    // The state alone is left out, so that nothing is left.
    if clauses
        .iter()
        .any(|clause| clause.term == ClauseTerm::State)
    {
        return None;
    }
    // The preludes of this library call the enum as its callback, whatever else has that name.
    let name = if is_inside {
        &callback.names.callback_trait
    } else {
        name
    };
    let end = end(behaviour, name, clauses.first()?);
    Some((ty(callback, name), end))
}

/// `Init<…, Self>`: whoever writes the method knows the other types.
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

/// The clause by its function, if every prelude has that under the clause's own name, otherwise by
/// its variant.
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
