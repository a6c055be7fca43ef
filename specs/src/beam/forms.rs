//! Forms of the abstract format.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::etf::{self, Decoder, EtfTerm};
use super::terms::{constant, default, location};
use super::types;
use crate::ast::{
    BehaviourInfo, Entry, Form, FormKind, FunctionForm, FunctionFormKind, Module, Name,
    RecordField, RecordForm, TypeForm, TypeFormKind, nesting,
};
use crate::catalog;
use crate::constant::name_arities;
use crate::diagnostic::{Diagnostic, LocalDiagnostic};

/// Reads the forms into the module. A form that cannot be understood becomes a diagnostic.
pub(super) fn read(
    decoder: &mut Decoder<'_>,
    count: usize,
    module: &mut Module,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), LocalDiagnostic> {
    let mut reader = Reader {
        module,
        diagnostics,
        file: Name::default(),
        main: None,
    };
    for _ in 0..count {
        let bytes = decoder.skip()?;
        if is_read(bytes) {
            reader.form(bytes)?;
        }
    }
    Ok(())
}

/// Returns whether a form is an attribute that specs reads, or `behaviour_info/1`.
pub(super) fn is_read(bytes: &[u8]) -> bool {
    let mut decoder = Decoder::new(bytes);
    let size = decoder.enter_tuple();
    let (tag, _, name) = (decoder.term(), decoder.skip(), decoder.term());
    let (Ok(EtfTerm::Atom(tag)), Ok(EtfTerm::Atom(name))) = (tag, name) else {
        return false;
    };
    match (tag.as_str(), size) {
        ("attribute", Some(4)) => matches!(
            name.as_str(),
            "file"
                | "module"
                | "behaviour"
                | "behavior"
                | "export"
                | "compile"
                | "export_type"
                | "optional_callbacks"
                | "type"
                | "opaque"
                | "nominal"
                | "spec"
                | "callback"
                | "record"
                | "native_record"
        ),
        ("function", Some(5)) => name == "behaviour_info",
        _ => false,
    }
}

/// Adds forms to a module.
pub(super) struct Reader<'m> {
    module: &'m mut Module,
    diagnostics: &'m mut Vec<Diagnostic>,
    /// The file that contains the forms, and the file that was compiled.
    file: Name,
    main: Option<Name>,
}

impl<'m> Reader<'m> {
    pub(super) fn new(module: &'m mut Module, diagnostics: &'m mut Vec<Diagnostic>) -> Self {
        let file = module.file.clone();
        Reader {
            module,
            diagnostics,
            file,
            main: None,
        }
    }

    /// Adds forms that are all in this file.
    pub(super) fn in_file(
        module: &'m mut Module,
        diagnostics: &'m mut Vec<Diagnostic>,
        file: Name,
    ) -> Self {
        Reader {
            main: Some(file.clone()),
            file,
            ..Reader::new(module, diagnostics)
        }
    }

    /// Adds the form in these bytes. If it cannot be understood, it becomes a diagnostic.
    pub(super) fn form(&mut self, bytes: &[u8]) -> Result<(), LocalDiagnostic> {
        let (form, is_whole) = Decoder::new(bytes).term_within(etf::SHALLOW)?;
        match self.term(&form) {
            Err(_) if !is_whole => nesting::on_large_stack(|| self.deep_form(bytes)),
            added => {
                self.report(added.err());
                Ok(())
            }
        }
    }

    fn deep_form(&mut self, bytes: &[u8]) -> Result<(), LocalDiagnostic> {
        let (form, is_whole) = Decoder::new(bytes).term_within(etf::DEEPEST)?;
        let added = self.term(&form).map_err(|unknown| {
            if is_whole {
                unknown
            } else {
                catalog::TOO_DEEP.at(unknown.at, "")
            }
        });
        self.report(added.err());
        Ok(())
    }

    /// Adds a form. If it cannot be understood, it becomes a diagnostic.
    pub(super) fn add(&mut self, form: &EtfTerm) {
        let added = self.term(form);
        self.report(added.err());
    }

    fn report(&mut self, diagnostic: Option<LocalDiagnostic>) {
        let diagnostic = diagnostic.map(|diagnostic| diagnostic.in_file(&self.file));
        self.diagnostics.extend(diagnostic);
    }

