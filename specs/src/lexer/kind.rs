//! The kinds of tokens: a table with the letter and the text of each.

macro_rules! kinds {
    (
        { $($(#[$doc:meta])* $name:ident = $letter:literal, $text:literal;)* }
        keywords {
            $($(#[$keyword_doc:meta])* $keyword:ident = $keyword_letter:literal, $spelling:literal;)*
        }
    ) => {
        /// The kind of a token. The discriminant is its letter in the grammar.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub(crate) enum Kind {
            $($(#[$doc])* $name = $letter,)*
            $($(#[$keyword_doc])* $keyword = $keyword_letter,)*
        }

        impl Kind {
            /// Every kind with its text; names and literals have a description instead.
            pub(crate) const ALL: &[(Kind, &str)] =
                &[$((Kind::$name, $text),)* $((Kind::$keyword, $spelling),)*];

            /// What stands for it in the grammar's input.
            pub(crate) fn letter(self) -> char {
                char::from(self as u8)
            }

            /// The keyword of that spelling.
            #[must_use]
            pub(crate) fn keyword(text: &str) -> Option<Kind> {
                if !(2..=7).contains(&text.len()) {
                    return None;
                }
                match text {
                    $($spelling => Some(Kind::$keyword),)*
                    _ => None,
                }
            }
        }
    };
}

// Letters are free to choose. Those that the grammar uses stand in `grammar/tokens.pest` too, and a
// test compares.
kinds! {
    {
        Atom = b'a', "atom";
        Variable = b'v', "variable";
        Integer = b'i', "integer";
        Float = b'f', "float";
        String = b's', "string";
        Char = b'c', "character";
        /// `~b"…"` and its like, from OTP 27.
        Sigil = b'~', "sigil";
        ParenOpen = b'(', "(";
        ParenClose = b')', ")";
        BraceOpen = b'{', "{";
        BraceClose = b'}', "}";
        BracketOpen = b'[', "[";
        BracketClose = b']', "]";
        BinaryOpen = b'<', "<<";
        BinaryClose = b'>', ">>";
        Comma = b',', ",";
        Semicolon = b';', ";";
        Colon = b':', ":";
        DoubleColon = b'T', "::";
        Assign = b'=', "=";
        Arrow = b'g', "->";
        MapExact = b'e', ":=";
        MapAssoc = b'h', "=>";
        Bar = b'|', "|";
        DoubleBar = b'%', "||";
        Hash = b'#', "#";
        Question = b'?', "?";
        Exclamation = b'!', "!";
        /// The full stop that ends a form.
        Dot = b'.', "end of form";
        /// A `.` that does not end the form.
        Period = b'_', ".";
        Range = b'u', "..";
        Ellipsis = b'U', "...";
        Plus = b'+', "+";
        Minus = b'-', "-";
        Times = b'*', "*";
        Slash = b'/', "/";
        Append = b'p', "++";
        Subtract = b'm', "--";
        Less = b'j', "<";
        Greater = b'k', ">";
        LessEqual = b't', "=<";
        GreaterEqual = b'z', ">=";
        Equal = b'w', "==";
        NotEqual = b'y', "/=";
        ExactlyEqual = b'Q', "=:=";
        ExactlyNotEqual = b'P', "=/=";
        Generator = b'G', "<-";
        BinaryGenerator = b'V', "<=";
        MaybeMatch = b'`', "?=";
        /// A character that does not start a token of Erlang, or an operator that is unknown here.
        Other = b'$', "character outside Erlang";
        /// A token of a record field's default. The grammar's input alone has it.
        Masked = b'^', "masked";
    }
    keywords {
        After = b'A', "after";
        Begin = b'B', "begin";
        Case = b'C', "case";
        Try = b'Y', "try";
        Cond = b'D', "cond";
        Catch = b'H', "catch";
        Andalso = b'J', "andalso";
        Orelse = b'K', "orelse";
        End = b'E', "end";
        Fun = b'F', "fun";
        If = b'I', "if";
        Let = b'l', "let";
        Of = b'O', "of";
        Receive = b'R', "receive";
        When = b'W', "when";
        Bnot = b'n', "bnot";
        Not = b'N', "not";
        Div = b'd', "div";
        Rem = b'r', "rem";
        Band = b'b', "band";
        And = b'&', "and";
        Bor = b'o', "bor";
        Bxor = b'x', "bxor";
        Bsl = b'S', "bsl";
        Bsr = b'Z', "bsr";
        Or = b'q', "or";
        Xor = b'X', "xor";
        /// Unquoted `maybe`: an atom unless the feature is on.
        Maybe = b'M', "maybe";
        /// Unquoted `else`: an atom unless the feature is on.
        Else = b'L', "else";
    }
}

impl Kind {
    /// Its text, or a description.
    #[must_use]
    pub(crate) fn text(self) -> &'static str {
        Kind::ALL
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or("", |(_, text)| text)
    }
}
