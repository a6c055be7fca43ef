//! Tests of the items for the whole block: its module, its entry in the registry, and the requests
//! that clients may send.

use quote::ToTokens;

use super::{DESCRIPTION, expansion, implement, implementations, input, normal};

#[test]
fn what_a_client_may_send_is_told_by_the_clauses() {
    let methods = "
        fn handle_call(&mut self, _: Get) -> HandleCall<u64> { reply(0) }
        fn handle_call(&mut self, _: Wait, caller: Caller<u64>) -> HandleCallNoreply { noreply() }
        #[state_name] fn locked(&mut self, _: cast, _: Push) -> StateName { noreply() }
        #[state_name] fn open(&mut self, _: cast, _: Push) -> StateName { noreply() }
        fn handle_cast(&mut self, _: Reset) -> HandleCast { noreply() }
    ";
    for accepted in ["Answers<Get>", "Answers<Wait>", "Accepts<(cast, Push,)>"] {
        let path = format!("::otp_bridge::__private::{accepted}");
        assert_eq!(implementations(methods, &path).len(), 1, "{accepted}");
    }
    let blocks = expansion(methods).into_iter();
    let texts = blocks.map(|item| normal(item.to_token_stream()));
    let accepts = texts.filter(|text| text.contains("Accepts<") || text.contains("Answers<"));
    assert_eq!(accepts.count(), 3);
}

/// Returns the entry's callbacks, in Rust.
fn callbacks(methods: &str) -> String {
    let items = expansion(methods);
    let last = items.last().expect("the entry").to_token_stream();
    let text = normal(last);
    let start = text.find("callbacks:").expect("callbacks");
    text[start..].to_owned()
}

/// Returns a clause of the registry, in Rust.
fn clause(method: &str, types: &str, message: &str) -> String {
    normal(format!(
        "::otp_bridge::__private::ClauseEntry {{
            run: bridge::gen_server::glue::{method}::<{types}>,
            signature: bridge::gen_server::signature::{method}::<{types}>,
            message: {message:?},
            location: ::core::panic::Location::caller(),
            scheduler: || {{
                static __OTP_SCHEDULER: ::otp_bridge::__private::ClauseScheduler = ::otp_bridge::__private::ClauseScheduler::new();
                &__OTP_SCHEDULER
            }},
        }}"
    ))
}

/// Returns a clause with a request whose missing reply is reported elsewhere.
fn assuming(request: &str, clause: &str) -> String {
    normal(format!(
        "{{
            struct __OtpAssuming;
            #[allow(trivial_bounds)]
            impl __OtpAssuming
            where
                for<'assumed> {request}: ::otp_bridge::__private::Answered,
                for<'assumed> {request}: ::otp_bridge::__private::Argument,
            {{
                const CLAUSE: ::otp_bridge::__private::ClauseEntry = {clause};
            }}
            #[allow(unused_imports)]
            use ::otp_bridge::__private::ClauseStandIn as _;
            impl ::otp_bridge::__private::ClauseStandIn for __OtpAssuming {{}}
            __OtpAssuming::CLAUSE
        }}"
    ))
}

