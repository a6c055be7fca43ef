//! Literal arguments of a context's methods that cannot be right: a period of 0, a channel without
//! capacity, a time that the VM's timers do not support.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprMethodCall, Lit};

use super::effects::last_segment;

/// Methods that start something periodically.
const PERIODIC: [&str; 2] = ["send_interval", "ticks"];
/// Methods whose first argument is a time.
const TIMED: [&str; 6] = [
    "send_after",
    "send_interval",
    "start_timer",
    "sleep",
    "receive_within",
    "ticks",
];
/// Methods whose third argument is how long they wait for a reply.
const REPLIED: [&str; 1] = ["call_within"];
/// Methods whose first argument is a number of messages or calls.
const SIZED: [&str; 3] = ["channel", "broadcast", "client"];

const ZERO: &str = "the interval of a repeating timer is at least 1 ms, because its messages would otherwise fill the mailbox: write `Duration::from_millis(1)`";
const LONG: &str = "a timer of Erlang runs for at most 49 days (2^32 - 1 ms): keep the date in the state, and check it once a day";
const EMPTY: &str = "a capacity of 0 has no room for a value: give a number from 1, or `UNBOUNDED`";
const NO_TIME: &str = "no process can reply within 0 ms: give it some time, such as `Duration::from_secs(1)`, or do not wait: `cx.cast`";
const NO_CALL: &str =
    "a client with a capacity of 0 refuses every call: give the maximum number of concurrent calls";

/// Returns the mistake in an argument, and its span.
pub(super) fn mistake(call: &ExprMethodCall) -> Option<(Span, &'static str)> {
    let name = call.method.to_string();
    let is = |methods: &[&str]| methods.contains(&name.as_str());
    let first = call.args.first()?;
    let reply = call.args.iter().nth(2).filter(|_| is(&REPLIED));
    if let Some(time) = reply.filter(|time| milliseconds(time) == Some(0)) {
        return Some((time.span(), NO_TIME));
    }
    let found = match milliseconds(first) {
        Some(0) if is(&PERIODIC) => ZERO,
        Some(time) if is(&TIMED) && time > u128::from(u32::MAX) => LONG,
        _ if is(&SIZED) && number(first) == Some(0) => match name.as_str() {
            "client" => NO_CALL,
            _ => EMPTY,
        },
        _ => return None,
    };
    Some((first.span(), found))
}

/// Returns the time in an expression: `Duration::ZERO`, `Duration::from_secs(60 * 60)`.
fn milliseconds(time: &Expr) -> Option<u128> {
    let Expr::Call(call) = time else {
        let is_zero = matches!(time, Expr::Path(_)) && last_segment(time)? == "ZERO";
        return is_zero.then_some(0);
    };
    let given = number(call.args.first().filter(|_| call.args.len() == 1)?)?;
    let made = last_segment(&call.func)?.to_string();
    let unit = match made.as_str() {
        "from_millis" => 1,
        "from_secs" => 1000,
        "from_mins" => 60 * 1000,
        "from_hours" => 60 * 60 * 1000,
        "from_days" => 24 * 60 * 60 * 1000,
        "from_weeks" => 7 * 24 * 60 * 60 * 1000,
        "from_micros" | "from_nanos" => return (given == 0).then_some(0),
        _ => return None,
    };
    given.checked_mul(unit)
}

/// Returns the value of a number, or of a product or sum of numbers.
fn number(expression: &Expr) -> Option<u128> {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_parse().ok(),
            _ => None,
        },
        Expr::Paren(inner) => number(&inner.expr),
        Expr::Binary(both) => {
            let (left, right) = (number(&both.left)?, number(&both.right)?);
            match both.op {
                BinOp::Mul(_) => left.checked_mul(right),
                BinOp::Add(_) => left.checked_add(right),
                _ => None,
            }
        }
        Expr::Group(inner) => number(&inner.expr),
        _ => None,
    }
}
