//! `cargo otp tree`: the supervision tree of a running node.

mod drawing;

use serde_json::{Value, json};

use crate::args::{Tree as Options, TreeFormat};
use crate::installation::Installation;
use crate::report::{Result, Ui};
use crate::vm::tree::{self, Entry, Kind, Trees};

pub(super) fn execute(options: &Options, ui: &Ui) -> Result<()> {
    let otp = Installation::find()?;
    let cookie = options.cookie.as_deref();
    let trees = tree::ask(&otp, &options.live, cookie, &options.applications)?;
    if trees.applications.is_empty() {
        ui.note("only `kernel` has a supervision tree there");
    }
    ui.output(&match options.format {
        TreeFormat::Text => drawing::text(&trees),
        TreeFormat::Dot => drawing::dot(&trees),
        TreeFormat::Mermaid => drawing::mermaid(&trees),
        TreeFormat::Json => format!("{:#}\n", as_json(&trees)),
    });
    Ok(())
}

fn as_json(trees: &Trees) -> Value {
    let applications = trees.applications.iter().map(|tree| {
        let root = children(&tree.entries, 0).into_iter().next();
        json!({ "name": tree.application, "root": root })
    });
    json!({ "node": trees.node, "applications": applications.collect::<Vec<_>>() })
}

/// The entries of a depth, up to the first one that is less deep, with their own children.
fn children(entries: &[Entry], depth: usize) -> Vec<Value> {
    let mut values = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        if entry.depth < depth {
            break;
        }
        if entry.depth > depth {
            continue;
        }
        values.push(match &entry.kind {
            Kind::Omitted(text) => json!({ "omitted": text }),
            Kind::Process(process) => json!({
                "name": process.name,
                "id": process.id,
                "type": process.kind(),
                "module": process.module,
                "pid": process.pid,
                "mailbox": process.mailbox,
                "memory": process.memory,
                "state": process.state,
                "children": children(&entries[index + 1..], depth + 1),
            }),
        });
    }
    values
}
