//! Every message that specs can give: code, label, hint, severity and page, in one table.
//!
//! Codes: E01xx lexis, E02xx preprocessor, E03xx grammar, E04xx BEAM files and documentation
//! chunks, E05xx resolution. A code keeps its meaning; a retired code is not reused. Labels are
//! lower case without a full stop; `{}` is filled with the name at fault.

use Severity::{Error, Warning};

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The form that contains it is lost, or a type became invalid.
    Error,
    /// Nothing is lost.
    Warning,
}

/// A message of the catalogue.
#[derive(Debug, PartialEq, Eq)]
pub struct Message {
    /// `E` and four digits.
    pub code: &'static str,
    /// The problem.
    pub label: &'static str,
    /// The remedy; may be empty.
    pub hint: &'static str,
    /// The severity of its diagnostics.
    pub severity: Severity,
    /// A page in Markdown: the message's meaning and remedy, with an example of each.
    pub page: &'static str,
}

otp_contract::messages! {
    pub Message { severity }, "../errors/";

    // Lexis
    E0101 INVALID_UTF8: Error "the file is not valid UTF-8 from here on",
        "add `%% coding: latin-1` as the first line, or convert the file to UTF-8";
    E0102 ILLEGAL_CHARACTER: Error "illegal character `{}`",
        "only strings, quoted atoms and comments may hold it";
    E0103 ILLEGAL_ESCAPE: Error "illegal escape sequence",
        "write `\\xHH` or `\\x{H…}` with the hexadecimal code of a character";
    E0104 ILLEGAL_INTEGER: Error "illegal integer",
        "write digits of the base after `#`, at most 10,000";
    E0105 ILLEGAL_FLOAT: Error "illegal float", "write digits after `e`, and a value below 1.8e308";
    E0106 ILLEGAL_BASE: Error "illegal base `{}`", "a base is an integer from 2 to 36";
    E0107 ILLEGAL_SIGIL: Error "illegal sigil delimiter",
        "write a quote, a bracket, `/`, `|` or `#` after the sigil's name";
    E0108 TEXT_AFTER_TRIPLE_QUOTE: Error "text on the line that opens a triple-quoted string",
        "start the text on the next line";
    E0109 ATOM_TOO_LONG: Error "atom longer than 255 characters",
        "shorten it; a longer text is a string, of the type `string()` or `binary()`";
    E0110 UNTERMINATED: Error "unterminated {}", "close it before the file ends";
    E0111 MISSING_FULL_STOP: Error "the last form has no full stop",
        "end it with `.` and a line break";
    E0112 BYTE_ORDER_MARK: Error "byte order mark", "save the file as UTF-8 without one";

    // Preprocessor
    E0201 BAD_DIRECTIVE: Error "badly formed `-{}`", "";
    E0202 UNDEFINED_MACRO: Error "undefined macro `?{}`",
        "define it, or include the file that does";
    E0203 MACRO_ARGUMENTS: Error "argument mismatch for macro `?{}`",
        "give it the arguments that its `-define` has";
    E0204 BAD_MACRO_CALL: Error "illegal macro call `?{}`", "write the name of a macro after `?`";
    E0205 CIRCULAR_MACRO: Error "circular macro `?{}`",
        "its definition must not lead back to itself";
    E0206 MACRO_TOO_LARGE: Error "the expansion of macro `?{}` is too large",
        "does it call itself, or repeat its argument?";
    E0207 REDEFINED_MACRO: Error "redefining macro `?{}`", "put `-undef` before it";
    E0208 PREDEFINED_MACRO: Error "redefining predefined macro `?{}`", "choose another name";
    E0209 MACRO_OUTSIDE_FUNCTION: Error "`?{}` outside a function",
        "write the name or arity itself";
    E0210 INCLUDE_NOT_FOUND: Error "cannot find include file `{}`",
        "put it beside the file, or into the folder `include` of its application";
    E0211 INCLUDE_LIB_NOT_FOUND: Error "cannot find include lib `{}`",
        "is the application installed, and does it have this header?";
    E0212 INCLUDE_DEPTH: Error "include files nested more than 8 deep at `{}`",
        "does a file include itself?";
    E0213 UNBALANCED: Error "`-{}` without an open condition",
        "put `-ifdef`, `-ifndef` or `-if` before it";
    E0214 REPEATED_ELSE: Error "`-{}` after `-else`",
        "a condition has one `-else`, after every `-elif`";
    E0215 UNTERMINATED_CONDITION: Error "unterminated `-{}`", "add `-endif`";
    E0216 ERROR_DIRECTIVE: Error "-error({})", "";
    E0217 WARNING_DIRECTIVE: Warning "-warning({})", "";
    E0218 TOO_MANY_FORMS: Error "more than 250,000 forms in included files",
        "do they include each other many times?";
    E0219 INCLUDE_UNREADABLE: Error "cannot read include file {}",
        "make it a regular file that may be read";

    // Grammar
    E0301 SYNTAX: Error "syntax error before {}", "";
    E0302 BAD_ATTRIBUTE: Error "bad attribute `-{}`", "";
    E0303 BAD_TYPE_VARIABLE: Error "bad type variable `{}`", "write a variable that has a name";
    E0304 BAD_BINARY_TYPE: Error "bad binary type",
        "write `<<_:Size, _:_*Unit>>`, with numbers that are not negative";
    E0305 UNSUPPORTED_CONSTRAINT: Error "unsupported constraint `{}`", "write `Variable :: Type`";
    E0306 SPEC_WITHOUT_ARITY: Error "`{}` has no arity: its first clause takes `(...)`",
        "write the types of its arguments";
    E0307 TOO_DEEP: Error "nested too deeply",
        "give inner types names with `-type`; instead of an expression, write its value";

    // BEAM files and documentation chunks
    E0401 NOT_A_BEAM: Error "not a BEAM file", "`erlc` makes one";
    E0402 BAD_CHUNK: Error "damaged `{}` chunk",
        "make or copy the file again: a part of it may be missing";
    E0403 NO_ABSTRACT_CODE: Error "no abstract code", "compile with `+debug_info`";
    E0404 UNKNOWN_FORM: Error "unknown abstract form `{}`", "did a later release or another tool make it?";
    E0405 BAD_TERM: Error "damaged external term",
        "make or copy the file again: a part of it may be missing";
    E0406 NOT_A_DOC_CHUNK: Error "not an EEP-48 documentation chunk",
        "OTP keeps them in `doc/chunks`";

    // Resolution
    E0501 UNKNOWN_MODULE: Error "unknown module `{}`", "is its application installed?";
    E0502 UNKNOWN_TYPE: Error "undefined type `{}`",
        "define it, or correct its name and its number of arguments";
    E0503 UNKNOWN_RECORD: Error "undefined record `#{}`",
        "define it, or include the file that does";
    E0504 UNKNOWN_FIELD: Error "undefined record field `{}`", "use a field that the `-record` has";
    E0505 UNEXPORTED_TYPE: Warning "type `{}` is not exported",
        "add it to `-export_type` of its module";
    E0506 DUPLICATE_TYPE: Error "type `{}` already defined",
        "the first definition counts: rename one";
    E0507 UNBOUND_VARIABLE: Warning "type variable `{}` is unbound",
        "it stands for `any()`: write that, or add it to the parameters of the type";
    E0508 NOT_AN_INTEGER: Error "not an integer expression",
        "write an integer, or operators on integers whose value fits 128 bits";
    E0509 EMPTY_RANGE: Error "empty range `{}`", "write the smaller bound first";
    E0510 SELF_REFERENCE: Error "type `{}` is one of its own alternatives",
        "leave the reference out, or put it inside a tuple, list or map";
    E0511 RECURSIVE_CONSTRAINT: Warning "type variable `{}` is bounded by itself",
        "define a recursive `-type`, and use that";
    E0512 TYPE_TOO_LARGE: Error "`{}` is too large once its variables are replaced",
        "give its parts names with `-type`";
    E0513 UNKNOWN_CALLBACK: Warning "`{}` is in `-optional_callbacks` but is not a callback",
        "write its `-callback`, or remove it there";
    E0514 CLAUSE_ARITY: Error "the clauses of `{}` differ in arity",
        "write a `-spec` for each arity";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_in_order() {
        assert!(ALL.windows(2).all(|pair| pair[0].code < pair[1].code));
    }

    #[test]
    fn a_page_begins_with_code_and_label() {
        for message in ALL {
            let title = format!("# {}: {}\n", message.code, message.label);
            assert!(message.page.starts_with(&title), "{title}");
        }
    }
}
