//! The callbacks of the installed OTP, and their traits in Rust.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use otp_codegen::BRIDGE_BEHAVIOURS;
use otp_specs::types::{Clause, Function, Module, Type, TypeDef, TypeKind, TypeName};

use crate::clauses::{clauses, is_state, members, replies};
use crate::sample::bare;

/// All behaviours in `bridge`.
pub(crate) struct Otp {
    modules: BTreeMap<String, Module>,
    /// The atoms in `bridge`, and their identifiers.
    atoms: BTreeMap<String, String>,
}

/// A return trait, and its Erlang types.
pub(crate) struct Return {
    /// `gen_server`
    pub(crate) behaviour: String,
    /// `gen_server:init/1`
    pub(crate) qualified: String,
    /// `InitReturn`
    pub(crate) name: String,
    /// The trait's parameters: `Reply`, `State`.
    pub(crate) parameters: Vec<String>,
    /// The type of the trait's values: `Init<State>`.
    made: String,
    /// Whether that is an enum of its own.
    pub(crate) is_enum: bool,
    /// The function in Erlang.
    pub(crate) function: String,
    /// Everything that the callback may return: the union of its clauses in their Rust form.
    pub(crate) result: Type,
    /// For each clause, the index at which the state is left out.
    pub(crate) left_out: Vec<Option<usize>>,
    /// Clauses with a value that the callback was given and cannot change. Rust does not have them.
    pub(crate) given: Vec<Type>,
    /// The behaviour's name for the state.
    pub(crate) state: String,
    /// The `-callback` form on one line.
    pub(crate) erlang: String,
}

impl Return {
    /// `impl gen_server::InitReturn<State>`
    pub(crate) fn bound(&self) -> String {
        let parameters = match self.parameters.as_slice() {
            [] => String::new(),
            parameters => format!("<{}>", parameters.join(", ")),
        };
        format!("impl {}::{}{parameters}", self.behaviour, self.name)
    }

    /// Returns the type of all values that the callback may return: `gen_server::Init<State>`.
    pub(crate) fn value(&self) -> String {
        match self.made.as_str() {
            "Self::Value" => "Term".to_owned(),
            made => format!("{}::{made}", self.behaviour),
        }
    }
}

impl Otp {
    pub(crate) fn installed() -> Otp {
        let libraries = libraries();
        let read = |name: &&str| ((*name).to_owned(), module(&libraries, name));
        let atoms = generated("atoms");
        let blocks = atoms.split("__private::atoms! {").skip(1);
        let listed = blocks.filter_map(|block| Some(block.split_once('}')?.0));
        let words = listed.flat_map(|list| list.split(',')).map(str::trim);
        let atom = |word: &str| {
            let (atom, identifier) = word.split_once(" => ").unwrap_or((word, word));
            (atom.trim_matches('"').to_owned(), identifier.to_owned())
        };
        Otp {
            modules: BRIDGE_BEHAVIOURS.iter().map(read).collect(),
            atoms: words.filter(|word| !word.is_empty()).map(atom).collect(),
        }
    }

    /// Returns all return traits of all behaviours.
    pub(crate) fn returns(&self) -> Vec<Return> {
        let modules = self.modules.values();
        modules.flat_map(|module| self.of_module(module)).collect()
    }

    /// Returns the number of `-callback` forms.
    pub(crate) fn callbacks(&self) -> usize {
        let modules = self.modules.values();
        modules.map(|module| module.callbacks.len()).sum()
    }

    /// Returns the `-callback` forms of a behaviour.
    pub(crate) fn callbacks_of(&self, behaviour: &str) -> &[Function] {
        &self.modules[behaviour].callbacks
    }

    /// Returns the form of a callback, on one line.
    pub(crate) fn form(&self, behaviour: &str, function: &str) -> &str {
        let mut forms = self.callbacks_of(behaviour).iter();
        let form = forms.find(|form| form.name == function);
        &form.expect("a callback of the behaviour").erlang
    }

    /// Returns the identifier of an atom in `bridge`.
    pub(crate) fn atom(&self, atom: &str) -> Option<&str> {
        self.atoms.get(atom).map(String::as_str)
    }

    fn of_module(&self, module: &Module) -> Vec<Return> {
        let rust = generated(&module.name);
        let callbacks = module.callbacks.iter();
        callbacks
            .flat_map(|callback| self.of_callback(module, &rust, callback))
            .collect()
    }

