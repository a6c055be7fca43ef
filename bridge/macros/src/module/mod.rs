//! `#[module("geometry")] mod geometry { … }`: makes a Rust module an Erlang module whose functions
//! are its `pub fn`s.

mod expand;
mod function;
mod on_node;
mod options;
mod output;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Error, Item, ItemMod, Visibility};

use crate::resource;
use function::Function;

/// Expands the attribute to the module, with its entry in the library's registry.
pub(crate) fn attribute(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut module = match syn::parse2::<ItemMod>(item) {
        Ok(module) => module,
        Err(error) => {
            let message = "`#[module]` stands above `mod name { … }`, whose `pub fn`s it exports";
            return Error::new(error.span(), message).into_compile_error();
        }
    };
    let mut errors = Errors(None);
    let options = errors.keep(options::read(options, &module));
    let functions = functions(&mut module, &mut errors);
    if let Some(options) = &options {
        adopt_resources(&mut module, &options.name);
    }
    let entry = match (&errors.0, options) {
        (None, Some(options)) => {
            let entry = expand::entry(&options, &module, &functions);
            let on_node = on_node::module(&options.name, &module, &functions);
            quote!(#entry #on_node)
        }
        (Some(error), _) => error.to_compile_error(),
        (None, None) => TokenStream::new(),
    };
    if let Some((_, items)) = &mut module.content {
        // Otherwise the compiler would reject it a second time.
        items.retain(|item| !matches!(item, Item::Fn(item) if item.sig.receiver().is_some()));
        items.push(Item::Verbatim(entry));
        return module.into_token_stream();
    }
    entry
}

/// Collects mistakes that are reported together.
struct Errors(Option<Error>);

impl Errors {
    fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                match &mut self.0 {
                    Some(errors) => errors.combine(error),
                    errors @ None => *errors = Some(error),
                }
                None
            }
        }
    }
}

/// Returns the exported functions, and removes this macro's attributes from the module's functions.
fn functions(module: &mut ItemMod, errors: &mut Errors) -> Vec<Function> {
    let span = module.ident.span();
    let Some((_, items)) = &mut module.content else {
        let message = "the functions of `#[module]` stand in the block of `mod name { … }`, not in a file of their own";
        errors.keep::<()>(Err(Error::new(span, message)));
        return Vec::new();
    };
    let mut functions: Vec<Function> = Vec::new();
    for item in items {
        let Item::Fn(item) = item else { continue };
        let is_exported = matches!(item.vis, Visibility::Public(_));
        let Some(function) = errors.keep(Function::read(item, is_exported)).flatten() else {
            continue;
        };
        let mut known = functions.iter();
        if known.any(|known| known.erlang == function.erlang) {
            let (name, arity) = &function.erlang;
            let message = format!(
                "there are two functions `{name}/{arity}`: give one of them another name by `#[erlang(name = \"…\")]`"
            );
            errors.keep::<()>(Err(Error::new(function.name.span(), message)));
        }
        functions.push(function);
    }
    if functions.is_empty() && errors.0.is_none() {
        let message = "the Erlang module has no function: a function is exported if it is `pub`";
        errors.keep::<()>(Err(Error::new(span, message)));
    }
    functions
}

/// Makes the resource types in the module its opaque types, unless their attributes name another
/// one.
fn adopt_resources(module: &mut ItemMod, name: &str) {
    for item in module.content.iter_mut().flat_map(|(_, items)| items) {
        let attributes = match item {
            Item::Struct(item) => &mut item.attrs,
            Item::Enum(item) => &mut item.attrs,
            _ => continue,
        };
        if attributes.iter().any(resource::is_derived)
            && !attributes.iter().any(resource::has_module)
        {
            attributes.push(syn::parse_quote!(#[resource(module = #name)]));
        }
    }
}

/// Returns the path of the items for generated code.
fn run_time() -> TokenStream {
    quote!(::otp_bridge::__private)
}
