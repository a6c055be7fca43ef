//! Functions to write.

use super::RustType;

/// A Rust function that calls an Erlang one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Function {
    /// Its name in Rust.
    pub(crate) name: String,
    /// Its name in Erlang.
    pub(crate) function: String,
    /// Number of arguments in Erlang.
    pub(crate) arity: usize,
    /// The form, or its clause, in Erlang's syntax.
    pub(crate) erlang: String,
    /// Type parameters.
    pub(crate) parameters: Vec<Parameter>,
    /// All arguments of the Erlang function.
    pub(crate) arguments: Vec<FunctionArgument>,
    /// Its result.
    pub(crate) answer: FunctionAnswer,
}

/// A type parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Its name in Rust.
    pub(crate) name: String,
    /// Whether it occurs in an argument.
    pub(crate) sent: bool,
    /// Whether it occurs in the result.
    pub(crate) received: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FunctionArgument {
    /// An argument that the caller passes: its name and type.
    Open(String, RustType),
    /// The atom that distinguishes this clause from the others.
    Given(String),
}

/// A result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FunctionAnswer {
    Plain(RustType),
    /// `ok | {error, E}`
    OkOrError(RustType),
    /// `{ok, T} | {error, E}`
    OkWith(RustType, RustType),
    /// `{ok, A, B} | {error, E}`
    OkElements(Vec<RustType>, RustType),
}

impl Function {
    /// Returns the types of result and arguments.
    pub(crate) fn types(&self) -> Vec<&RustType> {
        [self.received(), self.sent()].concat()
    }

    /// Removes the type parameters that occur in none of its types, because they could not be
    /// inferred.
    pub(crate) fn with_mentioned_parameters(mut self) -> Self {
        let parameters = std::mem::take(&mut self.parameters);
        let mentioned = |types: &[&RustType], name: &str| types.iter().any(|ty| ty.mentions(name));
        let (sent, received) = (self.sent(), self.received());
        let parameter = |parameter: Parameter| Parameter {
            sent: mentioned(&sent, &parameter.name),
            received: mentioned(&received, &parameter.name),
            ..parameter
        };
        let parameters = parameters.into_iter().map(parameter);
        let parameters = parameters.filter(|parameter| parameter.sent || parameter.received);
        let parameters = parameters.collect();
        Function { parameters, ..self }
    }

    /// Returns the types of the arguments.
    fn sent(&self) -> Vec<&RustType> {
        let open = self.arguments.iter().filter_map(|argument| match argument {
            FunctionArgument::Open(_, ty) => Some(ty),
            FunctionArgument::Given(_) => None,
        });
        open.collect()
    }

    /// Returns the types of the result.
    fn received(&self) -> Vec<&RustType> {
        match &self.answer {
            FunctionAnswer::Plain(ty) | FunctionAnswer::OkOrError(ty) => vec![ty],
            FunctionAnswer::OkWith(value, error) => vec![value, error],
            FunctionAnswer::OkElements(values, error) => values.iter().chain([error]).collect(),
        }
    }
}
