//! `#[from(…)]`.

use proc_macro2::TokenTree;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Result, Token, Type};

/// An option of `#[from(…)]`.
pub(super) enum FromOption {
    /// `none`
    None,
    /// `atom = name`
    Atom(Ident),
    /// `into`
    Into,
    /// `any`
    Any,
    /// `number`, `number = u64`
    Number(Option<Box<Type>>),
    /// `same`
    Same,
    Type(Box<Type>),
}

impl Parse for FromOption {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let word = input.fork().parse::<Ident>();
        let ahead = input.fork();
        let ends =
            ahead.parse::<TokenTree>().is_ok() && (ahead.is_empty() || ahead.peek(Token![,]));
        if let Ok(word) = word {
            let known = match word.to_string().as_str() {
                "none" => Some(FromOption::None),
                "into" => Some(FromOption::Into),
                "number" => Some(FromOption::Number(None)),
                "any" => Some(FromOption::Any),
                "same" => Some(FromOption::Same),
                _ => None,
            };
            if let (Some(known), true) = (known, ends) {
                input.parse::<Ident>()?;
                return Ok(known);
            }
            if word == "atom" && ahead.peek(Token![=]) {
                input.parse::<Ident>()?;
                input.parse::<Token![=]>()?;
                return input.parse().map(FromOption::Atom);
            }
            if word == "number" && ahead.peek(Token![=]) {
                input.parse::<Ident>()?;
                input.parse::<Token![=]>()?;
                let ty = input.parse()?;
                return Ok(FromOption::Number(Some(Box::new(ty))));
            }
        }
        input.parse().map(Box::new).map(FromOption::Type)
    }
}

/// Reads all options of one item.
pub(super) fn read(attributes: &[Attribute]) -> Result<Vec<FromOption>> {
    let mut found = Vec::new();
    for attribute in attributes {
        if attribute.path().is_ident("from") {
            let parse = Punctuated::<FromOption, Token![,]>::parse_terminated;
            found.extend(attribute.parse_args_with(parse)?);
        }
    }
    Ok(found)
}
