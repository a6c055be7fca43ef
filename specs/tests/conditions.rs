//! Compares `-if` with the installed epp: generated expressions, and the branch that each of them
//! takes.
#![allow(clippy::disallowed_methods)]

mod support;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use otp_specs::ast::{FormKind, TypeKind};
use otp_specs::{NoIncludes, Options, parse_source};

const EXPRESSIONS: usize = 4_000;

/// Numbers that are the same on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % sides
    }

    fn one_of(&mut self, all: &[&'static str]) -> &'static str {
        all[self.below(all.len())]
    }
}

const LEAVES: &[&str] = &[
    "1",
    "0",
    "-3",
    "2.5",
    "-1.5",
    "1.0",
    "7",
    "$a",
    "16#ff",
    "true",
    "false",
    "a",
    "'B c'",
    "[]",
    "{}",
    "#{}",
    "<<>>",
    "\"text\"",
    "\"a\" \"b\"",
    "<<\"bits\">>",
    "<<1:4>>",
    "<<3:16/little>>",
    "<<1.5/float>>",
    "<<\"a\"/utf16>>",
    "self()",
    "node()",
    "X",
    "_",
    "defined(TEST)",
    "defined(M)",
    "?OTP_RELEASE",
    "?M",
    "[1, 2]",
    "{a, 1}",
    "#{a => 1}",
    "[1 | 2]",
    "\"\"",
];
const FUNCTIONS_1: &[&str] = &[
    "abs",
    "bit_size",
    "byte_size",
    "ceil",
    "float",
    "floor",
    "hd",
    "is_atom",
    "is_binary",
    "is_bitstring",
    "is_boolean",
    "is_float",
    "is_function",
    "is_integer",
    "is_list",
    "is_map",
    "is_number",
    "is_pid",
    "is_port",
    "is_reference",
    "is_tuple",
    "length",
    "map_size",
    "node",
    "round",
    "size",
    "tl",
    "trunc",
    "tuple_size",
    "not",
    "atom_to_list",
    "nothing",
    "list_to_atom",
];
const FUNCTIONS_2: &[&str] = &[
    "binary_part",
    "element",
    "is_function",
    "is_map_key",
    "is_record",
    "map_get",
    "max",
    "min",
    "setelement",
    "nothing",
];
const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "div", "rem", "band", "bor", "bxor", "bsl", "bsr", "==", "/=", "=<", "<",
    ">=", ">", "=:=", "=/=", "and", "or", "xor", "andalso", "orelse", "andalso", "orelse",
];

fn expression(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return dice.one_of(LEAVES).to_owned();
    }
    let part = |dice: &mut Dice| {
        let depth = dice.below(depth);
        expression(dice, depth)
    };
    match dice.below(13) {
        0..=3 => format!("({} {} {})", part(dice), dice.one_of(OPERATORS), part(dice)),
        4 => format!("{} {} {}", part(dice), dice.one_of(OPERATORS), part(dice)),
        5 => format!("{} {}", dice.one_of(&["not", "-", "+", "bnot"]), part(dice)),
        6 | 7 => format!("{}({})", dice.one_of(FUNCTIONS_1), part(dice)),
        8 => format!(
            "{}({}, {})",
            dice.one_of(FUNCTIONS_2),
            part(dice),
            part(dice)
        ),
        9 => format!("{{{}, {}}}", part(dice), part(dice)),
        10 => format!("[{}, {} | {}]", part(dice), part(dice), part(dice)),
        11 => match dice.below(3) {
            0 => format!(
                "#{{{} => {}, {} => {}}}",
                part(dice),
                part(dice),
                part(dice),
                part(dice)
            ),
            1 => format!("#{{a => {}}}#{{a := {}}}", part(dice), part(dice)),
            _ => format!(
                "<<({}):{}>>",
                part(dice),
                dice.one_of(&["8", "3", "(1 + 1)/binary", "16/little", "X"])
            ),
        },
        _ => format!(
            "erlang:{}({}, {})",
            dice.one_of(&["'+'", "element", "'and'", "max", "'=='"]),
            part(dice),
            part(dice)
        ),
    }
}

fn module(expressions: &[String]) -> String {
    let mut text = "-module(m).\n-define(M, 3).\n".to_owned();
    for (index, expression) in expressions.iter().enumerate() {
        writeln!(
            text,
            "-if({expression}).\n-type t{index}() :: yes.\n-else.\n-type t{index}() :: no.\n-endif."
        )
        .expect("a string grows");
    }
    text
}

/// Prints the branch that each condition has taken, and the lines of errors.
const SCRIPT: &str = r#"
{ok, Forms} = epp:parse_file(os:getenv("FILE"), []),
[case Form of
     {attribute, _, type, {Name, {atom, _, Branch}, []}} -> io:format("~s ~s~n", [Name, Branch]);
     {error, {Line, _, _}} -> io:format("error ~p~n", [case Line of {L, _} -> L; L -> L end]);
     _ -> ok
 end || Form <- Forms], halt().
"#;

#[test]
fn conditions_take_the_branch_that_epp_takes() {
    let mut dice = Dice(9);
    let expressions: Vec<String> = (0..EXPRESSIONS)
        .map(|index| {
            let one = expression(&mut dice, 1 + index % 5);
            match index % 4 {
                // True unless it fails.
                0 => format!("({one}) =:= ({one})"),
                1 => format!("({one}) < ({})", expression(&mut dice, index % 4)),
                2 => format!("is_atom({one}) orelse is_number({one})"),
                _ => one,
            }
        })
        .collect();
    let text = module(&expressions);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conditions.erl");
    fs::write(&file, &text).expect("a file");
    let output = Command::new("erl")
        .args(["-noinput", "-eval", SCRIPT])
        .env("FILE", &file)
        .output()
        .expect("erl starts");
    let answer = String::from_utf8(output.stdout).expect("text");
    let mut theirs: BTreeMap<String, String> = BTreeMap::new();
    for line in answer.lines() {
        let (name, value) = line.split_once(' ').expect("two words");
        match name {
            "error" => theirs.insert(format!("error {value}"), String::new()),
            name => theirs.insert(name.to_owned(), value.to_owned()),
        };
    }
    let options = Options {
        release: support::release(),
        ..Options::default()
    };
    let parsed = parse_source("m.erl", text.as_bytes(), &NoIncludes, &options);
    let mut ours: BTreeMap<String, String> = BTreeMap::new();
    for entry in &parsed.module.forms {
        if let FormKind::Type(form) = &entry.form.kind
            && let TypeKind::Atom(branch) = &form.body.kind
        {
            ours.insert(form.name.to_string(), branch.to_string());
        }
    }
    for diagnostic in &parsed.diagnostics {
        ours.insert(format!("error {}", diagnostic.line), String::new());
    }
    let different: Vec<String> = (0..EXPRESSIONS)
        .filter_map(|index| {
            let name = format!("t{index}");
            let error = format!("error {}", 3 + index * 5);
            let of = |all: &BTreeMap<String, String>| {
                format!("{:?} {}", all.get(&name), all.contains_key(&error))
            };
            let (ours, theirs) = (of(&ours), of(&theirs));
            (ours != theirs).then(|| format!("{}: ours {ours}, epp's {theirs}", expressions[index]))
        })
        .collect();
    assert!(theirs.len() >= EXPRESSIONS, "{}", theirs.len());
    let taken = theirs.values().filter(|branch| *branch == "yes").count();
    assert!(taken > EXPRESSIONS / 20, "{taken}");
    assert!(
        different.is_empty(),
        "{} differ:\n{}",
        different.len(),
        different.join("\n")
    );
}
