//! Processes, ports, references and funs, as texts that identify them completely.

use std::str::FromStr;

use otp_contract::representation::Special;
use otp_contract::schema::Predefined;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::bytes::{base64, from_base64};
use super::error::expected;
use super::scalars::{atom_of_text, read_atom};
use super::schema::reference;
use super::{JsonRepresentation, Position, shape, standard_traits};
use crate::term::types::{
    Fun, Pid, PidParts, Port, PortParts, Reference, ReferenceParts, Resource, ResourceType, Shared,
};
use crate::term::{DecodeError, Term, etf};

/// `{"@pid": "85.0.7.shop@host"}`: the `B` and `C` of `<A.B.C>`, the node's run, the node.
pub(super) fn pid(pid: &Pid) -> Value {
    let parts = pid.parts();
    let PidParts {
        node,
        id,
        serial,
        creation,
    } = &*parts;
    let text = format!("{id}.{serial}.{creation}.{}", node.text());
    shape::special(Special::Pid, text)
}

pub(super) fn read_pid(json: &Value) -> Option<Pid> {
    let text = shape::read_special(json, Special::Pid)?.as_str()?;
    let (id, rest) = text.split_once('.')?;
    let (serial, rest) = rest.split_once('.')?;
    let (creation, node) = rest.split_once('.')?;
    Some(Pid::from_parts(PidParts {
        id: number(id)?,
        serial: number(serial)?,
        creation: number(creation)?,
        node: atom_of_text(node)?,
    }))
}

/// Returns the number, if these are the digits that it is written with.
fn number<T: FromStr + ToString>(digits: &str) -> Option<T> {
    let number = digits.parse::<T>().ok();
    number.filter(|number| number.to_string() == digits)
}

/// `{"@port": "6.7.shop@host"}`: the port, the node's run, the node.
pub(super) fn port(port: &Port) -> Value {
    let PortParts { node, id, creation } = port.parts();
    shape::special(Special::Port, format!("{id}.{creation}.{}", node.text()))
}

pub(super) fn read_port(json: &Value) -> Option<Port> {
    let text = shape::read_special(json, Special::Port)?.as_str()?;
    let (id, rest) = text.split_once('.')?;
    let (creation, node) = rest.split_once('.')?;
    Some(Port::from_parts(PortParts {
        id: number(id)?,
        creation: number(creation)?,
        node: atom_of_text(node)?,
    }))
}

/// `{"@reference": "1,2,3.7.shop@host"}`: the words, the lowest first, the node's run, the node.
pub(super) fn reference_text(reference: &Reference) -> Value {
    let ReferenceParts {
        node,
        creation,
        ids,
    } = reference.parts();
    let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
    let text = format!("{}.{creation}.{}", ids.join(","), node.text());
    shape::special(Special::Reference, text)
}

pub(super) fn read_reference(json: &Value) -> Option<Reference> {
    let text = shape::read_special(json, Special::Reference)?.as_str()?;
    let (ids, rest) = text.split_once('.')?;
    let (creation, node) = rest.split_once('.')?;
    let ids: Option<Vec<u32>> = ids.split(',').map(number).collect();
    Reference::from_parts(ReferenceParts {
        ids: ids?,
        creation: number(creation)?,
        node: atom_of_text(node)?,
    })
}

/// `{"@fun": ["lists", "map", 2]}`; a fun that is not an exported function is written in the
/// external term format, as base64.
pub(super) fn fun(fun: &Fun) -> Value {
    match fun {
        Fun::External(external) => {
            let module = shape::atom(external.module.text());
            let function = shape::atom(external.function.text());
            shape::special(Special::Fun, json!([module, function, external.arity]))
        }
        Fun::Local(_) => {
            shape::special(Special::Fun, base64(&etf::encode(&Term::Fun(fun.clone()))))
        }
    }
}

pub(super) fn read_fun(json: &Value) -> Option<Fun> {
    let value = shape::read_special(json, Special::Fun)?;
    match value.as_array().map(Vec::as_slice) {
        Some([module, function, arity]) => {
            let arity = u8::try_from(arity.as_u64()?).ok()?;
            Some(Fun::external(
                read_atom(module)?,
                read_atom(function)?,
                arity,
            ))
        }
        Some(_) => None,
        None => match etf::decode(&from_base64(value)?) {
            Ok(Term::Fun(fun)) => Some(fun),
            _ => None,
        },
    }
}

macro_rules! identifiers {
    ($($type:ident: $write:ident, $read:ident, $definition:ident;)*) => {$(
        impl JsonRepresentation for $type {
            fn to_json(&self, _position: Position) -> Value {
                $write(self)
            }

            fn from_json(json: &Value, _position: Position) -> Result<Self, DecodeError> {
                $read(json).ok_or_else(|| expected::<Self>(json))
            }

            fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
                reference(generator, Predefined::$definition)
            }
        }
    )*};
}

identifiers! {
    Pid: pid, read_pid, Pid;
    Port: port, read_port, Port;
    Reference: reference_text, read_reference, Reference;
    Fun: fun, read_fun, Fun;
}

/// The text of the reference. It does not keep the resource alive, so it cannot be read.
impl<T: ResourceType> JsonRepresentation for Resource<T> {
    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        reference(generator, Predefined::Reference)
    }
}

/// Like a resource.
impl<T: Send + Sync + 'static> JsonRepresentation for Shared<T> {
    fn schema(generator: &mut SchemaGenerator, _position: Position) -> Schema {
        reference(generator, Predefined::Reference)
    }
}

standard_traits! {
    Pid as "pid()";
    Port as "port()";
    Reference as "reference()";
    Fun as "fun()";
}
