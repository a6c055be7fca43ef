//! Checks that paths in signatures of a `#[module]` are resolved where the user has written them.

use crate::compiler::{Stage, refusal};

/// Two modules around the functions. Each has items to refer to.
const PROGRAM: &str = r#"
use otp_bridge::Term;

#[derive(Term)]
pub struct Top;

pub mod outer {
    use otp_bridge::Term;

    #[derive(Term)]
    pub struct Empty;

    #[derive(Term)]
    #[term(tuple)]
    pub struct Pair<A, B>(pub A, pub B);

    pub type Either<A> = ::std::result::Result<A, super::Top>;

    pub trait Related {
        type Out;
    }

    impl Related for u64 {
        type Out = Empty;
    }

    pub mod types {
        pub use super::Empty as r#type;
    }

    pub mod all {
        pub use super::{Empty as Nothing, Pair as Both};
    }

    macro_rules! empty {
        () => {
            $crate::outer::Empty
        };
    }
    pub(crate) use empty;

    #[otp_bridge::module("paths")]
    pub mod functions {
        use otp_bridge::{Cx, Term};
        use super::Empty as Imported;
        use super::all::*;

        #[derive(Term)]
        pub enum E {
            Bad,
        }

        impl super::Related for E {
            type Out = inner::Deep;
        }

        pub mod inner {
            use otp_bridge::Term;

            #[derive(Term)]
            pub struct Deep;

            impl super::super::Related for Deep {
                type Out = super::E;
            }
        }

        FUNCTIONS
    }
}
"#;

/// Types, as arguments and as results.
const TYPES: [(&str, &str); 19] = [
    ("own_module", "self::E"),
    ("module_inside", "self::inner::Deep"),
    ("parent", "super::Empty"),
    ("parent_of_the_parent", "super::super::Top"),
    ("parent_by_way_of_the_own_module", "self::super::Empty"),
    ("crate_root", "crate::outer::functions::E"),
    ("raw_name", "super::types::r#type"),
    ("imported", "Imported"),
    ("imported_with_all_others", "Both<Nothing, E>"),
    (
        "inside_a_list_and_beside_another",
        "Result<Vec<super::Empty>, self::E>",
    ),
    (
        "generic_type_of_the_parent",
        "super::Pair<self::inner::Deep, super::super::Top>",
    ),
    (
        "alias_of_the_parent",
        "super::Either<Option<super::Pair<u8, self::E>>>",
    ),
    ("inside_a_tuple", "(u8, Option<(super::Empty, self::E)>)"),
    ("trait_of_the_parent", "<u64 as super::Related>::Out"),
    ("type_and_trait", "<self::E as super::Related>::Out"),
    (
        "trait_by_way_of_the_own_module",
        "<self::E as self::super::Related>::Out",
    ),
    (
        "chain_of_traits",
        "<<self::E as super::Related>::Out as super::Related>::Out",
    ),
    (
        "trait_inside_a_list",
        "Vec<<self::inner::Deep as crate::outer::Related>::Out>",
    ),
    ("macro_of_the_parent", "super::empty!()"),
];

#[test]
fn paths_in_signatures_resolve_where_they_are_written() {
    for (name, ty) in TYPES {
        let signatures = [
            format!("pub fn given(value: {ty})"),
            format!("pub fn given_by_reference(value: &{ty})"),
            format!("pub fn given_in_a_list(values: &[{ty}])"),
            format!("pub fn returned() -> {ty}"),
            format!("pub fn failed() -> ::std::result::Result<u8, {ty}>"),
            format!("pub async fn later(value: {ty}, cx: &Cx<'_>) -> {ty}"),
            format!("#[dirty(cpu)] pub fn dirty(value: {ty}) -> Option<{ty}>"),
        ];
        let functions = signatures.map(|signature| format!("{signature} {{ loop {{}} }}"));
        let program = PROGRAM.replace("FUNCTIONS", &functions.join("\n"));
        let (stage, message) = refusal(name, &program);
        assert_eq!(stage, Stage::Nobody, "{name}: {ty}\n{message}");
    }
}
