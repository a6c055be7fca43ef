//! The operators that types may have.

/// An operator of the type language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operator {
    Plus,
    Minus,
    Bnot,
    Not,
    Times,
    Slash,
    Div,
    Rem,
    Band,
    And,
    Bor,
    Bxor,
    Bsl,
    Bsr,
    Or,
    Xor,
}

impl Operator {
    /// Every operator with its text.
    pub const ALL: [(Operator, &'static str); 16] = [
        (Operator::Plus, "+"),
        (Operator::Minus, "-"),
        (Operator::Bnot, "bnot"),
        (Operator::Not, "not"),
        (Operator::Times, "*"),
        (Operator::Slash, "/"),
        (Operator::Div, "div"),
        (Operator::Rem, "rem"),
        (Operator::Band, "band"),
        (Operator::And, "and"),
        (Operator::Bor, "bor"),
        (Operator::Bxor, "bxor"),
        (Operator::Bsl, "bsl"),
        (Operator::Bsr, "bsr"),
        (Operator::Or, "or"),
        (Operator::Xor, "xor"),
    ];

    /// Returns its text in Erlang.
    #[must_use]
    pub fn text(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Returns the operator with this text.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Operator> {
        Self::ALL
            .iter()
            .find(|(_, known)| *known == text)
            .map(|(operator, _)| *operator)
    }
}
