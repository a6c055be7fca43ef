//! Checks pairs of programs: the wrong program does not compile, and the message tells the user in
//! OTP's words how to fix it; the right program compiles. The pairs are in `tests/pairs/`, and the
//! README there describes their format.

mod api;
mod compiler;
mod counts;
mod hunk;
mod hygiene;
mod message;
mod page;
mod paths;
mod size;

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

use similar::TextDiff;

use compiler::Stage;
use page::{Page, Pair};

/// The programs use these libraries, so they have to be built first.
use otp_bindings as _;
use otp_bridge as _;
use otp_bridge_novm as _;

#[test]
fn wrong_programs_are_refused() {
    let pages = page::all();
    let found = messages(&pages);
    let updates = env::var("PAIRS").is_ok_and(|word| word == "update");
    let mut complaints = String::new();
    for (page, found) in pages.iter().zip(found) {
        let mut new = Vec::new();
        for (pair, outcome) in page.pairs.iter().zip(found) {
            match judged(pair, outcome, updates) {
                Ok(message) => new.push(message),
                Err(complaint) => {
                    writeln!(complaints, "{}: {}: {complaint}", page.name, pair.name)
                        .expect("a string takes text");
                    new.push(pair.message.clone());
                }
            }
        }
        if updates {
            fs::write(&page.path, page.with_messages(&new)).expect("the page can be written");
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
}

/// Returns the defect of a pair, or its message in the form for the page.
fn judged(pair: &Pair, (stage, found): (Stage, String), updates: bool) -> Result<String, String> {
    if stage != pair.stage {
        return Err(format!("refused by {stage:?} and not by {:?}", pair.stage));
    }
    if cfg!(feature = "json") {
        return match size::with_json(&pair.message, &found) {
            None => Ok(pair.message.clone()),
            Some(complaint) => Err(complaint),
        };
    }
    if found == pair.message {
        return Ok(found);
    }
    if updates {
        size::may_replace(&pair.message, &found)?;
        return Ok(found);
    }
    let diff = TextDiff::from_lines(&pair.message, &found);
    Err(format!(
        "another message; `PAIRS=update cargo test -p otp-tests --test pairs` writes it\n{}",
        diff.unified_diff()
    ))
}

/// Compiles each wrong program alone, as its author would, several at a time.
fn messages(pages: &[Page]) -> Vec<Vec<(Stage, String)>> {
    let all: Vec<&Pair> = pages.iter().flat_map(|page| &page.pairs).collect();
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let work = || {
        while let Some((place, pair)) = {
            let place = next.fetch_add(1, Ordering::Relaxed);
            all.get(place).map(|pair| (place, pair))
        } {
            let outcome = compiler::refusal(&pair.name, &pair.wrong);
            found
                .lock()
                .expect("nobody panics with it")
                .push((place, outcome));
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    let mut found = found.into_inner().expect("nobody panics with it");
    found.sort_by_key(|(place, _)| *place);
    let mut outcomes = found.into_iter().map(|(_, outcome)| outcome);
    let of_page = |page: &Page| outcomes.by_ref().take(page.pairs.len()).collect();
    pages.iter().map(of_page).collect()
}

#[test]
fn right_programs_compile() {
    let pages = page::all();
    let pairs = pages.iter().flat_map(|page| &page.pairs);
    let programs: Vec<(&str, &str)> = pairs.map(|pair| (&*pair.name, &*pair.right)).collect();
    let messages = compiler::together(&programs);
    assert!(messages.is_empty(), "\n{messages}");
}

#[test]
fn one_mistake_is_one_message() {
    let pages = page::all();
    let pairs = pages.iter().flat_map(|page| &page.pairs);
    let refused = pairs.filter(|pair| pair.stage != Stage::Nobody);
    let complaints: Vec<String> = refused
        .filter_map(|pair| size::complaint(pair).map(|it| format!("{}: {it}", pair.name)))
        .collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// The output of `cargo xtask pairs`.
#[test]
fn the_page_of_checks_has_the_numbers() {
    let pages = page::all();
    let count = |stage| {
        let pairs = pages.iter().flat_map(|page| &page.pairs);
        pairs.filter(|pair| pair.stage == stage).count()
    };
    let (rustc, build) = (count(Stage::Rustc), count(Stage::Build));
    let unknown = count(Stage::Nobody);
    let check = counts::refused_by_check();
    let right = rustc + build + unknown;
    let line = format!(
        "rustc refuses {rustc} wrong programs, a build {build}, and `cargo otp check` {check}. {unknown} pass, each with the \
         reason why it cannot be known. {right} right programs pass."
    );
    counts::agree(&line);
}

#[test]
fn few_messages_begin_as_an_evaluation_does() {
    let pages = page::all();
    let pairs = pages.iter().flat_map(|page| &page.pairs);
    let evaluated = pairs.filter(|pair| size::is_evaluated(pair)).count();
    assert_eq!(
        evaluated,
        size::MOST_EVALUATED,
        "write the fewer into `size.rs`; more are not needed"
    );
}

#[test]
fn a_pair_has_a_name_of_its_own() {
    let pages = page::all();
    let mut names: Vec<&str> = pages
        .iter()
        .flat_map(|page| page.pairs.iter().map(|pair| &*pair.name))
        .collect();
    let all = names.len();
    assert!(all >= 365, "there were 365 pairs, and there are {all}");
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all, "two pairs have one name");
}

#[test]
fn a_wrong_program_that_compiles_is_noticed() {
    let (stage, _) = compiler::refusal("right", "pub fn one() -> u64 { 1 }");
    assert_eq!(stage, Stage::Nobody);
    let (stage, message) = compiler::refusal("wrong", "pub fn one() -> u64 { \"1\" }");
    assert_eq!(stage, Stage::Rustc);
    assert!(
        message.starts_with("error[E0308]: mismatched types\n --> src/lib.rs\n"),
        "{message}"
    );
}

#[test]
fn what_only_a_build_refuses_is_refused_by_the_build() {
    let program = "
        struct Never<T>(T);
        impl<T> Never<T> { const NEVER: () = panic!(\"never\"); }
        #[unsafe(no_mangle)]
        pub extern \"C\" fn run() { let () = Never::<u8>::NEVER; }";
    let (stage, message) = compiler::refusal("late", program);
    assert_eq!(stage, Stage::Build);
    assert!(message.contains("never"), "{message}");
}
