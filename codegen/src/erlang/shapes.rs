//! The shapes that a library and the Erlang modules exchange, as Erlang's types and macros. They
//! are generated from `otp_contract::library`, which defines each shape once.

use otp_contract::library::{
    Action, Element, Entry, HelperMessage, LABEL, MARK, OF_PROCESSES, OF_THREADS, OFFER, Report,
    Request, SPANS, Step, TASKS, TO, WAKE,
};
use otp_contract::modules::{HELPER, RUN, TELEMETRY};

use crate::text::atom;

/// Returns the macros and types that `library.erl` uses.
pub(super) fn of_library() -> String {
    let mut text = define("MARK", MARK) + &define("WAKE", WAKE) + &define("HELPER", HELPER);
    text += &define("TELEMETRY", TELEMETRY);
    text += &(define("TASKS", TASKS) + &define("TO", TO));
    text += &define_number("OF_THREADS", OF_THREADS);
    text += &define("RUN", RUN);
    text += &define("OFFER", OFFER);
    let [steps, requests, actions] = library();
    for shape in [&steps, &requests, &actions].into_iter().flatten() {
        text += &shape.tuple();
    }
    text += "\n-export_type([step/0]).\n\n%% A handle of a process's state.\n-type cell() :: reference().\n";
    text += "%% A handle of the body of a process.\n-type closure() :: reference().\n";
    text += "-type operation_id() :: non_neg_integer().\n";
    text += &union("request()", &requests);
    text += "%% The messages that a process receives: atoms; tuples by size, tag and second element; kinds of other terms.\n";
    text += "-type selector() :: {#{atom() => []}, #{arity() => any | #{term() => any | #{term() => []}}}, #{atom() => []}}.\n";
    text +=
        "-type outcome() :: {ok | ?OFFER, term()} | {error | exit | throw, term(), [term()]}.\n";
    text += "%% `?WAKE`: a message of a waker; `?TASKS`: the process runs its tasks again.\n";
    text += "%% `{?TO, Number, Message}`: a message for a mailbox of the process's tasks.\n";
    text += "-type answer() ::\n    {operation_id(), outcome()} | ?WAKE | ?TASKS | {?TO, non_neg_integer(), term()}.\n";
    text += &union("action()", &actions);
    text +=
        "%% A step: an operation that a callback needs from its process before it can return.\n";
    text += &union("step()", &steps);
    text += "-type under_way() :: #{operation_id() | reference() => tuple(), 'receive' => [{operation_id(), selector()}]}.\n\n";
    text
}

/// Returns the macros that `otp_rs.erl` and the modules of its process use.
pub(super) fn of_helper() -> String {
    let mut text = define("HELPER", HELPER) + &define("MARK", MARK) + &define("TO", TO);
    text += &define_number("OF_PROCESSES", OF_PROCESSES);
    text += &define("SPANS", SPANS);
    let [reports, messages, entries] = helper();
    for report in &reports {
        text += &report.map();
    }
    for shape in [&messages, &entries].into_iter().flatten() {
        text += &shape.tuple();
    }
    text + "\n"
}

/// Returns the type of log entries and output.
pub(super) fn entry() -> String {
    let [_, _, entries] = helper();
    format!(
        "%% An entry of the log, or output, from native code.\n{}\n",
        union("entry()", &entries)
    )
}

/// `-define(NAME, 1).`
fn define_number(name: &str, number: u64) -> String {
    format!("-define({name}, {number}).\n")
}

/// `-define(NAME, word).`
fn define(name: &str, word: &str) -> String {
    format!("-define({name}, {}).\n", atom(word))
}

/// Steps, requests, actions.
fn library() -> [Vec<ProtocolShape>; 3] {
    [
        Step::ALL
            .iter()
            .map(|it| shape(it.as_str(), it.elements()))
            .collect(),
        Request::ALL
            .iter()
            .map(|it| shape(it.as_str(), it.elements()))
            .collect(),
        Action::ALL
            .iter()
            .map(|it| shape(it.as_str(), it.elements()))
            .collect(),
    ]
}

