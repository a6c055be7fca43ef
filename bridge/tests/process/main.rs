//! Operations of a callback in its process, without a VM: the requests to the Erlang side, and the
//! effects of their answers.

use otp_bridge::{Atom, Cx, Exit, Result, Term, testing};
use otp_bridge_novm as _;

mod accepted;
mod borrowed;
mod called;
mod caller;
mod children;
mod failures;
mod join;
mod long_work;
mod machines;
mod otp;
mod refused;
mod same_as_otp;
mod same_as_otp_statem;
mod send;
mod served;
mod starting;
mod target;
mod timeout;

/// The function that answers requests. They are given as Erlang text.
type Answer<'a> = &'a dyn Fn(&str) -> Result<Term>;

/// Runs a callback. Returns its value and the requests to the Erlang side, in Erlang syntax.
fn run<T>(callback: impl AsyncFnOnce(&Cx<'_>) -> T, answer: Answer<'_>) -> (T, Vec<String>) {
    let mut asked = Vec::new();
    let value = testing::run(callback, |request| {
        let request = request.to_string();
        let answer = answer(&request);
        asked.push(request);
        answer
    });
    (value, asked)
}

/// An Erlang side with irrelevant answers.
fn nothing(_: &str) -> Result<Term> {
    Ok(Term::of(&otp_bridge::atoms::ok))
}

/// An Erlang side that answers each request with an error.
fn noproc(_: &str) -> Result<Term> {
    Err(Exit::new(otp_bridge::atom!("noproc")))
}

/// `net_adm:ping/1`, with a string for the node, so that no test makes atoms of it.
fn ping(cx: &Cx<'_>, node: &'static str) -> impl Future<Output = Result<Atom>> {
    cx.apply("net_adm", "ping", (node,))
}
