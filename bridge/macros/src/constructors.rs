//! `#[constructors]` on `extern "Erlang" { … }`: generates the functions that construct the clauses
//! of callbacks' results.
//!
//! Each declaration becomes a function and a trait of the values that can be the clause, with the
//! trait's implementations. For another value, the compiler's message quotes the clause and the
//! callbacks that have it.
//!
//! | item | meaning |
//! |---|---|
//! | `#[callback = "m:init/1"] #[note = "-callback …"] type Init<State>;` | a return enum, and its description in messages |
//! | `#[converted(Actions)] #[erlang = "…"] #[note = "-type …"] type IntoActions;` | the types that convert into a type, and their description in messages |
//! | `pub fn ok<State>(state: State) -> impl IsOk<State>;` | a function, and its trait |
//! | `#[clause_of(Init, CodeChange)]` on a function | the enums that have the clause as a variant, named like the trait without `Is` |
//! | `#[clause_of(Init::Stop)]` | an enum whose variant has another name |
//! | `#[clause_of(Init, actions = Actions)]` | an enum for which the argument `actions` is converted into this type |

mod types;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, ExprLit, FnArg, ForeignItem, ForeignItemFn, ForeignItemType,
    GenericParam, ItemForeignMod, Lit, Meta, Pat, Path, Result, ReturnType, Token, TraitBound,
    Type, TypeParamBound,
};

use types::Types;

/// Expands a block to its functions, or to the compile error.
pub(crate) fn attribute(block: TokenStream) -> TokenStream {
    constructors(block).unwrap_or_else(Error::into_compile_error)
}

fn constructors(block: TokenStream) -> Result<TokenStream> {
    let block: ItemForeignMod = syn::parse2(block)?;
    let mut declared_types = Types::default();
    let mut written = TokenStream::new();
    for item in &block.items {
        match item {
            ForeignItem::Type(declared) => written.extend(declared_types.add(declared)?),
            ForeignItem::Fn(declared) => {
                written.extend(Constructor::read(declared, &declared_types)?.items()?);
            }
            other => return Err(Error::new(other.span(), "not a return enum or a function")),
        }
    }
    Ok(written)
}

/// Returns the texts of attributes `#[name = "…"]`.
pub(crate) fn texts(attributes: &[Attribute], name: &str) -> Result<Vec<String>> {
    let ours = attributes.iter().filter(|one| one.path().is_ident(name));
    let text = |attribute: &Attribute| match &attribute.meta.require_name_value()?.value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Ok(text.value()),
        other => Err(Error::new(other.span(), "not a text")),
    };
    ours.map(text).collect()
}

/// Escapes text for the format of `on_unimplemented`, where braces stand for parameters.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// `#[clause_of(…)]`: enums, and the types into which arguments are converted for them.
struct ClauseOf {
    enums: Vec<Path>,
    conversions: Vec<(Ident, Type)>,
}

impl Parse for ClauseOf {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut read = ClauseOf {
            enums: Vec::new(),
            conversions: Vec::new(),
        };
        while !input.is_empty() {
            if input.peek2(Token![=]) {
                let name = input.parse()?;
                input.parse::<Token![=]>()?;
                read.conversions.push((name, input.parse()?));
            } else {
                read.enums.push(input.call(Path::parse_mod_style)?);
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(read)
    }
}

/// One enum that has the clause.
struct Target<'b> {
    declared: &'b ForeignItemType,
    variant: Ident,
    conversions: Vec<(Ident, Type)>,
}

impl Target<'_> {
    fn conversion(&self, argument: &Ident) -> Option<&Type> {
        let mut all = self.conversions.iter();
        all.find(|(name, _)| name == argument).map(|(_, ty)| ty)
    }
}

/// An argument of the function: its type in the trait's function, and the conversion from the
/// user's value.
struct Argument {
    name: Ident,
    ty: TokenStream,
    value: TokenStream,
}

