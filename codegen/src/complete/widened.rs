//! Tuples without a tag, of whatever converts into their elements: `(one_for_one, 1, 5)` for `{strategy(), …}`. Where
//! something else converts from such a tuple too, it is a tuple of exactly the elements.

use super::accepts::{Accepts, Made, accepts};
use super::conversions::{Conversion, Items, Key, Source};
use crate::ir::{Element, Item, Kind, RustType, Shape, led};

/// This many tuples are compared with all other conversions, each of them.
const FEW: usize = 64;

impl Items<'_, '_> {
    /// With tuples of whatever converts into their elements, so far as they overlap with no other.
    pub(super) fn widened(&self, found: Made, item: &Item) -> Made {
        let is_wide = |(made, _): &(Conversion, Accepts)| self.wider(made, item).is_some();
        if found.all.iter().filter(|made| is_wide(made)).count() > FEW {
            return found;
        }
        let mut all = found.all;
        for index in 0..all.len() {
            let Some((source, accepts)) = self.wider(&all[index].0, item) else {
                continue;
            };
            let mut others = all.iter().enumerate().filter(|(other, _)| *other != index);
            if !others.any(|(_, (_, known))| self.overlap(known, &accepts)) {
                all[index].0.source = source;
                all[index].1 = accepts;
            }
        }
        let mut found = Made::default();
        for (conversion, accepts) in all {
            found.add(conversion, accepts);
        }
        found
    }

    /// The same with what converts into the tuple's elements.
    fn wider(&self, made: &Conversion, item: &Item) -> Option<(Source, Accepts)> {
        match &made.source {
            Source::Tuple => {
                let elements = plain_tuple(item, made.variant)?;
                Some((Source::Elements, self.elements(elements)?))
            }
            Source::Within {
                module,
                item,
                conversion,
                exact: true,
            } => {
                let inner = self.made_of((module, item))?;
                let (_, accepts) = inner.all.get(*conversion)?;
                let source = Source::Within {
                    module: module.clone(),
                    item: item.clone(),
                    conversion: *conversion,
                    exact: false,
                };
                Some((source, accepts.clone()))
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

    /// What a conversion accepts without what converts into a tuple's elements; whether that is less.
    pub(super) fn exactly(&self, key: Key<'_>, conversion: usize) -> Option<(bool, Accepts)> {
        let (made, accepts) = self.made_of(key)?.all.get(conversion)?;
        match &made.source {
            Source::Elements => {
                let elements = plain_tuple(self.known_item(key)?, made.variant)?;
                let types = elements
                    .iter()
                    .map(|element| self.aliases.canonical(&element.ty));
                Some((true, self::accepts(RustType::Tuple(types.collect()))))
            }
            Source::Within {
                module,
                item,
                conversion,
                exact: false,
            } => self.exactly((module, item), *conversion),
            Source::Within { exact: true, .. } => Some((true, accepts.clone())),
            _ => Some((false, accepts.clone())),
        }
    }
}

/// The elements of a tuple without a tag, which does not begin with a tagged one.
fn plain_tuple(item: &Item, variant: usize) -> Option<&[Element]> {
    let elements = match &item.kind {
        Kind::Tuple {
            tag: None,
            elements,
        } => elements,
        Kind::Enum(variants) => match &variants.get(variant)?.shape {
            Shape::Tuple(elements) => elements,
            _ => return None,
        },
        _ => return None,
    };
    led(elements).is_none().then_some(elements)
}
