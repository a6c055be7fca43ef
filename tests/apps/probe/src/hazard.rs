//! A server that misbehaves, which must not harm the VM.
use std::fmt;
use std::panic::{catch_unwind, panic_any, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::TimeoutOrHibernateOrContinue;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::DecodeError;
use otp_bridge::term::{ErlangType, FromTerm, View};

/// How many of the values that count have been dropped.
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// Dropped with the state: says how.
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

/// `{start, Manner}`: when it is dropped it `counts` or `panics`. `hides`: it panics when it is
/// shown.
#[derive(Debug, Term)]
pub struct Start(pub Atom);

/// Requests.
#[derive(Debug, Term)]
#[reply(u64)]
pub enum Do {
    /// `dropped`: how many values have been dropped.
    Dropped,
    /// `spiteful`: a panic whose payload panics when it is dropped.
    Spiteful,
    /// `resumed`: a panic that no hook sees, after one that was caught.
    Resumed,
    /// `hold`: waits for long, and holds a value.
    Hold,
    /// `{later, Term}`: goes on with a term that no clause takes.
    Later(Term),
    /// `{apply, Module, Function, Arguments}`
    Apply(Atom, Atom, Vec<Term>),
}

/// A message that panics when it is read.
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

/// Outside the block the compiler does not see that `handle_continue` is missing.
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
