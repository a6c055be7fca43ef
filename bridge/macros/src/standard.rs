//! Types of the standard library, as a path names them.

use syn::{GenericArgument, Path, PathArguments, Type};

/// Returns whether a path is that of a type of the standard library: its plain name, or its name
/// below its module, as in `std::vec::Vec`. Generated code writes a type of its own with such a
/// name below `self`.
fn is_standard(path: &Path, module: &str, name: &str) -> bool {
    let mut segments = path.segments.iter().rev();
    let is_named = segments.next().is_some_and(|last| last.ident == name);
    is_named && segments.next().is_none_or(|parent| parent.ident == module)
}

/// Returns whether the type is an `Option`.
pub(crate) fn is_option(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if is_standard(&path.path, "option", "Option"))
}

/// Returns the `T` of an `Option<T>`.
pub(crate) fn option_content(ty: &Type) -> Option<&Type> {
    argument(ty, "option", "Option")
}

/// Returns the `T` of a `Vec<T>`.
pub(crate) fn vec_element(ty: &Type) -> Option<&Type> {
    argument(ty, "vec", "Vec")
}

/// Returns the only type argument of a standard type.
fn argument<'t>(ty: &'t Type, module: &str, name: &str) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    if !is_standard(&path.path, module, name) {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(content) if arguments.args.len() == 1 => Some(content),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn a_type_of_the_same_name_is_another_one() {
        for ty in [
            parse_quote!(Option<u8>),
            parse_quote!(std::option::Option<u8>),
            parse_quote!(::core::option::Option<u8>),
        ] {
            assert_eq!(option_content(&ty), Some(&parse_quote!(u8)));
            assert!(is_option(&ty));
        }
        for ty in [
            parse_quote!(self::Option<u8>),
            parse_quote!(super::gleam::Option<u8>),
            parse_quote!(Vec<u8>),
        ] {
            assert_eq!(option_content(&ty), None);
            assert!(!is_option(&ty));
        }
        assert_eq!(vec_element(&parse_quote!(self::Vec<u8>)), None);
        let vec = parse_quote!(::std::vec::Vec<u8>);
        assert_eq!(vec_element(&vec), Some(&parse_quote!(u8)));
    }
}
