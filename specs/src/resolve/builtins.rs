//! The types that the language predefines.

use super::Resolver;
use crate::ast::{self, Location};
use crate::catalog;
use crate::types::{Builtin, Type};

impl<'a> Resolver<'a> {
    /// Resolves a predefined type, unless the module defines a type of that name.
    pub(super) fn builtin(&mut self, at: Location, name: &str, arguments: &'a [ast::Type]) -> Type {
        // OTP's `erlang` defines the predefined types in terms of themselves.
        if self.names.module != "erlang" && self.names.has_type(name, arguments.len()) {
            return self.local(at, name, arguments);
        }
        let types = self.all(arguments);
        let arity = types.len();
        without_arguments(name, arity)
            .or_else(|| list(name, types))
            .unwrap_or_else(|| {
                let shown = format!("{name}/{arity}");
                self.report(catalog::UNKNOWN_TYPE.at(at, shown));
                Type::Invalid
            })
    }
}

fn without_arguments(name: &str, arity: usize) -> Option<Type> {
    if arity > 0 {
        return None;
    }
    Some(match name {
        "any" | "term" | "dynamic" => Type::Any,
        "none" | "no_return" => Type::None,
        "nil" => Type::Nil,
        name => Type::Builtin(named(name)?),
    })
}

fn named(name: &str) -> Option<Builtin> {
    Some(match name {
        "arity" => Builtin::Arity,
        "atom" => Builtin::Atom,
        "binary" => Builtin::Binary,
        "bitstring" => Builtin::Bitstring,
        "bool" | "boolean" => Builtin::Boolean,
        "byte" => Builtin::Byte,
        "char" => Builtin::Char,
        "float" => Builtin::Float,
        "function" => Builtin::Function,
        "identifier" => Builtin::Identifier,
        "integer" => Builtin::Integer,
        "iodata" => Builtin::Iodata,
        "iolist" => Builtin::Iolist,
        "list" => Builtin::List,
        "map" => Builtin::Map,
        "maybe_improper_list" => Builtin::MaybeImproperList,
        "mfa" => Builtin::Mfa,
        "module" => Builtin::Module,
        "neg_integer" => Builtin::NegInteger,
        "node" => Builtin::Node,
        "non_neg_integer" => Builtin::NonNegInteger,
        "nonempty_binary" => Builtin::NonemptyBinary,
        "nonempty_bitstring" => Builtin::NonemptyBitstring,
        "nonempty_list" => Builtin::NonemptyList,
        "nonempty_maybe_improper_list" => Builtin::NonemptyMaybeImproperList,
        "nonempty_string" => Builtin::NonemptyString,
        "number" => Builtin::Number,
        "pid" => Builtin::Pid,
        "port" => Builtin::Port,
        "pos_integer" => Builtin::PosInteger,
        "record" => Builtin::Record,
        "reference" => Builtin::Reference,
        "string" => Builtin::String,
        "timeout" => Builtin::Timeout,
        "tuple" => Builtin::Tuple,
        _ => return None,
    })
}

fn list(name: &str, arguments: Vec<Type>) -> Option<Type> {
    let mut arguments = arguments.into_iter();
    let (first, second) = (Box::new(arguments.next()?), arguments.next());
    Some(match (name, second.map(Box::new)) {
        ("list", None) => Type::List(first),
        ("nonempty_list", None) => Type::NonemptyList(first),
        ("maybe_improper_list", Some(tail)) => Type::MaybeImproperList(first, tail),
        ("nonempty_improper_list", Some(tail)) => Type::NonemptyImproperList(first, tail),
        ("nonempty_maybe_improper_list", Some(tail)) => {
            let tail = Box::new(Type::Union(vec![*tail, Type::Nil]));
            Type::NonemptyImproperList(first, tail)
        }
        _ => return None,
    })
}
