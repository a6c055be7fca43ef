//! Static names of Erlang functions, and types that read their results. Generated bindings use
//! them.

use std::marker::PhantomData;

use super::{Arguments, apply};
use crate::ErlangType;
use crate::runtime::{Await, Cx, Failure, Operation, protocol};
use crate::term::{DecodeError, FromTerm, Heap, Reader, StaticAtom, View};

/// An Erlang function of any arity.
#[derive(Debug)]
pub struct Function {
    module: StaticAtom,
    name: StaticAtom,
}

impl Function {
    /// `Module:Name`.
    ///
    /// # Panics
    /// If a name is longer than 255 characters, the limit of Erlang's atoms. In a `static` this is
    /// a compile error.
    pub const fn new(module: &'static str, name: &'static str) -> Self {
        Function {
            module: StaticAtom::new(module),
            name: StaticAtom::new(name),
        }
    }

    /// Returns the module and the function as terms.
    pub(super) fn name<H: Heap>(&'static self, heap: H) -> [H::Term; 2] {
        [heap.atom(&self.module), heap.atom(&self.name)]
    }
}

/// A call of an Erlang function: a future of `Result<T, Exit>`. `A` are its arguments, `R` reads
/// its result.
pub type Calling<'call, T, A, R = AnyResult<T>> = Await<'call, T, FunctionCall<A, R>>;

/// The arguments of a function that has more than eight.
pub type ManyArguments = Vec<crate::Term>;

/// Calls `function` in the callback's process and reads its result by `R`.
///
/// # Errors
/// The exception of the function; a decode error if its result does not match its `-spec`.
#[track_caller]
pub fn call<'a, R: FunctionResult, A: Arguments>(
    cx: &'a Cx<'a>,
    function: &'static Function,
    arguments: A,
) -> Calling<'a, R::Output, A, R> {
    Await::new(
        cx,
        FunctionCall {
            function,
            arguments,
            answer: PhantomData,
        },
    )
}

/// `erlang:apply/3` with a function that is known at compile time.
#[derive(Debug)]
pub struct FunctionCall<A, R> {
    function: &'static Function,
    arguments: A,
    answer: PhantomData<fn() -> R>,
}

impl<A: Arguments, R: FunctionResult> Operation for FunctionCall<A, R> {
    type Output = R::Output;

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let [module, name] = self.function.name(heap);
        apply(heap, module, name, &self.arguments)
    }

    fn answer<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<R::Output, Failure> {
        Ok(R::read(value, reader)?)
    }
}

impl<'call, T, A: Arguments, R: FunctionResult<Output = T>> Calling<'call, T, A, R> {
    /// Reads the result of the call as a type of your own: `[Object]` of `ets:lookup/2` as
    /// `Vec<Row>`, `State` of `sys:get_state/1` as a struct. For `{ok, T} | {error, E}`, it
    /// replaces the type of `T`.
    ///
    /// ```ignore
    /// let rows: Vec<Row> = ets::lookup(cx, table, key).decode().await?;
    /// ```
    ///
    /// # Errors
    /// The errors of the call. A result that is not of this type is the error
    /// `{bad_term, #{path, expected, got}}`.
    pub fn decode<U: FromTerm>(
        self,
    ) -> Calling<'call, <R::With<U> as FunctionResult>::Output, A, R::With<U>>
    where
        R: HasValue,
    {
        self.turned_into(|call| FunctionCall {
            function: call.function,
            arguments: call.arguments,
            answer: PhantomData,
        })
    }
}

/// A type that reads a result with one value besides `ok` and `{error, E}`.
#[diagnostic::on_unimplemented(
    message = "the result of this function has no value that could be decoded"
)]
pub trait HasValue: FunctionResult {
    /// Reads the value as another type.
    type With<U: FromTerm>: FunctionResult;
}

impl<T: FromTerm> HasValue for AnyResult<T> {
    type With<U: FromTerm> = AnyResult<U>;
}

impl<T: FromTerm, E: FromTerm> HasValue for OkWith<T, E> {
    type With<U: FromTerm> = OkWith<U, E>;
}

/// Reads the result of a function.
pub trait FunctionResult {
    /// The Rust type of the result.
    type Output;

    /// Reads the result.
    ///
    /// # Errors
    /// The value is of another type.
    fn read<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<Self::Output, DecodeError>;
}

/// Reads any type, unchanged.
#[derive(Debug)]
pub struct AnyResult<T>(PhantomData<fn() -> T>);

/// `ok | {error, E}` as `Result<(), E>`.
#[derive(Debug)]
pub struct OkOrError<E>(PhantomData<fn() -> E>);

/// `{ok, T} | {error, E}` as `Result<T, E>`.
#[derive(Debug)]
pub struct OkWith<T, E>(PhantomData<fn() -> (T, E)>);

/// `{ok, A, B} | {error, E}` as `Result<(A, B), E>`.
#[derive(Debug)]
pub struct OkElements<T, E>(PhantomData<fn() -> (T, E)>);

