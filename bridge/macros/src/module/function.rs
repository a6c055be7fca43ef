//! One function of the module.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Error, FnArg, GenericParam, ItemFn, LitStr, Pat, Result, Safety, Type};

use super::output::{Output, Raises};
use crate::{attributes, behaviour, lifetimes};

/// The largest number of arguments: that of the longest call of the library.
const MOST: usize = otp_contract::limits::CALLBACK_ARITY;

/// A function that the Erlang module exports.
pub(super) struct Function {
    /// Its name in Rust.
    pub(super) name: Ident,
    /// Its name and arity in Erlang.
    pub(super) erlang: (String, usize),
    pub(super) arguments: Vec<FunctionArgument>,
    /// Whether its last argument is the context.
    pub(super) takes_context: bool,
    pub(super) is_async: bool,
    /// `dirty_cpu` or `dirty_io`.
    pub(super) dirty: Option<Ident>,
    /// Whether it stays on normal schedulers.
    pub(super) is_normal: bool,
    pub(super) output: Output,
    pub(super) doc: Vec<String>,
    /// `#[cfg(…)]`
    pub(super) conditions: Vec<Attribute>,
}

/// An argument of the Erlang function.
pub(super) struct FunctionArgument {
    /// A variable of Erlang.
    pub(super) name: String,
    /// The type that is decoded from the term.
    pub(super) ty: Type,
    /// Whether this type borrows from the term.
    pub(super) borrows: bool,
    /// Whether the function takes a reference to this type.
    pub(super) is_referred: bool,
    /// The owned type of a borrowed text or slice.
    pub(super) unsized_as: Option<Type>,
}

impl Function {
    /// Reads a function, and removes the attributes that are meant for this macro. Returns `None`
    /// if the function is not exported.
    pub(super) fn read(item: &mut ItemFn, is_exported: bool) -> Result<Option<Self>> {
        let is_normal = attributes::take_normal(&mut item.attrs)?;
        let dirty = attributes::take_dirty(&mut item.attrs)?;
        let renamed = attributes::take(&mut item.attrs, "erlang");
        let raises = attributes::take(&mut item.attrs, "raises");
        if !is_exported {
            let given = renamed.as_ref().or(raises.as_ref());
            return match (given, &dirty) {
                (None, None) if !is_normal => Ok(None),
                _ => Err(Error::new(
                    item.sig.ident.span(),
                    format!("`{}` is not exported: write `pub fn`", item.sig.ident),
                )),
            };
        }
        check(item)?;
        // A function that waits, or runs elsewhere, keeps its arguments for longer than the terms
        // live.
        let may_borrow = item.sig.asyncness.is_none() && dirty.is_none();
        let takes_context = item.sig.inputs.last().is_some_and(is_context);
        if takes_context {
            behaviour::check_function(item)?;
        }
        let arguments = arguments(item, takes_context, may_borrow)?;
        if arguments.len() > MOST {
            let message =
                format!("a function has at most {MOST} arguments: put some into a struct");
            return Err(Error::new(item.sig.ident.span(), message));
        }
        let own = || item.sig.ident.unraw().to_string();
        let name = renamed.map_or_else(|| Ok(own()), |attribute| renamed_to(&attribute))?;
        check_name(&name, arguments.len(), item)?;
        Ok(Some(Function {
            name: item.sig.ident.clone(),
            erlang: (name, arguments.len()),
            arguments: named_apart(arguments),
            takes_context,
            is_async: item.sig.asyncness.is_some(),
            dirty,
            is_normal,
            output: Output::read(
                &item.sig.output,
                raises.map(|it| Raises::read(&it)).transpose()?,
            )?,
            doc: attributes::doc_lines(&item.attrs),
            conditions: conditions(item),
        }))
    }

    /// Returns whether the function needs nothing from its process, so that it can be called
    /// directly.
    pub(super) fn is_direct(&self) -> bool {
        !self.takes_context && !self.is_async && self.dirty.is_none()
    }
}

fn conditions(item: &ItemFn) -> Vec<Attribute> {
    let attributes = item.attrs.iter();
    let conditions = attributes.filter(|attribute| attribute.path().is_ident("cfg"));
    conditions.cloned().collect()
}

/// Rejects functions that cannot be exported.
fn check(item: &ItemFn) -> Result<()> {
    let signature = &item.sig;
    let mut parameters = signature.generics.params.iter();
    if let Some(generic) = parameters.find(|it| !matches!(it, GenericParam::Lifetime(_))) {
        let message = "a function of an Erlang module is not generic: write the types that it takes, or an enum of them";
        return Err(Error::new(generic.span(), message));
    }
    if let Safety::Unsafe(word) = &signature.safety {
        return Err(Error::new(
            word.span(),
            "an exported function is called by safe code: remove `unsafe`",
        ));
    }
    Ok(())
}

/// Rejects names of functions that every Erlang module has.
fn check_name(name: &str, arity: usize, item: &ItemFn) -> Result<()> {
    let message = match (name, arity) {
        ("module_info", 0 | 1) => "each Erlang module has a function `module_info` already",
        ("behaviour_info", 1) => "`behaviour_info/1` makes a module a behaviour",
        ("", _) => "a function's name is not empty",
        _ if name.chars().count() > otp_contract::limits::ATOM_CHARACTERS => {
            "an atom has at most 255 characters"
        }
        _ => return Ok(()),
    };
    Err(Error::new(item.sig.ident.span(), message))
}

