//! The two set-up commands and the commands for maintenance.
//!
//! `cargo xtask demo` shows otp-rs on a machine without Erlang. `cargo xtask test` is the whole
//! check. Both install Erlang if it is missing.

mod alone;
mod applications;
mod bench;
mod cargo_tools;
mod chaos;
mod codegen;
mod corpus;
mod demo;
mod docs;
mod erlang;
mod folders;
mod fuzz;
mod glossary;
mod library;
mod linear;
mod lints;
mod matrix;
mod names;
mod pairs;
mod publish;
mod quick;
mod sanitize;
mod second_target;
mod sides;
mod size;
mod soak;
mod step;
mod test;
mod test_files;
mod times;
mod values;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

Commands:
  demo               Create an application and run it, then run the thread ring on real input
  test               Run the whole check: format, lints, generated code, all tests
  test quick         Lint and test the packages that you have changed, without a VM; takes a minute or two
  test STEP...       Run only these steps of the check, for example 'bindings alone'
  codegen [--check]  Generate bridge/src/generated and bindings/src/generated; --check: fail if they are stale
  corpus [--page] [otp | elixir | debian | DIR]...
                     Generate Rust for every module of OTP, Elixir and Debian's packages, or of folders, and compile it;
                     docs/corpus.md has the results
  linear [APP...]    Count the steps of reading growing terms of every type of kernel and stdlib, or of these applications;
                     also read giant forms
  values [--page] [APP...]
                     Compare generated types with PropEr, which generates and checks values
  matrix --root DIR... [--test NAME...]
                     Run the tests that start Erlang with another OTP; each folder is an installation, or a system that contains one
  matrix --aarch64 [--large-pages] [--test NAME...]
                     Run some of these tests on Debian for aarch64, in an emulator
  fuzz [--list] [--minutes N] [--target NAME...]
                     Run each fuzz target for a minute and show the findings; see CONTRIBUTING.md
  soak [--minutes N] Kill, panic and exit servers at every await point, and check that memory stays flat; see soak --help
  chaos [--minutes N]
                     Kill, disconnect, slow down and upgrade two nodes, and compare their data with a model; see chaos --help
  pairs              Compile the wrong and the right programs, with and without `json`; count the wrong ones by the tool that rejects them
  docs               Build all pages as a site with search in target/guide, with mdBook, and check its links;
                     install mdBook if it is missing
  size               Count words of documentation, lines of code, public names, test cases, and files of the walks in ARCHITECTURE.md
  sanitize [--live]  Run bridge's tests with AddressSanitizer; --live: also applications in a VM; see sanitize --help
  loom               Test data that bridge's threads share, with all possible interleavings of the threads
  names [--check]    Check that docs/glossary.md has all public names, and that kernel, stdlib and ssl follow docs/names.md;
                     write xtask/src/names.txt
  names APP...       Print every name that is generated for these applications
  publish --dry-run  Make all packages, and use them alone to build an application; see publish --help
  deny               Check licences, sources, duplicates and known vulnerabilities of dependencies with cargo-deny
  semver             Compare the public interface of the libraries with the last tag, with cargo-semver-checks
  bench specs        Compare the time of specs with that of OTP's epp for all sources of OTP
  bench bridge [--only NAME] [--rounds N] [--quick] [--write]
                     Compare servers in Rust, Erlang and C in one VM; docs/performance.md has the results
  bench savina [--only NAME] [--rounds N] [--quick] [--write]
                     Run Savina's micro benchmarks with otp-rs, Erlang, Actix, ractor, kameo, Tokio and threads;
                     docs/evaluation has the results
  bench tasks [--only NAME] [--rounds N] [--quick] [--write]
                     Compare lightweight tasks with Erlang's processes, Tokio's tasks, Actix's actors and threads
  bench faults [--only NAME] [--rounds N] [--quick] [--write]
                     Measure how faults in otp-rs, Actix, ractor and kameo affect clients; docs/evaluation/faults.md has the results
  bench echonet [--rounds N] [--reads N] [--without NAME]...
                     Compare examples/echonet_lite with programs in C, in Go and with the crate echonet, in network namespaces
  bench redis [--rounds N] [--long] [--without NAME] | --shapes [--quick | --rounds N]
                     Compare examples/redis with redis-server, mini-redis, redcon and plain Erlang, by redis-benchmark;
                     --shapes: compare ways to distribute keys over reactors
  bench board [--rounds N] [--write]
                     Compare examples/board with a minimal application of the HTTP server, by wrk; its README has the results
  bench instructions Count the instructions of one call of a callback, by function, with gdb
  bench walls [--ends N]
                     Measure isolated children, and kill their VMs in several ways during calls; docs/isolation.md has the results
  bench jungle [--rounds N] [--tasks N]
                     Compare examples/jungle with a map under a lock, plain Erlang and redb; its README has the results
  bench build [--install]
                     Measure clean and incremental builds of an application with and without bindings

