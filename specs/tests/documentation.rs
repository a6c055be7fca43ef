//! Documentation of chunks joins the forms of abstract code.

mod support;

use std::fs;

use otp_specs::ast::{DocText, DocumentedKind, FormKind};
use otp_specs::parse_chunk;

/// The chunk of a module, if the documentation is installed.
#[allow(clippy::disallowed_methods)]
fn chunk(module: &str) -> Option<otp_specs::Parsed> {
    let path = support::application("stdlib").join(format!("doc/chunks/{module}.chunk"));
    let bytes = fs::read(&path).ok()?;
    Some(parse_chunk(&path.to_string_lossy(), &bytes))
}

#[test]
fn shapes_come_from_code_and_words_from_documentation() {
    let Some(documentation) = chunk("gen_server") else {
        return;
    };
    let stdlib = support::application("stdlib");
    let mut module = support::source(&stdlib.join("src/gen_server.erl")).module;
    let forms = module.forms.len();
    module.add_documentation(documentation.module);
    assert_eq!(module.forms.len(), forms);
    let Some(DocText::Text(text)) = module.doc.map(|doc| doc.text) else {
        panic!("no words")
    };
    assert!(text.contains("`gen_server`"));
    assert!(!text.contains("\n\n\n"));
    let doc_of = |name: &str| {
        let entry = module.forms.iter().find(|entry| match &entry.form.kind {
            FormKind::Function(form) => form.name == name,
            _ => false,
        });
        entry.and_then(|entry| entry.doc.clone())
    };
    let call = doc_of("send_request").expect("send_request is documented");
    assert!(matches!(&call.text, DocText::Text(text) if text.contains("request")));
    assert!(call.since.is_some());
    let format_status = module
        .documented
        .iter()
        .filter(|known| known.kind == DocumentedKind::Callback);
    let mut signatures = format_status.flat_map(|known| &known.signature);
    assert!(signatures.any(|line| line.starts_with("Module:handle_call(Request")));
}

#[test]
fn documentation_alone_gives_its_forms() {
    let Some(documentation) = chunk("lists") else {
        return;
    };
    assert_eq!(documentation.diagnostics, []);
    assert_eq!(documentation.module.name.as_deref(), Some("lists"));
    assert!(documentation.module.forms.len() > 50);
}
