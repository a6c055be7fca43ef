//! Resolved types: what a type *means* once names, records and variables are looked up.
//!
//! The written form (`ast`) mirrors Erlang's abstract format, for tools that must reproduce a file
//! exactly. Code is generated from the resolved form, in which every name is qualified, every
//! parenthesis removed, and every bounded variable replaced by its bound.

use std::sync::Arc;

pub use crate::ast::{Constant, FieldDefault, StructField};

/// A resolved module: everything that codegen needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Module {
    /// The module's name, as `-module` gives it.
    pub name: String,
    /// Its `-type`, `-opaque` and `-nominal` forms, in source order.
    pub types: Vec<TypeDef>,
    /// Its `-record` forms, in source order.
    pub records: Vec<Record>,
    /// Its `-callback` forms, in source order. Empty when the module is not a behaviour.
    pub callbacks: Vec<Function>,
    /// Its `-spec` forms, in source order.
    pub functions: Vec<Function>,
    /// The fields of the Elixir struct that it defines, in source order.
    pub struct_fields: Vec<StructField>,
}

/// How a type was declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeKind {
    /// `-type`
    Transparent,
    /// `-opaque`
    Opaque,
    /// `-nominal` (EEP 69, OTP 28)
    Nominal,
}

/// One `-type name(Params) :: body.`
#[derive(Debug, Clone, PartialEq)]
pub struct TypeDef {
    /// The type's name.
    pub name: String,
    /// Names of its type variables.
    pub params: Vec<String>,
    /// `-type`, `-opaque` or `-nominal`.
    pub kind: TypeKind,
    /// Whether `-export_type` names it.
    pub exported: bool,
    /// The type that the name stands for.
    pub body: Type,
    /// The form as Erlang text on one line, printed by `print`, e.g. `-type t() :: ok.`
    pub erlang: String,
    /// The name of the header that contains it, without its folder.
    pub header: Option<String>,
}

/// A `-spec` or `-callback`: a name, an arity and one or more clauses.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Function name.
    pub name: String,
    /// Number of arguments.
    pub arity: usize,
    /// Overloaded clauses; at least one.
    pub clauses: Vec<Clause>,
    /// For callbacks: listed in `-optional_callbacks`.
    pub optional: bool,
    /// For functions: listed in `-export` (or `-compile(export_all)`); true for callbacks.
    pub exported: bool,
    /// The form as Erlang text on one line, e.g. `-callback init(Args :: term()) -> ignore.`
    pub erlang: String,
}

/// One clause of a spec: `(Params) -> Result when Constraints`, constraints already applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    /// Argument types. An annotation `Name :: T` stays as [`Type::Annotated`], and a variable
    /// `Name` that is bounded by `when Name :: T` becomes one, too.
    pub params: Vec<Type>,
    /// Result type.
    pub result: Type,
}

/// A `-record` form.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The record's name, which is also the tuple's first element. Native records are not listed.
    pub name: String,
    /// Fields in order.
    pub fields: Vec<RecordField>,
    /// The default of each field that the declaration gives. Without one, the VM takes `undefined`.
    pub defaults: Vec<Option<FieldDefault>>,
    /// The name of the header that contains it, without its folder.
    pub header: Option<String>,
}

/// A field of a record.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordField {
    /// Field name.
    pub name: String,
    /// Declared type; `any()` when untyped.
    pub ty: Type,
}

/// A reference to a named type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeName {
    /// Module that defines it.
    pub module: String,
    /// Its name there.
    pub name: String,
    /// Number of type arguments.
    pub arity: usize,
}

/// A resolved type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// `term()`, `any()`, `dynamic()`
    Any,
    /// `none()`, `no_return()`
    None,
    /// `Name :: T` with the annotation kept; for a bounded variable, its name and bound.
    Annotated(String, Box<Type>),
    /// A type variable that stays generic (a parameter of the enclosing `TypeDef`, or unbounded
    /// in a spec).
    Var(String),
    /// A named type of a module, with its arguments. Its body is found in that module.
    Named(Arc<TypeName>, Vec<Type>),
    /// A predefined type that has a name of its own (see [`Builtin`]).
    Builtin(Builtin),
    /// A literal atom.
    Atom(String),
    /// A literal integer (decimal text with optional `-`; any size).
    Integer(Int),
    /// `Lo..Hi`, bounds included.
    Range(Int, Int),
    /// A union of two or more members, flattened, in written order.
    Union(Vec<Type>),
    /// A tuple of fixed size.
    Tuple(Vec<Type>),
    /// `[]`
    Nil,
    /// `[T]`
    List(Box<Type>),
    /// `[T, ...]`
    NonemptyList(Box<Type>),
    /// `maybe_improper_list(T, Tail)`
    MaybeImproperList(Box<Type>, Box<Type>),
    /// `nonempty_improper_list(T, Tail)`; `nonempty_maybe_improper_list` resolves to it with
    /// `Tail | []`.
    NonemptyImproperList(Box<Type>, Box<Type>),
    /// A map with these fields, in written order.
    Map(Vec<MapField>),
    /// A record, possibly with refined fields (`#r{f :: T}`): module, name and all fields with
    /// their effective types. Inside a record's own field, and for a record of another module, only
    /// the refined fields are listed, because records may contain themselves: look the others up in
    /// [`Module::records`].
    Record(Arc<TypeName>, Vec<RecordField>),
    /// `<<_:M, _:_*N>>`
    Bitstring {
        /// Fixed leading size in bits.
        size: u64,
        /// Repeating unit in bits; 0 for none.
        unit: u64,
    },
    /// `fun((Args) -> Result)`; `None` arguments stand for `(...)`.
    Fun(Option<Vec<Type>>, Box<Type>),
    /// A type that could not be resolved. A diagnostic explains why; only types that use this one
    /// are affected.
    Invalid,
}

/// `K := V` or `K => V`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MapField {
    /// Key type.
    pub key: Type,
    /// Value type.
    pub value: Type,
    /// `:=`
    pub required: bool,
}

/// An integer literal that fits 128 bits, or its decimal text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Int {
    /// Fits.
    Small(i128),
    /// Does not fit: decimal digits, with a leading `-` when negative.
    Big(String),
}

/// Predefined types that have no structure of their own, or whose name carries more information.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Builtin {
    Atom,
    Boolean,
    Integer,
    Float,
    Number,
    NonNegInteger,
    PosInteger,
    NegInteger,
    Arity,
    Byte,
    Char,
    Pid,
    Port,
    Reference,
    Identifier,
    Binary,
    NonemptyBinary,
    Bitstring,
    NonemptyBitstring,
    /// `fun()`
    Function,
    /// `tuple()` of any size
    Tuple,
    /// `map()` of any keys
    Map,
    Iodata,
    Iolist,
    String,
    NonemptyString,
    Module,
    Node,
    Mfa,
    Timeout,
    /// `list()`: same as `[term()]`
    List,
    NonemptyList,
    MaybeImproperList,
    NonemptyMaybeImproperList,
    /// `record()` (OTP 29): any native record; `#name{}` and `#module:name{}` of native records, too
    Record,
}
