//! The arguments of the compiler that builds a test. A test that runs the compiler itself passes it
//! these libraries, so that cargo does not build them twice.

use proc_macro::{Literal, TokenStream, TokenTree};

/// `&[…]`: the arguments of the compiler that this stands in, as texts.
#[proc_macro]
pub fn arguments(_: TokenStream) -> TokenStream {
    let texts = std::env::args().flat_map(|argument| {
        let comma = ",".parse::<TokenStream>().into_iter().flatten();
        std::iter::once(TokenTree::Literal(Literal::string(&argument))).chain(comma)
    });
    let list = proc_macro::Group::new(proc_macro::Delimiter::Bracket, texts.collect());
    let reference = "&".parse::<TokenStream>().into_iter().flatten();
    reference.chain([TokenTree::Group(list)]).collect()
}
