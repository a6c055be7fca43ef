//! `cargo xtask docs`: all pages as a site, built by mdBook.
//!
//! The pages link to files of the repository, such as examples. The site contains only pages, so
//! mdBook gets copies in which the other links are plain text. Every link and anchor of the
//! finished site is then checked.

mod links;
mod site;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{Outcome, cargo, heading, on_path, root, run, say, target};

/// The version of mdBook that this command installs if another one, or none, is there.
const VERSION: &str = "0.5.4";
/// The folders with a page for each error code. On the site, they are one folder.
const ERRORS: [&str; 2] = ["cli/errors", "codegen/errors"];
/// The page of the site's own address. mdBook puts a copy of the first page there, whose links
/// would lead nowhere because the first page is in a folder.
const INDEX: &str = "\
<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<title>otp-rs</title>
<meta http-equiv=\"refresh\" content=\"0; url=guide/introduction.html\">
</head>
<body><a href=\"guide/introduction.html\">Introduction</a></body>
</html>
";

/// Builds the site in `target/guide`, and checks its links.
pub(crate) fn task() -> Outcome {
    let program = mdbook()?;
    heading("Copy the pages");
    let book = target().join("book");
    stage(&book)?;
    heading("Build the site");
    let out = target().join("guide");
    run(Command::new(program)
        .arg("build")
        .arg("--dest-dir")
        .arg(&out)
        .arg(&book)
        .current_dir(root()))?;
    write(&out.join("index.html"), INDEX)?;
    heading("Check the links of the site");
    let count = site::check(&out)?;
    say(&format!(
        "{count} links lead to pages and headings.\nOpen {}/index.html.\n",
        out.display()
    ));
    Ok(())
}

/// Returns the program of the right version. Installs it into the target folder if it is missing.
fn mdbook() -> Outcome<PathBuf> {
    let tools = target().join("tools");
    let own = tools.join("bin/mdbook");
    let found = on_path("mdbook").into_iter().chain([own.clone()]);
    if let Some(program) = found.into_iter().find(|program| has_version(program)) {
        return Ok(program);
    }
    heading("Install mdBook");
    let install = ["install", "mdbook", "--locked", "--version", VERSION];
    let features = ["--no-default-features", "--features", "search", "--root"];
    let mut cargo = cargo(root(), &[&install[..], &features].concat());
    run(cargo.arg(tools))?;
    Ok(own)
}

fn has_version(program: &Path) -> bool {
    let answer = Command::new(program).arg("--version").output();
    let text = answer.map(|answer| String::from_utf8_lossy(&answer.stdout).trim().to_owned());
    text.is_ok_and(|text| text == format!("mdbook v{VERSION}"))
}

/// Copies all pages and pictures of `docs`, and the pages of errors.
fn stage(book: &Path) -> Outcome {
    if book.exists() {
        fs::remove_dir_all(book).map_err(at(book))?;
    }
    let docs = root().join("docs");
    let sources = book.join("src");
    for file in files(&docs)? {
        let name = file.strip_prefix(&docs).unwrap_or(&file);
        match name.to_str() {
            Some("book.toml" | "docs.css") => copy(&file, &book.join(name))?,
            Some("SUMMARY.md") => write(&sources.join(name), &contents(&file)?)?,
            _ if is_page(&file) => write(&sources.join(name), &page(&file)?)?,
            _ => copy(&file, &sources.join(name))?,
        }
    }
    for file in error_pages()? {
        let name = Path::new("errors").join(file.file_name().unwrap_or_default());
        write(&sources.join(name), &page(&file)?)?;
    }
    write(&sources.join("errors/index.md"), &index_of_errors()?)
}

/// Returns the table of contents, with all error codes below one page.
fn contents(summary: &Path) -> Outcome<String> {
    let mut text = read(summary)?;
    text += "\n# Error codes\n\n- [All codes](errors/index.md)\n";
    for (code, _) in errors()? {
        text += &format!("    - [{code}](errors/{code}.md)\n");
    }
    Ok(text)
}

/// Returns the page with all error codes and their messages.
fn index_of_errors() -> Outcome<String> {
    let mut text = "# Error codes\n\n| code | message |\n|---|---|\n".to_owned();
    for (code, message) in errors()? {
        let message = message.replace('|', "\\|");
        text += &format!("| [{code}]({code}.md) | {message} |\n");
    }
    Ok(text)
}

/// Returns each error code with its message, from the headings of their pages. `…` stands for the
/// values in a message.
fn errors() -> Outcome<Vec<(String, String)>> {
    let mut errors = Vec::new();
    for file in error_pages()? {
        let page = read(&file)?;
        let heading = page.lines().next().and_then(|line| line.strip_prefix("# "));
        let (code, message) = heading
            .and_then(|heading| heading.split_once(": "))
            .ok_or_else(|| format!("{}: it has no heading", file.display()))?;
        errors.push((code.to_owned(), message.replace("{}", "…")));
    }
    Ok(errors)
}

/// Returns a page whose links lead to other pages of the site.
fn page(file: &Path) -> Outcome<String> {
    let text = read(file)?;
    let folder = file.parent().unwrap_or(root());
    let folder = folder.strip_prefix(root()).unwrap_or(folder);
    Ok(links::rewritten(&text, folder))
}

fn error_pages() -> Outcome<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for folder in ERRORS {
        let files = files(&root().join(folder))?;
        pages.extend(files.into_iter().filter(|file| is_page(file)));
    }
    pages.sort_by_key(|page| page.file_name().map(ToOwned::to_owned));
    Ok(pages)
}

fn is_page(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "md")
}

/// Returns all files in a folder and the folders below it, in the order of their names.
fn files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(at(folder))?.flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(at(path))
}

fn write(path: &Path, text: &str) -> Outcome {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(at(folder))?;
    fs::write(path, text).map_err(at(path))
}

fn copy(from: &Path, to: &Path) -> Outcome {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(at(folder))?;
    fs::copy(from, to).map(drop).map_err(at(from))
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> String {
    let path = path.display().to_string();
    move |error| format!("{path}: {error}")
}
