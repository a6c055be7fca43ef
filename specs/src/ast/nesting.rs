//! Deeply nested types. Code that recurses over them runs on a stack of its own.

use super::{Clause, Form, FormKind, Signature, Type, TypeKind};

/// Maximum nesting of types: brackets, unions, operators and annotations. OTP needs ten levels.
pub(crate) const DEEPEST: usize = 24_000;
/// Code can recurse over this number of levels on the stack of any thread.
pub(crate) const SHALLOW: usize = 64;
/// Large enough to recurse over [`DEEPEST`] levels, also without optimisation: a level then needs
/// between 9 KB and 12 KB. The system provides the memory page by page, as it is needed.
const STACK: usize = DEEPEST * (20 << 10);

/// Runs `work` on a stack that is large enough for the deepest types.
pub(crate) fn on_large_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::grow(STACK, work)
}

/// Returns whether types in a form are nested more than [`SHALLOW`] levels deep.
fn is_deep(kind: &FormKind) -> bool {
    match kind {
        FormKind::Type(form) => is_deeper(&form.body, SHALLOW),
        FormKind::Function(form) => form.clauses.iter().any(clause_is_deep),
        FormKind::Record(form) => {
            let mut types = form.fields.iter().filter_map(|field| field.ty.as_ref());
            types.any(|ty| is_deeper(ty, SHALLOW))
        }
        FormKind::Module(_)
        | FormKind::ExportType(_)
        | FormKind::OptionalCallbacks(_)
        | FormKind::Export(_)
        | FormKind::ExportAll
        | FormKind::Behaviour(_) => false,
    }
}

fn clause_is_deep(clause: &Clause) -> bool {
    let mut bounds = clause.constraints.iter().map(|one| &one.bound);
    signature_is_deeper(&clause.signature, SHALLOW) || bounds.any(|bound| is_deeper(bound, SHALLOW))
}

fn signature_is_deeper(signature: &Signature, levels: usize) -> bool {
    let parameters = signature.parameters.iter().flatten();
    parameters
        .chain([&signature.result])
        .any(|ty| is_deeper(ty, levels))
}

/// Returns whether a type has more than this number of levels.
pub(crate) fn is_deeper(ty: &Type, levels: usize) -> bool {
    let Some(left) = levels.checked_sub(1) else {
        return true;
    };
    let any = |types: &[Type]| types.iter().any(|ty| is_deeper(ty, left));
    match &ty.kind {
        TypeKind::Variable(_)
        | TypeKind::Atom(_)
        | TypeKind::Integer(_)
        | TypeKind::Char(_)
        | TypeKind::Tuple(None)
        | TypeKind::Map(None)
        | TypeKind::Fun(None) => false,
        TypeKind::Annotated(_, inner) | TypeKind::Prefix(_, inner) => is_deeper(inner, left),
        TypeKind::Infix(_, first, second)
        | TypeKind::Range(first, second)
        | TypeKind::Bitstring(first, second) => is_deeper(first, left) || is_deeper(second, left),
        TypeKind::Union(types)
        | TypeKind::Builtin(_, types)
        | TypeKind::User(_, types)
        | TypeKind::Tuple(Some(types)) => any(types),
        TypeKind::Map(Some(fields)) => fields
            .iter()
            .any(|field| is_deeper(&field.key, left) || is_deeper(&field.value, left)),
        TypeKind::Remote(remote) => any(&remote.arguments),
        TypeKind::Record(record) => {
            let mut types = record.fields.iter().map(|field| &field.ty);
            types.any(|ty| is_deeper(ty, left))
        }
        TypeKind::Fun(Some(signature)) => signature_is_deeper(signature, left),
    }
}

impl Form {
    /// Creates a form at the location of its attribute's name.
    #[must_use]
    pub fn new(at: super::Location, kind: FormKind) -> Self {
        Form {
            at,
            is_deep: is_deep(&kind),
            kind,
        }
    }

    /// Runs code that recurses over the form, on a stack that is large enough for it.
    pub(crate) fn walk<T>(&self, work: impl FnOnce(&FormKind) -> T) -> T {
        if self.is_deep {
            on_large_stack(|| work(&self.kind))
        } else {
            work(&self.kind)
        }
    }
}

impl Drop for Form {
    fn drop(&mut self) {
        if self.is_deep {
            let kind = std::mem::replace(&mut self.kind, FormKind::ExportAll);
            on_large_stack(|| drop(kind));
        }
    }
}

impl Clone for Form {
    fn clone(&self) -> Self {
        Form {
            at: self.at,
            kind: self.walk(FormKind::clone),
            is_deep: self.is_deep,
        }
    }
}

impl PartialEq for Form {
    fn eq(&self, other: &Self) -> bool {
        (self.at, self.is_deep) == (other.at, other.is_deep)
            && self.walk(|kind| *kind == other.kind)
    }
}
