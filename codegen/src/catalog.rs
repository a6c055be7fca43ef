//! Every message that the generator can give: code, label, hint, severity and page, in one table.
//!
//! Codes: E06xx overrides, E07xx generation. A code keeps its meaning for ever; a retired code is
//! not reused. Labels are lower case without a full stop; each `{}` is filled with the name at
//! fault.

pub use otp_specs::catalog::Message;
use otp_specs::catalog::Severity::{Error, Warning};

otp_contract::messages! {
    pub Message { severity }, "../errors/";

    // Overrides: their subjects
    E0601 NO_MODULE: Error "the module `{}` is not generated in this run", "";
    E0602 NO_TYPE: Error "`{}` has no type `{}` in this run", "";
    E0603 NO_FUNCTION: Error "no function `{}` is bound in this run", "";
    E0604 NO_ARITY: Error "there is no `{}`", "";
    E0605 SEVERAL_ARITIES: Error "`{}` has several arities", "";
    E0606 TWICE: Error "an earlier override also names `{}`", "merge the two overrides";
    E0607 NOTHING: Error "this override changes nothing", "state a change, or remove the override";
    E0608 OF_SKIPPED: Error "a skipped item cannot have `{}`", "";
    E0609 OF_RUST: Error "`{}` has no effect on a type that `rust` names", "";

    // Overrides: Rust
    E0610 NOT_UPPER: Error "`{}` is not the name of a Rust type or variant",
        "write ASCII letters, digits and `_`, a capital letter first, and no keyword";
    E0611 NOT_LOWER: Error "`{}` is not the name of a Rust field or function",
        "write ASCII letters, digits and `_`, a small letter first, and no keyword, primitive type or `cx`";
    E0612 NOT_A_DERIVE: Error "`{}` is not the path of a derive", "write it as `Eq` or `serde::Serialize`";
    E0613 NOT_A_TYPE: Error "`{}` is not the path of a Rust type that owns its value",
        "write it as `crate::net::Socket`, or as a tuple of such";
    E0614 LOCAL_NAME: Error "`{}` in `{}` means something else in generated code",
        "write its whole path, such as `crate::net::Socket` or `std::string::String`";

    // Overrides: names of the existing types and functions
    E0615 NOT_INSIDE: Error "it has no {} `{}`", "";
    E0616 TAKEN_INSIDE: Error "another {} is called `{}`",
        "choose another name, or rename the other one too";
    E0617 TAKEN_TYPE: Error "something else in `{}` is called `{}`",
        "choose another name, or rename the other one too";
    E0618 TAKEN_FUNCTION: Error "another function of `{}` is called `{}`",
        "choose another name, or rename the other one too";
    E0619 FIELD_NEW: Error "`new` is the function that makes such a map", "choose another name";
    E0620 OF_ALIAS: Error "this is an alias of another type, so it cannot have derives",
        "leave it out, or say it of the struct or enum that it names";
    E0621 NOT_REFUSABLE: Error "`{}` is not among the derives of all types",
        "leave it out: `no_derives` takes away only what `derives` of [types] gives";
    E0622 HOLDS_STATE: Error "the callback `{}` returns its state in this type",
        "leave the type as it is, or rename it";

    // Generation
    E0701 DEFINED_TWICE: Warning "is defined twice: the first definition counts", "";
    E0702 NOT_RESOLVED: Warning "could not be resolved: it becomes the dynamic `Term`", "";
    E0703 DECLARED_TWICE: Warning "is declared twice: the first `-callback` counts", "";
    E0704 NOT_A_PATH: Error "is mapped to `{}`, which is not a path: {}", "";
    E0705 NOT_RUST: Error "the generated text is not Rust: {}", "report it: this is a mistake of the generator";
}
