//! `fun()`

use std::fmt;
use std::sync::Arc;

use crate::term::Terms;
use crate::term::types::{Atom, Pid};

/// A fun. Rust cannot call it, but can store it and pass it on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fun {
    /// `fun Expr`: code of one version of a module, with the values that it captured
    Local(Arc<LocalFun>),
    /// `fun Module:Function/Arity`
    External(Arc<ExternalFun>),
}

/// The name of an exported function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExternalFun {
    /// The module.
    pub module: Atom,
    /// The function.
    pub function: Atom,
    /// The number of its arguments.
    pub arity: u8,
}

/// The parts of a local fun in the external term format (`NEW_FUN_EXT`). Such a fun can only be
/// read, not created.
///
/// The order is Erlang's order of funs, as far as these parts determine it: by module, number and
/// captured values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LocalFun {
    pub(crate) module: Atom,
    pub(crate) old_index: i64,
    pub(crate) old_unique: i64,
    pub(crate) captured: Terms,
    pub(crate) arity: u8,
    pub(crate) index: u32,
    pub(crate) unique: [u8; 16],
    pub(crate) creator: Pid,
}

impl LocalFun {
    /// Returns a fun of the same module and arity that differs from other funs only in a number.
    pub(crate) fn redacted(&self, number: u32, creator: Pid) -> Fun {
        Fun::Local(Arc::new(LocalFun {
            module: self.module.clone(),
            old_index: number.into(),
            old_unique: 0,
            captured: Terms::new(),
            arity: self.arity,
            index: number,
            unique: [0; 16],
            creator,
        }))
    }
}

impl Fun {
    /// `fun Module:Function/Arity`
    pub fn external(module: Atom, function: Atom, arity: u8) -> Fun {
        Fun::External(Arc::new(ExternalFun {
            module,
            function,
            arity,
        }))
    }

    /// Returns the number of arguments.
    pub fn arity(&self) -> u8 {
        match self {
            Fun::Local(fun) => fun.arity,
            Fun::External(fun) => fun.arity,
        }
    }

    /// Returns the module that has the fun's code.
    pub fn module(&self) -> &Atom {
        match self {
            Fun::Local(fun) => &fun.module,
            Fun::External(fun) => &fun.module,
        }
    }
}

impl fmt::Display for Fun {
    /// Writes `fun lists:map/2`, or for a local fun `#Fun<shop.3.120043>`, as Erlang shows it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fun::Local(fun) => {
                write!(
                    formatter,
                    "#Fun<{}.{}.{}>",
                    fun.module, fun.old_index, fun.old_unique
                )
            }
            Fun::External(fun) => {
                write!(
                    formatter,
                    "fun {}:{}/{}",
                    fun.module, fun.function, fun.arity
                )
            }
        }
    }
}