demo, test, soak, chaos and bench install Erlang by apt-get if it is missing (as root or with sudo). demo, soak, chaos and bench bridge
install only the packages that an application needs to run; the others install all of OTP.
";

fn main() -> ExitCode {
    if let Some(compiled) = fuzz::compile() {
        return compiled;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        [command @ .., "--help" | "-h"] if !command.is_empty() => help(command),
        ["demo"] => demo::task(),
        ["test", "quick"] => quick::task(),
        ["test", steps @ ..] => test::task(steps),
        ["codegen"] => codegen::write(),
        ["codegen", "--check"] => codegen::check(),
        ["pairs"] => pairs::task(),
        ["docs"] => docs::task(),
        ["size"] => size::task(),
        ["names"] => names::write(),
        ["names", "--check"] => names::check(),
        ["names", applications @ ..] => names::show(applications),
        ["corpus", arguments @ ..] => corpus::task(arguments),
        ["values", arguments @ ..] => values::task(arguments),
        ["linear", applications @ ..] => linear::task(applications),
        ["fuzz", arguments @ ..] => fuzz::task(arguments),
        ["chaos", arguments @ ..] => chaos::task(arguments),
        ["soak", arguments @ ..] => soak::task(arguments),
        ["sanitize", arguments @ ..] => sanitize::task(arguments),
        ["loom"] => loom(),
        ["publish", arguments @ ..] => publish::task(arguments),
        ["deny"] => cargo_tools::deny(),
        ["semver"] => cargo_tools::semver(),
        ["matrix", arguments @ ..] => matrix::task(arguments),
        ["bench", name, options @ ..] => bench(name, options),
        ["help" | "--help" | "-h"] => {
            step::say(USAGE);
            Ok(())
        }
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            step::complain(&problem);
            ExitCode::FAILURE
        }
    }
}

/// Runs one of the benchmarks.
fn bench(name: &str, options: &[&str]) -> step::Outcome {
    match (name, options) {
        ("specs", []) => bench::specs(),
        ("specs", ["--measure"]) => bench::measure(),
        ("build", options) => bench::build(options),
        ("bridge", options) => bench::bridge(options),
        ("savina", options) => bench::savina(options),
        ("tasks", options) => bench::tasks(options),
        ("faults", options) => bench::faults(options),
        ("echonet", options) => bench::echonet(options),
        ("redis", options) => bench::redis(options),
        ("board", options) => bench::board(options),
        ("jungle", options) => bench::jungle(options),
        ("walls", options) => bench::walls(options),
        ("instructions", options) => bench::instructions(options),
        _ => Err(USAGE.to_owned()),
    }
}

/// State that threads share uses the types of `bridge/src/sync.rs`. Here these are loom's types.
fn loom() -> step::Outcome {
    let test = ["test", "--package", "otp-bridge", "--lib", "loom"];
    let mut cargo = step::cargo(step::root(), &test);
    step::run(
        cargo
            .env("CARGO_TARGET_DIR", step::target().join("loom"))
            .env("RUSTFLAGS", "--cfg loom"),
    )
}

/// Prints the command's own usage text. Without one, prints its lines of [`USAGE`] with their
/// continuation lines.
fn help(command: &[&str]) -> step::Outcome {
    let own = match command {
        ["chaos"] => Some(chaos::USAGE),
        ["soak"] => Some(soak::USAGE),
        ["corpus"] => Some(corpus::USAGE),
        ["values"] => Some(values::USAGE),
        ["sanitize"] => Some(sanitize::USAGE),
        ["fuzz"] => Some(fuzz::USAGE),
        ["publish"] => Some(publish::USAGE),
        ["bench", "build"] => Some(bench::BUILD_USAGE),
        ["bench", "echonet"] => Some(bench::ECHONET_USAGE),
        ["bench", "redis"] => Some(bench::REDIS_USAGE),
        ["bench", "board"] => Some(bench::BOARD_USAGE),
        ["bench", "jungle"] => Some(bench::JUNGLE_USAGE),
        ["bench", "walls"] => Some(bench::WALLS_USAGE),
        ["bench", "instructions"] => Some(bench::INSTRUCTIONS_USAGE),
        ["bench", "bridge"] => Some(bench::BRIDGE_USAGE),
        ["bench", "savina"] => return bench::savina(&["--help"]),
        ["bench", "tasks"] => return bench::tasks(&["--help"]),
        ["bench", "faults"] => return bench::faults(&["--help"]),
        _ => None,
    };
    if let Some(own) = own {
        step::say(own);
        return Ok(());
    }
    let name = command.join(" ");
    let mut is_shown = false;
    let lines: Vec<&str> = USAGE
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| {
            if !line.starts_with("   ") {
                is_shown = line.trim_start().starts_with(&name);
            }
            is_shown
        })
        .collect();
    if lines.is_empty() {
        return Err(USAGE.to_owned());
    }
    step::say(&format!("{}\n", lines.join("\n")));
    Ok(())
}
