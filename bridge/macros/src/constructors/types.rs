//! The types of a `#[constructors]` block: return enums, and types into which values are converted.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, ForeignItemType, Path, Result, TraitBound, Type};

use super::{escaped, texts};

/// The types that the block has declared up to this point.
#[derive(Default)]
pub(super) struct Types<'b> {
    pub(super) enums: Vec<&'b ForeignItemType>,
    /// Traits of convertible values, each with the type that they convert into.
    converted: Vec<(&'b Ident, Path)>,
}

impl<'b> Types<'b> {
    /// Adds a type, and returns its trait.
    pub(super) fn add(&mut self, declared: &'b ForeignItemType) -> Result<TokenStream> {
        let is_converted = |one: &&Attribute| one.path().is_ident("converted");
        match declared.attrs.iter().find(is_converted) {
            Some(attribute) => {
                let into: Path = attribute.parse_args()?;
                let written = converted(declared, &into)?;
                self.converted.push((&declared.ident, into));
                Ok(written)
            }
            None => {
                self.enums.push(declared);
                refused(declared)
            }
        }
    }

    /// Returns the type into which values with this bound are converted.
    pub(super) fn target(&self, bound: &TraitBound) -> Option<&Path> {
        let mut all = self.converted.iter();
        let found = all.find(|(name, _)| bound.path.is_ident(*name));
        found.map(|(_, into)| into)
    }

    /// Returns the trait of the values that convert into this type.
    pub(super) fn bound(&self, into: &Type) -> TokenStream {
        let text = into.to_token_stream().to_string();
        let mut all = self.converted.iter();
        match all.find(|(_, path)| path.to_token_stream().to_string() == text) {
            Some((name, _)) => name.to_token_stream(),
            None => quote!(::core::convert::Into<#into>),
        }
    }
}

/// Returns the trait of the values that convert into a type. The message about any other value
/// quotes the forms of the type.
fn converted(declared: &ForeignItemType, into: &Path) -> Result<TokenStream> {
    let name = &declared.ident;
    let erlang = texts(&declared.attrs, "erlang")?.concat();
    let message = format!("`{{Self}}` is not `{}`", escaped(&erlang));
    let label = format!("OTP takes `{}` here", escaped(&erlang));
    let notes = texts(&declared.attrs, "note")?;
    let notes = notes.iter().map(|note| escaped(note));
    let doc = format!(" What converts into `{erlang}`.");
    Ok(quote! {
        #[doc = #doc]
        #[diagnostic::on_unimplemented(message = #message, label = #label #(, note = #notes)*)]
        pub trait #name: ::core::convert::Into<#into> {}

        #[diagnostic::do_not_recommend]
        impl<__OtpValue: ::core::convert::Into<#into>> #name for __OtpValue {}
    })
}

/// Returns the name of the trait that no enum implements.
pub(super) fn refusal(enumeration: &Ident) -> Ident {
    format_ident!("Refused{enumeration}")
}

/// Returns the trait that a clause requires of an enum without this clause. Its message quotes the
/// enum's callback.
fn refused(declared: &ForeignItemType) -> Result<TokenStream> {
    let name = refusal(&declared.ident);
    let callback = texts(&declared.attrs, "callback")?.concat();
    let message = format!("`{callback}` cannot return this clause here");
    let label = format!("not a clause that `{callback}` may return");
    let notes = texts(&declared.attrs, "note")?;
    let notes = notes.iter().map(|note| escaped(note));
    let doc = format!(" What `{callback}` does not return.");
    Ok(quote! {
        #[doc(hidden)]
        #[doc = #doc]
        #[diagnostic::on_unimplemented(message = #message, label = #label #(, note = #notes)*)]
        pub trait #name {}
    })
}
