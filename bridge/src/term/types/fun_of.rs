//! `fun((A, B) -> Result)`.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use crate::term::types::{Atom, Fun};
use otp_contract::limits::FUN_ARITY;

use crate::term::{DecodeError, ErlangType, FromTerm, Heap, Shape, ToTerm, View};

/// A fun with known types of its arguments and result: `FunOf<fn(Atom, i64) -> bool>`.
///
/// Reading one checks only the number of arguments, because a fun does not contain their types. The
/// types are those of the spec, without a check.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::term::FunOf;
/// use otp_bridge::atom;
///
/// let reverse = FunOf::<fn(Vec<u8>) -> Vec<u8>>::external(atom!("lists"), atom!("reverse"));
/// assert_eq!(reverse.to_string(), "fun lists:reverse/1");
/// ```
pub struct FunOf<S> {
    fun: Fun,
    signature: PhantomData<fn() -> S>,
}

/// A signature with unknown arguments: `fun((...) -> R)` is `FunOf<AnyArguments<R>>`.
pub struct AnyArguments<R>(PhantomData<fn() -> R>);

/// The type parameter of [`FunOf`]: function pointer types of up to [`FUN_ARITY`] arguments, and
/// [`AnyArguments`].
pub trait FunSignature {
    /// The number of arguments, if that is known.
    const ARITY: Option<u8>;

    /// Returns the type of such a fun as Erlang writes it.
    fn erlang_type() -> String;
}

impl<R: ErlangType> FunSignature for AnyArguments<R> {
    const ARITY: Option<u8> = None;

    fn erlang_type() -> String {
        format!("fun((...) -> {})", R::erlang_type())
    }
}

macro_rules! signatures {
    ($($arity:literal: $($argument:ident)*;)*) => {$(
        impl<$($argument: ErlangType,)* R: ErlangType> FunSignature for fn($($argument),*) -> R {
            const ARITY: Option<u8> = Some($arity);

            fn erlang_type() -> String {
                let arguments: Vec<String> = vec![$($argument::erlang_type()),*];
                format!("fun(({}) -> {})", arguments.join(", "), R::erlang_type())
            }
        }
    )*
        const _: () = {
            let arities: &[usize] = &[$($arity),*];
            assert!(arities[arities.len() - 1] == FUN_ARITY, "as many as otp-codegen relies on");
        };
    };
}

signatures! {
    0: ;
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F;
    7: A B C D E F G;
    8: A B C D E F G H;
    9: A B C D E F G H I;
    10: A B C D E F G H I J;
    11: A B C D E F G H I J K;
    12: A B C D E F G H I J K L;
    13: A B C D E F G H I J K L M;
    14: A B C D E F G H I J K L M N;
    15: A B C D E F G H I J K L M N O;
    16: A B C D E F G H I J K L M N O P;
}

impl<S: FunSignature> FunOf<S> {
    /// Returns the fun with this type, if it takes that many arguments. The caller is responsible
    /// for their types.
    pub fn new(fun: Fun) -> Option<Self> {
        let fits = S::ARITY.is_none_or(|arity| arity == fun.arity());
        fits.then_some(FunOf {
            fun,
            signature: PhantomData,
        })
    }

    /// `fun Module:Function/Arity`. If the number of arguments is not known, the arity is 0.
    pub fn external(module: Atom, function: Atom) -> Self {
        FunOf {
            fun: Fun::external(module, function, S::ARITY.unwrap_or_default()),
            signature: PhantomData,
        }
    }

    /// Returns the fun.
    pub fn into_fun(self) -> Fun {
        self.fun
    }
}

impl<S> Deref for FunOf<S> {
    type Target = Fun;

    fn deref(&self) -> &Fun {
        &self.fun
    }
}

impl<S> From<FunOf<S>> for Fun {
    fn from(fun: FunOf<S>) -> Self {
        fun.fun
    }
}

impl<S> Clone for FunOf<S> {
    fn clone(&self) -> Self {
        FunOf {
            fun: self.fun.clone(),
            signature: PhantomData,
        }
    }
}

impl<S> PartialEq for FunOf<S> {
    fn eq(&self, other: &Self) -> bool {
        self.fun == other.fun
    }
}

impl<S> Eq for FunOf<S> {}

impl<S> fmt::Debug for FunOf<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fun.fmt(formatter)
    }
}

impl<S: FunSignature> ErlangType for FunOf<S> {
    fn erlang_type() -> String {
        S::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl<S: FunSignature> ToTerm for FunOf<S> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.fun(&self.fun)
    }
}

#[diagnostic::do_not_recommend]
impl<S: FunSignature> FromTerm for FunOf<S> {
    const KIND: Shape = match S::ARITY {
        None => Shape::Funs,
        Some(_) => Shape::Some(&Shape::Funs),
    };

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let fun = view.fun().and_then(FunOf::new);
        fun.ok_or_else(|| DecodeError::expected::<Self, V>(view))
    }
}
