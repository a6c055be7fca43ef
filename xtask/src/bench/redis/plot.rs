//! The plots: the loads from left to right, with a bar for each server, as a multiple of
//! redis-server.

use super::cases::Case;
use super::servers::REFERENCE;
use crate::bench::bars::{Axis, Bar, BarChart};
use crate::bench::statistics::Samples;
use crate::step::{Outcome, root};

/// Writes `FIGURE.svg` beside the application, with the quartiles as thin lines.
pub(super) fn write(
    (figure, text): (&str, &str),
    servers: &[&str],
    cases: &[&Case],
    samples: &Samples,
) -> Outcome {
    let loads: Vec<(&Case, &str)> = cases
        .iter()
        .flat_map(|case| case.tests().map(|test| (*case, test)))
        .collect();
    let chart = BarChart {
        title: &format!("{text}, × {REFERENCE}: median (bar) and quartiles (line)"),
        groups: loads.iter().map(|(case, test)| case.label(test)).collect(),
        contestants: servers,
        axis: Axis::Linear(1),
        line: Some(1.0),
    };
    let mut bars = Vec::new();
    for (group, (case, test)) in loads.iter().enumerate() {
        let key = format!("{} {test} {figure}", case.name);
        for (contestant, server) in servers.iter().enumerate() {
            let pairs = samples.pairs(&key, [REFERENCE, server], |theirs, it| it / theirs);
            bars.extend(pairs.map(|ratio| Bar {
                group,
                contestant,
                height: ratio.median,
                thin: [ratio.low, ratio.high],
            }));
        }
    }
    chart.write(&root().join(format!("examples/redis/{figure}.svg")), &bars)
}
