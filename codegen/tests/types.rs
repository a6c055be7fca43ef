//! Erlang types and the Rust that is generated from them, side by side in the snapshots.

mod support;

use support::{output, rust};

#[test]
fn atoms_are_an_enum_that_their_unit_structs_convert_into() {
    assert_types!("-type restart() :: permanent | 'DOWN' | self.");
}

#[test]
fn tagged_tuples_of_one_tag_and_several_arities() {
    assert_types!(
        "-type ret() :: {ok, Child :: pid()} | {ok, Child :: pid(), Info :: term()} | {error, term()} | error."
    );
}

#[test]
fn members_of_one_tag_and_arity_are_one_variant() {
    assert_types!("-type ret() :: {error, timeout} | {error, closed} | ok.");
}

#[test]
fn untagged_members_are_named_by_annotation_or_kind_and_term_is_last() {
    assert_types!(
        "-type server_ref() :: term() | (LocalName :: atom()) | {atom(), node()} | [pid()] | pid()."
    );
}

#[test]
fn a_map_is_a_struct_with_a_constructor_and_setters() {
    assert_types!(
        "-type spec() :: #{id := term(), start := mfa(), type => worker | supervisor, \
         shutdown => brutal_kill | timeout()}."
    );
}

#[test]
fn a_map_inside_a_union_is_named_after_the_union() {
    assert_types!(
        "-type sup_flags() :: #{period => pos_integer()} | {non_neg_integer(), pos_integer()}."
    );
}

#[test]
fn records_are_structs_and_refined_ones_are_others() {
    assert_types!(
        "-record(link, {name = none :: atom(), next}).\n\
         -type node() :: #link{}.\n\
         -type last() :: #link{next :: pid()}."
    );
}

#[test]
fn recursive_types_are_boxed_and_recursive_names_are_types_of_their_own() {
    assert_types!(
        "-type tree(T) :: leaf | {node, tree(T), T}.\n\
         -type nest() :: [nest()].\n\
         -type odd() :: zero | even().\n\
         -type even() :: {odd()}."
    );
}

#[test]
fn a_record_that_contains_itself_is_boxed() {
    let rust = rust(
        "-record(cell, {value :: integer(), next :: cell() | undefined}).\n-type cell() :: #cell{}.",
    );
    assert!(rust.contains("pub next: Option<Box<Cell>>,"), "{rust}");
    assert!(
        rust.contains("pub struct Cell(pub Box<CellRecord>);"),
        "{rust}"
    );
}

#[test]
fn type_variables_are_parameters_and_unused_ones_go() {
    assert_types!(
        "-type pair(K, V, _Unused) :: {K, [V]}.\n\
         -type users(V) :: [pair(atom(), V, term())]."
    );
}

#[test]
fn opaque_types_show_nothing() {
    assert_types!("-opaque tag() :: reference().\n-export_type([tag/0]).");
}

#[test]
fn of_an_opaque_type_only_the_kind_of_its_terms_is_known() {
    assert_types!(
        "-record(array, {size :: 0..9, elements :: cells(term())}).\n\
         -opaque array(Type) :: #array{elements :: cells(Type)}.\n\
         -type cells(Type) :: [Type] | {Type, cells(Type)}.\n\
         -opaque cursor(Key) :: {Key, cursor(Key)} | none | stopped.\n\
         -opaque anything(Value) :: Value | atom().\n\
         -type use() :: array(binary()) | {error, cursor(1..9)} | [anything(pid())].\n\
         -export_type([array/1, cursor/1, anything/1, use/0])."
    );
}

#[test]
fn names_of_rusts_prelude_can_be_erlangs() {
    assert_types!(
        "-type option() :: #{new => [vec()]}.\n\
         -type vec() :: {box, float()}.\n\
         -type some() :: option() | none."
    );
}

#[test]
fn integers_are_the_smallest_that_fit() {
    let rust = rust(
        "-type byte_() :: 0..255.\n-type port_() :: 1..65535.\n-type offset() :: -12..14.\n\
         -type many() :: 0..18446744073709551616.\n-type any_() :: integer().\n-type bit() :: 0 | 1.",
    );
    for line in [
        "pub type Byte_ = u8;",
        "pub type Port_ = rt::Ranged<u16, 1, 65535>;",
        "pub type Offset = rt::Ranged<i8, { -12 }, 14>;",
        "pub type Many = rt::Ranged<i128, 0, 18446744073709551616>;",
        "pub type Any_ = rt::Integer;",
        "pub type Bit = rt::Ranged<u8, 0, 1>;",
    ] {
        let line = line.replace("_ =", " =");
        assert!(rust.contains(&line), "{line}\n{rust}");
    }
}

