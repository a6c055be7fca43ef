//! Erlang text of resolved types, for documentation and messages.
//!
//! Annotated types are printed as their annotation alone, as OTP's manual does:
//! `{reply, Reply, NewState}`.

pub(crate) use otp_contract::erlang::quote_atom as atom;
use otp_specs::types::{Builtin, Int, MapField, RecordField, Type};

/// The style of a printed type.
#[derive(Clone, Copy)]
struct Style {
    /// Maximum depth. Deeper types are elided.
    depth: usize,
    /// Whether the text is a specification for another module: names with their modules, no
    /// annotations.
    elsewhere: bool,
    /// Maximum length in bytes of a list of types. The rest of the list is elided.
    length: usize,
}

/// The style for documentation and messages.
const READ: Style = Style {
    depth: 12,
    elsewhere: false,
    length: usize::MAX,
};

/// Maximum length of a type in a message.
const QUOTED: usize = 500;

/// Returns `type` as Erlang text on one line. The end of a very long text is elided.
#[must_use]
pub fn quoted(ty: &Type) -> String {
    let mut text = String::new();
    let style = Style {
        length: QUOTED,
        ..READ
    };
    push(&mut text, ty, style);
    text
}

/// Returns `type` as Erlang text on one line.
pub(crate) fn erlang(ty: &Type) -> String {
    let mut text = String::new();
    push(&mut text, ty, READ);
    text
}

/// Returns `type` as any module may write it: `{ok, gen_server:server_ref()}`. Variables are kept.
pub(crate) fn elsewhere(ty: &Type) -> String {
    let mut text = String::new();
    let style = Style {
        depth: crate::facts::DEPTH,
        elsewhere: true,
        length: usize::MAX,
    };
    push(&mut text, ty, style);
    text
}

/// Returns `K := V, K2 => V2`, as inside `#{}`.
pub(crate) fn associations(fields: &[&MapField]) -> String {
    let mut text = String::new();
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        push_association(&mut text, field, READ);
    }
    text
}

fn push(text: &mut String, ty: &Type, style: Style) {
    let Some(depth) = style.depth.checked_sub(1) else {
        text.push_str(if style.elsewhere { "term()" } else { "..." });
        return;
    };
    let style = Style { depth, ..style };
    match ty {
        Type::Any => text.push_str("term()"),
        Type::None => text.push_str("none()"),
        Type::Invalid if style.elsewhere => text.push_str("term()"),
        Type::Invalid => text.push_str("invalid()"),
        Type::Annotated(_, inner) if style.elsewhere => push(text, inner, style),
        Type::Annotated(name, _) | Type::Var(name) => text.push_str(name),
        Type::Named(name, arguments) => {
            if style.elsewhere {
                text.push_str(&atom(&name.module));
                text.push(':');
            }
            text.push_str(&atom(&name.name));
            enclosed(text, "(", ")", arguments, style);
        }
        Type::Builtin(builtin) => text.push_str(builtin_text(*builtin)),
        Type::Atom(name) => text.push_str(&atom(name)),
        Type::Integer(number) => push_int(text, number),
        Type::Range(low, high) => {
            push_int(text, low);
            text.push_str("..");
            push_int(text, high);
        }
        Type::Union(members) => separated(text, " | ", members, style),
        Type::Tuple(elements) => enclosed(text, "{", "}", elements, style),
        Type::Nil => text.push_str("[]"),
        Type::List(element) => enclosed(text, "[", "]", std::slice::from_ref(&**element), style),
        Type::NonemptyList(element) => {
            enclosed(text, "[", ", ...]", std::slice::from_ref(&**element), style);
        }
        Type::MaybeImproperList(element, tail) => {
            pair(text, "maybe_improper_list", element, tail, style);
        }
        Type::NonemptyImproperList(element, tail) => {
            pair(text, "nonempty_improper_list", element, tail, style);
        }
        Type::Map(fields) => push_map(text, fields, style),
        // A record can be used only in its own module.
        Type::Record(..) if style.elsewhere => text.push_str("tuple()"),
        Type::Record(name, fields) => push_record(text, &name.name, fields, style),
        Type::Bitstring { size, unit } => push_bitstring(text, *size, *unit),
        Type::Fun(arguments, result) => push_fun(text, arguments.as_deref(), result, style),
    }
}

