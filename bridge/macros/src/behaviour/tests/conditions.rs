//! The compiler evaluates conditions in a block.

use proc_macro2::TokenStream;

use super::super::{attribute, decided};
use super::normal;

fn expanded(block: &str) -> String {
    let behaviour = syn::parse_quote!(bridge::gen_server);
    let block: TokenStream = block.parse().expect("tokens");
    normal(attribute(&behaviour, TokenStream::new(), block))
}

#[test]
fn the_compiler_decides_on_clauses_and_arguments() {
    for item in [
        "#[cfg(unix)] fn handle_cast(&mut self, _: Go) -> HandleCast { noreply() }",
        "#[doc = \"\"] #[cfg_attr(unix, dirty(cpu))] fn handle_cast(&mut self, _: Go) -> HandleCast { noreply() }",
        "fn handle_cast(&mut self, _: Go, #[cfg(unix)] _: Unix) -> HandleCast { noreply() }",
        "#[cfg(unix)] type Args = u64;",
    ] {
        let text = expanded(&format!("impl GenServer for Counter {{ {item} }}"));
        assert!(text.starts_with("#[derive("), "{text}");
    }
}

#[test]
fn a_block_without_conditions_is_handed_over_as_it_is() {
    for item in [
        "fn handle_cast(&mut self, _: Go) -> HandleCast { #[cfg(unix)] go(); noreply() }",
        "fn handle_cast(&mut self, cfg: [cfg; 1]) -> HandleCast { noreply() }",
    ] {
        let block = format!("impl GenServer for Counter {{ {item} }}");
        let text = format!("bridge::gen_server::__describe! {{ {{}} {block} }}");
        assert_eq!(expanded(&block), normal(text));
    }
}

#[test]
fn what_is_left_goes_on_to_the_behaviour() {
    let holder = |value: &str| -> TokenStream {
        let of = "#[of(bridge::gen_server { secret })]";
        let text = format!("{of} enum Block {{ Is = {{ {value} 0 }} }}");
        text.parse().expect("tokens")
    };
    let block = "impl GenServer for Counter { type Args = u64; }";
    assert_eq!(
        normal(decided(holder(block))),
        normal(format!(
            "bridge::gen_server::__describe! {{ {{ secret }} {block} }}"
        )),
    );
    assert!(decided(holder("")).is_empty());
}
