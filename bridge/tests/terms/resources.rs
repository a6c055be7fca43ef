//! Resources and shared values without a VM.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use otp_bridge::term::etf;
use otp_bridge::term::{Shared, erlang_definitions};
use otp_bridge::{Resource, Term};

#[derive(Debug, Resource)]
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// Another resource, with the name of one of Erlang's own types.
#[derive(Debug, Resource)]
struct Map;

/// `{use, Counted, Map}`
#[derive(Debug, PartialEq, Term)]
struct Use(Resource<Counted>, Option<Resource<Map>>);

#[test]
fn a_value_is_dropped_with_the_last_term_and_handle() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let count = || dropped.load(Ordering::Relaxed);
    let handle = Resource::new(Counted(Arc::clone(&dropped)));
    let term = Term::of(&Use(handle.clone(), None));
    drop(handle);
    assert_eq!(count(), 0, "the term has it");
    let copies = vec![term.clone(), term];
    let Use(handle, _) = copies[1].decode().expect("a use");
    drop(copies);
    assert_eq!(count(), 0, "the handle has it");
    drop(handle);
    assert_eq!(count(), 1);
}

#[test]
fn each_resource_has_a_reference_of_its_own() {
    let [one, other] = [(); 2].map(|()| Resource::new(Map));
    assert_eq!(Term::of(&one), Term::of(&one.clone()));
    assert_ne!(Term::of(&one), Term::of(&other));
    assert_eq!(one, one.clone());
    assert_ne!(one, other);
}

#[test]
fn a_term_of_another_type_is_refused() {
    let refusal = |term: &Term| term.decode::<Use>().expect_err("no use").to_string();
    let map = Resource::new(Map);
    let wrong = Term::of(&(otp_bridge::atom!("use"), &map, &map));
    let (counted, other) = ("terms::resources::Counted", "terms::resources::Map");
    assert!(refusal(&wrong).ends_with(&format!(
        "expected a reference to a `{counted}`, got a reference to a `{other}`"
    )));
    let wrong = Term::of(&(otp_bridge::atom!("use"), 7, &map));
    assert!(refusal(&wrong).ends_with(&format!("expected a reference to a `{counted}`, got 7")));
    // Bytes do not keep a resource alive.
    let bytes = etf::encode(&Term::of(&map));
    let read = etf::decode(&bytes).expect("a reference");
    assert!(read.decode::<Resource<Map>>().is_err());
}

#[test]
fn a_shared_value_is_the_same_in_each_place() {
    let value = Arc::new("text".to_owned());
    let shared = Shared::from(Arc::clone(&value));
    let term = Term::of(&vec![&shared]);
    let read: Vec<Shared<String>> = term.decode().expect("shared values");
    assert!(Arc::ptr_eq(&read[0].arc(), &value));
    assert_eq!(read[0].as_str(), "text");
    assert_eq!(read[0], shared);
    let wrong = term.decode::<Vec<Shared<u8>>>().expect_err("no numbers");
    assert_eq!(
        wrong.to_string(),
        "[0]: expected a reference to a `u8`, got a reference to a `alloc::string::String`"
    );
}

#[test]
fn the_types_are_references_with_a_name() {
    assert_eq!(
        erlang_definitions::<(Use, Shared<u8>)>().to_string(),
        "-type use() :: {use, counted(), undefined | map_resource()}.\n\
         -type counted() :: reference().\n\
         -type map_resource() :: reference().\n"
    );
}
