//! Values as one first writes them: which types are given by whatever converts into them, and what
//! that may be.

use crate::ir::RustType;

/// Types of the run time that others convert into.
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

/// Whether a value of this type (with all aliases replaced) is given by what converts into it: by
/// text for a string, by a `Duration` for a timeout, by an array or slice for a list, by a member
/// for a union.
pub(crate) fn is_converted(ty: &RustType) -> bool {
    match ty {
        ty if is_open(ty) => false,
        RustType::Item { .. } => true,
        RustType::Runtime(name, _) => CONVERTIBLE.contains(name),
        RustType::Standard(name, _) => *name == "Vec",
        _ => false,
    }
}

/// Whether there is a type parameter, or a type of the user's, in it.
fn is_open(ty: &RustType) -> bool {
    let open = matches!(ty, RustType::Parameter(_) | RustType::Mapped { .. });
    open || ty.children().into_iter().any(is_open)
}

/// The primitive type of a type that holds only some of its numbers, which are checked where they
/// are given.
pub(crate) fn number(ty: &RustType) -> Option<&'static str> {
    match ty {
        RustType::Ranged(primitive, ..) => Some(primitive),
        RustType::Primitive("::core::num::NonZeroU64") => Some("u64"),
        RustType::Runtime("NegInteger", _) => Some("i64"),
        _ => None,
    }
}

/// Whether a value of this type is checked where it is given: a number, or a list for one that is
/// not empty.
pub(crate) fn is_checked(ty: &RustType) -> bool {
    let is_list = |name: &&str| ["NonemptyList", "NonemptyString"].contains(name);
    number(ty).is_some() || matches!(ty, RustType::Runtime(name, _) if is_list(name))
}

/// What else converts into a type of the run time, and so into a union with it.
pub(super) fn first_written(name: &str) -> &'static [&'static str] {
    match name {
        "ErlangString" => &["&str", "::std::string::String"],
        "Binary" => &["&str", "::std::string::String", "&[u8]", "rt::Iodata"],
        "Iodata" => &["&str", "::std::string::String", "&[u8]", "rt::Binary"],
        "Iolist" => &["&str", "::std::string::String", "&[u8]"],
        _ => &[],
    }
}