    fn of_callback(&self, module: &Module, rust: &str, callback: &Function) -> Vec<Return> {
        let qualified = format!("{}:{}/{}", module.name, callback.name, callback.arity);
        let (_, state) = rust.split_once("    state: \"").expect("the state's name");
        let (state, _) = state.split_once('"').expect("its end");
        let traits = traits(rust, &qualified);
        assert!(!traits.is_empty(), "{qualified} has no return trait");
        let made = traits.iter().zip(clauses_of_traits(callback, &traits));
        let one = |(found, of): (&Trait, Vec<&Clause>)| {
            let mut members = members(self, &together(&of));
            if let Some(has_reply) = has_to_reply(&found.name, &traits) {
                members.retain(|member| replies(member) == has_reply);
            }
            let of_enter = of.len() < callback.clauses.len() && found.name.contains("Enter");
            let is_given = |member: &Type| of_enter && has_given(member, callback);
            let (given, members): (Vec<Type>, Vec<Type>) = members.into_iter().partition(is_given);
            let clauses = clauses(&members, in_place(callback, &of, state));
            Return {
                behaviour: module.name.clone(),
                qualified: qualified.clone(),
                name: found.name.clone(),
                parameters: found.parameters.clone(),
                made: found.made.clone(),
                is_enum: rust.contains(&format!("rt::Returned for {} {{", found.made)),
                function: callback.name.clone(),
                left_out: clauses.iter().map(|clause| clause.left_out).collect(),
                result: Type::Union(clauses.into_iter().map(|clause| clause.ty).collect()),
                given,
                state: state.to_owned(),
                erlang: callback.erlang.clone(),
            }
        };
        made.map(one).collect()
    }

    fn definition(&self, name: &TypeName) -> Option<&TypeDef> {
        let types = &self.modules.get(&name.module)?.types;
        types
            .iter()
            .find(|found| found.name == name.name && found.params.len() == name.arity)
    }

    /// Resolves a named type. Returns `None` for opaque types and those of other modules.
    pub(crate) fn body(&self, name: &TypeName, arguments: &[Type]) -> Option<Type> {
        let definition = self.definition(name)?;
        if definition.kind == TypeKind::Opaque {
            return None;
        }
        let variables = definition.params.iter().map(String::as_str);
        let variables: BTreeMap<&str, &Type> = variables.zip(arguments).collect();
        Some(replace(&definition.body, &variables))
    }
}

/// Returns `ty` with its variables replaced.
fn replace(ty: &Type, variables: &BTreeMap<&str, &Type>) -> Type {
    let one = |ty: &Type| replace(ty, variables);
    let boxed = |ty: &Type| Box::new(replace(ty, variables));
    let all = |types: &[Type]| types.iter().map(one).collect();
    match ty {
        Type::Var(name) => match variables.get(name.as_str()) {
            Some(value) => (*value).clone(),
            None => ty.clone(),
        },
        Type::Annotated(name, inner) => Type::Annotated(name.clone(), boxed(inner)),
        Type::Named(name, arguments) => Type::Named(name.clone(), all(arguments)),
        Type::Union(members) => Type::Union(all(members)),
        Type::Tuple(elements) => Type::Tuple(all(elements)),
        Type::List(element) => Type::List(boxed(element)),
        other => other.clone(),
    }
}

fn libraries() -> PathBuf {
    let program = "io:put_chars(code:lib_dir()), halt().";
    let output = Command::new("erl")
        .args(["-noinput", "-boot", "start_clean", "-eval", program])
        .output()
        .expect("`erl` is on PATH: `cargo xtask test` installs it");
    PathBuf::from(String::from_utf8(output.stdout).expect("paths are UTF-8"))
}

fn module(libraries: &Path, name: &str) -> Module {
    let entries = std::fs::read_dir(libraries).expect("OTP's libraries");
    let mut beams: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|folder| {
            let file = folder.file_name().unwrap_or_default().to_string_lossy();
            file.starts_with("stdlib-") || file.starts_with("kernel-")
        })
        .map(|folder| folder.join("ebin").join(format!("{name}.beam")))
        .filter(|beam| beam.is_file())
        .collect();
    beams.sort();
    let path = beams.pop().expect("a module of kernel or stdlib");
    let bytes = std::fs::read(&path).expect("the module can be read");
    let parsed = otp_specs::parse_beam(&path.to_string_lossy(), &bytes);
    let (module, diagnostics) = otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting);
    assert_eq!((parsed.diagnostics, diagnostics), (vec![], vec![]));
    module
}

