//! Positions that could not be lowered precisely, and problems of the input.

use std::collections::BTreeMap;
use std::fmt;

use otp_contract::messages::filled;

use crate::catalog::Message;
use crate::options::OverrideId;

/// The precision of the output, module by module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// In order of the modules' names.
    pub modules: BTreeMap<String, ModuleReport>,
    /// Definitions of headers that differ between modules.
    pub headers: Vec<HeaderDifference>,
}

/// A definition of a header that differs between the modules that include it, because a macro in it
/// has different values, or because two headers have one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderDifference {
    /// The header's name without its folder.
    pub header: String,
    /// `jid/0`, `#jid{}`
    pub definition: String,
    /// The modules, grouped by equal definitions. The group of the first Rust type comes first.
    pub modules: Vec<Vec<String>>,
}

impl Report {
    /// Returns the number of type positions of all modules.
    pub fn positions(&self) -> usize {
        self.modules.values().map(|module| module.positions).sum()
    }

    /// Returns the number of positions of all modules that fell back to the dynamic term.
    pub fn fallbacks(&self) -> usize {
        self.modules
            .values()
            .map(|module| module.fallbacks.len())
            .sum()
    }
}

/// The precision of one module's output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModuleReport {
    /// Type positions that were lowered: every type without parts of its own counts once.
    pub positions: usize,
    /// Positions that became the dynamic `Term`, or another type that accepts too much.
    pub fallbacks: Vec<Fallback>,
}

/// A position that fell back to the dynamic `Term`, or to another type that accepts too much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fallback {
    /// The position, e.g. `StartOpt.SpawnOpt`.
    pub position: String,
    /// The type in Erlang's syntax.
    pub erlang: String,
    /// The reason.
    pub reason: Reason,
}

/// The reason why a position is not precise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A type of a module that is not generated in the same run.
    OtherModule,
    /// The input does not contain the type.
    UnknownType,
    /// An override leaves out the type.
    Skipped,
    /// An argument with a name of the state, in a behaviour whose callbacks never create a state.
    /// So no process has a state in Rust.
    StateNotMade,
    /// The state, in a callback that runs in another process than the one that owns it.
    StateElsewhere,
    /// The input could not be resolved; a diagnostic of `otp-specs` has the reason.
    Invalid,
    /// The run time has no Rust type for the Erlang type.
    NoRustType,
    /// A native record of OTP 29, which NIFs cannot read.
    NativeRecord,
    /// A type variable that nothing binds.
    UnboundVariable,
    /// A map with several kinds of keys that are not known atoms. The result loses the association
    /// of values with kinds of keys.
    OpenMap,
    /// A list whose tail may be a list itself, or that has elements and may be proper.
    ListTail,
    /// Clauses of a callback's result that have the same tag and size. The result does not record
    /// which elements belong together.
    JoinedClauses,
    /// An integer of more than 128 bits as the bound of a range.
    HugeInteger,
    /// A range with a bound of more than 128 bits.
    Endless,
    /// Types nested more deeply than the generator follows.
    TooDeep,
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Reason::OtherModule => "a type of a module that is not generated here",
            Reason::UnknownType => "no such type",
            Reason::Skipped => "left out by otp.toml",
            Reason::StateNotMade => "a state that no callback makes, and so an ordinary argument",
            Reason::StateElsewhere => "a state of another process than the one that is called",
            Reason::Invalid => "could not be resolved",
            Reason::NoRustType => "no Rust type stands for it yet",
            Reason::NativeRecord => "a native record, which native code cannot read",
            Reason::UnboundVariable => "a type variable that nothing binds",
            Reason::OpenMap => "a map of several kinds of keys that are not known",
            Reason::ListTail => "a list whose tail may be a list",
            Reason::JoinedClauses => "clauses of one tag and size",
            Reason::HugeInteger => "a bound of more than 128 bits",
            Reason::Endless => "a recursion whose arguments grow at every turn",
            Reason::TooDeep => "nested too deeply",
        })
    }
}

/// Input that the generator cannot use. The rest of the module is still generated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its code in the [catalogue](crate::catalog).
    pub code: &'static str,
    /// Erlang module.
    pub module: String,
    /// The form, e.g. `start_opt/0`.
    pub item: String,
    /// The problem: lower case, no full stop, names in backticks.
    pub label: String,
}

impl Diagnostic {
    /// Creates a diagnostic of `item`; `arguments` fill the label of `message`.
    pub(crate) fn new(
        message: &Message,
        module: &str,
        item: impl Into<String>,
        arguments: &[&dyn fmt::Display],
    ) -> Self {
        Diagnostic {
            code: message.code,
            module: module.to_owned(),
            item: item.into(),
            label: filled(message.label, arguments),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.module, self.item, self.label)
    }
}

/// A problem of an override, which is therefore not applied, or only in part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OverrideDiagnostic {
    /// The override.
    pub id: OverrideId,
    /// The key with the problem, e.g. `variants`; `None` for the override itself.
    pub key: Option<&'static str>,
    /// The key or text inside that, if it has several.
    pub inner: Option<String>,
    /// The problem: lower case, no full stop, names in backticks.
    pub label: String,
    /// Its code in the [catalogue](crate::catalog).
    pub code: &'static str,
    /// The name that was not found, if that is the problem.
    pub missing: Option<String>,
    /// The existing names that could have been meant.
    pub known: Vec<String>,
    /// The remedy.
    pub hint: Option<String>,
}

impl OverrideDiagnostic {
    /// Creates a diagnostic of an override; `arguments` fill the label of `message`.
    pub(crate) fn new(message: &Message, id: OverrideId, arguments: &[&dyn fmt::Display]) -> Self {
        OverrideDiagnostic {
            id,
            key: None,
            inner: None,
            label: filled(message.label, arguments),
            code: message.code,
            missing: None,
            known: Vec::new(),
            hint: Some(message.hint.to_owned()).filter(|hint| !hint.is_empty()),
        }
    }

    pub(crate) fn at(mut self, key: &'static str) -> Self {
        self.key = Some(key);
        self
    }

    pub(crate) fn inside(mut self, name: &str) -> Self {
        self.inner = Some(name.to_owned());
        self
    }

    pub(crate) fn instead_of(
        mut self,
        missing: &str,
        known: impl IntoIterator<Item = String>,
    ) -> Self {
        self.missing = Some(missing.to_owned());
        self.known = known.into_iter().collect();
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
