//! Tuples without a tag, of whatever converts into their elements: `(one_for_one, 1, 5)` for
//! `{strategy(), …}`. Where something else converts from such a tuple too, it is a tuple of exactly
//! the elements, except that any integer is taken for an integer of any size if the other elements
//! tell the two tuples apart: `{ip6_address(), integer()}` beside `{ip4_address(), ip4_address()}`.

use super::accepts::{Accepts, Made, Width, accepts};
use super::accepts::{Conversion, Source};
use super::conversions::{Items, Key};
use crate::ir::{Element, Item, ItemKind, VariantShape, led};

/// This many tuples are compared with all other conversions, each of them.
const FEW: usize = 64;

impl Items<'_, '_> {
    /// With tuples of whatever converts into their elements, so far as they overlap with no other.
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

    /// The same with more that is accepted for the tuple's elements, if there is more.
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

    /// A tuple of what converts into the elements, if anything else does.
    fn elements(&self, elements: &[Element]) -> Option<Accepts> {
        let types = || elements.iter().map(|element| &element.ty);
        let wide: Vec<Accepts> = types().map(|ty| self.element(ty)).collect();
        let exact = types().map(|ty| self::accepts(self.aliases.canonical(ty)));
        (wide != exact.collect::<Vec<_>>()).then_some(Accepts::Tuple(wide))
    }

    /// What a conversion accepts with no more than this for a tuple's elements, and how much of
    /// that it takes.
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

    /// A tuple of what is accepted for the elements.
    fn of_width(&self, elements: &[Element], width: Width) -> Accepts {
        let types = elements
            .iter()
            .map(|element| self.aliases.canonical(&element.ty));
        let accepted = types.map(|ty| {
            if width.converts(&ty) {
                self.element(&ty)
            } else {
                accepts(ty)
            }
        });
        Accepts::Tuple(accepted.collect())
    }
}

/// The elements of a tuple without a tag, which does not begin with a tagged one.
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
