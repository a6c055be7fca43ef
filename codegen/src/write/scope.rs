//! Names of types in one scope of a generated file.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::complete::{Aliases, Complete};
use crate::ir::REPLY;
use crate::ir::{Callback, Module, RustType};
use crate::names::atom_identifier;

/// A scope of a generated file.
#[derive(Clone)]
pub(super) struct Scope<'m> {
    pub(super) module: &'m Module,
    pub(super) complete: &'m Complete<'m>,
    pub(super) aliases: &'m Aliases,
    /// Names at the top of the module. If a name of Rust's prelude is among them, the prelude's is
    /// written as a path.
    names: &'m BTreeSet<String>,
    /// Whether it is inside one of the module's own modules: `clause`, `callback`, `glue`.
    nested: bool,
    /// Type parameters, which shadow items of the same name.
    parameters: BTreeSet<String>,
    /// Replacements of the type parameters of the reply and of the state.
    replaced: Vec<(String, TokenStream)>,
}

impl<'m> Scope<'m> {
    /// The top of the module.
    pub(super) fn top(complete: &'m Complete<'m>, names: &'m BTreeSet<String>) -> Self {
        let parameters = BTreeSet::new();
        Scope {
            module: complete.module,
            complete,
            aliases: &complete.aliases,
            names,
            nested: false,
            parameters,
            replaced: Vec::new(),
        }
    }

    /// One of the module's own modules.
    pub(super) fn nested(&self) -> Self {
        Scope {
            nested: true,
            ..self.clone()
        }
    }

    /// An item with type parameters.
    pub(super) fn with_parameters(&self, parameters: &[String]) -> Self {
        Scope {
            parameters: parameters.iter().cloned().collect(),
            ..self.clone()
        }
    }

    /// A scope in which the reply and the state of `callback` are these types.
    pub(super) fn with_reply_and_state(
        &self,
        callback: &Callback,
        reply: TokenStream,
        state: TokenStream,
    ) -> Self {
        let replaced = vec![
            (REPLY.to_owned(), reply),
            (callback.parameters.state.clone(), state),
        ];
        Scope {
            replaced,
            ..self.clone()
        }
    }