#[test]
fn equal_unions_without_a_name_are_one_type() {
    let rust = rust(
        "-type one() :: {one, timeout() | hibernate}.\n-type two() :: [timeout() | hibernate].",
    );
    assert_eq!(rust.matches("pub enum ").count(), 1, "{rust}");
    assert!(
        rust.contains("pub struct One(#[from(into)] pub TimeoutOrHibernate);"),
        "{rust}"
    );
    assert!(
        rust.contains("pub type Two = Vec<TimeoutOrHibernate>;"),
        "{rust}"
    );
}

#[test]
fn types_of_one_name_and_several_arities() {
    let rust = rust("-type array() :: array(term()).\n-type array(T) :: {array, [T]}.");
    assert!(
        rust.contains("pub struct Array<T = rt::Term>(pub Vec<T>);"),
        "{rust}"
    );
    let rust = support::rust("-type pair(A) :: {A, A}.\n-type pair(Left, Right) :: {Left, Right}.");
    assert!(rust.contains("pub struct Pair<A>("), "{rust}");
    assert!(
        rust.contains("pub struct PairWithLeftRight<Left, Right> {"),
        "{rust}"
    );
}

#[test]
fn atoms_of_a_module_are_defined_once() {
    let output = output("-type t() :: ok | no_such_atom_in_otp | {no_such_atom_in_otp, pid()}.");
    let atoms = output.files.get("atoms.rs").expect("atoms.rs");
    assert_eq!(atoms.matches("no_such_atom_in_otp,").count(), 1, "{atoms}");
    assert!(
        !atoms.contains("    ok,"),
        "`ok` is one that otp_bridge has: {atoms}"
    );
}

/// Native records (OTP 29) are not tuples, and native code cannot read them: they are any term in
/// every position.
#[test]
fn native_records_are_any_term_and_counted() {
    let forms = "\
        -record #point{x :: float(), y = 0.0 :: float()}.
        -record(line, {from :: #point{}, to :: #point{x :: integer()} | undefined}).
        -type point() :: #point{}.
        -type shape() :: #point{} | {circle, #point{}, float()} | none | #geometry:shape{}.
        -type near() :: undefined | #point{}.
        -type all() :: #{at := [#line{}], where => point(), record() => #point{y :: float()}}.
        -opaque hidden() :: #point{} | {hidden, #point{}}.
        -type pair(T) :: {T, #point{}}.
        -export([move/2]).
        -spec move(#point{}, shape()) -> {ok, #point{}} | {error, pair(#point{})}.
        -callback draw(Point :: #point{}, State :: term()) -> {ok, #point{}, NewState :: term()}.
        -callback init(point()) -> {ok, State :: term()}.";
    let source = format!("-module(m).\n{forms}\n");
    let options = otp_specs::Options {
        release: otp_specs::Release(29),
        ..otp_specs::Options::default()
    };
    let parsed =
        otp_specs::parse_source("m.erl", source.as_bytes(), &otp_specs::NoIncludes, &options);
    assert_eq!(parsed.diagnostics, []);
    let (module, diagnostics) = otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting);
    assert_eq!(diagnostics, []);
    let output = otp_codegen::generate(
        std::slice::from_ref(&module),
        &otp_codegen::Options {
            functions: true,
            ..support::options()
        },
    );
    assert_eq!(output.diagnostics, []);
    let text = output.files.get("m.rs").expect("the module's file");
    for line in [
        "pub type Point = rt::Term;",
        "    pub from: rt::Term,",
        "    pub to: Option<rt::Term>,",
        "pub type Near = Option<rt::Term>;",
        "    Circle(#[from(any)] rt::Term, f64),",
        // A member that accepts any term is tried last.
        "    None,\n    /// `record()`\n    #[term(untagged)]\n    Record(rt::Term),\n}",
        "point: rt::Term,",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("struct Point"), "{text}");
    let fallbacks = &output.report.modules["m"].fallbacks;
    let native = fallbacks
        .iter()
        .filter(|one| one.reason == otp_codegen::Reason::NativeRecord);
    assert!(native.count() >= 10, "{fallbacks:?}");
}
