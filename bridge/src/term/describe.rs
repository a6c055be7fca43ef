//! Erlang text of types.

use std::cell::{Cell, RefCell};

use super::definitions;

thread_local! {
    /// The derived types whose text is being written, by their Rust names.
    static WRITING: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
    /// The number of derived types that have been expanded in the text that is being written.
    static WRITTEN: Cell<usize> = const { Cell::new(0) };
}

/// The largest number of derived types that are expanded in a text; the others appear by name.
/// Otherwise types that refer to each other, such as those of `erl_parse`, would be expanded again
/// on every path to them.
const MOST_WRITTEN: usize = 64;

/// A piece of the text of a derived type.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// This text.
    Text(&'static str),
    /// The text of a type.
    Type(fn() -> String),
}

/// Returns the text of a derived type: the pieces, or `erlang_name()` where the type occurs within
/// itself. While definitions are collected, it is always the name of the type's definition. If a
/// type refers to very many others, the last ones also appear by name.
///
/// The function is not generic, so that a derived type needs only a table, and no code of its own.
pub fn derived_type(
    rust_name: &'static str,
    erlang_name: &str,
    pieces: &[Piece],
    doc: &'static [&'static str],
) -> String {
    let write = || {
        let texts = pieces.iter().map(|piece| match piece {
            Piece::Text(text) => (*text).to_owned(),
            Piece::Type(text) => text(),
        });
        texts.collect()
    };
    if let Some(name) = definitions::named((rust_name, doc), erlang_name, &write) {
        return name;
    }
    if WRITING.with_borrow(Vec::is_empty) {
        WRITTEN.set(0);
    }
    let is_known = WRITING.with_borrow(|writing| writing.contains(&rust_name));
    if is_known || WRITTEN.get() == MOST_WRITTEN {
        return format!("{erlang_name}()");
    }
    WRITTEN.set(WRITTEN.get() + 1);
    WRITING.with_borrow_mut(|writing| writing.push(rust_name));
    let _done = Done;
    write()
}

struct Done;

impl Drop for Done {
    fn drop(&mut self) {
        WRITING.with_borrow_mut(Vec::pop);
    }
}