    pub(super) fn ty(&self, ty: &RustType) -> TokenStream {
        match ty {
            RustType::Runtime(name, arguments) => {
                let (name, arguments) = (identifier(name), self.arguments(arguments));
                quote!(rt::#name #arguments)
            }
            RustType::Standard(name, arguments) => {
                let (name, arguments) = (self.standard(name), self.arguments(arguments));
                quote!(#name #arguments)
            }
            RustType::Primitive(path) => tokens(path),
            RustType::Ranged(primitive, low, high) => {
                let primitive = identifier(primitive);
                let (low, high) = (integer(*low), integer(*high));
                quote!(rt::Ranged<#primitive, #low, #high>)
            }
            RustType::Literal(number) => {
                let number = integer(*number);
                quote!(rt::Literal<#number>)
            }
            RustType::Bits(size, unit) => {
                let (size, unit) = (integer(i128::from(*size)), integer(i128::from(*unit)));
                quote!(rt::Bits<#size, #unit>)
            }
            RustType::Fun(arguments, result) => self.fun(arguments.as_deref(), result),
            RustType::Item {
                module,
                name,
                arguments,
            } => {
                let (path, arguments) = (self.item(module, name), self.arguments(arguments));
                quote!(#path #arguments)
            }
            RustType::Mapped { path, reply } => {
                let path = tokens(path);
                let reply = reply.iter().map(|reply| self.ty(reply));
                quote!(#path #(<#reply>)*)
            }
            RustType::Atom(atom) => self.atom(atom),
            RustType::Tuple(elements) => {
                let elements = elements.iter().map(|element| self.ty(element));
                quote!((#(#elements,)*))
            }
            RustType::Parameter(name) => self.parameter(name),
        }
    }

    fn fun(&self, arguments: Option<&[RustType]>, result: &RustType) -> TokenStream {
        let result = self.ty(result);
        match arguments {
            Some(arguments) => {
                let arguments = arguments.iter().map(|argument| self.ty(argument));
                quote!(rt::FunOf<fn(#(#arguments),*) -> #result>)
            }
            None => quote!(rt::FunOf<rt::AnyArguments<#result>>),
        }
    }

    fn parameter(&self, name: &str) -> TokenStream {
        let own = identifier(name);
        let replaced = self.replaced.iter().find(|(known, _)| known == name);
        replaced.map_or_else(|| quote!(#own), |(_, other)| other.clone())
    }

    fn arguments(&self, arguments: &[RustType]) -> TokenStream {
        if arguments.is_empty() {
            return TokenStream::new();
        }
        let arguments = arguments.iter().map(|argument| self.ty(argument));
        quote!(<#(#arguments),*>)
    }

    /// Returns the path of a generated item.
    pub(super) fn item(&self, module: &str, name: &str) -> TokenStream {
        // The run time's macros take these names without a path for those of the standard library.
        let hidden = self.parameters.contains(name) || ["Option", "Vec"].contains(&name);
        let item = identifier(name);
        let other = identifier(&self.complete.rust_modules.of(module));
        match (module == self.module.name, self.nested) {
            (true, true) => quote!(super::#item),
            (true, false) if hidden => quote!(self::#item),
            (true, false) => quote!(#item),
            (false, true) => quote!(super::super::#other::#item),
            (false, false) => quote!(super::#other::#item),
        }
    }

    /// Returns a type parameter for the writer's own use: `name`, unless it would shadow an item or
    /// a parameter.
    pub(super) fn type_parameter(&self, name: &str) -> Ident {
        let mut name = name.to_owned();
        while self.names.contains(&name) || self.parameters.contains(&name) {
            name.push('_');
        }
        identifier(&name)
    }

    /// Returns the path of an item of this module.
    pub(super) fn local_item(&self, name: &str) -> TokenStream {
        self.item(&self.module.name, name)
    }

    /// Returns the path of the unit struct of an atom.
    pub(super) fn atom(&self, atom: &str) -> TokenStream {
        let name = identifier(&atom_identifier(atom));
        if self.nested {
            quote!(super::atoms::#name)
        } else {
            quote!(atoms::#name)
        }
    }

    /// Returns a name of Rust's prelude, as a path if the module has an item of that name.
    pub(super) fn standard(&self, name: &str) -> TokenStream {
        let own = identifier(name);
        if !self.names.contains(name) && !self.parameters.contains(name) {
            return quote!(#own);
        }
        match name {
            "Vec" => quote!(::std::vec::Vec),
            "Box" => quote!(::std::boxed::Box),
            "Option" => quote!(::core::option::Option),
            "Some" => quote!(::core::option::Option::Some),
            "None" => quote!(::core::option::Option::None),
            "Result" => quote!(::core::result::Result),
            "Ok" => quote!(::core::result::Result::Ok),
            "From" | "Into" => quote!(::core::convert::#own),
            "Sized" | "Send" => quote!(::core::marker::#own),
            "FnOnce" => quote!(::core::ops::FnOnce),
            "Default" | "Debug" | "Clone" | "PartialEq" => quote!(::core::prelude::v1::#own),
            _ => quote!(#own),
        }
    }
}

/// Returns an identifier. Every name passed to it comes from `names`, or is a literal of a writer.
pub(super) fn identifier(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(keyword) => Ident::new_raw(keyword, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

/// Returns the tokens of a path or type that is written in this crate or was checked by `generate`.
pub(super) fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}

/// Returns a number as a literal, without a suffix.
fn integer(number: i128) -> TokenStream {
    let digits = proc_macro2::Literal::u128_unsuffixed(number.unsigned_abs());
    if number < 0 {
        quote!({ -#digits })
    } else {
        quote!(#digits)
    }
}

/// Returns a documentation comment of one or more lines.
pub(super) fn doc(text: &str) -> TokenStream {
    let lines = text.lines().map(|line| {
        if line.is_empty() {
            String::new()
        } else {
            format!(" {line}")
        }
    });
    quote!(#(#[doc = #lines])*)
}

/// Returns type parameters in angle brackets; no brackets if there are none.
pub(super) fn angle(parameters: &[TokenStream]) -> TokenStream {
    if parameters.is_empty() {
        TokenStream::new()
    } else {
        quote!(<#(#parameters),*>)
    }
}

/// Returns names of type parameters in angle brackets; no brackets if there are none.
pub(super) fn angle_names(parameters: &[String]) -> TokenStream {
    let names: Vec<TokenStream> = parameters
        .iter()
        .map(|name| {
            let name = identifier(name);
            quote!(#name)
        })
        .collect();
    angle(&names)
}
