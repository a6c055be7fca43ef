//! Returned values that trigger another callback: they are right if the module has a clause for it.
//! They are refused without one, or if it only matches something else.

use super::{Case, check};
use crate::otp::Otp;

const TYPES: &str = "\
use std::time::Duration;
#[derive(Debug, otp_bridge::Term)] pub struct Go;
#[derive(Debug, otp_bridge::Term)] pub struct Other;
#[derive(Debug, otp_bridge::Term)] pub enum Info { Timeout, Down }
#[derive(Debug, otp_bridge::Term)] #[reply(u64)] pub struct Get;
#[derive(Debug)] pub struct Data;
";

/// Clauses, and whether any of them matches the triggered callback's argument.
type Clauses = &'static [(&'static str, bool)];

const CONTINUES: Clauses = &[
    ("", false),
    (
        "fn handle_continue(&mut self, _: Other) -> HandleContinue { noreply() }",
        false,
    ),
    (
        "fn handle_info(&mut self, _: Term) -> HandleInfo { noreply() }",
        false,
    ),
    (
        "fn handle_continue(&mut self, _: Go) -> HandleContinue { noreply() }",
        true,
    ),
    (
        "fn handle_continue(&mut self, _: &Go) -> HandleContinue { noreply() }",
        true,
    ),
    (
        "fn handle_continue(&mut self, _: Term) -> HandleContinue { noreply() }",
        true,
    ),
];

const TIMES_OUT: Clauses = &[
    ("", false),
    (
        "fn handle_info(&mut self, _: Other) -> HandleInfo { noreply() }",
        false,
    ),
    (
        "fn handle_continue(&mut self, _: Term) -> HandleContinue { noreply() }",
        false,
    ),
    (
        "fn handle_info(&mut self, _: otp_bridge::atoms::timeout) -> HandleInfo { noreply() }",
        true,
    ),
    (
        "fn handle_info(&mut self, _: Info) -> HandleInfo { noreply() }",
        true,
    ),
    (
        "fn handle_info(&mut self, _: Term) -> HandleInfo { noreply() }",
        true,
    ),
];

/// Return values of a server. `@` stands for the element with the effect.
const RETURNS: [&str; 5] = [
    "fn init(_: ()) -> impl InitReturn<Self> { (otp_bridge::atoms::ok, Data, @) }",
    "fn handle_call(&mut self, _: Get) -> impl HandleCallReturn<u64> { (otp_bridge::atoms::reply, 1, @) }",
    "fn handle_call(&mut self, _: Get) -> HandleCall<u64> { reply_with(1, @) }",
    "fn handle_cast(&mut self, _: Get) -> impl HandleCastReturn { (otp_bridge::atoms::noreply, @) }",
    "fn handle_cast(&mut self, _: Get) -> HandleCast { noreply_with(@) }",
];

const MESSAGES: Clauses = &[
    ("", false),
    (
        "fn handle_info(&mut self, _: Other) -> HandleInfo { noreply() }",
        false,
    ),
    (
        "fn handle_cast(&mut self, _: Go) -> HandleCast { noreply() }",
        false,
    ),
    (
        "fn handle_info(&mut self, _: Go) -> HandleInfo { noreply() }",
        true,
    ),
    (
        "fn handle_info(&mut self, _: Term) -> HandleInfo { noreply() }",
        true,
    ),
];

#[test]
fn a_message_of_a_server_to_itself_has_a_clause() {
    let mut cases = Vec::new();
    for method in ["send_after", "send_interval"] {
        for (clause, is_taken) in MESSAGES {
            let text = format!(
                "{TYPES}use otp_bridge::gen_server::prelude::*;\n#[gen_server]\nimpl GenServer for Data {{\n\
                 type Args = ();\nfn init(_: (), cx: &Cx<'_>) -> Init<Self> {{\n\
                 cx.{method}(Duration::from_secs(1), Go);\nInit::Ok(Data) }}\n{clause}\n}}"
            );
            cases.push(Case {
                change: format!("{method} with {clause}"),
                text,
                refused: (!is_taken).then(|| "handle_info".to_owned()),
            });
        }
    }
    let (right, wrong) = check("messages_server", &Otp::installed(), "gen_server", &cases);
    assert!(right >= 4 && wrong >= 6, "{right} right, {wrong} wrong");
}