#[test]
fn clauses_of_one_function_stand_in_the_registry_in_the_order_of_the_source() {
    let text = callbacks(
        "fn handle_call(&mut self, _: Wait<u8>, caller: Caller<u64>) -> HandleCallNoreply { noreply() }
        #[state_name] fn locked(&mut self, _: (call, Caller<bool>), _: Push) -> StateName { noreply() }
        fn handle_call(&mut self, _: Get) -> HandleCall<u64> { reply(0) }
        fn terminate(&mut self, reason: &Term) {}",
    );
    let noreply =
        "__OtpModule, Wait<u8>, <Caller<u64> as ::otp_bridge::__private::IsCaller>::Reply";
    let reply =
        "__OtpModule, Get, <::otp_bridge::__private::Same<Get> as ::otp_bridge::Request>::Reply";
    let call = format!(
        "{}, {}",
        assuming(
            "Wait<u8>",
            &clause("handle_call_noreply", noreply, "Wait<u8>")
        ),
        assuming("Get", &clause("handle_call", reply, "Get")),
    );
    let locked = clause(
        "state_name",
        "__OtpModule, __otp_name_locked, (call, Caller<bool>), Push",
        "(call, Caller<bool>), Push",
    );
    let terminate = clause("terminate", "__OtpModule, Term", "Term");
    for (name, known, arity, clauses) in [
        ("handle_call", "handle_call", 3, call),
        ("locked", "state_name", 2, locked),
        ("terminate", "terminate", 2, terminate),
    ] {
        let of = format!("bridge::gen_server::BEHAVIOUR.callback({known:?}, {arity}usize)");
        let entry = normal(format!(
            "::otp_bridge::__private::CallbackEntry {{
                name: {name:?}, arity: {arity}usize, doc: &[], facts: {of}.facts,
                of: ::core::option::Option::Some({of}), answer: &[], clauses: &[{clauses}], taken: &[],
            }}"
        ));
        assert!(text.contains(&entry), "{entry}\nis not in\n{text}");
    }
}

#[test]
fn one_clause_of_a_function_is_enough() {
    let closed = DESCRIPTION.replace("open Request", "fixed Request");
    let absent = |methods: &str| {
        let input = input(methods).replace(DESCRIPTION, &closed);
        let output = implement(input.parse().expect("tokens")).to_string();
        output.matches("compile_error").count()
    };
    assert_eq!(absent(""), 1);
    assert_eq!(
        absent(
            "fn handle_call(&mut self, _: Get, c: Caller<u64>) -> HandleCallNoreply { noreply() }"
        ),
        0
    );
    assert_eq!(
        absent("fn handle_call(&mut self, _: Get) -> HandleCall<u64> { reply(0) }"),
        0
    );
}

#[test]
fn the_module_tells_of_its_state() {
    let blocks = implementations("", "::otp_bridge::__private::Module");
    let [block] = blocks.as_slice() else {
        panic!("one implementation");
    };
    let functions: Vec<String> = block
        .items
        .iter()
        .map(|it| normal(it.to_token_stream()))
        .collect();
    for function in [
        "fn describe_state(&self, __otp_out: &mut dyn ::core::fmt::Write) -> ::core::fmt::Result {
            ::core::write!(__otp_out, \"{self:?}\")
        }",
        "fn state_codec() -> ::core::option::Option<::otp_bridge::__private::StateCodec<Self>> {
            use ::otp_bridge::__private::{CodecOfTerms as _, NoCodec as _};
            (&::otp_bridge::__private::CodecProbe::<Self>::new()).state_codec()
        }",
    ] {
        assert!(functions.contains(&normal(function)), "{functions:?}");
    }
    let check =
        normal("::otp_bridge::__private::is_large_state(::core::mem::size_of::<Counter>())");
    let items = expansion("").into_iter();
    let mut texts = items.map(|item| normal(item.to_token_stream()));
    assert!(texts.any(|text| text.contains(&check)));
}

#[test]
fn a_secret_state_is_never_written() {
    let functions = |options: &str| -> Vec<String> {
        let input = input("").replacen(" {} impl", &format!(" {{ {options} }} impl"), 1);
        let expanded = implement(input.parse().expect("tokens"));
        let items = syn::parse2::<syn::File>(expanded).expect("items").items;
        let blocks = items.iter().filter_map(|item| match item {
            syn::Item::Impl(block) => Some(block),
            _ => None,
        });
        let items = blocks.flat_map(|block| &block.items);
        items.map(|it| normal(it.to_token_stream())).collect()
    };
    let secret = normal("const IS_SECRET: ::core::primitive::bool = true;");
    let writes = |items: &[String]| items.iter().any(|it| it.starts_with("fndescribe_state"));
    let (plain, hidden) = (functions(""), functions("secret"));
    assert!(writes(&plain) && !plain.contains(&secret));
    assert!(!writes(&hidden) && hidden.contains(&secret));
}
