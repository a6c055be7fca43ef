//! The result of a function.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{
    Attribute, Error, GenericArgument, Lifetime, Meta, PathArguments, Result, ReturnType, Type,
    TypeReference,
};

/// The class of the exception that an error raises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Raises {
    Error,
    Exit,
    Throw,
}

impl Raises {
    /// Parses `#[raises]`, `#[raises(exit)]`.
    pub(super) fn read(attribute: &Attribute) -> Result<Self> {
        let class = match &attribute.meta {
            Meta::Path(_) => return Ok(Raises::Error),
            _ => attribute.parse_args::<syn::Ident>()?,
        };
        match class.to_string().as_str() {
            "error" => Ok(Raises::Error),
            "exit" => Ok(Raises::Exit),
            "throw" => Ok(Raises::Throw),
            _ => Err(Error::new(
                class.span(),
                "write `#[raises]`, `#[raises(exit)]` or `#[raises(throw)]`",
            )),
        }
    }

    fn class(self) -> TokenStream {
        match self {
            Raises::Error => quote!(::otp_bridge::process::Class::Error),
            Raises::Exit => quote!(::otp_bridge::process::Class::Exit),
            Raises::Throw => quote!(::otp_bridge::process::Class::Throw),
        }
    }
}

/// The result of a function.
pub(super) struct Output {
    /// The type of the value for Erlang: a `TermReturn`.
    pub(super) ty: TokenStream,
    /// Whether the function returns nothing, which is `ok` in Erlang.
    is_unit: bool,
    /// Whether it returns `Result<(), E>`.
    is_unit_or_error: bool,
    raises: Option<Raises>,
}

impl Output {
    pub(super) fn read(output: &ReturnType, raises: Option<Raises>) -> Result<Self> {
        let ty = match output {
            ReturnType::Type(_, ty) if !is_unit(ty) => ty,
            _ if raises.is_some() => {
                let message = "`#[raises]` stands above a function that returns a `Result`";
                return Err(Error::new(output.span(), message));
            }
            _ => {
                return Ok(Output {
                    ty: quote!(::otp_bridge::atoms::ok),
                    is_unit: true,
                    is_unit_or_error: false,
                    raises: None,
                });
            }
        };
        check(ty)?;
        let mut ty = (**ty).clone();
        let is_unit_or_error = with_arguments(&mut ty, |arguments| {
            arguments.first().is_some_and(|value| is_unit(value))
        });
        if raises.is_some() {
            let is_replaced = with_arguments(&mut ty, |arguments| match arguments {
                [_, error] => {
                    **error = syn::parse_quote_spanned!(error.span()=> ::otp_bridge::Exit);
                    true
                }
                _ => false,
            });
            if !is_replaced {
                let message = "`#[raises]` stands above a function that returns `Result<T, E>`";
                return Err(Error::new(ty.span(), message));
            }
        }
        let ty = if is_unit_or_error {
            quote_spanned!(ty.span()=> <#ty as ::otp_bridge::__private::UnitOrError>::Return)
        } else {
            ty.into_token_stream()
        };
        Ok(Output {
            ty,
            is_unit: false,
            is_unit_or_error,
            raises,
        })
    }

    /// Converts the value of the function's call.
    pub(super) fn of_call(&self, call: &TokenStream) -> TokenStream {
        if self.is_unit {
            return quote!({ #call; ::otp_bridge::atoms::ok });
        }
        let mut value = call.clone();
        if let Some(raises) = self.raises {
            let class = raises.class();
            value = quote!(#value.map_err(|__otp_error| ::otp_bridge::Exit::of_function(#class, __otp_error)));
        }
        if self.is_unit_or_error {
            value = quote!(::otp_bridge::__private::UnitOrError::into_return(#value));
        }
        value
    }
}

/// Returns whether the type is `()`.
fn is_unit(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// Changes the type arguments of a `Result`. Returns false for other types.
fn with_arguments(ty: &mut Type, change: impl FnOnce(&mut [&mut Type]) -> bool) -> bool {
    let Type::Path(path) = ty else { return false };
    let Some(last) = path
        .path
        .segments
        .last_mut()
        .filter(|last| last.ident == "Result")
    else {
        return false;
    };
    let PathArguments::AngleBracketed(arguments) = &mut last.arguments else {
        return false;
    };
    let types = arguments
        .args
        .iter_mut()
        .filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        });
    change(&mut types.collect::<Vec<_>>())
}

/// Checks that the result does not borrow from the arguments, which end with the call.
fn check(ty: &Type) -> Result<()> {
    struct Borrows(Option<proc_macro2::Span>);

    impl VisitMut for Borrows {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            if lifetime.ident != "static" {
                self.0 = Some(lifetime.span());
            }
        }

        fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
            if reference.lifetime.is_none() {
                self.0 = Some(reference.and_token.span);
            }
            syn::visit_mut::visit_type_reference_mut(self, reference);
        }
    }

    let message = "a function of an Erlang module cannot return a borrowed value: return an owned value (`String`, \
                   `Vec<T>`) or a `&'static` one";
    if let Type::ImplTrait(ty) = ty {
        let message = "write the type that the function returns: its Erlang type is in the `-spec`";
        return Err(Error::new(ty.span(), message));
    }
    let mut borrows = Borrows(None);
    borrows.visit_type_mut(&mut ty.clone());
    match borrows.0 {
        None => Ok(()),
        Some(_) => Err(Error::new_spanned(quote_spanned!(ty.span()=> #ty), message)),
    }
}
