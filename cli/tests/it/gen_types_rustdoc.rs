//! What `otp-rs gen-types --docs` copies of OTP's documentation: rustdoc shows all of it, and warns of nothing.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Scratch, files_below, otp_rs, said};

/// The modules of an application that have documentation, and types, callbacks or specifications.
const MODULES: &str = r#"
App = list_to_atom(os:getenv("APPLICATION")),
Has = fun(File) ->
    {ok, {_, [{abstract_code, Code}]}} = beam_lib:chunks(File, [abstract_code]),
    Forms = case Code of {_, All} -> All; _ -> [] end,
    lists:any(fun({attribute, _, Tag, _}) -> lists:member(Tag, [type, opaque, callback]); (_) -> false end, Forms)
end,
Chunks = filelib:wildcard(filename:join(code:lib_dir(App), "doc/chunks/*.chunk")),
[io:format("~s~n", [Name]) || Chunk <- Chunks,
    Name <- [filename:basename(Chunk, ".chunk")],
    File <- [filename:join(code:lib_dir(App, ebin), Name ++ ".beam")],
    filelib:is_regular(File), Has(File)],
halt().
"#;

fn modules_of(application: &str) -> Vec<String> {
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-eval", MODULES])
        .env("APPLICATION", application);
    said(erl).out.lines().map(str::to_owned).collect()
}

/// The doc comments of a file, without their marks.
fn comments(text: &str) -> Vec<String> {
    let mut comments = vec![String::new()];
    for line in text.lines() {
        let line = line.trim_start();
        match (line.strip_prefix("///"), comments.last_mut()) {
            (Some(doc), Some(comment)) => {
                comment.push_str(doc);
                comment.push('\n');
            }
            (None, Some(comment)) if !comment.is_empty() => comments.push(String::new()),
            _ => {}
        }
    }
    // A form alone is not documentation.
    comments.retain(|comment| comment.lines().count() > 2);
    comments
}

/// A library of nothing but those comments, which rustdoc puts on one page for each module.
fn library(folder: &Path) -> (String, BTreeMap<String, String>) {
    let mut library = "#![allow(missing_docs)]\n".to_owned();
    let mut all = BTreeMap::new();
    for file in files_below(folder, "rs") {
        let text = fs::read_to_string(&file).expect("a file");
        let name = file.file_stem().expect("a name").to_string_lossy();
        // The generator's own words link to items that are not here.
        let comments = comments(&text)
            .join("\u{0}")
            .replace("[`callback`]", "`callback`");
        writeln!(library, "pub mod r#{name} {{ pub enum Docs {{").expect("a string grows");
        for (index, comment) in comments.split('\u{0}').enumerate() {
            for line in comment.lines() {
                writeln!(library, "///{line}").expect("a string grows");
            }
            writeln!(library, "D{index},").expect("a string grows");
        }
        library.push_str("} }\n");
        all.insert(name.into_owned(), comments);
    }
    (library, all)
}

/// Letters and digits.
fn letters(text: &str) -> String {
    text.chars()
        .filter(|letter| letter.is_alphanumeric())
        .collect()
}

/// The text of a page, without its elements.
fn text_of(page: &str) -> String {
    let mut text = String::new();
    for part in page.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, text)| text));
    }
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    let decode = |text: String, (entity, letter): &(&str, &str)| text.replace(entity, letter);
    entities.iter().fold(text, decode)
}

#[test]
fn rustdoc_shows_all_of_otps_documentation_and_warns_of_nothing() {
    let scratch = Scratch::new();
    let mut count = 0;
    for application in ["kernel", "stdlib", "ssl"] {
        let modules = modules_of(application);
        let mut command = otp_rs(&["gen-types", "--functions", "--docs", "--path", "crate::otp"]);
        command.args(["--out", application]).args(&modules);
        command.current_dir(scratch.path(""));
        said(command).succeeded();
        let (text, comments) = library(&scratch.path(application));
        scratch.write(&format!("{application}.rs"), &text);
        let mut rustdoc = Command::new("rustdoc");
        rustdoc
            .args(["-D", "warnings", "--edition", "2024", "--out-dir", "doc"])
            .arg(format!("{application}.rs"))
            .current_dir(scratch.path(""));
        said(rustdoc).succeeded();
        for (module, comments) in comments {
            let page = scratch.read(&format!("doc/{application}/{module}/enum.Docs.html"));
            let page = letters(&text_of(&page));
            for paragraph in comments.split(['\u{0}', '\n']) {
                let shown = letters(paragraph);
                let is_mark = paragraph.trim_start().starts_with(['`', '~', '-']);
                assert!(is_mark || page.contains(&shown), "{module}: {paragraph}");
                count += usize::from(!shown.is_empty());
            }
        }
    }
    assert!(count > 5_000, "{count}");
}
