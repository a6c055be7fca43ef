//! `#[term(skip)]`: fields at the end that do not belong to the term. Only `derive(ToTerm)` has it,
//! because such fields could not be decoded.

use syn::{Attribute, Data, DeriveInput, Error, Fields, Result};

/// Returns the input without the skipped fields.
pub(super) fn without_skipped(mut input: DeriveInput) -> Result<DeriveInput> {
    match &mut input.data {
        Data::Struct(data) => remove(&mut data.fields)?,
        Data::Enum(data) => data
            .variants
            .iter_mut()
            .try_for_each(|variant| remove(&mut variant.fields))?,
        Data::Union(_) => {}
    }
    Ok(input)
}

fn remove(fields: &mut Fields) -> Result<()> {
    let Fields::Unnamed(list) = fields else {
        return Ok(());
    };
    let Some(first) = list
        .unnamed
        .iter()
        .position(|field| is_skipped(&field.attrs))
    else {
        return Ok(());
    };
    if let Some(kept) = list
        .unnamed
        .iter()
        .skip(first)
        .find(|field| !is_skipped(&field.attrs))
    {
        let message = "a field that is part of the term cannot follow one that is skipped";
        return Err(Error::new_spanned(kept, message));
    }
    let kept = std::mem::take(&mut list.unnamed).into_iter().take(first);
    list.unnamed = kept.collect();
    if first == 0 {
        *fields = Fields::Unit;
    }
    Ok(())
}

fn is_skipped(attributes: &[Attribute]) -> bool {
    let skip = |attribute: &Attribute| {
        attribute.path().is_ident("term")
            && attribute
                .parse_args::<syn::Ident>()
                .is_ok_and(|name| name == "skip")
    };
    attributes.iter().any(skip)
}
