//! Every message that specs can give: label, hint, severity, in one table.
//!
//! Labels are lower case without a full stop; `{}` is filled with the name at fault.

use crate::diagnostic::Severity::{self, Error, Warning};

/// A message of the catalogue.
#[derive(Debug, PartialEq, Eq)]
pub struct Message {
    /// What is wrong.
    pub label: &'static str,
    /// What to do; may be empty.
    pub hint: &'static str,
    /// How bad it is.
    pub severity: Severity,
}

impl Message {
    /// Whether the two are one entry of the table.
    #[must_use]
    pub fn same(&self, other: &Message) -> bool {
        std::ptr::eq(self, other)
    }
}

macro_rules! messages {
    ($($name:ident: $severity:ident $label:literal, $hint:literal;)*) => {
        $(
            #[doc = $label]
            pub static $name: Message =
                Message { label: $label, hint: $hint, severity: $severity };
        )*

        /// Every message, for documentation and tests.
        pub static ALL: &[&Message] = &[$(&$name,)*];
    };
}

messages! {
    // Lexis
    INVALID_UTF8: Error "the file is not valid UTF-8 from here on",
        "add `%% coding: latin-1` as first line, or convert the file";
    ILLEGAL_CHARACTER: Error "illegal character `{}`", "";
    ILLEGAL_ESCAPE: Error "illegal escape sequence", "write `\\xHH` or `\\x{HHHH}`";
    ILLEGAL_INTEGER: Error "illegal integer", "";
    ILLEGAL_FLOAT: Error "illegal float", "";
    ILLEGAL_BASE: Error "illegal base `{}`", "bases are 2 to 36";
    ILLEGAL_SIGIL: Error "illegal sigil delimiter", "";
    TEXT_AFTER_TRIPLE_QUOTE: Error "text on the line that opens a triple-quoted string",
        "start the text on the next line";
    ATOM_TOO_LONG: Error "atom longer than 255 characters", "";
    UNTERMINATED: Error "unterminated {}", "";
    MISSING_FULL_STOP: Error "the last form has no full stop", "end it with `.` and a line break";

    // Preprocessor
    BAD_DIRECTIVE: Error "badly formed `-{}`", "";
    UNDEFINED_MACRO: Error "undefined macro `?{}`", "define it, or include the file that does";
    MACRO_ARGUMENTS: Error "argument mismatch for macro `?{}`", "";
    BAD_MACRO_CALL: Error "illegal macro call `?{}`", "";
    CIRCULAR_MACRO: Error "circular macro `?{}`", "";
    MACRO_TOO_LARGE: Error "the expansion of macro `?{}` is too large", "";
    REDEFINED_MACRO: Error "redefining macro `?{}`", "put `-undef` before it";
    PREDEFINED_MACRO: Error "redefining predefined macro `?{}`", "";
    NO_FUNCTION: Error "`?{}` outside a function", "";
    INCLUDE_NOT_FOUND: Error "cannot find include file `{}`", "add its directory to the include path";
    INCLUDE_LIB_NOT_FOUND: Error "cannot find include lib `{}`",
        "is the application installed?";
    INCLUDE_DEPTH: Error "include files nested more than 8 deep at `{}`", "";
    UNBALANCED: Error "`-{}` without a condition that it belongs to", "";
    REPEATED_ELSE: Error "repeated `-else`", "";
    UNTERMINATED_CONDITION: Error "unterminated `-{}`", "add `-endif`";
    ERROR_DIRECTIVE: Error "-error({})", "";
    WARNING_DIRECTIVE: Warning "-warning({})", "";

    // Grammar
    SYNTAX: Error "syntax error before {}", "";
    BAD_ATTRIBUTE: Error "bad attribute `-{}`", "";
    BAD_TYPE_VARIABLE: Error "bad type variable `{}`", "";
    BAD_BINARY_TYPE: Error "bad binary type", "write `<<_:Size, _:_*Unit>>`";
    UNSUPPORTED_CONSTRAINT: Error "unsupported constraint `{}`", "write `Variable :: Type`";
    SPEC_WITHOUT_ARITY: Error "`{}` has no arity: its first clause takes `(...)`", "";
    TOO_DEEP: Error "nested too deeply", "brackets may be 64 deep";

    // BEAM files
    NOT_A_BEAM: Error "not a BEAM file", "";
    BAD_CHUNK: Error "damaged `{}` chunk", "";
    NO_ABSTRACT_CODE: Error "no abstract code", "compile with `+debug_info`";
    UNKNOWN_FORM: Error "unknown abstract form `{}`", "";
    BAD_TERM: Error "damaged external term", "";
    NOT_A_DOC_CHUNK: Error "not an EEP-48 documentation chunk", "";

    // Resolution
    UNKNOWN_MODULE: Error "unknown module `{}`", "is its application installed?";
    UNKNOWN_TYPE: Error "undefined type `{}`", "";
    UNKNOWN_RECORD: Error "undefined record `#{}`", "";
    UNKNOWN_FIELD: Error "undefined record field `{}`", "";
    UNEXPORTED_TYPE: Warning "type `{}` is not exported", "add it to `-export_type`";
    DUPLICATE_TYPE: Error "type `{}` already defined", "";
    UNBOUND_VARIABLE: Warning "type variable `{}` is unbound",
        "it stands for `any()`; add it to the parameters";
    NOT_AN_INTEGER: Error "not an integer expression", "";
    EMPTY_RANGE: Error "empty range `{}`", "";
    SELF_REFERENCE: Error "type `{}` refers only to itself", "give it a constructor";
    RECURSIVE_CONSTRAINT: Warning "type variable `{}` is bounded by itself", "";
    TYPE_TOO_LARGE: Error "`{}` is too large once its variables are replaced", "";
    UNKNOWN_CALLBACK: Warning "`{}` is in `-optional_callbacks` but is no callback", "";
    CLAUSE_ARITY: Error "the clauses of `{}` differ in arity", "";
}
