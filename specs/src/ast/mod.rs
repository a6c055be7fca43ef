//! Written forms: the contents of a file, node for node as in Erlang's abstract format.
//!
//! Source text and BEAM files give equal trees. Parentheses leave no node, operators are not
//! evaluated, and names are not looked up: [`crate::resolve()`] does that.

use std::sync::Arc;

mod documentation;
pub(crate) mod nesting;
mod operator;

pub use documentation::{BehaviourInfo, Doc, DocText, Documented, DocumentedKind};
pub use operator::Operator;
pub use smol_str::SmolStr as Name;

/// The forms of one module or header, in file order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Module {
    /// The file as the caller named it.
    pub file: Name,
    /// From `-module`; `None` for a header.
    pub name: Option<Name>,
    /// All forms, also those of included files.
    pub forms: Vec<Entry>,
    /// The text of `-moduledoc`.
    pub doc: Option<Doc>,
    /// Entries of a documentation chunk about functions, types and callbacks, including those that
    /// have no form.
    pub documented: Vec<Documented>,
    /// The callback list of a hand-written `behaviour_info/1`: callbacks, then optional ones.
    pub behaviour_info: Option<BehaviourInfo>,
    /// The fields of the Elixir struct that the module defines, in source order.
    pub struct_fields: Vec<StructField>,
}

/// A field of an Elixir struct.
#[derive(Debug, Clone, PartialEq)]
pub struct StructField {
    /// Its key.
    pub name: Name,
    /// Its default, unless that is not a plain term.
    pub default: Option<Constant>,
}

/// A form and where it came from.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The form. It is shared, because each module that includes a header has the header's forms.
    pub form: Arc<Form>,
    /// The file that contains it.
    pub file: Name,
    /// Whether the form is in the file itself, not in an included one, nor in one that a `-file`
    /// attribute names.
    pub in_main_file: bool,
    /// The `-doc` in front of it.
    pub doc: Option<Arc<Doc>>,
}

impl Entry {
    /// Returns the name of the header that contains the form, without its folder. A file that a
    /// `-file` attribute names counts as a header if its name ends in `.hrl`.
    pub(crate) fn header(&self) -> Option<String> {
        let name = self.file.rsplit(['/', '\\']).next().unwrap_or_default();
        let is_header = !self.in_main_file && name.ends_with(".hrl");
        is_header.then(|| name.to_owned())
    }
}

impl PartialEq for Entry {
    /// Two entries are equal when they declare the same at the same line and column. The path is
    /// ignored, because it differs between a source tree and the machine that compiled it.
    fn eq(&self, other: &Self) -> bool {
        self.form == other.form && self.in_main_file == other.in_main_file
    }
}

/// Line and column, both from 1; columns count characters. 0 when unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Location {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

/// One form.
#[derive(Debug)]
pub struct Form {
    /// The location of the attribute's name, as in the abstract format.
    pub at: Location,
    /// The declaration. Its types may be nested so deeply that code which recurses over them needs
    /// a large stack.
    pub kind: FormKind,
    is_deep: bool,
}

/// The declaration of a form.
#[derive(Debug, Clone, PartialEq)]
pub enum FormKind {
    /// `-module(name).`
    Module(Name),
    /// `-type`, `-opaque`, `-nominal`
    Type(TypeForm),
    /// `-spec`, `-callback`
    Function(FunctionForm),
    /// `-record`
    Record(RecordForm),
    /// `-export_type([t/0]).`
    ExportType(Vec<(Name, i64)>),
    /// `-optional_callbacks([f/1]).`: a plain term, because any term is allowed here.
    OptionalCallbacks(Constant),
    /// `-export([f/1]).`
    Export(Vec<(Name, i64)>),
    /// `-compile(export_all).`, alone or in a list.
    ExportAll,
    /// `-behaviour(m).`, `-behavior(m).`
    Behaviour(Name),
}

/// The attribute that declares a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeFormKind {
    /// `-type`
    Type,
    /// `-opaque`
    Opaque,
    /// `-nominal`
    Nominal,
}

/// `-type name(A, B) :: body.`
#[derive(Debug, Clone, PartialEq)]
pub struct TypeForm {
    /// The attribute.
    pub kind: TypeFormKind,
    /// Name.
    pub name: Name,
    /// Variables.
    pub parameters: Vec<Name>,
    /// Right-hand side.
    pub body: Type,
}

/// The attribute of a signature: `-spec` or `-callback`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionFormKind {
    /// `-spec`
    Spec,
    /// `-callback`
    Callback,
}

/// `-spec name(A) -> B; (C) -> D when C :: E.`
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionForm {
    /// The attribute.
    pub kind: FunctionFormKind,
    /// `-spec module:name(…)`
    pub module: Option<Name>,
    /// Name.
    pub name: Name,
    /// Number of parameters of the first clause.
    pub arity: usize,
    /// At least one.
    pub clauses: Vec<Clause>,
}

