//! Tests of the conversion of methods into those of their traits.

use super::{assert_method, refusal};

#[test]
fn a_plain_function_gives_its_value_at_once() {
    assert_method(
        "fn handle_cast(&mut self, Add(by): Add) -> HandleCast { self.0 += by; noreply() }",
        "HandleCast<Add>",
        "fn handle_cast<'call>(&mut self, Add(by): Add, _: &'call ::otp_bridge::Cx<'call>)
            -> ::otp_bridge::__private::Plain<HandleCast>
        { ::otp_bridge::__private::Plain::run(move || -> HandleCast { self.0 += by; noreply() }) }",
    );
}

#[test]
fn a_type_without_a_name_is_not_given_to_the_closure() {
    assert_method(
        "fn handle_cast(&mut self, _: Add, cx: &Cx<'_>) -> Result<impl HandleCastReturn> { Ok(noreply) }",
        "HandleCast<Add>",
        "fn handle_cast<'call>(&mut self, _: Add, cx: &'call Cx<'call>)
            -> ::otp_bridge::__private::Plain<Result<impl bridge::gen_server::HandleCastReturn> >
        { ::otp_bridge::__private::Plain::run(move || { Ok(noreply) }) }",
    );
}

#[test]
fn no_return_type_is_the_empty_tuple() {
    assert_method(
        "fn terminate(&mut self, _: Term) { self.0 = 0; }",
        "Terminate<Term>",
        "fn terminate<'call>(&mut self, _: Term, _: &'call ::otp_bridge::Cx<'call>) -> ::otp_bridge::__private::Plain<()>
        { ::otp_bridge::__private::Plain::run(move || -> () { self.0 = 0; }) }",
    );
}

#[test]
fn an_async_function_is_written_out() {
    assert_method(
        "async fn handle_cast(&mut self, _: Add, cx: &Cx<'_>) -> Result<HandleCast> { noreply() }",
        "HandleCast<Add>",
        "fn handle_cast<'call>(&mut self, _: Add, cx: &'call Cx<'call>) -> impl ::core::future::Future<Output = Result<HandleCast> >
        { async move { noreply() } }",
    );
}

#[test]
fn dirty_work_is_handed_over_as_a_whole() {
    for (start, kind) in [("fn", "cpu"), ("async fn", "io")] {
        let written = format!(
            "#[dirty({kind})] {start} handle_cast(&mut self, _: Hard) -> HandleCast {{ noreply() }}"
        );
        let expected = format!(
            "fn handle_cast<'call>(&mut self, _: Hard, _: &'call ::otp_bridge::Cx<'call>)
                -> impl ::otp_bridge::__private::Work<Output = HandleCast>
            {{ ::otp_bridge::__private::dirty_{kind}(async move {{ noreply() }}) }}"
        );
        assert_method(&written, "HandleCast<Hard>", &expected);
    }
    for mark in [
        "#[dirty]",
        "#[dirty(gpu)]",
        "#[dirty(cpu, io)]",
        "#[dirty(cpu)] #[dirty(io)]",
    ] {
        let (_, message) = refusal(&format!(
            "{mark} fn handle_cast(&mut self, _: Hard) -> HandleCast {{ noreply() }}"
        ));
        assert!(message.starts_with("write `#[dirty(cpu)]`"), "{message}");
    }
}

#[test]
fn a_shared_reference_to_the_state_becomes_the_one_that_the_trait_has() {
    assert_method(
        "async fn handle_cast(&self, _: Show) -> HandleCast { noreply() }",
        "HandleCast<Show>",
        "fn handle_cast<'call>(&mut self, _: Show, _: &'call ::otp_bridge::Cx<'call>)
            -> impl ::core::future::Future<Output = HandleCast> { async move { noreply() } }",
    );
}

