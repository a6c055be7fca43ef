//! The interface of every writer of types: one method for each kind of item.

use crate::ir::{Element, Field, Item, ItemKind, Rest, RustType, Variant};

/// Writes items in one language.
pub(crate) trait TypeWriter {
    /// The result of writing an item.
    type Output;

    /// Writes a type that is defined by hand elsewhere.
    fn reexport(&self, item: &Item, path: &str) -> Self::Output;
    /// Writes another name for a type.
    fn alias(&self, item: &Item, ty: &RustType) -> Self::Output;
    /// Writes a new type around another.
    fn newtype(&self, item: &Item, inner: &RustType, opaque: bool) -> Self::Output;
    fn tuple(&self, item: &Item, tag: Option<&str>, elements: &[Element]) -> Self::Output;
    /// Writes a map with known atoms as keys, and possibly other keys.
    fn map(&self, item: &Item, fields: &[Field], rest: Option<&Rest>) -> Self::Output;
    fn record(&self, item: &Item, tag: &str, fields: &[Field]) -> Self::Output;
    /// Writes a union.
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
