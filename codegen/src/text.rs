//! Erlang text of resolved types, for documentation and messages.
//!
//! Annotated types are printed as their annotation alone, as OTP's manual does:
//! `{reply, Reply, NewState}`.

pub(crate) use otp_specs::print::atom;
use otp_specs::types::{Builtin, Int, MapField, RecordField, Type};

/// How deep a type is printed before the rest is left out.
const DEPTH: usize = 12;

/// `type` as Erlang text on one line.
pub(crate) fn erlang(ty: &Type) -> String {
    let mut text = String::new();
    push(&mut text, ty, DEPTH);
    text
}

/// `K := V, K2 => V2`, as inside of `#{}`.
pub(crate) fn associations(fields: &[&MapField]) -> String {
    let mut text = String::new();
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        push_association(&mut text, field, DEPTH);
    }
    text
}

fn push(text: &mut String, ty: &Type, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else {
        text.push_str("...");
        return;
    };
    match ty {
        Type::Any => text.push_str("term()"),
        Type::None => text.push_str("none()"),
        Type::Invalid => text.push_str("invalid()"),
        Type::Annotated(name, _) | Type::Var(name) => text.push_str(name),
        Type::Named(name, arguments) => {
            text.push_str(&atom(&name.name));
            enclosed(text, "(", ")", arguments, depth);
        }
        Type::Builtin(builtin) => text.push_str(builtin_text(*builtin)),
        Type::Atom(name) => text.push_str(&atom(name)),
        Type::Integer(number) => push_int(text, number),
        Type::Range(low, high) => {
            push_int(text, low);
            text.push_str("..");
            push_int(text, high);
        }
        Type::Union(members) => separated(text, " | ", members, depth),
        Type::Tuple(elements) => enclosed(text, "{", "}", elements, depth),
        Type::Nil => text.push_str("[]"),
        Type::List(element) => enclosed(text, "[", "]", std::slice::from_ref(&**element), depth),
        Type::NonemptyList(element) => {
            enclosed(text, "[", ", ...]", std::slice::from_ref(&**element), depth);
        }
        Type::MaybeImproperList(element, tail) => {
            pair(text, "maybe_improper_list", element, tail, depth);
        }
        Type::NonemptyImproperList(element, tail) => {
            pair(text, "nonempty_improper_list", element, tail, depth);
        }
        Type::Map(fields) => push_map(text, fields, depth),
        Type::Record(name, fields) => push_record(text, &name.name, fields, depth),
        Type::Bitstring { size, unit } => push_bitstring(text, *size, *unit),
        Type::Fun(arguments, result) => push_fun(text, arguments.as_deref(), result, depth),
    }
}

fn push_int(text: &mut String, number: &Int) {
    match number {
        Int::Small(small) => text.push_str(&small.to_string()),
        Int::Big(digits) => text.push_str(digits),
    }
}

fn separated(text: &mut String, separator: &str, types: &[Type], depth: usize) {
    for (index, ty) in types.iter().enumerate() {
        if index > 0 {
            text.push_str(separator);
        }
        push(text, ty, depth);
    }
}

fn enclosed(text: &mut String, open: &str, close: &str, types: &[Type], depth: usize) {
    text.push_str(open);
    separated(text, ", ", types, depth);
    text.push_str(close);
}

fn pair(text: &mut String, name: &str, first: &Type, second: &Type, depth: usize) {
    text.push_str(name);
    text.push('(');
    push(text, first, depth);
    text.push_str(", ");
    push(text, second, depth);
    text.push(')');
}

fn push_map(text: &mut String, fields: &[MapField], depth: usize) {
    text.push_str("#{");
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        push_association(text, field, depth);
    }
    text.push('}');
}

fn push_association(text: &mut String, field: &MapField, depth: usize) {
    push(text, &field.key, depth);
    text.push_str(if field.required { " := " } else { " => " });
    push(text, &field.value, depth);
}

fn push_record(text: &mut String, name: &str, fields: &[RecordField], depth: usize) {
    text.push('#');
    text.push_str(&atom(name));
    text.push('{');
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        text.push_str(&atom(&field.name));
        text.push_str(" :: ");
        push(text, &field.ty, depth);
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

fn push_fun(text: &mut String, arguments: Option<&[Type]>, result: &Type, depth: usize) {
    text.push_str("fun((");
    match arguments {
        None => text.push_str("..."),
        Some(arguments) => separated(text, ", ", arguments, depth),
    }
    text.push_str(") -> ");
    push(text, result, depth);
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
