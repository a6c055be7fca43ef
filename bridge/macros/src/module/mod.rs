//! `#[module("geometry")] mod geometry { … }`: a Rust module becomes an Erlang module, whose functions are its
//! `pub fn`s.

mod expand;
mod function;
mod on_node;
mod output;
#[cfg(test)]
mod tests;

use otp_contract::erlang::is_module_name;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Error, Item, ItemMod, LitStr, Visibility};

use crate::resource;
use function::Function;

/// What the attribute becomes: the module, with its entry of the library's registry.
pub(crate) fn attribute(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut module = match syn::parse2::<ItemMod>(item) {
        Ok(module) => module,
        Err(error) => {
            let message = "`#[module]` stands above `mod name { … }`, whose `pub fn`s it exports";
            return Error::new(error.span(), message).into_compile_error();
        }
    };
    let mut errors = Errors(None);
    let name = errors.keep(name(options, &module));
    let functions = functions(&mut module, &mut errors);
    if let Some(name) = &name {
        adopt_resources(&mut module, name);
    }
    let entry = match (&errors.0, name) {
        (None, Some(name)) => {
            let (entry, on_node) = (
                expand::entry(&name, &module, &functions),
                on_node::module(&name, &module, &functions),
            );
            quote!(#entry #on_node)
        }
        (Some(error), _) => error.to_compile_error(),
        (None, None) => TokenStream::new(),
    };
    if let Some((_, items)) = &mut module.content {
        // The compiler would refuse it once more.
        items.retain(|item| !matches!(item, Item::Fn(item) if item.sig.receiver().is_some()));
        items.push(Item::Verbatim(entry));
        return module.into_token_stream();
    }
    entry
}

/// Mistakes that are reported together.
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

/// The Erlang module's name.
fn name(options: TokenStream, module: &ItemMod) -> syn::Result<String> {
    let own = module.ident.unraw().to_string();
    let name = match options.is_empty() {
        true => LitStr::new(&own, module.ident.span()),
        false => syn::parse2(options)?,
    };
    match is_module_name(&name.value()) || is_of_elixir(&name.value()) {
        true => Ok(name.value()),
        false => Err(Error::new(
            name.span(),
            "a module's name is a lower-case letter, then letters, digits and `_`, or for Elixir `Elixir.` and names \
             that begin with a capital, such as `Elixir.Shop.Geometry`",
        )),
    }
}

/// `Elixir.Shop.Geometry`
fn is_of_elixir(name: &str) -> bool {
    let is_alias = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_uppercase())
            && part
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    let aliases = name.strip_prefix("Elixir.");
    name.len() < 200 && aliases.is_some_and(|aliases| aliases.split('.').all(is_alias))
}

/// The exported functions. What the attributes of the module's functions say is taken off.
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

/// The resource types in the module are its opaque types, unless they say otherwise.
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

/// The path of what generated code names.
fn run_time() -> TokenStream {
    quote!(::otp_bridge::__private)
}
