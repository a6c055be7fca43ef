//! A term as a Rust expression.

use otp_bridge::Term;

/// The largest tuple whose parts become a Rust tuple.
const TUPLE: usize = 7;

/// Returns the expression of a `Term`, for a file that uses `otp_bridge::{Term, atom}` and
/// `otp_bridge::term::TermMap`.
pub(crate) fn rust_text(term: &Term) -> String {
    match value(term) {
        Some(value) => format!("Term::of(&{value})"),
        None => whole(term),
    }
}

/// Returns an expression whose type has the same term.
fn value(term: &Term) -> Option<String> {
    Some(match term {
        Term::Atom(atom) => format!("atom!({:?})", atom.text()),
        Term::Integer(integer) => format!("{integer}_i64"),
        Term::Float(float) => format!("{:?}_f64", float.value()),
        Term::Binary(bytes) => format!("{:?}", std::str::from_utf8(bytes).ok()?),
        Term::Tuple(parts) if (1..=TUPLE).contains(&parts.len()) => {
            let inner = |part| value(part).unwrap_or_else(|| whole(part));
            let parts: Vec<String> = parts.iter().map(inner).collect();
            format!("({},)", parts.join(", "))
        }
        _ => return None,
    })
}

/// Returns an expression of the type `Term`.
fn whole(term: &Term) -> String {
    let all = |parts: &[Term]| parts.iter().map(rust_text).collect::<Vec<_>>().join(", ");
    match term {
        Term::List(parts) if parts.is_empty() => "Term::nil()".to_owned(),
        Term::List(parts) => format!("Term::List([{}].into())", all(parts)),
        Term::Tuple(parts) if parts.is_empty() => "Term::of(&())".to_owned(),
        Term::Tuple(parts) => format!("Term::Tuple([{}].into())", all(parts)),
        Term::Map(entries) if entries.is_empty() => "Term::Map(TermMap::new())".to_owned(),
        Term::Map(entries) => {
            let entry =
                |(key, value): &(Term, Term)| format!("({}, {})", rust_text(key), rust_text(value));
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("Term::Map(TermMap::from_iter([{}]))", entries.join(", "))
        }
        Term::Binary(bytes) => format!("Term::Binary(vec!{:?}.into())", &bytes[..]),
        // A term without a Rust literal is read from its text, or from its bytes.
        _ => {
            let bytes = otp_bridge::term::etf::encode(term);
            format!("otp_bridge::term::etf::decode(&{bytes:?}).expect(\"a term\")")
        }
    }
}

#[cfg(test)]
mod tests {
    use otp_bridge::term::TermMap;
    use otp_bridge::{Term, atom};

    use super::*;

    /// The Erlang text of a term, the Rust text, and the value of the Rust text.
    macro_rules! samples {
        ($($erlang:literal => $rust:expr;)*) => {
            [$(($erlang, stringify!($rust), $rust)),*]
        };
    }

    #[test]
    fn the_expression_is_the_term() {
        let samples = samples! {
            "ok" => Term::of(&atom!("ok"));
            "{ok,1,<<\"text\">>,2.5}" => Term::of(&(atom!("ok"), 1_i64, "text", 2.5_f64,));
            "{ok}" => Term::of(&(atom!("ok"),));
            "{}" => Term::of(&());
            "[]" => Term::nil();
            "#{}" => Term::Map(TermMap::new());
            "[1,{a,[]}]" => Term::List([Term::of(&1_i64), Term::of(&(atom!("a"), Term::nil(),))].into());
            "#{a => -1}" => Term::Map(TermMap::from_iter([(Term::of(&atom!("a")), Term::of(&-1_i64))]));
            "<<255>>" => Term::Binary(vec![255].into());
            "<<1:3>>" => otp_bridge::term::etf::decode(&[131, 77, 0, 0, 0, 1, 3, 32]).expect("a term");
        };
        let plain = |text: &str| text.replace(char::is_whitespace, "");
        for (erlang, rust, term) in samples {
            assert_eq!(term.to_string(), erlang);
            assert_eq!(plain(&rust_text(&term)), plain(rust));
        }
    }
}
