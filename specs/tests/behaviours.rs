//! `supervisor` and `gen_server` of the installed OTP: source and BEAM file agree, and can be
//! resolved.

mod support;

use otp_specs::ast::FormKind;
use otp_specs::types::{Builtin, Function, Module, Type};
use otp_specs::{Parsed, Trusting, resolve};

fn both(module: &str) -> (Parsed, Parsed) {
    let stdlib = support::application("stdlib");
    let source = support::source(&stdlib.join(format!("src/{module}.erl")));
    let beam = support::beam(&stdlib.join(format!("ebin/{module}.beam")));
    (source, beam)
}

#[test]
fn source_and_beam_give_the_same_tree() {
    for module in ["supervisor", "gen_server"] {
        let (source, beam) = both(module);
        assert_eq!(source.diagnostics, []);
        assert_eq!(beam.diagnostics, []);
        assert_eq!(source.module.name.as_deref(), Some(module));
        assert_eq!(source.module.name, beam.module.name);
        assert!(source.module.forms.len() > 30);
        assert_eq!(source.module.forms.len(), beam.module.forms.len());
        for (from_source, from_beam) in source.module.forms.iter().zip(&beam.module.forms) {
            assert_eq!(from_source, from_beam);
        }
    }
}

fn resolved(module: &str) -> Module {
    let (source, _) = both(module);
    let (resolved, diagnostics) = resolve(&source.module, &mut Trusting);
    assert_eq!(diagnostics, []);
    resolved
}

fn callback<'m>(module: &'m Module, name: &str) -> &'m Function {
    module
        .callbacks
        .iter()
        .find(|callback| callback.name == name)
        .expect("the callback exists")
}

#[test]
fn a_supervisor_has_its_callback_and_types() {
    let supervisor = resolved("supervisor");
    let init = callback(&supervisor, "init");
    assert!(
        init.erlang
            .starts_with("-callback init(Args :: term()) -> {ok, {SupFlags :: ")
    );
    assert!(init.erlang.ends_with("| ignore."));
    assert!(!init.optional);
    assert_eq!(
        init.clauses[0].params,
        [Type::Annotated("Args".into(), Box::new(Type::Any))]
    );
    let shutdown = supervisor
        .types
        .iter()
        .find(|ty| ty.name == "shutdown")
        .expect("a type");
    let members = vec![
        Type::Atom("brutal_kill".into()),
        Type::Builtin(Builtin::Timeout),
    ];
    assert_eq!(shutdown.body, Type::Union(members));
    assert_eq!(
        shutdown.erlang,
        "-type shutdown() :: brutal_kill | timeout()."
    );
    assert!(
        supervisor
            .types
            .iter()
            .any(|ty| ty.name == "child_spec" && ty.exported)
    );
    assert!(
        supervisor
            .types
            .iter()
            .any(|ty| ty.name == "shutdown" && !ty.exported)
    );
}

#[test]
fn bounds_stand_at_each_use_of_their_variable() {
    let supervisor = resolved("supervisor");
    let delete = supervisor
        .functions
        .iter()
        .find(|function| function.name == "delete_child");
    let clause = &delete.expect("a function").clauses[0];
    let Type::Annotated(name, bound) = &clause.params[0] else {
        panic!("{clause:?}")
    };
    assert_eq!(name, "SupRef");
    assert!(matches!(&**bound, Type::Named(named, _) if named.name == "sup_ref"));
}

#[test]
fn a_gen_server_has_optional_callbacks_and_remote_types() {
    let server = resolved("gen_server");
    assert!(!callback(&server, "handle_call").optional);
    assert!(callback(&server, "handle_info").optional);
    assert!(callback(&server, "terminate").optional);
    let start_link = server
        .functions
        .iter()
        .find(|function| function.name == "start_link");
    assert!(start_link.expect("a function").exported);
    let invalid = |function: &Function| format!("{function:?}").contains("Invalid");
    assert!(!server.functions.iter().any(invalid));
}

#[test]
fn the_text_of_a_form_reads_back_as_the_form() {
    for module in ["supervisor", "gen_server"] {
        let (source, _) = both(module);
        let printable = |kind: &FormKind| !matches!(kind, FormKind::Record(_));
        for entry in source
            .module
            .forms
            .iter()
            .filter(|entry| printable(&entry.form.kind))
        {
            let text = otp_specs::print::form(&entry.form);
            let options = otp_specs::Options::default();
            let again = otp_specs::parse_source(
                "printed.erl",
                text.as_bytes(),
                &otp_specs::NoIncludes,
                &options,
            );
            assert_eq!(again.diagnostics, [], "{text}");
            assert_eq!(otp_specs::print::form(&again.module.forms[0].form), text);
        }
    }
}
