//! Overlapping clauses. The test asks the decoder which terms a type accepts, with terms on both
//! sides of each border.

use std::fmt::Write as _;

use otp_bridge::term::FromTerm;
use otp_bridge::{Term, ToTerm};

use super::{Case, check};
use crate::otp::Otp;

/// Types of messages, as they are declared in each module and used by this test.
macro_rules! messages {
    ($($item:item)*) => {
        $(#[allow(dead_code, unreachable_pub)] $item)*
        const DECLARED: &str = concat!($(stringify!($item), "\n"),*);
    };
}

messages! {
    #[derive(Debug, otp_bridge::Term)]
    pub struct Tick;
    #[derive(Debug, otp_bridge::Term)]
    #[term(tag = "tick")]
    pub struct Again;
    #[derive(Debug, otp_bridge::Term)]
    pub enum Either { Tick, Tock }
    #[derive(Debug, otp_bridge::Term)]
    pub enum Every { Tick, #[term(untagged)] Other(otp_bridge::Term) }
    #[derive(Debug, otp_bridge::Term)]
    #[term(tag = "add")]
    pub struct Small(u8);
    #[derive(Debug, otp_bridge::Term)]
    #[term(tag = "add")]
    pub struct Large(u64);
    #[derive(Debug, otp_bridge::Term)]
    pub enum Sum { Add(u64), Clear }
}

/// A type of messages.
struct Message {
    name: &'static str,
    /// The terms of its variants; for a type that is not an enum, all of them in one list.
    variants: Vec<Vec<usize>>,
}

fn terms() -> Vec<Term> {
    let small = Term::of(&Small(1));
    let large = Term::of(&Large(300));
    let more = [
        Term::of(&Tick),
        Term::of(&Either::Tock),
        Term::of(&Sum::Clear),
    ];
    let others = [Term::of(&1_u8), Term::of(&300_u64), Term::of("text")];
    [small, large]
        .into_iter()
        .chain(more)
        .chain(others)
        .collect()
}

fn message<T: FromTerm + ToTerm>(name: &'static str, is_enum: bool) -> Message {
    let terms = terms();
    let indexed = terms.iter().enumerate();
    let taken = indexed.filter(|(_, term)| term.decode::<T>().is_ok());
    let taken: Vec<usize> = taken.map(|(index, _)| index).collect();
    let variants = match is_enum {
        // The variants of these enums differ in their first atoms.
        true => {
            let adds = taken.iter().copied().filter(|index| *index < 2).collect();
            let atoms = taken
                .iter()
                .filter(|index| **index >= 2)
                .map(|index| vec![*index]);
            let all = std::iter::once(adds).chain(atoms);
            all.filter(|them: &Vec<usize>| !them.is_empty()).collect()
        }
        false => vec![taken],
    };
    Message { name, variants }
}

fn messages() -> Vec<Message> {
    vec![
        message::<Tick>("Tick", false),
        message::<Again>("Again", false),
        message::<Either>("Either", true),
        message::<Every>("Every", false),
        message::<Small>("Small", false),
        message::<Large>("Large", false),
        message::<Sum>("Sum", true),
        message::<u8>("u8", false),
        message::<u64>("u64", false),
        message::<String>("String", false),
        message::<Term>("Term", false),
    ]
}

/// Returns whether a clause for `below` can never match one of its variants, because the clause for
/// `above` comes first.
fn is_behind(above: &Message, below: &Message) -> bool {
    let taken: Vec<usize> = above.variants.concat();
    let mut variants = below.variants.iter();
    variants.any(|variant| variant.iter().all(|term| taken.contains(term)))
}

/// Returns a module with two clauses of a callback.
fn case(head: &str, callback: &str, arguments: [&str; 2], is_refused: bool, form: &str) -> Case {
    let mut text = format!("{DECLARED}{head}");
    for argument in arguments {
        // Writing to a string cannot fail.
        _ = writeln!(text, "{}", callback.replace('@', argument));
    }
    text.push('}');
    Case {
        change: format!("{form}: {} above {}", arguments[0], arguments[1]),
        text,
        refused: is_refused.then(|| form.to_owned()),
    }
}

const SERVER: &str = "\
use otp_bridge::gen_server::prelude::*;
#[derive(Debug)] pub struct Data;
#[gen_server]
impl GenServer for Data {
    type Args = ();
    fn init(_: ()) -> Init<Self> { Init::Ignore }
";

const MACHINE: &str = "\
use otp_bridge::gen_statem::prelude::*;
#[derive(Debug)] pub struct Data;
#[derive(Debug, Clone, PartialEq, Term)] pub enum State { On, Off }
#[gen_statem]
impl GenStatem for Data {
    type Args = ();
    type State = State;
    fn init(_: ()) -> impl InitReturn<State, Self> { otp_bridge::atoms::ignore }
";

#[test]
fn a_clause_behind_another_that_takes_its_terms_is_refused() {
    let (otp, messages) = (Otp::installed(), messages());
    let callbacks = [
        (
            "handle_cast",
            "fn handle_cast(&mut self, _: @) -> HandleCast { noreply() }",
        ),
        (
            "handle_info",
            "fn handle_info(&mut self, _: @) -> HandleInfo { noreply() }",
        ),
        (
            "handle_continue",
            "fn handle_continue(&mut self, _: &@) -> HandleContinue { noreply() }",
        ),
        ("terminate", "fn terminate(&mut self, _: @) {}"),
    ];
    let mut cases = Vec::new();
    for (form, callback) in callbacks {
        for above in &messages {
            for below in messages.iter().filter(|below| below.name != above.name) {
                let names = [above.name, below.name];
                cases.push(case(SERVER, callback, names, is_behind(above, below), form));
            }
        }
    }
    let (right, wrong) = check("overlapping_server", &otp, "gen_server", &cases);
    assert!(right > 200 && wrong > 100, "{right} right, {wrong} wrong");
}

#[test]
fn a_clause_for_an_event_is_told_apart_by_its_type_and_its_content() {
    let (otp, messages) = (Otp::installed(), messages());
    let clause =
        "fn handle_event(&mut self, _: @, _: State) -> HandleEvent<State> { keep_state() }";
    let types = ["cast", "info", "EventType"];
    let mut cases = Vec::new();
    for above in messages.iter().take(4) {
        for below in messages.iter().take(4) {
            for (one, other) in types
                .iter()
                .flat_map(|one| types.map(|other| (*one, other)))
            {
                if (one, above.name) == (other, below.name) {
                    continue;
                }
                // The type of all events includes the others, but not the other way round.
                let takes_type = one == other || one == "EventType";
                let refused = takes_type && is_behind(above, below);
                let names = [
                    format!("{one}, _: {}", above.name),
                    format!("{other}, _: {}", below.name),
                ];
                cases.push(case(
                    MACHINE,
                    clause,
                    [&names[0], &names[1]],
                    refused,
                    "handle_event",
                ));
            }
        }
    }
    let (right, wrong) = check("overlapping_machine", &otp, "gen_statem", &cases);
    assert!(right > 50 && wrong > 20, "{right} right, {wrong} wrong");
}
