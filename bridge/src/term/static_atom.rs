//! Atoms of the program's text.

use std::sync::atomic::{AtomicUsize, Ordering};

use otp_contract::limits::ATOM_CHARACTERS;

/// An atom of the program's text. The VM's word for it is looked up once and cached.
///
/// Only these atoms and those of [`crate::Atom::new`] are ever added to the VM's atom table.
pub struct StaticAtom {
    text: &'static str,
    /// The VM's word for the atom. Before the first use in the VM it is 0, which is not a term.
    cached: AtomicUsize,
}

impl StaticAtom {
    /// Returns an atom with this text.
    ///
    /// # Panics
    /// If the text is longer than 255 characters, the limit of an Erlang atom. In a `static` this
    /// is a compile error.
    pub const fn new(text: &'static str) -> Self {
        assert!(
            character_count(text) <= ATOM_CHARACTERS,
            "an atom has at most 255 characters"
        );
        StaticAtom {
            text,
            cached: AtomicUsize::new(0),
        }
    }

    /// Returns the text of the atom, without quotes.
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// Returns the VM's word for the atom. `make` creates it the first time.
    #[inline]
    pub(crate) fn word(&self, make: impl FnOnce() -> usize) -> usize {
        // Relaxed: the word is a plain value, and every thread stores the same one.
        match self.cached.load(Ordering::Relaxed) {
            0 => self.make(make),
            word => word,
        }
    }

    #[cold]
    #[inline(never)]
    fn make(&self, make: impl FnOnce() -> usize) -> usize {
        let word = make();
        self.cached.store(word, Ordering::Relaxed);
        word
    }
}

impl std::fmt::Debug for StaticAtom {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&super::quote_atom(self.text))
    }
}

/// Returns the number of characters of `text`, as a `const fn`.
pub(crate) const fn character_count(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut count = 0;
    let mut index = 0;
    while index < bytes.len() {
        // Continuation bytes of UTF-8 are 0b10xx_xxxx.
        if bytes[index] & 0xC0 != 0x80 {
            count += 1;
        }
        index += 1;
    }
    count
}

/// Defines atoms as unit structs, each of which is a type and a value:
/// `atoms! { ok, ignore, "continue" => continue_ }`.
///
/// Each struct is written as its atom and read from this atom only. If the text of the atom is
/// reserved in Rust, or is not a Rust identifier, write the text as a literal before the name.
#[macro_export]
macro_rules! atoms {
    () => {};
    ($text:literal => $name:ident $(, $($rest:tt)*)?) => {
        $crate::__atom!($text, $name);
        $($crate::atoms! { $($rest)* })?
    };
    ($name:ident $(, $($rest:tt)*)?) => {
        $crate::__atom!(::core::stringify!($name), $name);
        $($crate::atoms! { $($rest)* })?
    };
}

/// One atom of [`atoms!`].
#[doc(hidden)]
#[macro_export]
macro_rules! __atom {
    ($text:expr, $name:ident) => {
        #[doc = ::core::concat!("The atom `", $text, "`.")]
        #[allow(non_camel_case_types, unreachable_pub)]
        #[derive(
            ::core::clone::Clone,
            ::core::marker::Copy,
            ::core::fmt::Debug,
            ::core::default::Default,
            ::core::cmp::PartialEq,
            ::core::cmp::PartialOrd,
            ::core::cmp::Ord,
            ::core::hash::Hash,
        )]
        pub struct $name;

        const _: () = {
            static __OTP_ATOM: $crate::term::StaticAtom = $crate::term::StaticAtom::new($text);

            impl ::core::cmp::Eq for $name {}

            impl $name {
                /// Returns the atom, as a static of the program.
                #[allow(dead_code, unreachable_pub)]
                #[inline]
                pub const fn atom(self) -> &'static $crate::term::StaticAtom {
                    &__OTP_ATOM
                }
            }

            impl $crate::term::ErlangType for $name {
                #[inline]
                fn erlang_type() -> ::std::string::String {
                    $crate::term::quote_atom(__OTP_ATOM.text())
                }
            }

            #[diagnostic::do_not_recommend]
            impl $crate::term::ToTerm for $name {
                #[inline]
                fn to_term<__OtpHeap: $crate::term::Heap>(
                    &self,
                    __otp_heap: __OtpHeap,
                ) -> __OtpHeap::Term {
                    __otp_heap.atom(&__OTP_ATOM)
                }
            }

            #[diagnostic::do_not_recommend]
            impl $crate::term::FromTerm for $name {
                const KIND: $crate::term::Shape = $crate::term::Shape::Atom($text);

                fn from_term<'__otp_view, __OtpView: $crate::term::View<'__otp_view>>(
                    __otp_view: __OtpView,
                ) -> ::std::result::Result<Self, $crate::term::DecodeError> {
                    if __otp_view.is_atom(&__OTP_ATOM) {
                        ::std::result::Result::Ok($name)
                    } else {
                        ::std::result::Result::Err($crate::term::DecodeError::expected::<
                            Self,
                            __OtpView,
                        >(__otp_view))
                    }
                }

                fn __check<'__otp_view, __OtpView: $crate::term::View<'__otp_view>>(
                    __otp_view: __OtpView,
                    _: $crate::term::Reader<'_>,
                ) -> ::std::result::Result<(), $crate::term::Misfit> {
                    $crate::term::Misfit::unless(__otp_view.is_atom(&__OTP_ATOM))
                }
            }

            $crate::__json! { $crate::__json_atom! { $name, __OTP_ATOM.text() } }

            // There are hundreds of atoms. The compiler should not list them in errors about other
            // types.
            #[diagnostic::do_not_recommend]
            impl $crate::term::AtomOf<$name> for $crate::Atom {
                #[inline]
                fn of() -> &'static $crate::term::StaticAtom {
                    &__OTP_ATOM
                }
            }
        };
    };
}