/// Reads a file below `bridge/src/generated`.
fn generated(module: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bridge/src/generated");
    let path = folder.join(module).with_extension("rs");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A declared return trait.
struct Trait {
    name: String,
    parameters: Vec<String>,
    made: String,
}

/// Returns the traits whose message names the callback.
fn traits(rust: &str, qualified: &str) -> Vec<Trait> {
    let message = format!("message = \"`{qualified}` cannot return");
    let declared = |text: &str| {
        let (_, text) = text.split_once("pub trait ")?;
        let (head, text) = text.split_once(": Sized")?;
        let (_, text) = text.split_once("-> Result<")?;
        let (made, _) = text.split_once(", rt::Exit>")?;
        let (name, parameters) = head.split_once('<').unwrap_or((head, ""));
        let parameters = parameters.trim_end_matches('>').split(", ");
        let parameters = parameters.filter(|name| !name.is_empty());
        Some(Trait {
            name: name.to_owned(),
            parameters: parameters.map(str::to_owned).collect(),
            made: made.to_owned(),
        })
    };
    rust.split(&message).skip(1).filter_map(declared).collect()
}

/// Returns the clauses of each trait. If a trait's name ends in an atom, such as `enter`, the trait
/// has the clauses with this atom.
fn clauses_of_traits<'c>(callback: &'c Function, traits: &[Trait]) -> Vec<Vec<&'c Clause>> {
    let has_tag = |name: &str, clause: &Clause| {
        let first = clause.params.first();
        matches!(first, Some(Type::Atom(atom)) if name
            .trim_end_matches("Return")
            .to_lowercase()
            .ends_with(atom.as_str()))
    };
    let any = |clause: &Clause| traits.iter().any(|found| has_tag(&found.name, clause));
    let of = |name: &str| {
        let clauses = callback.clauses.iter().filter(|c| has_tag(name, c));
        let clauses: Vec<&Clause> = clauses.collect();
        match clauses.is_empty() {
            true => callback.clauses.iter().filter(|c| !any(c)).collect(),
            false => clauses,
        }
    };
    traits.iter().map(|found| of(&found.name)).collect()
}

/// Returns whether a clause of an enter call contains a variable of the arguments, or the name of
/// the function, which is the entered state.
fn has_given(member: &Type, callback: &Function) -> bool {
    let Type::Tuple(elements) = bare(member) else {
        return false;
    };
    let params = callback.clauses.iter().flat_map(|clause| &clause.params);
    let variables: Vec<&Type> = params.filter(|ty| matches!(ty, Type::Var(_))).collect();
    let mut elements = elements.iter();
    elements.any(|ty| is_given(ty, callback) || variables.contains(&bare(ty)))
}

fn is_given(ty: &Type, callback: &Function) -> bool {
    matches!(bare(ty), Type::Atom(atom) if *atom == callback.name)
}

fn together(clauses: &[&Clause]) -> Type {
    match clauses {
        [clause] => clause.result.clone(),
        clauses => Type::Union(clauses.iter().map(|clause| clause.result.clone()).collect()),
    }
}

/// Returns the behaviour's name for the state, if the callback gets the state and leaves it in
/// place.
fn in_place<'s>(callback: &Function, clauses: &[&Clause], state: &'s str) -> Option<&'s str> {
    let mut arguments = clauses.iter().flat_map(|clause| &clause.params);
    let given = arguments.any(|argument| is_state(argument, state));
    (given && callback.name != "code_change").then_some(state)
}

/// Returns whether the trait has the clauses that reply, or those that do not; `None` if it has all
/// clauses.
fn has_to_reply(name: &str, traits: &[Trait]) -> Option<bool> {
    let without = "NoreplyReturn";
    let other = name.replace("Return", without);
    if name.ends_with(without) {
        Some(false)
    } else {
        let halves = traits.iter().any(|found| found.name == other);
        halves.then_some(true)
    }
}

/// Returns the common stem of `NewState`, `NextState` and `State`.
pub(crate) fn stem(variable: &str) -> &str {
    let prefixes = ["New", "Old", "Next", "Current"];
    let stem = prefixes
        .iter()
        .find_map(|prefix| variable.strip_prefix(prefix));
    stem.unwrap_or(variable)
}

/// Returns `child_spec` in camel case.
pub(crate) fn capitalised(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    };
    name.split('_').map(word).collect()
}
