//! Arguments of the attribute: nothing, `#[module("geometry")]`, or
//! `#[module(protocol = "String.Chars", for = "Shop.Item")]`.

use otp_contract::erlang::is_module_name;
use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Ident, ItemMod, LitStr, Result, Token};

/// The prefix of the names of all modules that are written in Elixir.
const ELIXIR: &str = "Elixir.";

/// The length limit of a name.
const LONGEST: usize = 200;

/// The attribute's arguments.
pub(super) struct ModuleOptions {
    /// The Erlang module's name.
    pub(super) name: String,
    /// The Elixir protocol that it implements, and the module for this implementation, both with
    /// `Elixir.`.
    pub(super) protocol: Option<(String, String)>,
}

/// Parses the options. Without a name, the Erlang module has the name of the Rust module.
pub(super) fn read(options: TokenStream, module: &ItemMod) -> Result<ModuleOptions> {
    if !options.is_empty() {
        return syn::parse2(options);
    }
    let own = module.ident.unraw().to_string();
    let name = named(&LitStr::new(&own, module.ident.span()))?;
    let protocol = None;
    Ok(ModuleOptions { name, protocol })
}

impl Parse for ModuleOptions {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) {
            let name = named(&input.parse()?)?;
            let protocol = None;
            return Ok(ModuleOptions { name, protocol });
        }
        let protocol = option(input, "protocol")?;
        input.parse::<Token![,]>()?;
        let target = option(input, "for")?;
        let _: Option<Token![,]> = input.parse()?;
        let name = format!("{ELIXIR}{}.{}", protocol.value(), target.value());
        if name.len() >= LONGEST {
            return Err(Error::new(
                target.span(),
                "the two names are too long for that of a module",
            ));
        }
        let of_elixir = |alias: LitStr| format!("{ELIXIR}{}", alias.value());
        let protocol = Some((of_elixir(protocol), of_elixir(target)));
        Ok(ModuleOptions { name, protocol })
    }
}

/// Parses `key = "Name.In.Elixir"`.
fn option(input: ParseStream<'_>, expected: &str) -> Result<LitStr> {
    let key = input.call(Ident::parse_any)?;
    if key != expected {
        let message =
            "`#[module]` takes a name, or `protocol = \"String.Chars\", for = \"Shop.Item\"`";
        return Err(Error::new(key.span(), message));
    }
    input.parse::<Token![=]>()?;
    let name: LitStr = input.parse()?;
    if are_aliases(&name.value()) {
        Ok(name)
    } else {
        Err(Error::new(
            name.span(),
            "a module's name as in Elixir: names that begin with a capital, such as `Shop.Item`",
        ))
    }
}

/// Returns the Erlang module's name.
fn named(name: &LitStr) -> Result<String> {
    let value = name.value();
    let aliases = value.strip_prefix(ELIXIR);
    if is_module_name(&value) || value.len() < LONGEST && aliases.is_some_and(are_aliases) {
        return Ok(value);
    }
    Err(Error::new(
        name.span(),
        "a module's name is a lower-case letter, then letters, digits and `_`, or for Elixir `Elixir.` and names \
         that begin with a capital, such as `Elixir.Shop.Geometry`",
    ))
}

/// Returns whether the name has the form `Shop.Geometry`.
fn are_aliases(name: &str) -> bool {
    let is_alias = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_uppercase())
            && part
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    name.split('.').all(is_alias)
}
