//! States and the functions for them: all match, one too many, one too few, one misspelt, one with
//! a field; and enter clauses for all, some or none of them.

use std::fmt::Write as _;

use super::{Case, check};
use crate::otp::Otp;

/// The states of a machine, and its functions.
struct Machine {
    change: &'static str,
    /// The variants of the state's enum.
    states: Vec<String>,
    /// The functions with a clause for an event.
    functions: Vec<&'static str>,
    /// The functions with a clause for an enter call.
    entered: Vec<&'static str>,
    is_right: bool,
}

const NAMES: [&str; 4] = ["idle", "half_open", "open", "closed"];

impl Machine {
    /// Returns a right machine with this number of states.
    fn right(count: usize, entered: usize) -> Self {
        Machine {
            change: "right",
            states: NAMES[..count].iter().map(|name| camel(name)).collect(),
            functions: NAMES[..count].to_vec(),
            entered: NAMES[..entered].to_vec(),
            is_right: true,
        }
    }

    fn case(&self) -> Case {
        let mut text = format!(
            "use otp_bridge::gen_statem::prelude::*;
            #[derive(Debug)] pub struct Data;
            #[derive(Debug, Clone, PartialEq, Term)] pub enum State {{ {} }}
            #[gen_statem]
            impl GenStatem for Data {{
                type Args = ();
                type State = State;
                fn init(_: ()) -> impl InitReturn<State, Self> {{ otp_bridge::atoms::ignore }}\n",
            self.states.join(", ")
        );
        for function in &self.functions {
            // Writing to a string cannot fail.
            _ = writeln!(
                text,
                "#[state_name] fn {function}(&mut self, _: cast, _: Term) -> StateName<State> {{ keep_state() }}"
            );
        }
        for function in &self.entered {
            _ = writeln!(
                text,
                "#[state_name_enter] fn {function}(&mut self, _: State) -> StateNameEnter {{ keep_state() }}"
            );
        }
        text.push('}');
        let (states, entered) = (&self.states, &self.entered);
        Case {
            change: format!("{}: {states:?} {entered:?}", self.change),
            text,
            refused: (!self.is_right).then(|| "state_name".to_owned()),
        }
    }
}

/// Returns `half_open` as a variant.
fn camel(name: &str) -> String {
    crate::otp::capitalised(name)
}

#[test]
fn states_without_function_and_functions_without_state_are_refused() {
    let mut machines = Vec::new();
    for (count, another) in NAMES.iter().enumerate().take(4).skip(1) {
        for entered in 0..=count {
            let mut machine = Machine::right(count, entered);
            (machine.change, machine.is_right) = ("entered", entered == 0 || entered == count);
            machines.push(machine);
        }
        for changed in 0..count {
            machines.extend(changes(count, changed));
        }
        let mut more = Machine::right(count, 0);
        more.functions.push(another);
        (more.change, more.is_right) = ("a function more", false);
        machines.push(more);
    }
    let cases: Vec<Case> = machines.iter().map(Machine::case).collect();
    let (right, wrong) = check("states", &Otp::installed(), "gen_statem", &cases);
    assert!(right >= 6 && wrong > 20, "{right} right, {wrong} wrong");
}

/// Returns all mistakes that concern one of several states.
fn changes(count: usize, changed: usize) -> Vec<Machine> {
    let change = |change: &'static str, with: &dyn Fn(&mut Machine)| {
        let mut machine = Machine::right(count, 0);
        (machine.change, machine.is_right) = (change, false);
        with(&mut machine);
        machine
    };
    let mut all = vec![
        change("a function misspelt", &|it| it.functions[changed] = "opne"),
        change("a state misspelt", &|it| {
            it.states[changed] = "Opne".to_owned()
        }),
        change("a state with a field", &|it| it.states[changed] += "(u64)"),
        change("a state with another atom", &|it| {
            it.states[changed].insert_str(0, "#[term(tag = \"other\")] ");
        }),
    ];
    if count > 1 {
        all.push(change("a function less", &|it| {
            _ = it.functions.remove(changed)
        }));
        all.push(change("a state less", &|it| _ = it.states.remove(changed)));
    }
    all
}
