//! Arguments of the attribute: `#[gen_server(module = "counter")]`.

use otp_contract::erlang::is_module_name;
use syn::parse::{Parse, ParseStream};

/// The attribute's arguments.
#[derive(Default)]
pub(crate) struct Options {
    /// Name of the Erlang module, where it is not the type's name in snake case.
    pub(crate) module: Option<syn::LitStr>,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut options = Options::default();
        while !input.is_empty() {
            let key: syn::Ident = input.parse()?;
            if key != "module" {
                let message = format!("unknown option `{key}`; there is `module = \"name\"`");
                return Err(syn::Error::new(key.span(), message));
            }
            input.parse::<syn::Token![=]>()?;
            let name: syn::LitStr = input.parse()?;
            if !is_module_name(&name.value()) {
                let message =
                    "a module's name is a lower-case letter, then letters, digits and `_`";
                return Err(syn::Error::new(name.span(), message));
            }
            options.module = Some(name);
            if !input.is_empty() {
                input.parse::<syn::Token![,]>()?;
            }
        }
        Ok(options)
    }
}