/// Ignores the result.
#[derive(Debug)]
pub struct Anything;

impl FunctionResult for Anything {
    type Output = ();

    fn read<'a, V: View<'a>>(_: V, _: Reader<'_>) -> Result<(), DecodeError> {
        Ok(())
    }
}

impl<T: FromTerm> FunctionResult for AnyResult<T> {
    type Output = T;

    fn read<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<T, DecodeError> {
        T::__read(value, reader)
    }
}

impl<E: FromTerm> FunctionResult for OkOrError<E> {
    type Output = Result<(), E>;

    fn read<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<Self::Output, DecodeError> {
        Result::__read(value, reader)
    }
}

impl<T: FromTerm, E: FromTerm> FunctionResult for OkWith<T, E> {
    type Output = Result<T, E>;

    fn read<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<Self::Output, DecodeError> {
        if let Some([tag, inner]) = value.tuple::<2>()
            && tag.is_atom(protocol::ok.atom())
        {
            return element(1, inner, reader).map(Ok);
        }
        let ok = || format!("{{ok, {}}}", T::erlang_type());
        error(value, reader).unwrap_or_else(|| Err(neither::<E, _>(&ok(), value)))
    }
}

macro_rules! ok_elements {
    ($($size:literal: $($name:ident $variable:ident $index:literal)+;)+) => {$(
        impl<$($name: FromTerm,)+ Failure: FromTerm> FunctionResult for OkElements<($($name,)+), Failure> {
            type Output = Result<($($name,)+), Failure>;

            fn read<'a, View_: View<'a>>(value: View_, reader: Reader<'_>) -> Result<Self::Output, DecodeError> {
                if let Some([tag, $($variable),+]) = value.tuple::<$size>()
                    && tag.is_atom(protocol::ok.atom())
                {
                    return Ok(Ok(($(element($index, $variable, reader)?,)+)));
                }
                let elements = [$($name::erlang_type()),+].join(", ");
                let ok = format!("{{ok, {elements}}}");
                error(value, reader).unwrap_or_else(|| Err(neither::<Failure, _>(&ok, value)))
            }
        }
    )+};
}

ok_elements! {
    3: A a 1 B b 2;
    4: A a 1 B b 2 C c 3;
    5: A a 1 B b 2 C c 3 D d 4;
}

/// Reads `{error, E}`. Returns `None` if the value is not such a tuple.
fn error<'a, T, E: FromTerm, V: View<'a>>(
    value: V,
    reader: Reader<'_>,
) -> Option<Result<Result<T, E>, DecodeError>> {
    let [tag, reason] = value.tuple::<2>()?;
    tag.is_atom(protocol::error.atom())
        .then(|| element(1, reason, reader).map(Err))
}

fn element<'a, T: FromTerm, V: View<'a>>(
    index: usize,
    value: V,
    reader: Reader<'_>,
) -> Result<T, DecodeError> {
    let inner = reader.inner()?;
    T::__read(value, inner).map_err(|error| error.at_element(index))
}

#[cold]
fn neither<'a, E: ErlangType, V: View<'a>>(ok: &str, value: V) -> DecodeError {
    DecodeError::expected_text(format!("{ok} | {{error, {}}}", E::erlang_type()), value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atoms::{error, ok};
    use crate::{Term, ToTerm};

    fn read<R: FunctionResult>(term: &impl ToTerm) -> Result<R::Output, String> {
        Reader::start(|reader| R::read(&Term::of(term), reader))
            .map_err(|refused| refused.to_string())
    }

    #[test]
    fn ok_and_error_become_a_result() {
        assert_eq!(read::<OkOrError<u8>>(&ok), Ok(Ok(())));
        assert_eq!(read::<OkOrError<u8>>(&(error, 3)), Ok(Err(3)));
        assert_eq!(read::<OkWith<bool, u8>>(&(ok, true)), Ok(Ok(true)));
        assert_eq!(read::<OkWith<bool, u8>>(&(error, 3)), Ok(Err(3)));
        assert_eq!(
            read::<OkElements<(bool, u8), u8>>(&(ok, true, 4)),
            Ok(Ok((true, 4)))
        );
        assert_eq!(
            read::<OkElements<(bool, u8, u8), u8>>(&(error, 5)),
            Ok(Err(5))
        );
    }

    #[test]
    fn anything_else_is_refused_with_both_forms() {
        let said = read::<OkOrError<u8>>(&(ok, 1)).unwrap_err();
        assert!(said.contains("ok | {error, 0..255}"), "{said}");
        let said = read::<OkWith<bool, u8>>(&ok).unwrap_err();
        assert!(said.contains("{ok, boolean()} | {error, 0..255}"), "{said}");
        let said = read::<OkWith<bool, u8>>(&(error, 256)).unwrap_err();
        assert!(said.contains("256"), "{said}");
        let said = read::<OkElements<(bool, u8), u8>>(&(ok, 1, 2)).unwrap_err();
        assert!(said.contains("boolean()"), "{said}");
    }
}
