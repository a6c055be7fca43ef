use super::*;

fn signature(arguments: &[&str], returns: &[&str]) -> Signature {
    let all = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Signature {
        arguments: all(arguments),
        returns: all(returns),
    }
}

#[test]
fn clauses_are_a_union_in_each_position() {
    let clause = |request: &str, reply: &str| {
        signature(&[request, "state()"], &[reply, "{noreply, state()}"])
    };
    let clauses = [clause("get", "{reply, 1}"), clause("add", "{reply, 2}")];
    assert_eq!(
        Signature::union(&clauses),
        signature(
            &["get | add", "state()"],
            &["{reply, 1}", "{noreply, state()}", "{reply, 2}"]
        )
    );
    assert_eq!(Signature::union([]), Signature::default());
}

#[cfg(feature = "serde")]
fn at(column: u32) -> Location {
    Location {
        file: "src/\"door\".rs".to_owned(),
        line: 12,
        column,
    }
}

#[cfg(feature = "serde")]
fn callback() -> Callback {
    Callback {
        id: 7,
        name: "callback_mode".to_owned(),
        arity: 0,
        doc: "Two\nlines.".to_owned(),
        facts: CallbackFacts {
            state: Some(2),
            has_error: true,
            ..CallbackFacts::of(CallbackKind::Mode)
        },
        replies: vec![ReplyPosition {
            tag: "reply".to_owned(),
            size: 3,
            index: 1,
        }],
        answer: vec!["state_functions".to_owned()],
        signature: signature(&[], &["[state_functions, ...]"]),
        clauses: vec![Clause {
            message: "Get".to_owned(),
            location: at(5),
            signature: signature(&["get"], &["state_functions"]),
        }],
    }
}

#[cfg(feature = "serde")]
#[test]
fn what_is_written_is_read() {
    let full = Module {
        module: "door".to_owned(),
        behaviour: Some("gen_statem".to_owned()),
        protocol: Some(Protocol {
            protocol: "Elixir.String.Chars".to_owned(),
            target: "Elixir.Shop.Item".to_owned(),
        }),
        rust_path: "shop::door::Door".to_owned(),
        location: at(1),
        doc: "A *door*.".to_owned(),
        state: Some("data".to_owned()),
        types: vec![TypeDefinition {
            name: "by".to_owned(),
            text: "'a \"b\"' | 'c\\n'".to_owned(),
            is_opaque: true,
            doc: "Who *opened* it.".to_owned(),
        }],
        callbacks: vec![callback()],
        left_out: vec![LeftOut {
            name: "format_status".to_owned(),
            arity: 1,
            facts: CallbackFacts::of(CallbackKind::Status),
            signature: signature(&["gen_statem:format_status()"], &["term()"]),
        }],
        start: vec![StartFunction {
            name: "start_link".to_owned(),
            arguments: vec![MODULE_ARGUMENT.to_owned(), START_ARGUMENT.to_owned()],
            signature: signature(&["{}"], &["gen_statem:start_ret()"]),
        }],
        refuses_command_line: Some("expected {}, got []".to_owned()),
        used_names: vec![UsedName {
            name: "'the store'".to_owned(),
            module: "store".to_owned(),
            callback: "handle_call".to_owned(),
            clause: "Get".to_owned(),
            method: "call".to_owned(),
            message: String::new(),
            waits: true,
            is_in_closure: false,
            is_conditional: true,
            location: at(7),
        }],
    };
    let empty = Module {
        behaviour: None,
        state: None,
        types: Vec::new(),
        callbacks: Vec::new(),
        left_out: Vec::new(),
        start: Vec::new(),
        refuses_command_line: None,
        used_names: Vec::new(),
        ..full.clone()
    };
    let manifest = Manifest {
        modules: vec![full, empty],
    };
    assert_eq!(Manifest::from_json(&manifest.to_json()), Ok(manifest));
}
