//! The documentation of OTP and Elixir that `otp-rs gen-types --docs` copies: rustdoc shows all of
//! it, without warnings.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::elixir::has_elixir;
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
        let doc = line.strip_prefix("///").or(line.strip_prefix("//!"));
        match (doc, comments.last_mut()) {
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

/// A library that consists only of those comments, which rustdoc puts on one page for each module.
fn library(folder: &Path) -> (String, BTreeMap<String, String>) {
    let mut library = "#![allow(missing_docs)]\n".to_owned();
    let mut all = BTreeMap::new();
    for file in files_below(folder, "rs") {
        let text = fs::read_to_string(&file).expect("a file");
        let name = file.file_stem().expect("a name").to_string_lossy();
        // The generator's own text links to items that are not in the library.
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

/// The letters of a line, without the number of a list item, which is not part of the text on a
/// page.
fn words_of(line: &str) -> String {
    letters(
        line.trim_start()
            .trim_start_matches(|letter: char| letter.is_ascii_digit()),
    )
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

/// The documentation of Elixir's modules: of each, and of its types, callbacks and functions.
const ELIXIRS: &str = r#"
for beam <- Path.wildcard(Path.join(:code.lib_dir(:elixir), "../*/ebin/*.beam")) do
  IO.write([Path.basename(beam, ".beam"), 0])
  with {:docs_v1, _, _, _, module, _, entries} <- Code.fetch_docs(beam) do
    documented = for {{kind, _, _}, _, _, doc, _} <- entries, kind in [:type, :callback, :function], do: doc
    for %{"en" => text} <- [module | documented], do: IO.write([text, 0])
  end
  IO.write([1])
end
"#;

/// Generates the modules of an application with their documentation, and runs rustdoc for a page of
/// each. Returns the comments, and the text of the page.
fn pages(
    scratch: &Scratch,
    application: &str,
    modules: &[String],
) -> BTreeMap<String, (String, String)> {
    let mut command = otp_rs(&["gen-types", "--functions", "--docs", "--path", "crate::otp"]);
    command.args(["--out", application]).args(modules);
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
    let page = |(module, comments)| {
        let page = scratch.read(&format!("doc/{application}/{module}/enum.Docs.html"));
        (module, (comments, letters(&text_of(&page))))
    };
    comments.into_iter().map(page).collect()
}

/// Checks that the page shows every word of the comments. Returns the number of paragraphs with
/// words.
fn assert_shown(module: &str, comments: &str, page: &str) -> usize {
    let mut count = 0;
    for paragraph in without_targets(comments).split(['\u{0}', '\n']) {
        let shown = words_of(paragraph);
        let is_mark = paragraph.trim_start().starts_with(['`', '~', '-']);
        assert!(is_mark || page.contains(&shown), "{module}: {paragraph}");
        count += usize::from(!shown.is_empty());
    }
    count
}

#[test]
fn rustdoc_shows_all_of_otps_documentation_and_warns_of_nothing() {
    let scratch = Scratch::new();
    let mut count = 0;
    for application in ["kernel", "stdlib", "ssl"] {
        for (module, (comments, page)) in pages(&scratch, application, &modules_of(application)) {
            count += assert_shown(&module, &comments, &page);
        }
    }
    assert!(count > 5_000, "{count}");
}

/// Markdown without the targets of its links.
fn without_targets(markdown: &str) -> String {
    let mut parts = markdown.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.split_once(')').map_or("", |(_, behind)| behind));
    }
    text
}

/// The lines of Markdown that contain words, also in lists and in code.
fn lines_of(markdown: &str) -> Vec<String> {
    let text = without_targets(markdown);
    let is_fence = |line: &&str| {
        ["```", "~~~"]
            .iter()
            .any(|mark| line.trim_start().starts_with(mark))
    };
    let lines = text.lines().filter(|line| !is_fence(line)).map(words_of);
    lines.filter(|line| !line.is_empty()).collect()
}

/// All text of the documentation chunk also reaches the page.
#[test]
fn rustdoc_shows_all_of_elixirs_documentation_and_warns_of_nothing() {
    if !has_elixir() {
        return;
    }
    let mut elixir = Command::new("elixir");
    elixir.args(["-e", ELIXIRS]);
    let said = said(elixir);
    said.succeeded();
    let documented: BTreeMap<&str, Vec<&str>> = said
        .out
        .split('\u{1}')
        .filter_map(|module| {
            let (name, texts) = module.split_once('\u{0}')?;
            Some((name, texts.split('\u{0}').collect()))
        })
        .collect();
    let names: Vec<String> = documented.keys().map(|name| (*name).to_owned()).collect();
    let scratch = Scratch::new();
    let (mut shown, mut original) = (0, 0);
    for (module, (comments, page)) in pages(&scratch, "elixir", &names) {
        shown += assert_shown(&module, &comments, &page);
        let file = scratch.read(&format!("elixir/{module}.rs"));
        let source = file
            .split_once(" from ")
            .and_then(|(_, from)| from.split(' ').next());
        let texts = source.and_then(|source| documented.get(source));
        for lines in texts.into_iter().flatten().map(|text| lines_of(text)) {
            // A function without a `-spec` is not generated, and neither is a macro.
            if lines.first().is_some_and(|first| page.contains(first)) {
                for line in &lines {
                    assert!(page.contains(line), "{module}: {line}");
                }
                original += lines.len();
            }
        }
    }
    assert!(shown > 20_000 && original > 20_000, "{shown}, {original}");
}
