//! Terms whose pids and references are numbered, for snapshots.

use otp_bridge::Term;
use otp_bridge::term::etf;
use otp_bridge::testing::{Redactions, redacted};

use crate::oracle::{Question, ask};

/// Returns the current value of an expression in Erlang.
fn erlang(expression: &str) -> Term {
    let bytes = ask(Question::Read, &[expression.as_bytes().to_vec()]).remove(0);
    etf::decode(&bytes).expect("Erlang's bytes are a term")
}

#[test]
fn each_run_gives_the_same_text() {
    let expression = "Self = self(), Ref = make_ref(), Port = hd(erlang:ports()), \
        Add = fun(X) -> {X, Self, Ref} end, Other = spawn(fun() -> ok end), \
        {Self, [Ref, Port | Self], #{pid => Other, ref => make_ref(), again => Ref}, \
        Add, fun lists:map/2, Add, <<1, 2>>, 1 bsl 70, 1.5, [], <<3:5>>, 'shop@host'}";
    let [first, second] = [erlang(expression), erlang(expression)];
    assert_ne!(first, second);
    let shown = redacted(&first).to_string();
    assert_eq!(redacted(&second).to_string(), shown);
    insta::assert_snapshot!(shown, @"{<redacted.1.0>,[#Ref<redacted.1>,#Port<redacted.1>|<redacted.1.0>],#{again => #Ref<redacted.1>,pid => <redacted.2.0>,ref => #Ref<redacted.2>},#Fun<erl_eval.1.0>,fun lists:map/2,#Fun<erl_eval.1.0>,<<1,2>>,1180591620717411303424,1.5,[],<<3:5>>,shop@host}");
}

#[test]
fn what_is_redacted_is_still_a_term() {
    let term = erlang("{self(), make_ref(), hd(erlang:ports()), fun(X) -> X end}");
    let redacted = redacted(&term);
    assert_eq!(etf::decode(&etf::encode(&redacted)).as_ref(), Ok(&redacted));
    let mut again = Redactions::new();
    assert_eq!(again.redacted(&redacted), redacted);
}

#[test]
fn several_terms_have_their_numbers_in_common() {
    let Term::List(pids) = erlang("[self(), spawn(fun() -> ok end), self()]") else {
        panic!("a list");
    };
    let mut redactions = Redactions::new();
    let shown: Vec<String> = pids
        .iter()
        .map(|pid| redactions.redacted(pid).to_string())
        .collect();
    assert_eq!(
        shown,
        ["<redacted.1.0>", "<redacted.2.0>", "<redacted.1.0>"]
    );
}
