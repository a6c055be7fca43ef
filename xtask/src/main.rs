//! The two set-up commands and the commands for maintenance.
//!
//! `cargo xtask demo` shows otp-rs on a machine without Erlang. `cargo xtask test` is the whole
//! check. Both install Erlang if it is missing.

mod alone;
mod bench;
mod cargo_tools;
mod chaos;
mod codegen;
mod corpus;
mod demo;
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
  demo               Make a new application and run it, then the thread ring on real input
  test               Check everything: format, lints, generated code, all tests
  test quick         Lint and test the packages that you have changed, without a VM: in a minute or two, after an edit
  test STEP...       Only these steps, for example 'bindings alone'
  codegen [--check]  Write the Rust of OTP's behaviours under bridge/src/generated, or see if it is fresh
  corpus [--page] [otp | elixir | debian | DIR]...
                     Generate and compile every module of OTP, Elixir and Debian's packages, or of folders; docs/corpus.md has the numbers
  linear [APP...]    Read growing terms of every type of kernel and stdlib, or of these applications, and count the steps; read giant forms
  values [--page] [APP...]
                     Compare generated types with the values that PropEr generates and judges
  matrix --root DIR... [--test NAME...]
                     Run the tests that start Erlang with the OTP of each folder: an installation, or a system with one
  matrix --aarch64 [--large-pages] [--test NAME...]
                     Run some of them on Debian for aarch64, in an emulator
  fuzz [--list] [--minutes N] [--target NAME...]
                     Run the fuzz targets, a minute each, and show what they found; CONTRIBUTING.md says more
  soak [--minutes N] Kill, panic and exit servers wherever they await, and see if memory stays flat; soak --help says more
  chaos [--minutes N]
                     Kill, split, slow down and upgrade two nodes, and compare what they keep with a model; chaos --help says more
  pairs              Refuse the wrong programs and compile the right ones, with and without `json`, and count them by who refuses them
  size               Count documentation, code, public names, cases of tests, and the files of each walk through the code
  sanitize [--live]  Run the run time's tests with checks of every access to memory; --live: applications, in a VM
  loom               Try all orders in which threads may do what they do, for what the run time's threads share
  names [--check]    See if docs/glossary.md has the public names, and if the rules of docs/names.md hold over kernel, stdlib
                     and ssl; write xtask/src/names.txt
  names APP...       Print every name that the generator makes for these applications
  publish --dry-run  Make all packages, and an application with nothing but them; publish --help says more
  deny               Check licences, sources, duplicates and known vulnerabilities of dependencies with cargo-deny
  semver             Compare the libraries' interface with that of the last tag, with cargo-semver-checks
  bench specs        Read all of OTP's sources with specs and with OTP's own epp; print times and their ratio
  bench bridge [--only NAME] [--rounds N] [--quick] [--write]
                     Measure Rust servers beside the same in Erlang and C, in one VM; docs/performance.md has the results
  bench savina [--only NAME] [--rounds N] [--quick] [--write]
                     Run Savina's micro benchmarks as processes of otp-rs, in Erlang, Actix, ractor, kameo, Tokio and on threads;
                     docs/evaluation has the results
  bench tasks [--only NAME] [--rounds N] [--quick] [--write]
                     Measure lightweight tasks beside Erlang's processes, Tokio's tasks, Actix's actors and threads
  bench faults [--only NAME] [--rounds N] [--quick] [--write]
                     What clients see of faults in otp-rs, Actix, ractor and kameo; docs/evaluation/faults.md has the results
  bench echonet [--rounds N] [--reads N] [--without NAME]...
                     Measure examples/echonet_lite beside programs in C, Go and the crate echonet, in network namespaces
  bench redis [--rounds N] [--long] [--without NAME] | --shapes [--quick | --rounds N]
                     Measure examples/redis beside redis-server, mini-redis, redcon and plain Erlang, under redis-benchmark;
                     or ways for reactors to have their keys
  bench board [--rounds N] [--write]
                     Measure examples/board beside the least that the same HTTP server can say, under wrk; its README has the results
  bench walls [--ends N]
                     Measure isolated children, and end their VMs in each way while others call; docs/isolation.md has the results
  bench jungle [--rounds N] [--tasks N]
                     Measure examples/jungle beside a map under a lock, plain Erlang and redb; its README has the results
  bench build [--install]
                     Measure builds of an application without bindings and with some: from nothing, and after an edit

demo, test, soak, chaos and bench install Erlang when it is missing (apt-get, as root or by sudo): demo, soak, chaos and bench bridge what
an application needs to run, the others all of OTP.
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
