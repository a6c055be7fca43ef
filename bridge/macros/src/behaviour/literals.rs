//! Literal arguments of a context's methods that cannot be right: a period of 0, a channel without
//! capacity, a time that the VM's timers do not support.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, ExprCall, ExprPath, ImplItemFn, Item, Lit, Local, Pat, PatIdent};

use super::effects::last_segment;
use super::waiting::Waiting;

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

/// Variables of a method that have one value, which its tokens show:
/// `let period = Duration::ZERO;`.
#[derive(Default)]
pub(super) struct Constants {
    values: BTreeMap<String, Expr>,
    /// How often each name is bound.
    bound: BTreeMap<String, usize>,
}

impl Constants {
    pub(super) fn of(method: &ImplItemFn) -> Self {
        let mut constants = Constants::default();
        let mut method = method.clone();
        for argument in &mut method.sig.inputs {
            constants.visit_fn_arg_mut(argument);
        }
        constants.visit_block_mut(&mut method.block);
        let bound = std::mem::take(&mut constants.bound);
        constants
            .values
            .retain(|name, _| bound.get(name) == Some(&1));
        constants
    }

    fn add(&mut self, name: &Ident, value: &Expr) {
        self.values.insert(name.to_string(), value.clone());
    }

    /// Returns the value of a variable.
    fn value(&self, path: &ExprPath) -> Option<&Expr> {
        self.values.get(&path.path.get_ident()?.to_string())
    }

    /// Returns the time in an expression: `Duration::ZERO`, `60 * Duration::from_secs(60)`.
    fn milliseconds(&self, time: &Expr) -> Option<u128> {
        match time {
            Expr::Paren(inner) => self.milliseconds(&inner.expr),
            Expr::Group(inner) => self.milliseconds(&inner.expr),
            Expr::Path(path) => match self.value(path) {
                Some(value) => self.milliseconds(value),
                None => match last_segment(time)?.to_string().as_str() {
                    "ZERO" => Some(0),
                    "MAX" => Some(u128::from(u64::MAX) * 1000),
                    _ => None,
                },
            },
            Expr::Binary(both) if matches!(both.op, BinOp::Mul(_)) => {
                let (left, right) = (&both.left, &both.right);
                let product = |time, times| {
                    let time: u128 = self.milliseconds(time)?;
                    time.checked_mul(self.number(times)?)
                };
                product(left, right).or_else(|| product(right, left))
            }
            Expr::Call(call) => self.made(call),
            _ => None,
        }
    }

    /// Returns the time that a function makes: `Duration::from_secs(5)`.
    fn made(&self, call: &ExprCall) -> Option<u128> {
        let function = last_segment(&call.func)?.to_string();
        let given = || self.number(call.args.first().filter(|_| call.args.len() == 1)?);
        let unit = match function.as_str() {
            "from_millis" => 1,
            "from_secs" => 1000,
            "from_mins" => 60 * 1000,
            "from_hours" => 60 * 60 * 1000,
            "from_days" => 24 * 60 * 60 * 1000,
            "from_weeks" => 7 * 24 * 60 * 60 * 1000,
            "from_micros" | "from_nanos" => return (given()? == 0).then_some(0),
            "from_secs_f64" | "from_secs_f32" => return call.args.first().and_then(zero),
            "default" if call.args.is_empty() => return Some(0),
            "new" if call.args.len() == 2 => {
                let (seconds, rest) = (self.number(&call.args[0])?, self.number(&call.args[1])?);
                // A period below a millisecond is not 0.
                return Some(seconds.checked_mul(1000)? + rest.div_ceil(1_000_000));
            }
            _ => return None,
        };
        given()?.checked_mul(unit)
    }

    /// Returns the value of a number, or of an expression of numbers.
    fn number(&self, expression: &Expr) -> Option<u128> {
        match expression {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(number) => number.base10_parse().ok(),
                _ => None,
            },
            Expr::Paren(inner) => self.number(&inner.expr),
            Expr::Group(inner) => self.number(&inner.expr),
            Expr::Cast(inner) => self.number(&inner.expr),
            Expr::Path(path) => match self.value(path) {
                Some(value) => self.number(value),
                None => is_smallest(path).then_some(0),
            },
            Expr::Binary(both) => {
                let (left, right) = (self.number(&both.left)?, self.number(&both.right)?);
                match both.op {
                    BinOp::Mul(_) => left.checked_mul(right),
                    BinOp::Add(_) => left.checked_add(right),
                    BinOp::Sub(_) => left.checked_sub(right),
                    BinOp::Shl(_) => 1_u128
                        .checked_shl(u32::try_from(right).ok()?)?
                        .checked_mul(left),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

impl VisitMut for Constants {
    fn visit_local_mut(&mut self, local: &mut Local) {
        let pattern = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pattern => pattern,
        };
        if let (Pat::Ident(name), Some(init)) = (pattern, &local.init)
            && name.mutability.is_none()
        {
            self.add(&name.ident, &init.expr);
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_pat_ident_mut(&mut self, name: &mut PatIdent) {
        *self.bound.entry(name.ident.to_string()).or_default() += 1;
        visit_mut::visit_pat_ident_mut(self, name);
    }

    /// `const PERIOD: Duration = Duration::ZERO;`
    fn visit_item_mut(&mut self, item: &mut Item) {
        if let Item::Const(constant) = item {
            *self.bound.entry(constant.ident.to_string()).or_default() += 1;
            self.add(&constant.ident, &constant.expr);
        }
    }
}

/// Returns 0 for `0.0`.
fn zero(expression: &Expr) -> Option<u128> {
    let Expr::Lit(literal) = expression else {
        return None;
    };
    let Lit::Float(number) = &literal.lit else {
        return None;
    };
    let value: f64 = number.base10_parse().ok()?;
    (value == 0.0).then_some(0)
}

/// Returns whether the path is `usize::MIN` or the like.
fn is_smallest(path: &ExprPath) -> bool {
    let segments = path.path.segments.iter().map(|it| it.ident.to_string());
    let names: Vec<String> = segments.collect();
    matches!(&names[..], [.., ty, name] if ty.starts_with('u') && name == "MIN")
}

/// Returns the mistake in an argument of a context's method, and its span.
pub(super) fn mistake(
    call: &Expr,
    waiting: &Waiting,
    constants: &Constants,
) -> Option<(Span, &'static str)> {
    let (name, arguments): (String, Vec<&Expr>) = match call {
        Expr::MethodCall(call) if waiting.is_context_expression(&call.receiver) => {
            (call.method.to_string(), call.args.iter().collect())
        }
        // `Cx::send_interval(cx, Duration::ZERO, Tick)`
        Expr::Call(call) => {
            waiting.context_of(&call.func, &call.args)?;
            let name = last_segment(&call.func)?.to_string();
            (name, call.args.iter().skip(1).collect())
        }
        _ => return None,
    };
    let is = |methods: &[&str]| methods.contains(&name.as_str());
    let first = *arguments.first()?;
    let reply = arguments.get(2).filter(|_| is(&REPLIED));
    if let Some(time) = reply.filter(|time| constants.milliseconds(time) == Some(0)) {
        return Some((time.span(), NO_TIME));
    }
    let found = match constants.milliseconds(first) {
        Some(0) if is(&PERIODIC) => ZERO,
        Some(time) if is(&TIMED) && time > u128::from(u32::MAX) => LONG,
        _ if is(&SIZED) && constants.number(first) == Some(0) => match name.as_str() {
            "client" => NO_CALL,
            _ => EMPTY,
        },
        _ => return None,
    };
    Some((first.span(), found))
}
