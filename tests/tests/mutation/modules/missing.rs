//! Missing callbacks: those that a behaviour requires are refused, except callbacks that only get
//! requests.

use otp_specs::types::{Function, Type};

use super::{Case, check};
use crate::otp::{Otp, Return};
use crate::whole;

/// The behaviours whose modules this test writes, and the arguments of `behaviours` that define
/// them.
const BEHAVIOURS: [&str; 5] = [
    "gen_server",
    "gen_event",
    "supervisor",
    "supervisor_bridge",
    "application",
];

#[test]
fn a_module_without_a_callback_that_its_behaviour_requires_is_refused() {
    let otp = Otp::installed();
    let returns = otp.returns();
    let returned = |of: &Return| format!("{} {{ value::<{}>() }}", of.value(), of.value());
    let (mut right, mut wrong) = (0, 0);
    for behaviour in BEHAVIOURS {
        let all = whole::behaviours(&returns, "whole", returned);
        let mut modules = all.into_iter().filter(|it| it.behaviour == behaviour);
        let text = modules.next().expect("a module of each behaviour").text;
        let forms = otp.callbacks_of(behaviour).iter();
        let cases: Vec<Case> = forms.filter_map(|form| without(&text, form)).collect();
        let name = format!("missing_{behaviour}");
        let (more_right, more_wrong) = check(&name, &otp, behaviour, &cases);
        right += more_right;
        wrong += more_wrong;
    }
    assert!(right >= 10 && wrong >= 6, "{right} right, {wrong} wrong");
}

/// Returns the module without the clauses of a callback, if it has any.
fn without(text: &str, form: &Function) -> Option<Case> {
    let heads = [
        format!("fn {}(", form.name),
        format!("fn {}_{}(", form.name, form.arity),
    ];
    let is_of_form = |line: &&str| heads.iter().any(|head| line.contains(head.as_str()));
    let left: Vec<&str> = text.lines().filter(|line| !is_of_form(line)).collect();
    if left.len() == text.lines().count() {
        return None;
    }
    let head = "use otp_bridge::term::*;\nuse otp_bridge::*;\npub fn value<T>() -> T { loop {} }\n";
    let is_needed = !form.optional && !takes_request(form);
    Some(Case {
        change: format!("without {}/{}", form.name, form.arity),
        text: format!("{head}{}", left.join("\n")),
        refused: is_needed.then(|| form.name.clone()),
    })
}

/// Returns whether the callback handles requests. It may be missing, because a call only compiles
/// if the module has a clause for it.
fn takes_request(form: &Function) -> bool {
    let mut params = form.clauses.iter().flat_map(|clause| &clause.params);
    params.any(|ty| matches!(ty, Type::Annotated(name, _) if name == "Request"))
}
