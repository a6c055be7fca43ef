//! A serde value as a typed term.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Erlang, Format};
use crate::term::Shape;
use crate::{DecodeError, ErlangType, FromTerm, Heap, ToTerm, View};

/// Any value of a type that serde supports, as a term: a message, an argument, a reply, a field of
/// a derived type.
///
/// `M` selects the mapping: [`Erlang`], [`Elixir`](super::Elixir), [`Null`](super::Null),
/// [`Records`](super::Records), `SerdeRustler`, or a [`Mapping`](super::Mapping) of your own. In
/// Erlang, the type is `term()`.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::atoms::ok;
/// use otp_bridge::gen_server::prelude::*;
/// use otp_bridge::serde::Serde;
/// # use serde::{Deserialize, Serialize};
///
/// #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
/// pub struct Order { item: String, count: u32 }
///
/// /// `{place, #{item => <<"tea">>, count => 2}}`
/// #[derive(Debug, Term)]
/// #[reply(Serde<Vec<Order>>)]
/// pub struct Place(pub Serde<Order>);
///
/// # #[derive(Debug)]
/// # pub struct Shop { orders: Vec<Order> }
/// #[gen_server]
/// impl GenServer for Shop {
/// #     type Args = ();
/// #     fn init(_: ()) -> impl InitReturn<Self> { (ok, Shop { orders: vec![] }) }
///     fn handle_call(&mut self, Place(order): Place) -> HandleCall<Serde<Vec<Order>>> {
///         self.orders.push(order.into_inner());
///         reply(Serde::new(self.orders.clone()))
///     }
/// }
/// ```
pub struct Serde<T, M = Erlang> {
    value: T,
    mapping: PhantomData<fn() -> M>,
}

impl<T, M> Serde<T, M> {
    /// Wraps the value as a term.
    pub const fn new(value: T) -> Self {
        Serde {
            value,
            mapping: PhantomData,
        }
    }

    /// Returns the value.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T, M> Deref for Serde<T, M> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T, M> DerefMut for Serde<T, M> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T, M> From<T> for Serde<T, M> {
    fn from(value: T) -> Self {
        Serde::new(value)
    }
}

impl<T: Clone, M> Clone for Serde<T, M> {
    fn clone(&self) -> Self {
        Serde::new(self.value.clone())
    }
}

impl<T: Copy, M> Copy for Serde<T, M> {}

impl<T: Default, M> Default for Serde<T, M> {
    fn default() -> Self {
        Serde::new(T::default())
    }
}

impl<T: PartialEq, M> PartialEq for Serde<T, M> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq, M> Eq for Serde<T, M> {}

impl<T: fmt::Debug, M> fmt::Debug for Serde<T, M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(formatter)
    }
}

impl<T, M> ErlangType for Serde<T, M> {
    fn erlang_type() -> String {
        "term()".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize, M: Format> ToTerm for Serde<T, M> {
    /// # Panics
    /// If the value has no term. [`to_term_as`](super::to_term_as) lists these values.
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match M::write(&self.value, heap) {
            Ok(term) => term,
            Err(error) => panic!("{error}"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned, M: Format> FromTerm for Serde<T, M> {
    const KIND: Shape = Shape::Any;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        M::read(view).map(Serde::new)
    }
}
