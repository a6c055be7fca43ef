//! Argument types as users first write them: the types that accept a converted value, and the
//! sources of that conversion.

use crate::ir::RustType;

/// Types of the run time into which other types convert.
const CONVERTIBLE: [&str; 13] = [
    "Atom",
    "Binary",
    "Bitstring",
    "ErlangString",
    "Identifier",
    "Integer",
    "Iodata",
    "Iolist",
    "Milliseconds",
    "Number",
    "OrNil",
    "Timeout",
    "Tuple",
];

/// Returns whether a value of this type (with all aliases replaced) is passed as any type that
/// converts into it: text for a string, a `Duration` for a timeout, an array or slice for a list, a
/// member for a union.
pub(crate) fn is_converted(ty: &RustType) -> bool {
    match ty {
        ty if is_open(ty) => false,
        RustType::Item { .. } => true,
        RustType::Runtime(name, _) => CONVERTIBLE.contains(name),
        RustType::Standard(name, _) => *name == "Vec",
        _ => false,
    }
}

/// Returns whether it contains a type parameter, or a type of the user's.
fn is_open(ty: &RustType) -> bool {
    let open = matches!(ty, RustType::Parameter(_) | RustType::Mapped { .. });
    open || ty.children().into_iter().any(is_open)
}

/// Returns the primitive type behind a type that allows only some of its numbers. The number is
/// checked where it is passed.
pub(crate) fn number(ty: &RustType) -> Option<&'static str> {
    match ty {
        RustType::Ranged(primitive, ..) => Some(primitive),
        RustType::Primitive("::core::num::NonZeroU64") => Some("u64"),
        RustType::Runtime("NegInteger", _) => Some("i64"),
        _ => None,
    }
}

/// Returns whether a value of this type is checked where it is passed: a number, or a list that
/// must not be empty.
pub(crate) fn is_checked(ty: &RustType) -> bool {
    let is_list = |name: &&str| ["NonemptyList", "NonemptyString"].contains(name);
    number(ty).is_some() || matches!(ty, RustType::Runtime(name, _) if is_list(name))
}

/// Returns other types that convert into a type of the run time, and so into a union with it.
pub(super) fn first_written(name: &str) -> &'static [&'static str] {
    match name {
        "ErlangString" => &["&str", "::std::string::String"],
        "Binary" => &["&str", "::std::string::String", "&[u8]", "rt::Iodata"],
        "Iodata" => &["&str", "::std::string::String", "&[u8]", "rt::Binary"],
        "Iolist" => &["&str", "::std::string::String", "&[u8]"],
        _ => &[],
    }
}
