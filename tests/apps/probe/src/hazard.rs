//! A server that misbehaves, without harming the VM.
use std::fmt;
use std::panic::{catch_unwind, panic_any, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::TimeoutOrHibernateOrContinue;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::DecodeError;
use otp_bridge::term::{ErlangType, FromTerm, View};

/// Number of counting values that were dropped.
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// Defines the effect of dropping the state.
enum Burden {
    Counts,
    Panics,
    Hides,
}

impl fmt::Debug for Burden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Burden::Hides => panic_any(Spiteful),
            Burden::Counts | Burden::Panics => f.write_str("Burden"),
        }
    }
}

impl Drop for Burden {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
        if matches!(self, Burden::Panics) {
            panic_any(Spiteful)
        }
    }
}

/// The payload of a panic. It panics when it is dropped, and so does the payload of that panic.
struct Spiteful;

impl Drop for Spiteful {
    fn drop(&mut self) {
        panic_any(Spiteful)
    }
}

/// The state.
#[derive(Debug)]
pub struct Hazard {
    #[expect(dead_code, reason = "it is there to be dropped")]
    burden: Burden,
}

/// `{start, Manner}`: dropping it `counts` or `panics`. With `hides`, showing it panics.
#[derive(Debug, Term)]
pub struct Start(pub Atom);

/// Requests.
#[derive(Debug, Term)]
#[reply(u64)]
pub enum Do {
    /// `dropped`: returns how many values were dropped.
    Dropped,
    /// `spiteful`: panics with a payload whose destructor panics.
    Spiteful,
    /// `resumed`: panics without calling a hook, after a panic that was caught.
    Resumed,
    /// `hold`: waits for long while it holds a value.
    Hold,
    /// `{later, Term}`: continues with a term that no clause accepts.
    Later(Term),
    /// `{apply, Module, Function, Arguments}`
    Apply(Atom, Atom, Vec<Term>),
}

/// A message whose decoding panics.
#[derive(Debug)]
pub struct Unreadable;

impl ErlangType for Unreadable {
    fn erlang_type() -> String {
        "unreadable".to_owned()
    }
}

impl FromTerm for Unreadable {
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        match Atom::from_term(view)? == "unreadable" {
            true => panic!("cannot read this"),
            false => Err(DecodeError::expected::<Self, V>(view)),
        }
    }
}

/// Outside the attribute's block, the compiler cannot notice that `handle_continue` is missing.
fn later(term: Term) -> HandleCall<u64> {
    HandleCall::ReplyWith(0, TimeoutOrHibernateOrContinue::Continue(term))
}

#[gen_server]
impl GenServer for Hazard {
    type Args = Start;

    fn init(Start(manner): Start) -> impl InitReturn<Self> {
        let burden = match manner.text() {
            "panics" => Burden::Panics,
            "hides" => Burden::Hides,
            _ => Burden::Counts,
        };
        (ok, Hazard { burden })
    }

    async fn handle_call(&self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        match request {
            Do::Dropped => {}
            Do::Spiteful => panic_any(Spiteful),
            Do::Resumed => {
                let caught = catch_unwind(|| panic!("caught"));
                assert!(caught.is_err());
                resume_unwind(Box::new("resumed"))
            }
            Do::Hold => {
                let _held = Burden::Counts;
                cx.sleep(Duration::from_secs(3600)).await?;
            }
            Do::Later(term) => return Ok(later(term)),
            Do::Apply(module, function, arguments) => {
                let _: Term = cx.apply(module.text(), function.text(), arguments).await?;
            }
        }
        reply(DROPPED.load(Ordering::Relaxed))
    }

    fn handle_info(&self, _: Unreadable) -> HandleInfo {
        noreply()
    }

    fn terminate(&mut self, _: &TerminateReason) {}
}