#[test]
fn an_argument_by_reference_is_lent_to_the_body() {
    assert_method(
        "fn terminate(&mut self, Why(text): &Why) { show(text) }",
        "Terminate<Why>",
        "fn terminate<'call>(&mut self, __otp_argument1: Why, _: &'call ::otp_bridge::Cx<'call>) -> ::otp_bridge::__private::Plain<()>
        { ::otp_bridge::__private::Plain::run(move || -> () {
            let Why(text): &Why = &__otp_argument1;
            show(text)
        }) }",
    );
    let (place, message) = refusal("fn terminate(&mut self, why: &mut Why) {}");
    assert_eq!(
        (place.as_str(), message.as_str()),
        (
            "&mut Why",
            "an argument is taken by value (`mut name: Type`) or by `&Type`"
        )
    );
}

#[test]
fn the_caller_among_the_arguments_chooses_the_callback() {
    assert_method(
        "async fn handle_call(&mut self, _: Get, cx: &Cx<'_>) -> HandleCall<u64> { reply(0) }",
        "HandleCall<Get>",
        "fn handle_call<'call>(&mut self, _: Get, cx: &'call Cx<'call>) -> impl ::core::future::Future<Output = HandleCall<u64> >
            { async move { reply(0) } }",
    );
    assert_method(
        "async fn handle_call(&mut self, _: Wait, caller: Caller<u64>) -> HandleCallNoreply { noreply() }",
        "HandleCallNoreply<Wait, <Caller<u64> as ::otp_bridge::__private::IsCaller>::Reply>",
        "fn handle_call_noreply<'call>(&mut self, _: Wait, caller: Caller<u64>, _: &'call ::otp_bridge::Cx<'call>)
            -> impl ::core::future::Future<Output = HandleCallNoreply> { async move { noreply() } }",
    );
}

const IMPORT: &str = "use ::otp_bridge::__private::Ignorable as _;";

/// Asserts what becomes of the body of a method.
fn assert_body(written: &str, expected: &str) {
    assert_method(
        &format!("fn terminate(&mut self, _: Term) {{ {written} }}"),
        "Terminate<Term>",
        &format!(
            "fn terminate<'call>(&mut self, _: Term, _: &'call ::otp_bridge::Cx<'call>)
                -> ::otp_bridge::__private::Plain<()>
            {{ ::otp_bridge::__private::Plain::run(move || -> () {{ {expected} }}) }}"
        ),
    );
}

#[test]
fn what_a_variable_that_nothing_uses_would_hold_is_handed_over() {
    let handed_over = |pattern: &str| {
        format!("{IMPORT} let {pattern} = ::otp_bridge::__private::Ignored(make()).value();")
    };
    for pattern in ["_", "_later"] {
        assert_body(&format!("let {pattern} = make();"), &handed_over(pattern));
    }
    assert_body(
        "let _: Vec<_> = items.collect();",
        &format!(
            "{IMPORT} let _: Vec<_> = ::otp_bridge::__private::Ignored::<Vec<_> >(items.collect()).value();"
        ),
    );
    for used in [
        "let _later = make(); keep(_later);",
        "let later = make(); poll(&later); drop(later);",
        "let _later = make(); println!(\"{_later}\");",
        "let later = make();",
        "let _ = later;",
        "let _both = Some(&make());",
        "match make() { Ok(_) => {} _ => {} }",
    ] {
        assert_body(used, used);
    }
}

#[test]
fn a_part_of_a_discarded_value_is_handed_over() {
    for (written, expected) in [
        (
            "let later = make(); drop(later);",
            "let later = make(); drop(IT(later).value());",
        ),
        (
            "let (_, a) = (make(), 1);",
            "let (_, a) = (IT(make()).value(), 1);",
        ),
        (
            "let _ = if a { make() } else { b };",
            "let _ = if a { IT(make()).value() } else { b };",
        ),
        ("if let _ = make() {}", "if let _ = IT(make()).value() {}"),
        (
            "match make() { _ => () }",
            "match IT(make()).value() { _ => () }",
        ),
        ("drop((make(), 1));", "drop((IT(make()).value(), 1));"),
        (
            "std::mem::forget(make());",
            "std::mem::forget(IT(make()).value());",
        ),
    ] {
        let expected = expected.replace("IT", "::otp_bridge::__private::Ignored");
        assert_body(written, &format!("{IMPORT} {expected}"));
    }
}
