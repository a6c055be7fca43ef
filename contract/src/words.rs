//! Enums of words: each variant is declared with its text.

/// Declares an enum of words, as used in a description or a manifest.
macro_rules! words {
    ($(
        $(#[$doc:meta])*
        $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* }
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            /// All variants, in the order of a description.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }

            /// Returns the variant with this word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.as_str() == word)
            }
        }
    )*};
}

pub(crate) use words;