impl Argument {
    fn read(argument: &FnArg, types: &Types<'_>) -> Result<Self> {
        let FnArg::Typed(argument) = argument else {
            return Err(Error::new(argument.span(), "not an argument"));
        };
        let Pat::Ident(pattern) = &*argument.pat else {
            return Err(Error::new(argument.pat.span(), "not a name"));
        };
        let (name, ty) = (pattern.ident.clone(), &argument.ty);
        let span = name.span();
        let (ty, value) = match bound(ty) {
            None => (quote!(#ty), quote!(#name)),
            Some(bound) => match types.target(bound) {
                Some(target) => (
                    quote!(#target),
                    quote_spanned!(span=> ::core::convert::Into::into(#name)),
                ),
                None => {
                    let term = quote_spanned!(span=> ::otp_bridge::__private::Term);
                    let value = quote_spanned!(span=> #term::of(&#name));
                    (term, value)
                }
            },
        };
        Ok(Argument { name, ty, value })
    }
}

/// Returns the bound of `impl …`.
fn bound(ty: &Type) -> Option<&TraitBound> {
    let Type::ImplTrait(given) = ty else {
        return None;
    };
    given.bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(bound),
        _ => None,
    })
}

/// One function.
struct Constructor<'b> {
    declared: &'b ForeignItemFn,
    /// The trait with its parameters.
    bound: &'b TraitBound,
    erlang: String,
    arguments: Vec<Argument>,
    targets: Vec<Target<'b>>,
    types: &'b Types<'b>,
}

impl<'b> Constructor<'b> {
    fn read(declared: &'b ForeignItemFn, types: &'b Types<'b>) -> Result<Self> {
        let signature = &declared.sig;
        let bound = match &signature.output {
            ReturnType::Type(_, ty) => bound(ty),
            ReturnType::Default => None,
        };
        let bound = bound.ok_or_else(|| Error::new(signature.span(), "`-> impl …` is missing"))?;
        let erlang = texts(&declared.attrs, "doc")?.concat();
        let erlang = erlang.trim().trim_matches('`').to_owned();
        let arguments = signature.inputs.iter();
        let arguments = arguments.map(|argument| Argument::read(argument, types));
        let mut constructor = Constructor {
            declared,
            bound,
            erlang,
            arguments: arguments.collect::<Result<_>>()?,
            targets: Vec::new(),
            types,
        };
        for attribute in &declared.attrs {
            if attribute.path().is_ident("clause_of") {
                let ClauseOf {
                    enums: of,
                    conversions,
                } = attribute.parse_args()?;
                for path in &of {
                    let target = constructor.target(path, &conversions)?;
                    constructor.targets.push(target);
                }
            }
        }
        Ok(constructor)
    }

    fn target(&self, path: &Path, conversions: &[(Ident, Type)]) -> Result<Target<'b>> {
        let mut names = path.segments.iter().map(|segment| &segment.ident);
        let name = names.next();
        let declared = self.types.enums.iter().find(|one| Some(&one.ident) == name);
        let declared = declared.ok_or_else(|| Error::new(path.span(), "not declared before"))?;
        let variant = match names.next() {
            Some(variant) => variant.clone(),
            None => {
                let own = self.trait_name()?.to_string();
                format_ident!("{}", own.strip_prefix("Is").unwrap_or(&own))
            }
        };
        Ok(Target {
            declared,
            variant,
            conversions: conversions.to_vec(),
        })
    }

    fn trait_name(&self) -> Result<&'b Ident> {
        let last = self.bound.path.segments.last();
        let last = last.ok_or_else(|| Error::new(self.bound.span(), "not a trait"))?;
        Ok(&last.ident)
    }

    /// Returns the function's name. A function without arguments gets the span of its
    /// documentation: if it is called with arguments, the compiler quotes that line. For other
    /// functions the compiler quotes the declarations of their arguments.
    fn function(&self) -> Ident {
        let mut name = self.declared.sig.ident.clone();
        let doc = self.declared.attrs.first().map(|doc| &doc.meta);
        if let (Some(Meta::NameValue(doc)), true) = (doc, self.arguments.is_empty()) {
            name.set_span(doc.value.span());
        }
        name
    }

    /// Returns the span of errors.
    fn span(&self) -> Span {
        self.bound.path.span()
    }

    /// Returns the trait, its implementations and the function.
    fn items(&self) -> Result<TokenStream> {
        let (span, bound, name) = (self.span(), self.bound, self.trait_name()?);
        let signature = &self.declared.sig;
        let (visibility, function) = (&self.declared.vis, self.function());
        let (parameters, inputs) = (&signature.generics.params, &signature.inputs);
        let (names, types) = self.names_and_types();
        let values = self.arguments.iter().map(|argument| &argument.value);
        let message = self.message();
        let notes = self.notes()?;
        let trait_doc = format!(" A value that can be `{}`.", self.erlang);
        let doc = format!(" `{}`", self.erlang);
        let of_enums = self
            .targets
            .iter()
            .map(|target| self.implementation(target));
        let of_others = self.others();
        let result = quote_spanned!(span=> ::core::result::Result);
        let sized = quote_spanned!(span=> ::core::marker::Sized);
        Ok(quote_spanned! {span=>
            #[doc = #trait_doc]
            #[diagnostic::on_unimplemented(message = #message #(, note = #notes)*)]
            pub trait #name<#parameters>: #sized {
                #[doc = #doc]
                fn #function(#(#names: #types),*) -> Self;
            }
            #(#of_enums)*
            #of_others
            impl<__OtpValue: #bound, #parameters> #bound for #result<__OtpValue, ::otp_bridge::__private::Exit> {
                fn #function(#(#names: #types),*) -> Self { #result::Ok(__OtpValue::#function(#(#names),*)) }
            }
            #[doc = #doc]
            #visibility fn #function<__OtpValue: #bound, #parameters>(#inputs) -> __OtpValue {
                __OtpValue::#function(#(#values),*)
            }
        })
    }

    fn names_and_types(&self) -> (Vec<&Ident>, Vec<&TokenStream>) {
        let arguments = self.arguments.iter();
        arguments
            .map(|argument| (&argument.name, &argument.ty))
            .unzip()
    }

    /// Returns the implementation for an enum that has the clause.
    fn implementation(&self, target: &Target<'_>) -> TokenStream {
        let (span, bound) = (self.span(), self.bound);
        let (function, variant) = (&self.declared.sig.ident, &target.variant);
        let (enumeration, own) = (&target.declared.ident, &target.declared.generics.params);
        let mut parameters: Punctuated<GenericParam, Token![,]> = own.clone();
        let mut values = Vec::new();
        for Argument { name, ty, .. } in &self.arguments {
            match target.conversion(name) {
                Some(into) => {
                    let bound = self.types.bound(into);
                    parameters.push(syn::parse_quote!(#ty: #bound));
                    values.push(quote_spanned!(span=> ::core::convert::Into::into(#name)));
                }
                None => values.push(quote!(#name)),
            }
        }
        let (names, types) = self.names_and_types();
        let fields = (!values.is_empty()).then(|| quote!((#(#values),*)));
        quote_spanned! {span=>
            impl<#parameters> #bound for super::#enumeration<#own> {
                fn #function(#(#names: #types),*) -> Self { Self::#variant #fields }
            }
        }
    }

    fn message(&self) -> String {
        let types = match self.arguments.as_slice() {
            [] => "",
            _ => " of these types",
        };
        format!("`{{Self}}` cannot be `{}`{types}", escaped(&self.erlang))
    }

    /// Returns the implementation for the enums that do not have the clause. It makes an error name
    /// the callback, and quote no other.
    fn others(&self) -> TokenStream {
        let (span, bound) = (self.span(), self.bound);
        let (function, own) = (&self.declared.sig.ident, &self.declared.sig.generics.params);
        let (names, types) = self.names_and_types();
        let is_target = |one: &&&ForeignItemType| {
            let mut targets = self.targets.iter();
            targets.any(|target| target.declared.ident == one.ident)
        };
        let others = self.types.enums.iter().filter(|one| !is_target(one));
        let written = others.map(|other| {
            let (name, generics) = (&other.ident, &other.generics.params);
            let refused = types::refusal(name);
            let mut parameters = own.clone();
            let new = |one: &&GenericParam| !own.iter().any(|known| known == *one);
            parameters.extend(generics.iter().filter(new).cloned());
            quote_spanned! {span=>
                impl<#parameters> #bound for super::#name<#generics>
                where
                    for<'refused> ::core::marker::PhantomData<&'refused ()>: #refused,
                {
                    #[allow(unused_variables)]
                    fn #function(#(#names: #types),*) -> Self { ::core::unreachable!() }
                }
            }
        });
        quote!(#(#written)*)
    }

    /// Returns the callbacks that return the clause.
    fn notes(&self) -> Result<Vec<String>> {
        let mut callbacks: Vec<String> = Vec::new();
        for target in &self.targets {
            for callback in texts(&target.declared.attrs, "callback")? {
                let callback = format!("`{callback}`");
                if !callbacks.contains(&callback) {
                    callbacks.push(callback);
                }
            }
        }
        let clause = escaped(&self.erlang);
        Ok(if callbacks.is_empty() {
            Vec::new()
        } else {
            vec![format!(
                "`{clause}` is returned by {}",
                callbacks.join(", ")
            )]
        })
    }
}
