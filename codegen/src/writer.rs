//! What every writer of types answers: one method for each kind of item.

use crate::ir::{Element, Field, Item, ItemKind, Rest, RustType, Variant};

/// Writes items in one language.
pub(crate) trait TypeWriter {
    /// What is written.
    type Output;

    /// A type written by hand elsewhere.
    fn reexport(&self, item: &Item, path: &str) -> Self::Output;
    /// Another name for a type.
    fn alias(&self, item: &Item, ty: &RustType) -> Self::Output;
    /// A type of its own around another.
    fn newtype(&self, item: &Item, inner: &RustType, opaque: bool) -> Self::Output;
    fn tuple(&self, item: &Item, tag: Option<&str>, elements: &[Element]) -> Self::Output;
    /// A map with known atoms as keys, and perhaps others.
    fn map(&self, item: &Item, fields: &[Field], rest: Option<&Rest>) -> Self::Output;
    fn record(&self, item: &Item, tag: &str, fields: &[Field]) -> Self::Output;
    /// A union.
    fn enumeration(&self, item: &Item, variants: &[Variant]) -> Self::Output;

    fn item(&self, item: &Item) -> Self::Output {
        match &item.kind {
            ItemKind::Reexport(path) => self.reexport(item, path),
            ItemKind::Alias(ty) => self.alias(item, ty),
            ItemKind::Newtype { inner, opaque } => self.newtype(item, inner, *opaque),
            ItemKind::Tuple { tag, elements } => self.tuple(item, tag.as_deref(), elements),
            ItemKind::Map { fields, rest } => self.map(item, fields, rest.as_ref()),
            ItemKind::Record { tag, fields } => self.record(item, tag, fields),
            ItemKind::Enum(variants) => self.enumeration(item, variants),
        }
    }
}