/// Reports, messages to the helper, log entries and output.
fn helper() -> [Vec<ProtocolShape>; 3] {
    [
        Report::ALL
            .iter()
            .map(|it| shape(it.as_str(), it.elements()))
            .collect(),
        HelperMessage::ALL
            .iter()
            .map(|it| shape(it.as_str(), it.elements()))
            .collect(),
        Entry::ALL
            .iter()
            .map(|it| shape(it.as_str(), it.elements()))
            .collect(),
    ]
}

/// An atom and the elements after it.
struct ProtocolShape {
    word: &'static str,
    elements: &'static [Element],
}

fn shape(word: &'static str, elements: &'static [Element]) -> ProtocolShape {
    ProtocolShape { word, elements }
}

impl ProtocolShape {
    /// `ALONE(Cell, Request)`
    fn head(&self) -> String {
        format!("{}({})", self.macro_name(), self.variables().join(", "))
    }

    fn macro_name(&self) -> String {
        self.word.to_ascii_uppercase()
    }

    /// Erlang's variables. The names of a report's elements are keys, and begin with a small
    /// letter.
    fn variables(&self) -> Vec<String> {
        let variable = |name: &str| name[..1].to_ascii_uppercase() + &name[1..];
        let elements = self.elements.iter();
        elements.map(|element| variable(element.name)).collect()
    }

    /// `-define(ALONE(Cell, Request), {alone, Cell, Request}).`
    fn tuple(&self) -> String {
        let variables = self.variables().join(", ");
        format!(
            "-define({}, {{{}, {variables}}}).\n",
            self.head(),
            atom(self.word)
        )
    }

    /// `-define(PANIC(Module, …), #{label := {otp_rs, panic}, module := Module, …}).`
    fn map(&self) -> String {
        let keys = self.elements.iter().zip(self.variables());
        let keys: Vec<String> = keys
            .map(|(element, variable)| format!("{} := {variable}", atom(element.name)))
            .collect();
        format!(
            "-define({}, #{{\n    {LABEL} := {{?HELPER, {}}}, {}\n}}).\n",
            self.head(),
            atom(self.word),
            keys.join(", ")
        )
    }

    /// `{alone, cell(), request()}`
    fn erlang_type(&self) -> String {
        let types = self.elements.iter().map(|element| element.erlang_type);
        let all: Vec<String> = std::iter::once(atom(self.word))
            .chain(types.map(str::to_owned))
            .collect();
        format!("{{{}}}", all.join(", "))
    }
}

/// `-type name :: shape | shape.`
fn union(name: &str, shapes: &[ProtocolShape]) -> String {
    let members: Vec<String> = shapes.iter().map(ProtocolShape::erlang_type).collect();
    format!("-type {name} ::\n    {}.\n", members.join("\n  | "))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::erlang::library_module::PERFORMS;

    const HELPERS: &str = concat!(
        include_str!("otp_rs.erl"),
        include_str!("otp_rs_helper.erl"),
        include_str!("otp_rs_output.erl"),
        include_str!("otp_rs_telemetry.erl")
    );

    /// Erlang's compiler refuses an undefined macro, or one with another number of arguments.
    #[test]
    fn the_modules_have_a_clause_for_every_shape() {
        let library = library().into_iter().flatten();
        let helper = helper().into_iter().flatten();
        let library = library.map(|shape| (shape, PERFORMS));
        let helper = helper.map(|shape| (shape, HELPERS));
        let mut names = BTreeSet::new();
        for (shape, text) in library.chain(helper) {
            let name = shape.macro_name();
            assert!(text.contains(&format!("?{name}(")), "no clause for {name}");
            assert!(
                names.insert(name),
                "{} is the word of two shapes",
                shape.word
            );
        }
    }

    #[test]
    fn the_helper_is_the_module_of_its_name() {
        let line = format!("-module({HELPER}).\n");
        assert!(include_str!("otp_rs.erl").contains(&line));
    }
}
