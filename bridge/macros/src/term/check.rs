//! `FromTerm::__check`: checks whether a term has a form, without decoding it.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::{Entry, Field, Map, TermForm, field, fields};

/// Returns the signature after `fn __check`.
pub(super) fn header() -> TokenStream {
    quote! {
        <'__otp_view, __OtpView: ::otp_bridge::term::View<'__otp_view>>(
            __otp_view: __OtpView,
            __otp_reader: ::otp_bridge::term::Reader<'_>,
        ) -> ::std::result::Result<(), ::otp_bridge::term::Misfit>
    }
}

/// Returns the signature after `fn check_member`.
pub(super) fn member_header() -> TokenStream {
    quote! {
        <'__otp_view, __OtpView: ::otp_bridge::term::View<'__otp_view>>(
            __otp_member: ::core::primitive::usize,
            __otp_view: __OtpView,
            __otp_reader: ::otp_bridge::term::Reader<'_>,
        ) -> ::std::result::Result<(), ::otp_bridge::term::Misfit>
    }
}

/// Returns the result for a term that does not match.
pub(super) fn nowhere() -> TokenStream {
    quote!(::std::result::Result::Err(::otp_bridge::term::Misfit::HERE))
}

/// Checks forms if at most one of them can be that of a term.
pub(super) fn tagged(forms: &[(TokenStream, &TermForm)]) -> TokenStream {
    if let [(_, form)] = forms {
        return self::form(form);
    }
    let outer = outer(forms);
    let checks = forms
        .iter()
        .map(|(_, form)| where_outer(form, outer.is_some(), checked(form)));
    let nowhere = nowhere();
    quote! {
        #outer
        #(#checks)*
        #nowhere
    }
}

pub(super) fn form(form: &TermForm) -> TokenStream {
    let checked = checked(form);
    match form {
        TermForm::Transparent(_) => checked,
        _ => {
            let nowhere = nowhere();
            quote! {
                #checked
                #nowhere
            }
        }
    }
}

/// Returns the result if the term has the outer shape of the form.
fn checked(form: &TermForm) -> TokenStream {
    if let TermForm::Transparent(field) = form {
        let check = field.ty.check();
        return quote!(#check(__otp_view, __otp_reader));
    }
    let parts = has_parts(form).then(|| {
        let parts = parts(form);
        quote! {
            if let ::std::option::Option::Some(__otp_reader) = __otp_reader.parts() {
                #parts
            }
        }
    });
    let body = quote! {
        #parts
        return ::std::result::Result::Ok(());
    };
    within_shape(form, body)
}

pub(super) fn has_parts(form: &TermForm) -> bool {
    match form {
        TermForm::Atom(_) => false,
        TermForm::Tagged(_, fields) | TermForm::Tuple(fields) => !fields.is_empty(),
        TermForm::Map(map) => map.exact || map.rest.is_some() || !map.entries.is_empty(),
        TermForm::Transparent(_) => true,
    }
}

fn parts(form: &TermForm) -> TokenStream {
    match form {
        TermForm::Atom(_) | TermForm::Transparent(_) => TokenStream::new(),
        TermForm::Tagged(_, fields) | TermForm::Tuple(fields) => {
            fields.iter().enumerate().map(element).collect()
        }
        TermForm::Map(map) => keys(map),
    }
}

fn element((number, element): (usize, &Field)) -> TokenStream {
    let (name, check) = (field(number), element.ty.check());
    quote!(#check(#name, __otp_reader).map_err(::otp_bridge::term::Misfit::within)?;)
}

fn keys(map: &Map) -> TokenStream {
    let keys = map.entries.iter().map(key);
    let known = map.known_keys();
    let rest = map.rest.as_ref().map(|field| {
        if let Some(rest) = field.ty.rest() {
            return quote!(#rest::check(__otp_view, #known, __otp_reader)?;);
        }
        let ty = &field.ty;
        quote! {
            ::otp_bridge::term::derived::check_rest(
                __otp_view, #known, __otp_reader, <#ty as ::std::default::Default>::default,
            )?;
        }
    });
    let others = map
        .exact
        .then(|| quote!(::otp_bridge::term::derived::check_other_keys(__otp_view, #known)?;));
    quote!(#(#keys)* #rest #others)
}

fn key(entry: &Entry) -> TokenStream {
    let (place, is_optional) = (&entry.key.place, entry.optional);
    let check = entry.ty.check();
    let call = entry.ty.call(
        quote!(::otp_bridge::term::derived::check_key),
        quote!(__otp_view, &#place, #is_optional, __otp_reader, #check),
    );
    quote!(#call?;)
}

/// Reads once the parts of the term that distinguish several tagged tuples.
pub(super) fn outer(forms: &[(TokenStream, &TermForm)]) -> Option<TokenStream> {
    let is_tagged = |(_, form): &&(TokenStream, &TermForm)| matches!(form, TermForm::Tagged(..));
    let several = forms.iter().filter(is_tagged).count() > 1;
    several.then(|| quote!(let __otp_outer = ::otp_bridge::term::derived::Outer::of(__otp_view);))
}

/// Runs `look`, which checks whether the term has the form, if its outer shape allows it.
pub(super) fn where_outer(form: &TermForm, is_known: bool, look: TokenStream) -> TokenStream {
    match form {
        TermForm::Tagged(tag, elements) if is_known => {
            let (place, size) = (&tag.place, elements.len() + 1);
            quote!(if __otp_outer.is(#size, &#place) { #look })
        }
        _ => look,
    }
}

/// Runs `body` if the term has the outer shape of the form, with its parts bound.
///
/// It uses no `let` chains, because derived code is compiled in the edition of its user.
pub(super) fn within_shape(form: &TermForm, body: TokenStream) -> TokenStream {
    match form {
        TermForm::Atom(tag) => {
            let place = &tag.place;
            quote!(if __otp_view.is_atom(&#place) { #body })
        }
        TermForm::Tagged(tag, elements) => {
            let place = &tag.place;
            let size = elements.len() + 1;
            let names = fields(elements.len());
            quote! {
                if let ::std::option::Option::Some([__otp_tag, #(#names),*]) = __otp_view.tuple::<#size>() {
                    if __otp_tag.is_atom(&#place) { #body }
                }
            }
        }
        TermForm::Tuple(elements) => {
            let size = elements.len();
            let names = fields(size);
            quote! {
                if let ::std::option::Option::Some([#(#names),*]) = __otp_view.tuple::<#size>() { #body }
            }
        }
        TermForm::Transparent(_) => quote!({ #body }),
        TermForm::Map(_) => quote!(if __otp_view.map_size().is_some() { #body }),
    }
}
