//! The kinds of tokens: a table with the text of each.

macro_rules! kinds {
    (
        { $($(#[$doc:meta])* $name:ident = $text:literal;)* }
        keywords {
            $($(#[$keyword_doc:meta])* $keyword:ident = $spelling:literal;)*
        }
    ) => {
        /// The kind of a token.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub(crate) enum Kind {
            $($(#[$doc])* $name,)*
            $($(#[$keyword_doc])* $keyword,)*
        }

        impl Kind {
            /// Every kind with its text; names and literals have a description instead.
            pub(crate) const ALL: &[(Kind, &str)] =
                &[$((Kind::$name, $text),)* $((Kind::$keyword, $spelling),)*];

            /// Returns the keyword with this spelling.
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

kinds! {
    {
        Atom = "atom";
        Variable = "variable";
        Integer = "integer";
        Float = "float";
        String = "string";
        Char = "character";
        /// `~b"…"` and other sigils, since OTP 27.
        Sigil = "sigil";
        ParenOpen = "(";
        ParenClose = ")";
        BraceOpen = "{";
        BraceClose = "}";
        BracketOpen = "[";
        BracketClose = "]";
        BinaryOpen = "<<";
        BinaryClose = ">>";
        Comma = ",";
        Semicolon = ";";
        Colon = ":";
        DoubleColon = "::";
        Assign = "=";
        Arrow = "->";
        MapExact = ":=";
        MapAssoc = "=>";
        Bar = "|";
        DoubleBar = "||";
        Hash = "#";
        Question = "?";
        Exclamation = "!";
        /// The full stop that ends a form.
        Dot = "end of form";
        /// A `.` that does not end the form.
        Period = ".";
        Range = "..";
        Ellipsis = "...";
        Plus = "+";
        Minus = "-";
        Times = "*";
        Slash = "/";
        Append = "++";
        Subtract = "--";
        Less = "<";
        Greater = ">";
        LessEqual = "=<";
        GreaterEqual = ">=";
        Equal = "==";
        NotEqual = "/=";
        ExactlyEqual = "=:=";
        ExactlyNotEqual = "=/=";
        Generator = "<-";
        BinaryGenerator = "<=";
        MaybeMatch = "?=";
        /// A character that does not start a token of Erlang, or an unknown operator.
        Other = "character outside Erlang";
    }
    keywords {
        After = "after";
        Begin = "begin";
        Case = "case";
        Try = "try";
        Cond = "cond";
        Catch = "catch";
        Andalso = "andalso";
        Orelse = "orelse";
        End = "end";
        Fun = "fun";
        If = "if";
        Let = "let";
        Of = "of";
        Receive = "receive";
        When = "when";
        Bnot = "bnot";
        Not = "not";
        Div = "div";
        Rem = "rem";
        Band = "band";
        And = "and";
        Bor = "bor";
        Bxor = "bxor";
        Bsl = "bsl";
        Bsr = "bsr";
        Or = "or";
        Xor = "xor";
        /// Unquoted `maybe`: an atom unless the feature is on.
        Maybe = "maybe";
        /// Unquoted `else`: an atom unless the feature is on.
        Else = "else";
    }
}

impl Kind {
    /// Returns its text, or a description.
    #[must_use]
    pub(crate) fn text(self) -> &'static str {
        Kind::ALL
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or("", |(_, text)| text)
    }
}
