//! Bindings of functions: which Rust functions a `-spec` becomes, and what they are called.
//!
//! | Erlang | Rust | rule |
//! |---|---|---|
//! | `insert/2`, the only arity | `insert` | the name itself |
//! | `match/1`, the smallest arity | `r#match` | a keyword is written raw |
//! | `send_after(Time, Dest, Msg)`, `…(Time, Dest, Msg, Options)` | `send_after`, `send_after_options` | the arguments that the next shorter form with all the others lacks, two at most |
//! | `match/2`, whose arguments are others than those of `match/1` | `match_2` | the arity |
//! | clauses with the same arguments | one function | the result is the union of theirs |
//! | clauses that differ in one argument alone, with the same result | one function | the argument is the union of theirs |
//! | other clauses: `process_flag(trap_exit, Boolean)`, … | `process_flag_trap_exit`, … | what the first argument in which all differ is called; a single atom is then not an argument |
//! | a name that is taken | `name2` | the next number |
//! | `'+'`, `'$handle_undefined_function'` | none | skipped and counted |

pub(crate) mod forms;
pub(crate) mod names;
mod reach;
mod report;
pub(crate) mod variables;

pub use reach::{function_references, reachable, with_bindings};
pub use report::{FunctionReport, SkipReason, Skipped};