fn push_int(text: &mut String, number: &Int) {
    match number {
        Int::Small(small) => text.push_str(&small.to_string()),
        Int::Big(digits) => text.push_str(digits),
    }
}

fn separated(text: &mut String, separator: &str, types: &[Type], style: Style) {
    for (index, ty) in types.iter().enumerate() {
        if index > 0 {
            text.push_str(separator);
        }
        if text.len() > style.length {
            return text.push_str("...");
        }
        push(text, ty, style);
    }
}

fn enclosed(text: &mut String, open: &str, close: &str, types: &[Type], style: Style) {
    text.push_str(open);
    separated(text, ", ", types, style);
    text.push_str(close);
}

fn pair(text: &mut String, name: &str, first: &Type, second: &Type, style: Style) {
    text.push_str(name);
    text.push('(');
    push(text, first, style);
    text.push_str(", ");
    push(text, second, style);
    text.push(')');
}

fn push_map(text: &mut String, fields: &[MapField], style: Style) {
    text.push_str("#{");
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        push_association(text, field, style);
    }
    text.push('}');
}

fn push_association(text: &mut String, field: &MapField, style: Style) {
    push(text, &field.key, style);
    text.push_str(if field.required { " := " } else { " => " });
    push(text, &field.value, style);
}

fn push_record(text: &mut String, name: &str, fields: &[RecordField], style: Style) {
    text.push('#');
    text.push_str(&atom(name));
    text.push('{');
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        text.push_str(&atom(&field.name));
        text.push_str(" :: ");
        push(text, &field.ty, style);
    }
    text.push('}');
}

fn push_bitstring(text: &mut String, size: u64, unit: u64) {
    let written = match (size, unit) {
        (0, 0) => "<<>>".to_owned(),
        (size, 0) => format!("<<_:{size}>>"),
        (0, unit) => format!("<<_:_*{unit}>>"),
        (size, unit) => format!("<<_:{size}, _:_*{unit}>>"),
    };
    text.push_str(&written);
}

fn push_fun(text: &mut String, arguments: Option<&[Type]>, result: &Type, style: Style) {
    text.push_str("fun((");
    match arguments {
        None => text.push_str("..."),
        Some(arguments) => separated(text, ", ", arguments, style),
    }
    text.push_str(") -> ");
    push(text, result, style);
    text.push(')');
}

fn builtin_text(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::Atom => "atom()",
        Builtin::Boolean => "boolean()",
        Builtin::Integer => "integer()",
        Builtin::Float => "float()",
        Builtin::Number => "number()",
        Builtin::NonNegInteger => "non_neg_integer()",
        Builtin::PosInteger => "pos_integer()",
        Builtin::NegInteger => "neg_integer()",
        Builtin::Arity => "arity()",
        Builtin::Byte => "byte()",
        Builtin::Char => "char()",
        Builtin::Pid => "pid()",
        Builtin::Port => "port()",
        Builtin::Reference => "reference()",
        Builtin::Identifier => "identifier()",
        Builtin::Binary => "binary()",
        Builtin::NonemptyBinary => "nonempty_binary()",
        Builtin::Bitstring => "bitstring()",
        Builtin::NonemptyBitstring => "nonempty_bitstring()",
        Builtin::Function => "fun()",
        Builtin::Tuple => "tuple()",
        Builtin::Map => "map()",
        Builtin::Iodata => "iodata()",
        Builtin::Iolist => "iolist()",
        Builtin::String => "string()",
        Builtin::NonemptyString => "nonempty_string()",
        Builtin::Module => "module()",
        Builtin::Node => "node()",
        Builtin::Mfa => "mfa()",
        Builtin::Timeout => "timeout()",
        Builtin::List => "list()",
        Builtin::NonemptyList => "nonempty_list()",
        Builtin::MaybeImproperList => "maybe_improper_list()",
        Builtin::NonemptyMaybeImproperList => "nonempty_maybe_improper_list()",
        Builtin::Record => "record()",
    }
}
