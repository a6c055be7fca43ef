//! Resources: Rust values that Erlang refers to.

use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use crate::term::definitions::{Defined, opaque};
use crate::term::resource::AnyResource;
use crate::term::{DecodeError, ErlangType, FromTerm, Heap, Lent, Reader, Shape, ToTerm, View};

/// A type whose values can be behind a [`Resource`]. Implemented by `#[derive(Resource)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "add `#[derive(Resource)]` to the type, if it is yours; any type can be behind a `Shared<{Self}>`"
)]
pub trait ResourceType: Send + Sync + Sized + 'static {
    /// The name of its Erlang type.
    const NAME: &'static str;

    /// The Erlang module that has its type as an opaque one. Without it, each module that uses the
    /// type has a `-type` of a reference.
    const MODULE: Option<&'static str>;

    /// The lines of its documentation.
    #[doc(hidden)]
    const __DOC: &'static [&'static str] = &[];
}

/// A Rust value that the VM's garbage collector owns, and that Erlang knows as a reference.
///
/// The value is never copied: all processes of the node that have the term share it. It is dropped
/// when the last term and the last `Resource` of it are dropped, on the thread where that happens.
/// Because it is shared, change it only through a type that allows that: a `Mutex`, an `RwLock`, an
/// atomic.
///
/// ```
/// # use otp_bridge_novm as _;
/// use std::sync::Mutex;
///
/// use otp_bridge::{Resource, Term};
///
/// #[derive(Debug, Default, Resource)]
/// struct Index {
///     words: Mutex<Vec<String>>,
/// }
///
/// let index = Resource::new(Index::default());
/// let term = Term::of(&index);
///
/// let same: Resource<Index> = term.decode().unwrap();
/// same.words.lock().unwrap().push("otp".into());
/// assert_eq!(*index.words.lock().unwrap(), ["otp"]);
/// assert!(same == index);
/// ```
///
/// A term of another type is rejected, including one of another resource type. A reference that was
/// sent to another node and back refers to the resource as long as the resource lives.
pub struct Resource<T> {
    any: AnyResource,
    of: PhantomData<fn() -> T>,
}

impl<T: ResourceType> Resource<T> {
    /// Returns a new resource.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self::of(AnyResource::new(Arc::new(value)))
    }

    /// Returns the resource, whose value must be a `T`.
    pub(crate) fn of(any: AnyResource) -> Self {
        Resource {
            any,
            of: PhantomData,
        }
    }

    pub(crate) fn any(&self) -> &AnyResource {
        &self.any
    }
}

impl<T: ResourceType> ErlangType for Resource<T> {
    fn erlang_type() -> String {
        opaque(&Defined {
            rust_name: std::any::type_name::<T>(),
            name: T::NAME,
            module: T::MODULE,
            doc: T::__DOC,
        })
    }
}

/// A Rust value of any type, shared by processes without copying it: an `Arc` that is a term.
///
/// The value is dropped when the last term, the last `Shared` and the last `Arc` of it are gone.
///
/// ```
/// # use otp_bridge_novm as _;
/// use std::collections::HashMap;
///
/// use otp_bridge::term::Shared;
/// use otp_bridge::Term;
///
/// /// `{use, Prices}`
/// #[derive(Debug, Term)]
/// struct Use(Shared<HashMap<String, u64>>);
///
/// let prices = Shared::new(HashMap::from([("tea".to_owned(), 200)]));
/// let term = Term::of(&Use(prices.clone()));
/// let Use(same) = term.decode().unwrap();
/// assert_eq!(same["tea"], 200);
///
/// let wrong = Term::of(&Shared::new(1_u8)).decode::<Shared<String>>();
/// assert!(wrong.unwrap_err().to_string().ends_with("got a reference to a `u8`"));
/// ```
pub struct Shared<T> {
    any: AnyResource,
    of: PhantomData<fn() -> T>,
}

impl<T: Send + Sync + 'static> Shared<T> {
    /// Returns a new shared value.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self::from(Arc::new(value))
    }

    /// Returns the value as an `Arc`, for Rust alone.
    #[must_use]
    pub fn arc(&self) -> Arc<T> {
        let value = Arc::clone(&self.any.cell().value);
        value.downcast().unwrap_or_else(|_| wrong_type())
    }
}

impl<T: Send + Sync + 'static> From<Arc<T>> for Shared<T> {
    fn from(value: Arc<T>) -> Self {
        Shared {
            any: AnyResource::new(value),
            of: PhantomData,
        }
    }
}

impl<T> ErlangType for Shared<T> {
    fn erlang_type() -> String {
        "reference()".to_owned()
    }
}

/// Panics, because a handle is created only for a value of its type.
#[cold]
fn wrong_type() -> ! {
    unreachable!("the value behind a handle has the handle's type")
}

macro_rules! handles {
    ($($handle:ident: $($bound:ident)+ $(+ $lifetime:lifetime)?;)*) => {$(
        impl<T: $($bound +)+ $($lifetime)?> Deref for $handle<T> {
            type Target = T;

            fn deref(&self) -> &T {
                self.any.value().unwrap_or_else(|| wrong_type())
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: $($bound +)+ $($lifetime)?> ToTerm for $handle<T> {
            fn to_term<H: Heap>(&self, heap: H) -> H::Term {
                heap.resource(&self.any)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: $($bound +)+ $($lifetime)?> FromTerm for $handle<T> {
            const KIND: Shape = Shape::Some(&Shape::References);

            fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
                Ok($handle {
                    any: checked::<T, V, _>(view, view.resource())?,
                    of: PhantomData,
                })
            }

            fn __lend<'a, V: View<'a>>(
                view: V,
                _: Reader<'_>,
            ) -> Result<Lent<'a, Self>, DecodeError> {
                let lent = checked::<T, V, _>(view, view.lent_resource())?;
                Ok(lent.map(|any| $handle { any, of: PhantomData }))
            }
        }
    )*};
}

handles! {
    Resource: ResourceType;
    Shared: Send Sync + 'static;
}

macro_rules! handle_traits {
    ($($handle:ident)*) => {$(
        impl<T> Clone for $handle<T> {
            fn clone(&self) -> Self {
                $handle {
                    any: self.any.clone(),
                    of: PhantomData,
                }
            }
        }

        /// Two handles are equal if they are of the same resource.
        impl<T> PartialEq for $handle<T> {
            fn eq(&self, other: &Self) -> bool {
                self.any == other.any
            }
        }

        impl<T> Eq for $handle<T> {}

        impl<T> fmt::Debug for $handle<T> {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "{}<{}>", stringify!($handle), std::any::type_name::<T>())
            }
        }
    )*};
}

handle_traits! { Resource Shared }

/// Checks that a term is a resource whose value has the type `T`.
///
/// # Errors
/// The term is not a resource of this library, or its value has another type.
fn checked<'a, T: Send + Sync + 'static, V: View<'a>, R: Borrow<AnyResource>>(
    view: V,
    resource: Option<R>,
) -> Result<R, DecodeError> {
    let expected = || format!("a reference to a `{}`", std::any::type_name::<T>());
    match resource {
        Some(resource) if resource.borrow().value::<T>().is_some() => Ok(resource),
        Some(other) => {
            let got = format!("a reference to a `{}`", other.borrow().cell().type_name);
            Err(DecodeError::new(expected(), got))
        }
        None => Err(DecodeError::expected_text(expected(), view)),
    }
}
