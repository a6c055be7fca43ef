//! Decides whether Erlang's type contains a value, from the types alone, without knowledge of the
//! generated code.

use otp_specs::types::{Builtin, Type};

use crate::sample::{Sample, Samples};

impl Samples<'_> {
    /// Returns whether the callback may return the value, according to its `-callback` form.
    pub(crate) fn legal(&self, sample: &Sample) -> bool {
        self.accepts(&self.of.result, sample)
    }

    fn accepts(&self, ty: &Type, sample: &Sample) -> bool {
        if let Sample::Into(inner) | Sample::Term(inner) = sample {
            return self.accepts(ty, inner);
        }
        if *sample == Sample::NoTerm {
            return false;
        }
        if let Some(parameter) = self.parameter(ty) {
            return *sample == Sample::Parameter(parameter);
        }
        match (ty, sample) {
            (Type::Any | Type::Var(_), _) => !sample.holds(&Sample::NoTerm),
            (Type::Annotated(_, inner), _) => self.accepts(inner, sample),
            (Type::Union(members), _) => members.iter().any(|member| self.accepts(member, sample)),
            (_, Sample::Value(_, value)) => self.within(value, ty),
            (_, Sample::Text) => self.within(&Type::Builtin(Builtin::Binary), ty),
            (Type::Named(name, arguments), _) => {
                let body = self.otp.body(name, arguments);
                body.is_some_and(|body| self.accepts(&body, sample))
            }
            (_, Sample::Atom(atom)) => self.within(&Type::Atom(atom.clone()), ty),
            (Type::Tuple(types), Sample::Tuple(elements)) => {
                let mut pairs = types.iter().zip(elements);
                types.len() == elements.len() && pairs.all(|(ty, found)| self.accepts(ty, found))
            }
            (Type::List(element), Sample::List(found)) => {
                found.iter().all(|found| self.accepts(element, found))
            }
            _ => false,
        }
    }

    /// Returns whether every value of `narrow` is also a value of `wide`.
    fn within(&self, narrow: &Type, wide: &Type) -> bool {
        let parameters = (self.parameter(narrow), self.parameter(wide));
        if let (_, Some(_)) | (Some(_), _) = parameters {
            return parameters.0 == parameters.1
                || (parameters.1.is_none() && matches!(wide, Type::Any));
        }
        match (narrow, wide) {
            _ if narrow == wide => true,
            (_, Type::Any | Type::Var(_)) => true,
            (Type::Annotated(_, narrow), _) => self.within(narrow, wide),
            (_, Type::Annotated(_, wide)) => self.within(narrow, wide),
            (Type::Union(members), _) => members.iter().all(|member| self.within(member, wide)),
            (_, Type::Union(members)) => members.iter().any(|member| self.within(narrow, member)),
            (_, Type::Named(name, arguments)) => {
                let body = self.otp.body(name, arguments);
                body.is_some_and(|body| self.within(narrow, &body))
            }
            (Type::Named(name, arguments), _) => {
                let body = self.otp.body(name, arguments);
                body.is_some_and(|body| self.within(&body, wide))
            }
            (Type::Tuple(narrow), Type::Tuple(wide)) => {
                let mut pairs = narrow.iter().zip(wide);
                narrow.len() == wide.len() && pairs.all(|(narrow, wide)| self.within(narrow, wide))
            }
            (Type::List(narrow), Type::List(wide)) => self.within(narrow, wide),
            (_, Type::Builtin(wide)) => builtin(narrow, *wide),
            _ => false,
        }
    }
}

fn builtin(narrow: &Type, wide: Builtin) -> bool {
    use Builtin::{
        Atom, Binary, Bitstring, Boolean, Integer, Iodata, Module, Node, NonNegInteger, Number,
        PosInteger, Timeout,
    };
    match (narrow, wide) {
        (Type::Atom(atom), Timeout) => atom == "infinity",
        (Type::Atom(atom), Boolean) => ["true", "false"].contains(&atom.as_str()),
        (Type::Atom(_), Atom | Module | Node) => true,
        (Type::Builtin(Atom | Module | Node), Atom | Module | Node) => true,
        (Type::Builtin(Boolean), Atom | Module | Node) => true,
        (Type::Builtin(PosInteger), NonNegInteger) => true,
        (Type::Builtin(PosInteger | NonNegInteger), Timeout | Integer | Number) => true,
        (Type::Builtin(Integer), Number) => true,
        (Type::Builtin(Binary), Bitstring | Iodata) => true,
        (Type::Tuple(_), Builtin::Tuple) => true,
        _ => false,
    }
}
