//! `impl BorrowTerm`: types with one lifetime, whose values borrow from the term that they are
//! decoded from.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, Result};

use super::model::{Item, TermForm};
use super::{check, from_term, shape, watch};

/// Rejects types that cannot be borrowed.
pub(super) fn check(item: &Item) -> Result<()> {
    if item.generics.params.len() > 1 {
        let message = "a type that borrows from its term has one lifetime and no other parameter";
        return Err(Error::new_spanned(&item.generics.params, message));
    }
    if from_term::has_members(item) {
        let message = "the variants of a type that borrows from its term have tags";
        return Err(Error::new(item.name.span(), message));
    }
    for (_, form) in item.forms() {
        if let TermForm::Map(map) = form
            && let Some(rest) = map.rest.as_ref().filter(|rest| rest.ty.borrows())
        {
            let message = "a field with `rest` owns its keys and values";
            return Err(Error::new_spanned(&rest.ty, message));
        }
    }
    Ok(())
}

pub(super) fn implementation(item: &Item) -> TokenStream {
    let name = &item.name;
    let forms = item.forms_of(&quote!(#name));
    let constants = shape::constants(item);
    let (read, check) = (from_term::read_tagged(&forms), check::tagged(&forms));
    let check_header = check::header();
    let watch = watch::matched(&forms, &quote!(__otp_value));
    quote! {
        #[diagnostic::do_not_recommend]
        impl ::otp_bridge::term::BorrowTerm for #name<'static> {
            type Of<'__otp_view> = #name<'__otp_view>;

            #constants

            fn borrow<'__otp_view, __OtpView: ::otp_bridge::term::View<'__otp_view>>(
                __otp_view: __OtpView,
                __otp_reader: ::otp_bridge::term::Reader<'_>,
            ) -> ::std::result::Result<#name<'__otp_view>, ::otp_bridge::term::DecodeError> {
                let _ = __otp_reader;
                #read
            }

            fn check #check_header {
                let _ = __otp_reader;
                #check
            }

            #[allow(unused_variables)]
            fn watch(__otp_value: &mut #name<'_>, __otp_watcher: ::otp_bridge::term::Watcher<'_>) {
                #watch
            }
        }
    }
}
