//! `#[term(…)]` and `#[reply(…)]`.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Attribute, Error, LitStr, Result, Type};

/// The attributes of a type, a variant or a field, each with its span.
#[derive(Default)]
pub(super) struct Attributes {
    pub(super) transparent: Option<Span>,
    pub(super) untagged: Option<Span>,
    pub(super) tuple: Option<Span>,
    pub(super) record: Option<Span>,
    pub(super) optional: Option<Span>,
    pub(super) exact: Option<Span>,
    pub(super) rest: Option<Span>,
    pub(super) tag: Option<LitStr>,
    pub(super) key: Option<LitStr>,
}

/// An item that may have attributes, with the names of these attributes.
#[derive(Clone, Copy)]
pub(super) struct Carrier {
    name: &'static str,
    known: &'static [&'static str],
}

pub(super) const STRUCT: Carrier = Carrier {
    name: "a struct",
    known: &["transparent", "tuple", "record", "tag", "exact"],
};
pub(super) const ENUM: Carrier = Carrier {
    name: "an enum",
    known: &[],
};
pub(super) const VARIANT: Carrier = Carrier {
    name: "a variant",
    known: &["untagged", "tuple", "record", "tag"],
};
pub(super) const FIELD: Carrier = Carrier {
    name: "a field",
    known: &["optional", "key", "rest"],
};

impl Carrier {
    fn unknown(self, name: &str) -> String {
        if self.known.is_empty() {
            return format!(
                "unknown attribute `{name}`: {} has none, its variants have",
                self.name
            );
        }
        format!(
            "unknown attribute `{name}`: {} may have {}",
            self.name,
            enumeration(self.known)
        )
    }
}

/// Returns "`a`, `b` or `c`".
fn enumeration(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Reads all `#[term(…)]` of an item.
pub(super) fn read(attributes: &[Attribute], carrier: Carrier) -> Result<Attributes> {
    let mut found = Attributes::default();
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("term"))
    {
        attribute.parse_nested_meta(|meta| {
            let name = meta
                .path
                .get_ident()
                .map(ToString::to_string)
                .unwrap_or_default();
            if !carrier.known.contains(&name.as_str()) {
                return Err(meta.error(carrier.unknown(&name)));
            }
            let span = meta.path.span();
            match name.as_str() {
                "tag" => once(&mut found.tag, &name, span, meta.value()?.parse()?),
                "key" => once(&mut found.key, &name, span, meta.value()?.parse()?),
                "transparent" => once(&mut found.transparent, &name, span, span),
                "untagged" => once(&mut found.untagged, &name, span, span),
                "tuple" => once(&mut found.tuple, &name, span, span),
                "record" => once(&mut found.record, &name, span, span),
                "exact" => once(&mut found.exact, &name, span, span),
                "rest" => once(&mut found.rest, &name, span, span),
                _ => once(&mut found.optional, &name, span, span),
            }
        })?;
    }
    Ok(found)
}

fn once<T>(carrier: &mut Option<T>, name: &str, span: Span, value: T) -> Result<()> {
    match carrier.replace(value) {
        None => Ok(()),
        Some(_) => Err(Error::new(span, format!("`{name}` stands here twice"))),
    }
}

/// Reads `#[reply(Type)]`.
pub(super) fn reply(attributes: &[Attribute]) -> Result<Option<Type>> {
    let mut found = None;
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("reply"))
    {
        let ty = attribute.parse_args().map_err(|_| {
            let message = "`#[reply(Type)]` takes the type of the reply: `#[reply(u64)]`";
            Error::new(attribute.span(), message)
        })?;
        once(&mut found, "reply", attribute.path().span(), ty)?;
    }
    Ok(found)
}