/// Reads `#[erlang(name = "area")]`.
fn renamed_to(attribute: &Attribute) -> Result<String> {
    let mut name = None;
    attribute.parse_nested_meta(|meta| {
        if !meta.path.is_ident("name") {
            return Err(meta.error("write `#[erlang(name = \"area\")]`"));
        }
        name = Some(meta.value()?.parse::<LitStr>()?.value());
        Ok(())
    })?;
    name.ok_or_else(|| Error::new(attribute.span(), "write `#[erlang(name = \"area\")]`"))
}

/// Returns the arguments before the context.
fn arguments(
    item: &ItemFn,
    takes_context: bool,
    may_borrow: bool,
) -> Result<Vec<FunctionArgument>> {
    let count = item.sig.inputs.len() - usize::from(takes_context);
    let inputs = item.sig.inputs.iter().take(count);
    if let Some(context) = inputs.clone().find(|it| is_context(it)) {
        let message = "the context is the last argument: Erlang's callers give the others";
        return Err(Error::new(context.span(), message));
    }
    inputs
        .enumerate()
        .map(|(index, input)| argument(index, input, may_borrow))
        .collect()
}

fn argument(index: usize, input: &FnArg, may_borrow: bool) -> Result<FunctionArgument> {
    let FnArg::Typed(input) = input else {
        let message = "a function of an Erlang module has no `self`: keep data between calls in a resource, which is an \
                       argument, or in the state of a process";
        return Err(Error::new(input.span(), message));
    };
    let name = match &*input.pat {
        Pat::Ident(name) => variable(&name.ident.unraw().to_string()),
        _ => None,
    };
    let unsized_as = match &*input.ty {
        Type::Reference(reference) if is_unsized(&reference.elem) => Some(owned(&reference.elem)),
        _ => None,
    };
    let (ty, borrows, is_referred) = match &*input.ty {
        Type::Reference(reference) if reference.mutability.is_some() => {
            let message = "an argument is taken by value (`mut name: Type`) or by `&Type`";
            return Err(Error::new(input.ty.span(), message));
        }
        Type::ImplTrait(ty) => {
            let message = "a function of an Erlang module is not generic: write the types that it takes, or an enum of them";
            return Err(Error::new(ty.span(), message));
        }
        ty if may_borrow && lifetimes::is_slice(ty) => {
            (lifetimes::renamed(ty, "'static"), true, false)
        }
        Type::Reference(reference) => {
            let (ty, borrows) = whole(&reference.elem, may_borrow)?;
            (ty, borrows, true)
        }
        ty => {
            let (ty, borrows) = whole(ty, may_borrow)?;
            (ty, borrows, false)
        }
    };
    Ok(FunctionArgument {
        name: name.unwrap_or_else(|| numbered(index)),
        ty,
        borrows,
        is_referred,
        unsized_as,
    })
}

/// Returns the type that is decoded for an argument that is not a slice, and whether it borrows.
fn whole(ty: &Type, may_borrow: bool) -> Result<(Type, bool)> {
    if !lifetimes::is_in(ty) {
        return Ok((owned(ty), false));
    }
    if may_borrow {
        Ok((lifetimes::renamed(ty, "'static"), true))
    } else {
        Err(Error::new_spanned(ty, lifetimes::BORROWED_ACROSS_AWAIT))
    }
}

fn is_unsized(borrowed: &Type) -> bool {
    lifetimes::is_primitive(borrowed, "str") || matches!(borrowed, Type::Slice(_))
}

/// Returns the type that is decoded for an argument that does not borrow from the term.
fn owned(borrowed: &Type) -> Type {
    let owned: TokenStream = match borrowed {
        ty if lifetimes::is_primitive(ty, "str") => quote!(::std::string::String),
        Type::Slice(slice) if lifetimes::is_primitive(&slice.elem, "u8") => {
            quote!(::otp_bridge::term::Binary)
        }
        Type::Slice(slice) => {
            let element = &slice.elem;
            quote!(::std::vec::Vec<#element>)
        }
        ty => quote!(#ty),
    };
    Type::Verbatim(owned)
}

/// Returns whether the argument is `cx: &Cx<'_>`.
fn is_context(input: &FnArg) -> bool {
    let FnArg::Typed(input) = input else {
        return false;
    };
    let Type::Reference(reference) = &*input.ty else {
        return false;
    };
    let Type::Path(path) = &*reference.elem else {
        return false;
    };
    path.path
        .segments
        .last()
        .is_some_and(|last| last.ident == "Cx")
}

/// Converts `max_size` into `MaxSize`.
fn variable(name: &str) -> Option<String> {
    let mut variable = String::new();
    for word in name.split('_').filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        variable.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        variable.push_str(letters.as_str());
    }
    let is_one =
        variable.starts_with(|first: char| first.is_ascii_uppercase()) && variable.is_ascii();
    is_one.then_some(variable)
}

fn numbered(index: usize) -> String {
    format!("Arg{}", index + 1)
}

/// Makes the names of the arguments distinct.
fn named_apart(mut arguments: Vec<FunctionArgument>) -> Vec<FunctionArgument> {
    for index in 1..arguments.len() {
        let (before, rest) = arguments.split_at_mut(index);
        if before.iter().any(|other| other.name == rest[0].name) {
            rest[0].name = numbered(index);
        }
    }
    arguments
}
