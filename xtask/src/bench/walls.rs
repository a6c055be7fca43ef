//! `cargo xtask bench walls`: measures the cost of isolated children. Also checks that each caller
//! receives an answer or an error, however the children's VMs end.

use std::process::Command;

use super::machine::Machine;
use crate::erlang;
use crate::step::{self, Outcome, heading, root, run};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask bench walls [--ends N]

  --ends N     How often the VM is killed in each way, default 100

Measures calls, starts and memory of the isolated children of tests/apps/walls. Then a VM is killed by SIGSEGV, SIGKILL, abort and an
endless loop, while four clients make at least 10,000 calls without a timeout. `wrong` and `lost` must be 0.

Example: cargo xtask bench walls --ends 10
";

const APPLICATION: &str = "tests/apps/walls";
const CALLS: &str = "10000";

pub(crate) fn walls(options: &[&str]) -> Outcome {
    let ends = match options {
        [] => "100",
        ["--ends", number] if number.parse::<u32>().is_ok() => number,
        _ => return Err(USAGE.to_owned()),
    };
    erlang::to_run()?;
    let target = step::build_release(APPLICATION)?;
    heading("Costs");
    Machine::look()?.say();
    run(script("walls_costs").arg(target.join("otp/release/walls/ebin")))?;
    heading(&format!("{ends} ends in each way"));
    let mut faults = script("walls_faults");
    faults.arg(target.join("otp/release/walls/ebin"));
    run(faults.args([ends, CALLS]))
}

fn script(name: &str) -> Command {
    let mut escript = Command::new("escript");
    escript.arg(root().join(format!("tests/live/{name}.escript")));
    escript
}
