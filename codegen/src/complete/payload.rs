//! Conversions into a variant that is neither an atom nor a tuple, and of `bool` into two atoms.

use super::accepts::{Accepts, Source, accepts, generic, is_types_own};
use super::given;
use crate::ir::{RustType, Variant, VariantShape};

/// Returns the conversions into the type of an untagged variant.
pub(super) fn from_payload(ty: &RustType, has_infinity: bool) -> Vec<(Source, Accepts)> {
    if is_types_own(ty) {
        return vec![(Source::Payload, accepts(ty.clone()))];
    }
    if generic(ty) || matches!(ty, RustType::Standard("Box", _)) {
        return Vec::new();
    }
    if *ty == RustType::Primitive("u64") && has_infinity {
        let duration = accepts(RustType::Primitive("::core::time::Duration"));
        return vec![
            (Source::Payload, accepts(ty.clone())),
            (Source::Milliseconds, duration),
        ];
    }
    let mut sources = vec![(Source::Payload, accepts(ty.clone()))];
    let RustType::Runtime(name, _) = ty else {
        return sources;
    };
    for path in given::first_written(name) {
        let ty = match path.strip_prefix("rt::") {
            Some(name) => RustType::Runtime(name, Vec::new()),
            None => RustType::Primitive(path),
        };
        sources.push((Source::Through(path), accepts(ty)));
    }
    if *ty == RustType::Runtime("Timeout", Vec::new()) {
        let duration = "::core::time::Duration";
        let accepted = Accepts::Type(RustType::Primitive(duration));
        sources.push((Source::Through(duration), accepted));
        let infinity = Accepts::Atom("infinity".to_owned());
        sources.push((
            Source::AtomValue("infinity", "rt::Timeout::Infinity"),
            infinity,
        ));
    }
    sources
}

/// Returns the variants of `true` and `false`.
pub(super) fn bool_of(variants: &[Variant]) -> Option<(usize, Source)> {
    let place = |name: &str| {
        let is_atom =
            |variant: &Variant| matches!(&variant.shape, VariantShape::Unit(atom) if atom == name);
        variants.iter().position(is_atom)
    };
    Some((place("true")?, Source::Bool(place("false")?)))
}
