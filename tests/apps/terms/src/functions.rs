//! The module `terms_vm`, which returns its arguments: through owned terms, through bytes, and
//! through Rust types.

use std::collections::BTreeMap;

use otp_bridge::__private::{VmHeap, VmTerm};
use otp_bridge::term::describe;
use otp_bridge::term::etf::{self, Encoding};
use otp_bridge::term::{
    Binary, Bitstring, DecodeError, ErlangString, Fun, Integer, Iodata, Map, Port, View,
};
use otp_bridge::{Atom, FromTerm, Pid, Reference, Term, Timeout, ToTerm};
use rustler::Env;

type Raw<'a> = rustler::Term<'a>;

fn view<'a>(env: Env<'a>, term: Raw<'a>) -> VmTerm<'a> {
    // SAFETY: both are of the running NIF call, whose lifetime is `'a`.
    unsafe { VmTerm::new(env.as_c_arg(), term.as_c_arg()) }
}

fn build<'a>(env: Env<'a>, value: &impl ToTerm) -> Raw<'a> {
    // SAFETY: the environment is that of the running NIF call, and the term has just been made in
    // it.
    unsafe { Raw::new(env, value.to_term(VmHeap::new(env.as_c_arg())).raw()) }
}

/// `{ok, Term} | {error, Text}`
fn answer<'a, T: ToTerm>(env: Env<'a>, result: Result<T, DecodeError>) -> Raw<'a> {
    otp_bridge::atoms! { ok, error }
    match result {
        Ok(value) => build(env, &(ok, value)),
        Err(reason) => build(env, &(error, reason.to_string())),
    }
}

/// Makes a deliberate mistake if `is_made`: reads memory after it was freed.
/// `cargo xtask sanitize --live` has to find it before its other results can be trusted.
#[rustler::nif]
fn mistake(is_made: bool) -> u64 {
    let kept = Box::into_raw(Box::new(7_u64));
    if is_made {
        // SAFETY: it was a box. That it is read below is the mistake.
        drop(unsafe { Box::from_raw(kept) });
    }
    // SAFETY: it points to a live box, unless the mistake is requested.
    let read = unsafe { std::hint::black_box(kept).read() };
    if !is_made {
        // SAFETY: it points to a box without other owners.
        drop(unsafe { Box::from_raw(kept) });
    }
    read
}

/// Returns the term through an owned one.
#[rustler::nif]
fn owned<'a>(env: Env<'a>, term: Raw<'a>) -> Raw<'a> {
    answer(env, Term::from_term(view(env, term)))
}

/// Like `owned`, on a dirty scheduler, whose stack is small, and through all other functions that
/// recur once per level.
#[rustler::nif(schedule = "DirtyCpu")]
fn owned_dirty<'a>(env: Env<'a>, term: Raw<'a>) -> Raw<'a> {
    let copy = Term::from_term(view(env, term)).inspect(|term| {
        assert_eq!(etf::decode(&etf::encode(term)).as_ref(), Ok(term));
        assert!(!term.to_string().is_empty());
        assert!(term.clone().cmp(term).is_eq());
    });
    answer(env, copy)
}

/// Returns the bytes of the term, as a release encodes them.
#[rustler::nif]
fn encoded<'a>(env: Env<'a>, term: Raw<'a>, release: u32) -> Raw<'a> {
    let encoding = Encoding::of_release(release);
    let term = Term::from_term(view(env, term));
    answer(
        env,
        term.map(|term| Binary::from(etf::encode_as(&term, encoding))),
    )
}

/// Returns the term of the given bytes.
#[rustler::nif]
fn decoded<'a>(env: Env<'a>, bytes: Raw<'a>) -> Raw<'a> {
    let bytes = view(env, bytes).binary().unwrap_or_default();
    let term = etf::decode(bytes).map_err(|error| DecodeError::new("a term", error.to_string()));
    answer(env, term)
}

/// Returns the text of the term, created directly from the VM's term.
#[rustler::nif]
fn described<'a>(env: Env<'a>, term: Raw<'a>) -> Raw<'a> {
    build(env, &describe(view(env, term), usize::MAX))
}

/// Returns whether the two terms are in Erlang's order on the Rust side.
#[rustler::nif]
fn ordered<'a>(env: Env<'a>, left: Raw<'a>, right: Raw<'a>) -> Raw<'a> {
    let both = <(Term, Term)>::from_term(view(
        env,
        rustler::types::tuple::make_tuple(env, &[left, right]),
    ));
    answer(env, both.map(|(left, right)| left.cmp(&right) as i8))
}

#[derive(otp_bridge::Term)]
#[term(transparent)]
struct Nested(Vec<Nested>);

#[derive(otp_bridge::Term)]
enum Request {
    Get,
    Add(u64),
    #[term(tag = "add")]
    AddBoth(i8, i128),
    #[term(untagged)]
    Pid(Pid),
    #[term(tuple)]
    Pair(Atom, Option<f64>),
}

#[derive(otp_bridge::Term)]
struct Options {
    name: String,
    #[term(optional)]
    timeout: Option<Timeout>,
    #[term(key = "type")]
    kind: Atom,
}

/// Returns the term through the Rust type with this name.
#[rustler::nif]
fn typed<'a>(env: Env<'a>, name: Raw<'a>, term: Raw<'a>) -> Raw<'a> {
    fn through<'a, T: FromTerm + ToTerm>(env: Env<'a>, term: VmTerm<'a>) -> Raw<'a> {
        answer(env, T::from_term(term))
    }
    let name = Atom::from_term(view(env, name)).map(|name| name.text().to_owned());
    let term = view(env, term);
    match name.as_deref().unwrap_or_default() {
        "bool" => through::<bool>(env, term),
        "u8" => through::<u8>(env, term),
        "i64" => through::<i64>(env, term),
        "u64" => through::<u64>(env, term),
        "i128" => through::<i128>(env, term),
        "integer" => through::<Integer>(env, term),
        "f64" => through::<f64>(env, term),
        "unit" => through::<()>(env, term),
        "atom" => through::<Atom>(env, term),
        "string" => through::<String>(env, term),
        "characters" => through::<ErlangString>(env, term),
        "iodata" => through::<Iodata>(env, term),
        "bitstring" => through::<Bitstring>(env, term),
        "list" => through::<Vec<i64>>(env, term),
        "nested" => through::<Nested>(env, term),
        "tuple" => through::<(u8, (bool, Atom), String)>(env, term),
        "tree" => through::<BTreeMap<Term, Vec<u8>>>(env, term),
        "map" => through::<Map<Atom, Term>>(env, term),
        "timeout" => through::<Timeout>(env, term),
        "pid" => through::<Pid>(env, term),
        "port" => through::<Port>(env, term),
        "reference" => through::<Reference>(env, term),
        "fun" => through::<Fun>(env, term),
        "request" => through::<Request>(env, term),
        "options" => through::<Options>(env, term),
        _ => through::<Term>(env, term),
    }
}

otp_bridge::nifs!("terms_vm");