#[test]
fn what_a_server_continues_with_or_waits_for_has_a_clause() {
    let values: [(&str, &str, Clauses); 3] = [
        (
            "handle_continue",
            "(otp_bridge::atoms::continue_, Go)",
            CONTINUES,
        ),
        ("handle_info", "Duration::from_secs(1)", TIMES_OUT),
        ("handle_info", "Timeout::from_millis(1)", TIMES_OUT),
    ];
    let mut cases = Vec::new();
    for (form, value, clauses) in values {
        for returned in RETURNS {
            for (clause, is_taken) in clauses {
                let init = match returned.starts_with("fn init") {
                    true => "",
                    false => "fn init(_: ()) -> Init<Self> { Init::Ignore }",
                };
                let returned = returned.replace('@', value);
                let text = format!(
                    "{TYPES}use otp_bridge::gen_server::prelude::*;\n#[gen_server]\nimpl GenServer for Data {{\n\
                     type Args = ();\n{init}\n{returned}\n{clause}\n}}"
                );
                cases.push(Case {
                    change: format!("{returned} with {clause}"),
                    text,
                    refused: (!is_taken).then(|| form.to_owned()),
                });
            }
        }
    }
    let (right, wrong) = check("effects_server", &Otp::installed(), "gen_server", &cases);
    assert!(right >= 40 && wrong >= 40, "{right} right, {wrong} wrong");
}

/// Actions that create an event, and the type of that event.
const ACTIONS: [(&str, &str); 8] = [
    (
        "(otp_bridge::atoms::state_timeout, Duration::from_secs(1), Go)",
        "otp_bridge::atoms::state_timeout",
    ),
    (
        "(otp_bridge::atoms::timeout, Duration::from_secs(1), Go)",
        "timeout",
    ),
    (
        "((otp_bridge::atoms::timeout, 7_u64), Duration::from_secs(1), Go)",
        "(timeout, u64)",
    ),
    (
        "timeout_named(7_u64, Duration::from_secs(1), Go)",
        "(timeout, u64)",
    ),
    ("next_event(otp_bridge::atoms::internal, Go)", "internal"),
    (
        "(otp_bridge::atoms::next_event, otp_bridge::atoms::cast, Go)",
        "cast",
    ),
    ("vec![next_event(otp_bridge::atoms::info, Go)]", "info"),
    (
        "vec![Action::from((otp_bridge::atoms::next_event, otp_bridge::atoms::info, Go))]",
        "info",
    ),
];

#[test]
fn an_event_that_a_machine_makes_has_a_clause() {
    let mut cases = Vec::new();
    for (action, event) in ACTIONS {
        let clauses = [
            (String::new(), false),
            (
                "_: otp_bridge::atoms::state_timeout, _: Other".to_owned(),
                false,
            ),
            (format!("_: {event}, _: Other"), false),
            (format!("_: {event}, _: Go"), true),
            (format!("_: {event}, _: Term"), true),
            ("_: EventType, _: Go".to_owned(), true),
            ("_: EventType, _: Term".to_owned(), true),
        ];
        for (arguments, is_taken) in clauses {
            let clause = match arguments.is_empty() {
                true => String::new(),
                false => format!(
                    "fn handle_event(&mut self, {arguments}, _: State) -> HandleEvent<State> {{ keep_state() }}"
                ),
            };
            let text = format!(
                "{TYPES}use otp_bridge::gen_statem::prelude::*;\n\
                 #[derive(Debug, Clone, PartialEq, Term)] pub enum State {{ On, Off }}\n\
                 #[gen_statem]\nimpl GenStatem for Data {{\ntype Args = ();\ntype State = State;\n\
                 fn init(_: ()) -> impl InitReturn<State, Self> {{ (otp_bridge::atoms::ok, State::On, Data, {action}) }}\n\
                 fn handle_event(&mut self, (_, caller): (call, Caller<u64>), _: Get, _: State) -> HandleEvent<State> {{\n\
                 keep_state_actions(reply(caller, 1)) }}\n{clause}\n}}"
            );
            cases.push(Case {
                change: format!("{action} with {clause}"),
                text,
                refused: (!is_taken).then(|| "handle_event".to_owned()),
            });
        }
    }
    let (right, wrong) = check("effects_machine", &Otp::installed(), "gen_statem", &cases);
    assert!(right >= 30 && wrong >= 20, "{right} right, {wrong} wrong");
}
