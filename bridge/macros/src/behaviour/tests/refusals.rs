//! Tests of rejected blocks: the message, and the source that it points at.

use super::{expansion, refusal};

#[test]
fn the_state_by_value_is_refused_with_what_to_write() {
    for receiver in ["self", "mut self", "self: Box<Self>"] {
        let (place, message) = refusal(&format!(
            "fn handle_call({receiver}, _: Get) -> HandleCall<u64> {{ reply(0) }}"
        ));
        assert_eq!(place, receiver);
        assert_eq!(
            message,
            "`handle_call/3` works on the state where it is: write `&mut self`, or `&self` to look at it only\n\n\
             -callback handle_call(Request, From, State) -> …."
        );
    }
}

#[test]
fn a_state_that_is_missing_or_too_much_is_refused() {
    let (place, message) = refusal("fn handle_cast(_: Get) -> HandleCast { noreply() }");
    assert_eq!(place, "handle_cast");
    assert!(
        message.starts_with(
            "`handle_cast/2` works on the state: begin its arguments with `&mut self` or `&self`\n"
        ),
        "{message}"
    );
    let (place, message) = refusal("fn init(&self, _: u64) -> Init<Self> { ignore() }");
    assert_eq!(place, "&self");
    assert!(
        message.starts_with("`init/1` takes no state: leave `self` out\n"),
        "{message}"
    );
}

#[test]
fn a_wrong_number_of_arguments_is_told_every_form() {
    let (place, message) = refusal(
        "fn handle_call(&mut self, _: Get, a: A, b: B, cx: &Cx<'_>) -> HandleCall<u64> { reply(0) }",
    );
    assert_eq!(place, "&mut self, _: Get, a: A, b: B, cx: &Cx<'_>");
    assert_eq!(
        message,
        "`handle_call/3` takes (&mut self, Request) or (&mut self, Request, From) \
         and, if it wants, `cx: &Cx<'_>` at the end\n\n\
         -callback handle_call(Request, From, State) -> …."
    );
    let (_, message) = refusal("fn handle_cast(&mut self) -> HandleCast { noreply() }");
    assert!(
        message.starts_with("`handle_cast/2` takes (&mut self, Request) and, if it wants,"),
        "{message}"
    );
}

#[test]
fn an_unknown_callback_is_told_the_names_that_users_write() {
    let (place, message) =
        refusal("fn handle_call_noreply(&mut self, _: Wait, c: Caller<u64>) -> X { noreply() }");
    assert_eq!(place, "handle_call_noreply");
    assert_eq!(
        message,
        "`gen_server` has no callback `handle_call_noreply`; it has init/1, handle_call/3, handle_cast/2, \
         `#[state_name]` for `state_name/2`, terminate/2"
    );
}

#[test]
fn two_clauses_for_one_request_are_refused_whatever_callback_they_are_of() {
    for second in [
        "fn handle_call(&mut self, _: Get, caller: Caller<u64>) -> HandleCallNoreply { noreply() }",
        "fn handle_call(&mut self, Get: Get) -> HandleCall<u64> { reply(0) }",
    ] {
        let (place, message) = refusal(&format!(
            "fn handle_call(&mut self, _: Get) -> HandleCall<u64> {{ reply(0) }} {second}"
        ));
        assert_eq!(place, "handle_call");
        assert_eq!(
            message,
            "`handle_call/3` has another clause for `Get`, and only one of them could ever run"
        );
    }
}

#[test]
fn a_method_without_a_result_is_told_what_to_write() {
    let form = "-callback handle_cast(Request, State) -> ….";
    for method in [
        "fn handle_cast(&mut self, _: Get) { self.0 += 1; }",
        "#[dirty(cpu)] async fn handle_cast(&mut self, _: Get) {}",
    ] {
        let (place, message) = refusal(method);
        assert_eq!(place, "handle_cast");
        let text = "`handle_cast/2` has to return something: write `-> HandleCast`, and end with `noreply()`";
        assert_eq!(message, format!("{text}\n\n{form}"));
    }
    // OTP ignores the return value of `terminate`.
    assert!(!expansion("fn terminate(&mut self, _: Term) {}").is_empty());
}

#[test]
fn a_macro_does_not_write_a_clause() {
    let (place, message) = refusal("clause!(Get);");
    assert_eq!(place, "clause!(Get)");
    assert_eq!(
        message,
        "`#[gen_server]` reads the block before macros in it are expanded: let the macro write the whole block, \
         with `#[gen_server]` above it"
    );
}
