//! Tuples without a tag whose elements may be any types that convert: `(one_for_one, 1, 5)` for
//! `{strategy(), …}`. If another conversion also accepts such a tuple, exactly the elements' types
//! are required. Any integer is still accepted for an integer of arbitrary size if the other
//! elements distinguish the two tuples: `{ip6_address(), integer()}` beside `{ip4_address(),
//! ip4_address()}`.

use super::accepts::{Accepts, Made, Width, accepts};
use super::accepts::{Conversion, Source};
use super::conversions::{Items, Key};
use super::given;
use crate::ir::{Element, Item, ItemKind, RustType, VariantShape, led};

/// Up to this number of tuples, each is compared with all other conversions.
const FEW: usize = 64;

impl Items<'_, '_> {
    /// Widens tuples to all types that convert into their elements, as far as they overlap with no
    /// other.
    pub(super) fn widened(&self, found: Made, item: &Item) -> Made {
        let is_wide =
            |(made, _): &(Conversion, Accepts)| self.wider(made, item, Width::Converted).is_some();
        if found.all.iter().filter(|made| is_wide(made)).count() > FEW {
            return found;
        }
        let mut all = found.all;
        for index in 0..all.len() {
            for width in [Width::Converted, Width::Integers] {
                let Some((source, accepts)) = self.wider(&all[index].0, item, width) else {
                    continue;
                };
                let mut others = all.iter().enumerate().filter(|(other, _)| *other != index);
                if !others.any(|(_, (_, known))| self.overlap(known, &accepts)) {
                    all[index].0.source = source;
                    all[index].1 = accepts;
                }
            }
        }
        let mut found = Made::default();
        for (conversion, accepts) in all {
            found.add(conversion, accepts);
        }
        found
    }

    /// Returns the conversion with wider types for the tuple's elements, if that makes a
    /// difference.
    fn wider(&self, made: &Conversion, item: &Item, width: Width) -> Option<(Source, Accepts)> {
        match &made.source {
            Source::Tuple if width == Width::Converted => {
                let elements = plain_tuple(item, made.variant)?;
                Some((Source::Elements, self.elements(elements)?))
            }
            Source::Within {
                module,
                item,
                conversion,
                width: narrow,
            } if *narrow < width => {
                let (width, accepts) = self.narrowed((module, item), *conversion, width)?;
                let source = Source::Within {
                    module: module.clone(),
                    item: item.clone(),
                    conversion: *conversion,
                    width,
                };
                (*narrow < width).then_some((source, accepts))
            }
            _ => None,
        }
    }

    /// Returns a tuple of the types that convert into the elements, if there are more than the
    /// elements' own types.
    fn elements(&self, elements: &[Element]) -> Option<Accepts> {
        let types = || elements.iter().map(|element| &element.ty);
        let wide: Vec<Accepts> = types().map(|ty| self.element(ty)).collect();
        let exact = types().map(|ty| self::accepts(self.aliases.canonical(ty)));
        (wide != exact.collect::<Vec<_>>()).then_some(Accepts::Tuple(wide))
    }

    /// Returns the types that a conversion accepts if its tuple's elements are limited to this
    /// width, and the width that it then has.
    pub(super) fn narrowed(
        &self,
        key: Key<'_>,
        conversion: usize,
        width: Width,
    ) -> Option<(Width, Accepts)> {
        let (made, accepts) = self.made_of(key)?.all.get(conversion)?;
        match &made.source {
            _ if width == Width::Converted => Some((width, accepts.clone())),
            Source::Elements => {
                let elements = plain_tuple(self.known_item(key)?, made.variant)?;
                Some((width, self.of_width(elements, width)))
            }
            Source::Within {
                module,
                item,
                conversion,
                width: own,
            } if *own > width => self.narrowed((module, item), *conversion, width),
            Source::Within { width: own, .. } => Some((*own, accepts.clone())),
            _ => Some((Width::Converted, accepts.clone())),
        }
    }

    /// Returns a tuple of the types that are accepted for the elements.
    fn of_width(&self, elements: &[Element], width: Width) -> Accepts {
        let types = elements
            .iter()
            .map(|element| self.aliases.canonical(&element.ty));
        let accepted = types.map(|ty| {
            match given::number(&ty) {
                _ if width.converts(&ty) => self.element(&ty),
                // The conversion inside accepts the primitive type, and not the checked one.
                Some(number) => accepts(RustType::Primitive(number)),
                None => accepts(ty),
            }
        });
        Accepts::Tuple(accepted.collect())
    }
}

/// Returns the elements of a tuple without a tag, unless it begins with a tagged tuple.
fn plain_tuple(item: &Item, variant: usize) -> Option<&[Element]> {
    let elements = match &item.kind {
        ItemKind::Tuple {
            tag: None,
            elements,
        } => elements,
        ItemKind::Enum(variants) => match &variants.get(variant)?.shape {
            VariantShape::Tuple(elements) => elements,
            _ => return None,
        },
        _ => return None,
    };
    led(elements).is_none().then_some(elements)
}
