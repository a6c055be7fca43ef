//! `cargo otp tree`: shows the supervision tree as declared, or that of a running node.

mod drawing;
mod svg;

use serde_json::{Map, Value, json};

use crate::args::{Tree as Options, TreeFormat};
use crate::build::cargo::Profile;
use crate::build::{BuildOptions, build};
use crate::installation::Installation;
use crate::project::Application;
use crate::report::{Result, Ui};
use crate::vm::RunningNode;
use crate::vm::node::Cookie;
use crate::vm::tree::{self, Declaration, Entry, Process, TreeRow, Trees};

pub(crate) fn execute(options: &Options, ui: &Ui) -> Result<()> {
    let trees = match &options.live {
        Some(name) => live(options, name, ui)?,
        None => declared(options, ui)?,
    };
    ui.output(&match options.format {
        TreeFormat::Text => drawing::text(&trees),
        TreeFormat::Dot => drawing::dot(&trees),
        TreeFormat::Mermaid => drawing::mermaid(&trees),
        TreeFormat::Svg => svg::svg(&trees),
        TreeFormat::Json => format!("{:#}\n", as_json(&trees)),
    });
    Ok(())
}

fn live(options: &Options, name: &str, ui: &Ui) -> Result<Trees> {
    let otp = Installation::find()?;
    let cookie = Cookie::given(options.cookie.as_deref())?;
    let node = RunningNode {
        name,
        cookie: cookie.as_ref(),
    };
    let ask = || tree::ask(&otp, &node, &options.applications);
    let trees = ui.during("Asking", &format!("`{name}`"), ask)?;
    if trees.applications.is_empty() {
        ui.note("only `kernel` has a supervision tree there");
    }
    Ok(trees)
}

/// Builds the application, because only its code knows the children.
fn declared(options: &Options, ui: &Ui) -> Result<Trees> {
    let arguments = super::texts(&options.arguments)?;
    let otp = Installation::find()?;
    let application = Application::find(options.manifest.path.as_deref())?;
    let order = BuildOptions::application(Profile::of(options.release));
    let built = build(&application, &otp, &order, ui)?;
    let declared = super::declared(&application, &built, &otp, &arguments, &[], ui)?;
    match declared.failure() {
        Some(error) => Err(error),
        None => Ok(declared.trees),
    }
}

fn as_json(trees: &Trees) -> Value {
    let applications = trees.applications.iter().map(|tree| {
        let root = children(&tree.entries, 0).into_iter().next();
        json!({ "name": tree.application, "root": root })
    });
    let applications: Vec<_> = applications.collect();
    match trees.node.as_str() {
        "" => json!({ "applications": applications }),
        node => json!({ "node": node, "applications": applications }),
    }
}

/// Returns the entries of a depth, up to the first one that is less deep, with their own children.
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
            TreeRow::Omitted(text) => json!({ "omitted": text }),
            TreeRow::Process(process) => {
                let mut value = object(process);
                let below = children(&entries[index + 1..], depth + 1);
                value.insert("children".to_owned(), below.into());
                value.into()
            }
        });
    }
    values
}

fn object(process: &Process) -> Map<String, Value> {
    let common = json!({
        "name": process.name,
        "id": process.id,
        "type": process.kind(),
        "module": process.module,
        "state": process.state,
    });
    let more = match &process.declared {
        None => json!({
            "pid": process.pid,
            "mailbox": process.mailbox,
            "memory": process.memory,
        }),
        Some(declaration) => declared_facts(declaration),
    };
    let parts = [common, more].into_iter();
    let parts = parts.filter_map(|part| part.as_object().cloned());
    parts.flatten().collect()
}

fn declared_facts(declaration: &Declaration) -> Value {
    json!({
        "start": declaration.start,
        "restart": declaration.restart,
        "shutdown": declaration.shutdown,
        "strategy": declaration.strategy,
        "intensity": declaration.intensity,
        "period": declaration.period,
    })
}