    /// Adds a form.
    ///
    /// # Errors
    /// The form cannot be understood.
    fn term(&mut self, form: &EtfTerm) -> Result<(), LocalDiagnostic> {
        match form.as_tuple() {
            Some([_, annotation, name, value]) => {
                let (Some(name), at) = (name.as_atom(), location(annotation)) else {
                    return Ok(());
                };
                if name == "file" {
                    self.enter_file(value);
                    return Ok(());
                }
                let kind = attribute(name, value);
                let kind = kind.ok_or_else(|| catalog::UNKNOWN_FORM.at(at, name.as_str()))?;
                if let Some(kind) = kind {
                    self.keep(Form::new(at, kind));
                }
            }
            Some([_, _, _, arity, clauses]) if arity.as_small() == Some(1) => {
                self.module.behaviour_info = behaviour_info(clauses);
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds types, except those whose name and arity the module already has.
    pub(super) fn unknown_types<'t>(&mut self, forms: impl Iterator<Item = &'t EtfTerm>) {
        let known: BTreeSet<(Name, usize)> = self
            .module
            .forms
            .iter()
            .filter_map(|entry| match &entry.form.kind {
                FormKind::Type(form) => Some((form.name.clone(), form.parameters.len())),
                _ => None,
            })
            .collect();
        for form in forms {
            let Some([_, _, _, value]) = form.as_tuple() else {
                continue;
            };
            let Some([EtfTerm::Atom(name), _, parameters]) = value.as_tuple() else {
                continue;
            };
            let arity = parameters.as_list().map_or(0, <[EtfTerm]>::len);
            if !known.contains(&(name.clone(), arity)) {
                self.add(form);
            }
        }
    }

    /// `-file`: the file of the next forms. The first one names the file that was compiled.
    fn enter_file(&mut self, value: &EtfTerm) {
        if let Some([path, _]) = value.as_tuple() {
            self.file = path.as_text().unwrap_or_default().into();
            self.main.get_or_insert_with(|| self.file.clone());
        }
    }

    fn keep(&mut self, form: Form) {
        if let FormKind::Module(name) = &form.kind {
            self.module.name = Some(name.clone());
        }
        let in_main_file = self.main.as_ref().is_none_or(|main| *main == self.file);
        let file = self.file.clone();
        self.module.forms.push(Entry {
            form: Arc::new(form),
            file,
            in_main_file,
            doc: None,
        });
    }
}

/// Reads an attribute. Returns `None` if it cannot be understood, and `Some(None)` if it declares
/// nothing that specs needs.
fn attribute(name: &str, value: &EtfTerm) -> Option<Option<FormKind>> {
    Some(Some(match name {
        "module" => FormKind::Module(match value {
            EtfTerm::Tuple(parts) => parts.first()?.as_atom()?.clone(),
            value => value.as_atom()?.clone(),
        }),
        "behaviour" | "behavior" => match value {
            EtfTerm::Atom(name) => FormKind::Behaviour(name.clone()),
            _ => return Some(None),
        },
        "compile" => {
            let alone = value.is_atom("export_all");
            let options = value.as_list().unwrap_or_default();
            if alone || options.iter().any(|option| option.is_atom("export_all")) {
                FormKind::ExportAll
            } else {
                return Some(None);
            }
        }
        "export" => FormKind::Export(name_arities(&constant(value)?)?),
        "export_type" => FormKind::ExportType(name_arities(&constant(value)?)?),
        "optional_callbacks" => FormKind::OptionalCallbacks(constant(value)?),
        "type" => match value.as_tuple()? {
            // Typed fields, as releases before 19 kept them.
            [name, fields, _] if name.as_tuple().is_some() => {
                let name = name.as_tuple()?.get(1)?.as_atom()?.clone();
                FormKind::Record(record(name, fields, false)?)
            }
            _ => FormKind::Type(type_form(TypeFormKind::Type, value)?),
        },
        "opaque" => FormKind::Type(type_form(TypeFormKind::Opaque, value)?),
        "nominal" => FormKind::Type(type_form(TypeFormKind::Nominal, value)?),
        "spec" => FormKind::Function(function(FunctionFormKind::Spec, value)?),
        "callback" => FormKind::Function(function(FunctionFormKind::Callback, value)?),
        "record" | "native_record" => {
            let [record_name, fields] = value.as_tuple()? else {
                return None;
            };
            let native = name == "native_record";
            FormKind::Record(record(record_name.as_atom()?.clone(), fields, native)?)
        }
        _ => return Some(None),
    }))
}

fn type_form(kind: TypeFormKind, value: &EtfTerm) -> Option<TypeForm> {
    let [name, body, parameters] = value.as_tuple()? else {
        return None;
    };
    let parameter = |term: &EtfTerm| types::named(term, "var");
    Some(TypeForm {
        kind,
        name: name.as_atom()?.clone(),
        parameters: parameters
            .as_list()?
            .iter()
            .map(parameter)
            .collect::<Option<_>>()?,
        body: types::read(body)?,
    })
}

fn function(kind: FunctionFormKind, value: &EtfTerm) -> Option<FunctionForm> {
    let [head, clauses] = value.as_tuple()? else {
        return None;
    };
    let (module, name, arity) = match head.as_tuple()? {
        [name, arity] => (None, name, arity),
        [module, name, arity] => (Some(module.as_atom()?.clone()), name, arity),
        _ => return None,
    };
    let clauses: Vec<_> = clauses
        .as_list()?
        .iter()
        .map(types::clause)
        .collect::<Option<_>>()?;
    if clauses.is_empty() {
        return None;
    }
    Some(FunctionForm {
        kind,
        module,
        name: name.as_atom()?.clone(),
        arity: usize::try_from(arity.as_small()?).ok()?,
        clauses,
    })
}

fn record(name: Name, fields: &EtfTerm, native: bool) -> Option<RecordForm> {
    let fields = fields
        .as_list()?
        .iter()
        .map(record_field)
        .collect::<Option<_>>()?;
    Some(RecordForm {
        name,
        native,
        fields,
    })
}

fn record_field(term: &EtfTerm) -> Option<RecordField> {
    let parts = term.as_tuple()?;
    let (field, ty) = match parts {
        [tag, field, ty] if tag.is_atom("typed_record_field") => {
            (field.as_tuple()?, Some(types::read(ty)?))
        }
        _ => (parts, None),
    };
    let (annotation, name, default) = match field {
        [tag, annotation, name] if tag.is_atom("record_field") => (annotation, name, None),
        [tag, annotation, name, expression] if tag.is_atom("record_field") => {
            (annotation, name, Some(default(expression)))
        }
        _ => return None,
    };
    Some(RecordField {
        at: location(annotation),
        name: types::named(name, "atom")?,
        default,
        ty,
    })
}

/// Reads the lists that the clauses of `behaviour_info/1` return.
fn behaviour_info(clauses: &EtfTerm) -> Option<BehaviourInfo> {
    let mut info = BehaviourInfo::default();
    for clause in clauses.as_list()? {
        let [_, _, patterns, _, body] = clause.as_tuple()? else {
            return None;
        };
        let which = patterns.as_list()?.first()?;
        let list = || callback_list(body.as_list()?.last()?);
        match types::named(which, "atom").as_deref() {
            Some("callbacks") => info.callbacks = list()?,
            Some("optional_callbacks") => info.optional = list()?,
            _ => {}
        }
    }
    (!info.callbacks.is_empty()).then_some(info)
}

/// `{cons, _, {tuple, _, [Name, Arity]}, Tail}`
fn callback_list(mut expression: &EtfTerm) -> Option<Vec<(Name, usize)>> {
    let mut callbacks = Vec::new();
    loop {
        match expression.as_tuple()? {
            [tag, _] if tag.is_atom("nil") => return Some(callbacks),
            [tag, _, head, tail] if tag.is_atom("cons") => {
                let [_, _, parts] = head.as_tuple()? else {
                    return None;
                };
                let [name, arity] = parts.as_list()? else {
                    return None;
                };
                let Some([_, _, arity]) = arity.as_tuple() else {
                    return None;
                };
                let arity = usize::try_from(arity.as_small()?).ok()?;
                callbacks.push((types::named(name, "atom")?, arity));
                expression = tail;
            }
            _ => return None,
        }
    }
}
