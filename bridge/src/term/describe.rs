//! Erlang text of types

use std::cell::RefCell;

use super::definitions;

thread_local! {
    /// The derived types whose text is being written, by their Rust names.
    static WRITING: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// The text of a derived type: the result of `write`, or `erlang_name()` if the type occurs within
/// itself. While definitions are collected it is always the name, under which the type is defined.
pub fn name_recursive_type<T>(erlang_name: &str, write: impl Fn() -> String) -> String {
    let rust_name = std::any::type_name::<T>();
    if let Some(name) = definitions::named(rust_name, erlang_name, &write) {
        return name;
    }
    if WRITING.with_borrow(|writing| writing.contains(&rust_name)) {
        return format!("{erlang_name}()");
    }
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
