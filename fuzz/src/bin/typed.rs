//! Reads any text as a term, a type and a name, as users type them. A term is printed, and must be
//! read as an equal term. The grammar of sources must read a type in the same way.
#![no_main]

use libfuzzer_sys::fuzz_target;
use otp_bridge::Term;
use otp_bridge_novm as _;
use otp_fuzz::seeds;
use otp_specs::ast::FormKind;
use otp_specs::{NoIncludes, Options, parse_source, parse_type, print};

fuzz_target!(init: otp_fuzz::prepare(seeds::typed), |bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(term) = text.parse::<Term>() {
        let again = term.to_string().parse::<Term>();
        assert_eq!(again.as_ref(), Ok(&term), "{text}");
    }
    let options = Options::default();
    if let Ok(ty) = parse_type(text, options.release) {
        let printed = print::written_type(&ty);
        let source = format!("%% coding: utf-8\n-type t() :: {printed}.\n");
        let parsed = parse_source("file.erl", source.as_bytes(), &NoIncludes, &options);
        let Some(FormKind::Type(form)) = parsed.module.forms.first().map(|one| &one.form.kind)
        else {
            // Only the grammar of sources checks names of variables and the like.
            return;
        };
        assert_eq!(print::written_type(&form.body), printed, "{text}");
    }
    otp_cli::__read_name(text);
});
