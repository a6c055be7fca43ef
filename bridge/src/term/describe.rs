//! Erlang text of types

use std::cell::{Cell, RefCell};

use super::definitions;

thread_local! {
    /// The derived types whose text is being written, by their Rust names.
    static WRITING: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
    /// How many derived types have been written out in the text that is being written.
    static WRITTEN: Cell<usize> = const { Cell::new(0) };
}

/// A text has at most so many derived types written out, and the names of the others. Types that
/// mention each other, such as those of `erl_parse`, would otherwise be written again on every way
/// that leads to them.
const MOST_WRITTEN: usize = 64;

/// A piece of the text of a derived type.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// This text.
    Text(&'static str),
    /// The text of a type.
    Type(fn() -> String),
}

/// The text of a derived type: the pieces, or `erlang_name()` where the type occurs within itself.
/// Where definitions are collected it is always the name, under which the type is defined. Where a
/// type mentions very many others, the last ones stand by their names, too.
///
/// Not generic: a derived type costs its compilation a table, and no code.
pub fn derived_type(rust_name: &'static str, erlang_name: &str, pieces: &[Piece]) -> String {
    let write = || {
        let texts = pieces.iter().map(|piece| match piece {
            Piece::Text(text) => (*text).to_owned(),
            Piece::Type(text) => text(),
        });
        texts.collect()
    };
    if let Some(name) = definitions::named(rust_name, erlang_name, &write) {
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
