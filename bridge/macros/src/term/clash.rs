//! Rejects forms that could not be distinguished when they are decoded.

use syn::{Error, Ident, Result};

use super::model::{Entry, Item, StructOrEnum, TermForm};

pub(super) fn check(item: &Item) -> Result<()> {
    match &item.shape {
        StructOrEnum::Struct(form) => match &**form {
            TermForm::Map(map) => check_keys(&map.entries),
            _ => Ok(()),
        },
        StructOrEnum::Enum(variants) => {
            let mut seen: Vec<(Head, &Ident)> = Vec::new();
            for variant in variants {
                let Some(head) = Head::of(&variant.form) else {
                    continue;
                };
                if let Some((_, earlier)) = seen.iter().find(|(other, _)| *other == head) {
                    return Err(clash(&head, earlier, &variant.name));
                }
                seen.push((head, &variant.name));
            }
            Ok(())
        }
    }
}

/// The key of a variant: an atom, or a tuple's size and its tag.
#[derive(PartialEq)]
struct Head {
    tag: String,
    fields: Option<usize>,
}

impl Head {
    fn of(form: &TermForm) -> Option<Head> {
        match form {
            TermForm::Atom(tag) => Some(Head {
                tag: tag.text.clone(),
                fields: None,
            }),
            TermForm::Tagged(tag, fields) => Some(Head {
                tag: tag.text.clone(),
                fields: Some(fields.len()),
            }),
            TermForm::Tuple(_) | TermForm::Transparent(_) | TermForm::Map(_) => None,
        }
    }

    fn text(&self) -> String {
        let tag = &self.tag;
        match self.fields {
            None => format!("`{tag}`"),
            Some(fields) => format!("`{{{tag}{}}}`", ", _".repeat(fields)),
        }
    }
}

fn clash(head: &Head, earlier: &Ident, later: &Ident) -> Error {
    let message = format!(
        "`{earlier}` and `{later}` are both {} in Erlang: \
         give one of them another `#[term(tag = \"...\")]`",
        head.text()
    );
    Error::new(later.span(), message)
}

fn check_keys(entries: &[Entry]) -> Result<()> {
    for (place, entry) in entries.iter().enumerate() {
        let key = &entry.key.text;
        if entries[..place]
            .iter()
            .any(|earlier| earlier.key.text == *key)
        {
            let message = format!("the key `{key}` occurs twice in the map");
            return Err(Error::new_spanned(&entry.member, message));
        }
    }
    Ok(())
}