/// One signature.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    /// The location where its parameter list opens.
    pub at: Location,
    /// Parameters and result.
    pub signature: Signature,
    /// The constraints after `when`.
    pub constraints: Vec<Constraint>,
}

/// `(A, B) -> C`
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    /// `None` for `(...)`.
    pub parameters: Option<Vec<Type>>,
    /// Result.
    pub result: Type,
}

/// `Variable :: Bound`
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint {
    /// The location of the variable.
    pub at: Location,
    /// Variable.
    pub variable: Name,
    /// Its type.
    pub bound: Type,
}

/// `-record(name, {fields}).`
#[derive(Debug, Clone, PartialEq)]
pub struct RecordForm {
    /// Name.
    pub name: Name,
    /// A native record of OTP 29: `-record #name{fields}.`
    pub native: bool,
    /// Fields in order.
    pub fields: Vec<RecordField>,
}

/// A field of a `-record`.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordField {
    /// The location of the name.
    pub at: Location,
    /// Name.
    pub name: Name,
    /// `= Expression`
    pub default: Option<FieldDefault>,
    /// `:: T`
    pub ty: Option<Type>,
}

/// The default of a record field. A literal is kept; of any other expression, only its presence is.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldDefault {
    /// An atom, number, character, string or `[]`.
    Literal(Constant),
    /// `-1`, `-1.5`
    Negative(Constant),
    /// Any other expression.
    Expression,
}

/// A written type.
#[derive(Debug, Clone, PartialEq)]
pub struct Type {
    /// Its location, as in the abstract format: for an operator that of the sign, otherwise that of
    /// the first token.
    pub at: Location,
    /// The kind of type.
    pub kind: TypeKind,
}

/// The kinds of written type.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeKind {
    /// `Name`
    Variable(Name),
    /// `Name :: T`
    Annotated(Name, Box<Type>),
    /// `foo`
    Atom(Name),
    /// `42`
    Integer(Integer),
    /// `$a`
    Char(u32),
    /// `-T`
    Prefix(Operator, Box<Type>),
    /// `A + B`
    Infix(Operator, Box<Type>, Box<Type>),
    /// `A..B`
    Range(Box<Type>, Box<Type>),
    /// `A | B`
    Union(Vec<Type>),
    /// A predefined type with its arguments; `[]` is `nil()`, `[T]` is `list(T)`.
    Builtin(Name, Vec<Type>),
    /// A type that is not predefined.
    User(Name, Vec<Type>),
    /// `m:t(A)`
    Remote(Box<RemoteType>),
    /// `{A, B}`; `None` for `tuple()`.
    Tuple(Option<Vec<Type>>),
    /// `#{…}`; `None` for `map()`.
    Map(Option<Vec<MapField>>),
    /// `#r{…}`, `#m:r{…}`
    Record(Box<RecordType>),
    /// `fun((A) -> B)`; `None` for `fun()`.
    Fun(Option<Box<Signature>>),
    /// `<<_:M, _:_*N>>`
    Bitstring(Box<Type>, Box<Type>),
}

/// `module:name(arguments)`
#[derive(Debug, Clone, PartialEq)]
pub struct RemoteType {
    /// Module.
    pub module: Name,
    /// Name.
    pub name: Name,
    /// Arguments.
    pub arguments: Vec<Type>,
}

/// `#name{fields}`, `#module:name{fields}`
#[derive(Debug, Clone, PartialEq)]
pub struct RecordType {
    /// The module of a native record.
    pub module: Option<Name>,
    /// Name.
    pub name: Name,
    /// Fields whose types it narrows.
    pub fields: Vec<FieldType>,
}

/// `K => V` or `K := V`.
#[derive(Debug, Clone, PartialEq)]
pub struct MapField {
    /// The location of the arrow.
    pub at: Location,
    /// `:=`
    pub required: bool,
    /// Key.
    pub key: Type,
    /// Value.
    pub value: Type,
}

/// `f :: T` in `#r{f :: T}`.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldType {
    /// The location of the name.
    pub at: Location,
    /// Field.
    pub name: Name,
    /// Its type here.
    pub ty: Type,
}

/// An integer of any size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Integer {
    /// Fits 64 bits.
    Small(i64),
    /// Does not fit: decimal digits, with a leading `-` when negative.
    Big(Box<str>),
}

/// A plain term, as in `-export_type` and similar attributes.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    /// `foo`
    Atom(Name),
    /// `42`
    Integer(Integer),
    /// `1.5`
    Float(f64),
    /// `$a`, where it differs from an integer (record defaults).
    Char(u32),
    /// `"text"`, where it differs from a list (record defaults).
    String(Vec<u32>),
    /// `<<"bytes">>`
    Binary(Vec<u8>),
    /// `{A, B}`; also `f/1`.
    Tuple(Vec<Constant>),
    /// `[A, B | Tail]`; the tail is `None` for a proper list.
    List(Vec<Constant>, Option<Box<Constant>>),
    /// `#{K => V}`
    Map(Vec<(Constant, Constant)>),
}
