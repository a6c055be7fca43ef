//! `otp-rs forms`

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{Said, Scratch, applications_of_otp, files_below, otp_rs, said};

fn forms(scratch: &Scratch, arguments: &[&str]) -> Said {
    let mut command = otp_rs(&["forms"]);
    command.args(arguments).current_dir(scratch.path(""));
    said(command)
}

/// The values of a key in every line.
fn values(lines: &str, key: &str) -> Vec<serde_json::Value> {
    let parse = |line| serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    let mut lines: Vec<_> = lines.lines().map(parse).collect();
    lines.iter_mut().map(|line| line[key].take()).collect()
}

#[test]
fn each_form_is_a_line() {
    let scratch = Scratch::new();
    scratch.write(
        "src/shop.erl",
        "-module(shop).\n-export_type([t/0]).\n-type t() :: ok | {error, atom()}.\n\
         -record(r, {f = 1 :: integer()}).\n-spec f(t()) -> t().\nf(X) -> X.\n",
    );
    let said = forms(&scratch, &["src/shop.erl"]);
    said.succeeded();
    assert_eq!(said.err, "");
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(
        lines[0],
        r#"{"file":"src/shop.erl","module":"shop","kind":"export_type","name":null,"arity":1,"own":true,"form":{"t":["attribute","export_type",[{"t":["t",0]}]]}}"#
    );
    let kinds = values(&said.out, "kind");
    assert_eq!(kinds, ["export_type", "type", "record", "spec"]);
}

#[test]
fn an_error_is_shown_with_its_line_and_costs_only_its_form() {
    let scratch = Scratch::new();
    scratch.write(
        "a.erl",
        "-module(a).\n-type a() :: ok.\n-type b() :: .\n-type c() :: ok.\n",
    );
    scratch.write(
        "b.erl",
        "-module(b).\n-warning(\"old\").\n-type d() :: ok.\n",
    );
    let said = forms(&scratch, &["a.erl", "none.erl", "b.erl"]);
    said.failed(&[
        "a.erl:3:14: error[E0301]: syntax error before",
        "   | -type b() :: .\n   |              ^\n",
        "none.erl: error[E0810]: cannot read this file",
        "b.erl:2:2: warning[E0217]: -warning(\"old\")",
        "error[E0841]: 2 errors in 2 of 3 files",
    ]);
    assert_eq!(values(&said.out, "name"), ["a", "c", "d"]);

    let said = forms(&scratch, &["b.erl"]);
    said.succeeded();
    assert!(said.err.contains("warning[E0217]: "), "{}", said.err);
}

#[test]
fn macros_and_headers() {
    let scratch = Scratch::new();
    scratch.write(
        "apps/shop/src/deep/shop.erl",
        "-module(shop).\n-include(\"shop.hrl\").\n-include(\"named.hrl\").\n\
         -include_lib(\"stock/include/stock.hrl\").\n-include_lib(\"kernel/include/file.hrl\").\n\
         -ifdef(TEST).\n-type tested() :: ?LEVEL.\n-endif.\n-type t() :: ?STOCK | #file_info{}.\n",
    );
    scratch.write("apps/shop/include/shop.hrl", "-type shared() :: ?MODULE.\n");
    scratch.write("apps/stock/include/stock.hrl", "-define(STOCK, stock).\n");
    scratch.write("named/named.hrl", "-type named() :: ok.\n");
    let file = "apps/shop/src/deep/shop.erl";
    let said = forms(
        &scratch,
        &["-I", "named", "-DTEST", "-D", "LEVEL=1..3", file],
    );
    said.succeeded();
    assert_eq!(said.err, "");
    let names = values(&said.out, "name");
    for name in ["shared", "named", "file_info", "tested", "t"] {
        assert!(names.iter().any(|known| known == name), "no {name}");
    }
    let owned = values(&said.out, "own");
    assert_eq!(owned.iter().filter(|own| **own == true).count(), 2);

    forms(&scratch, &[file]).failed(&["cannot find include file `named.hrl`"]);
    forms(&scratch, &["-D", "1x", file]).refused(&["`1x` cannot name a macro"]);
    forms(&scratch, &["-D", "X=", "-D", "Y=\"", file])
        .failed(&["command line:1:1: error[E0110]: unterminated string"]);
}

#[test]
fn the_release_of_otp_root_decides() {
    let scratch = Scratch::new();
    scratch.write("otp/releases/29/OTP_VERSION", "29.1\n");
    scratch.write("otp/lib/stdlib-8.0/include/new.hrl", "-define(NEW, new).\n");
    scratch.write(
        "a.erl",
        "-include_lib(\"stdlib/include/new.hrl\").\n-type t() :: dynamic() | ?NEW.\n-nominal n() :: ok.\n",
    );
    let said = forms(&scratch, &["--otp-root", "otp", "a.erl"]);
    said.succeeded();
    assert!(
        said.out.contains(r#"["type","dynamic",[]]"#),
        "{}",
        said.out
    );
    assert_eq!(values(&said.out, "kind"), ["type", "nominal"]);
    forms(&scratch, &["--otp-root", "none", "a.erl"]).refused(&["none"]);
    forms(&scratch, &["--otp-root", "otp/lib", "a.erl"])
        .refused(&["there is no OTP in this folder", "code:root_dir()"]);
}

#[test]
fn without_erlang_forms_are_read_all_the_same() {
    let scratch = Scratch::new();
    scratch.write("a.erl", "-type t() :: ok.\n");
    let mut command = otp_rs(&["forms", "a.erl"]);
    command.current_dir(scratch.path("")).env("PATH", "");
    let said = said(command);
    said.succeeded();
    assert_eq!(said.out.lines().count(), 1);
}

/// Reads OTP's own modules with `epp` and `beam_lib`, by the script of specs' tests.
#[test]
fn stdlib_reads_as_otp_reads_it() {
    let applications = applications_of_otp();
    let stdlib = applications
        .iter()
        .find(|path| {
            path.file_name()
                .is_some_and(|name| name.as_bytes().starts_with(b"stdlib-"))
        })
        .expect("stdlib is installed");
    let mut files = files_below(&stdlib.join("src"), "erl");
    files.extend(files_below(&stdlib.join("ebin"), "beam"));
    files.extend(files_below(&stdlib.join("doc/chunks"), "chunk"));
    assert!(files.len() > 200, "sources are installed");

    let scratch = Scratch::new();
    let folders: Vec<PathBuf> = applications
        .iter()
        .flat_map(|application| [application.join("include"), application.join("src")])
        .collect();
    let truth = truth(&files, &folders, &scratch.path("truth"));
    let mut command = otp_rs(&["forms"]);
    command.args(&files);
    let said = said(command);
    said.succeeded();
    for (ours, theirs) in said.out.lines().zip(truth.lines()) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(said.out.lines().count(), truth.lines().count());
}

fn truth(files: &[PathBuf], folders: &[PathBuf], out: &Path) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs/tests/support/forms.escript");
    let mut escript = Command::new("escript")
        .arg(script)
        .arg(out)
        .args(folders)
        .stdin(Stdio::piped())
        .spawn()
        .expect("escript starts");
    let names: Vec<_> = files
        .iter()
        .map(|file| format!("{}\n", file.display()))
        .collect();
    let mut input = escript.stdin.take().expect("piped");
    input
        .write_all(names.concat().as_bytes())
        .expect("escript reads");
    drop(input);
    assert!(escript.wait().expect("escript ends").success());
    let answer = fs::read_to_string(out).expect("escript writes its answer");
    let is_form = |line: &&str| line.starts_with('{');
    answer
        .lines()
        .filter(is_form)
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn the_order_is_that_of_the_command_line_on_any_number_of_threads() {
    let scratch = Scratch::new();
    let names: Vec<String> = (0..400)
        .rev()
        .map(|number| format!("m{number}.erl"))
        .collect();
    for (number, name) in names.iter().enumerate() {
        let types = "-type t() :: ok.\n".repeat(if number % 50 == 0 { 500 } else { 1 });
        scratch.write(name, &format!("{types}-type bad() ::.\n"));
    }
    let mut arguments = vec!["-j", "1"];
    arguments.extend(names.iter().map(String::as_str));
    let one = forms(&scratch, &arguments);
    one.failed(&["error[E0841]: 400 errors in 400 of 400 files"]);
    let mut seen = values(&one.out, "file");
    seen.dedup();
    assert_eq!(seen, names);
    for threads in ["2", "9"] {
        arguments[1] = threads;
        let many = forms(&scratch, &arguments);
        assert!(one.out == many.out && one.err == many.err, "{threads}");
    }
    arguments[1] = "0";
    forms(&scratch, &arguments).refused(&["-j"]);
}

#[test]
fn headers_are_found_in_folders_whose_names_are_no_text() {
    let scratch = Scratch::new();
    let folder = scratch.path("").join(OsStr::from_bytes(b"odd\xff"));
    fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in [
        ("a.erl", "-include(\"a.hrl\").\n-type t() :: ?A.\n"),
        ("a.hrl", "-include(\"b.hrl\").\n"),
        ("b.hrl", "-define(A, a).\n"),
    ] {
        fs::write(folder.join(name), text).expect("a file");
    }
    let mut command = otp_rs(&["forms"]);
    command.arg(folder.join("a.erl"));
    let said = said(command);
    said.succeeded();
    assert_eq!(values(&said.out, "name"), ["t"]);
}

/// The Erlang output reads back as the same forms.
#[test]
fn erlang_text_reads_as_the_forms_that_it_prints() {
    let scratch = Scratch::new();
    for application in applications_of_otp() {
        for name in [
            "lists",
            "gen_statem",
            "unicode_util",
            "erl_parse",
            "inet",
            "file",
        ] {
            let file = application.join("src").join(format!("{name}.erl"));
            if !file.is_file() {
                continue;
            }
            let file = file.to_str().expect("UTF-8");
            let text = forms(&scratch, &["--format", "erlang", file]);
            text.succeeded();
            assert!(
                text.out.starts_with(&format!("%% {file}\n")),
                "{:.200}",
                text.out
            );
            scratch.write("again.erl", &text.out);
            let direct = forms(&scratch, &[file]);
            let again = forms(&scratch, &["again.erl"]);
            again.succeeded();
            // An expression is kept only as this word, which then reads as an atom.
            let atoms = again
                .out
                .replace(r#"{"t":["atom","_default"]}"#, r#""_default""#);
            assert_eq!(
                values(&direct.out, "form"),
                values(&atoms, "form"),
                "{file}"
            );
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let files: Vec<PathBuf> = applications_of_otp()
        .iter()
        .flat_map(|application| files_below(&application.join("ebin"), "beam"))
        .take(300)
        .collect();
    let mut child = otp_rs(&["forms"])
        .args(&files)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut first = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    out.read_line(&mut first).expect("a line");
    drop(out);
    let mut errors = String::new();
    let mut err = child.stderr.take().expect("piped");
    err.read_to_string(&mut errors).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{errors}");
    assert!(first.starts_with("{\"file\":"), "{first}");
    assert_eq!(errors, "");
}

#[test]
fn nothing_that_a_file_can_be_makes_it_panic() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("folder.erl")).expect("a folder");
    let garbage: Vec<u8> = (0..40_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    for ending in ["erl", "hrl", "beam", "chunk", "odd"] {
        fs::write(scratch.path(&format!("garbage.{ending}")), &garbage).expect("a file");
        fs::write(scratch.path(&format!("empty.{ending}")), b"").expect("a file");
        let name = [b"odd\xff\n\x1b[31m.", ending.as_bytes()].concat();
        fs::write(
            scratch.path("").join(OsStr::from_bytes(&name)),
            b"-type t() :: ok.\n",
        )
        .expect("a file");
    }
    scratch.write(
        "devices.erl",
        "-include(\"/dev/zero\").\n-file(\"/dev/zero\", 1).\n-type t() :: .\n",
    );
    scratch.write("self.erl", "-include(\"self.erl\").\n-type t() :: ok.\n");
    let entries = fs::read_dir(scratch.path("")).expect("a folder");
    let names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    for format in ["abstract-json", "erlang"] {
        let mut command = otp_rs(&["forms", "--format", format, "none"]);
        command.args(&names).current_dir(scratch.path(""));
        let said = said(command);
        said.failed(&[
            "folder.erl: error[E0816]: this is not a file",
            "devices.erl:1:10: error[E0219]: cannot read include file `/dev/zero`",
            "none: error[E0810]: cannot read this file",
            "odd\u{FFFD}\u{FFFD}\u{FFFD}[31m.beam: error[E0401]: not a BEAM file",
        ]);
        assert!(!said.err.contains("panicked"), "{}", said.err);
        assert!(!said.err.contains('\x1b'), "a terminal would obey");
        assert!(said.out.contains("31m.erl"), "{}", said.out);
    }
}

#[test]
fn no_more_errors_of_a_file_are_shown_than_anybody_reads() {
    let scratch = Scratch::new();
    let wrong = "-type t() :: .\n".repeat(1_003);
    scratch.write("m.erl", &format!("-module(m).\n{wrong}"));
    let said = forms(&scratch, &["m.erl"]);
    said.failed(&[
        "m.erl: error[E0842]: 3 more errors and warnings",
        "error[E0841]: 1003 errors",
    ]);
    assert_eq!(said.err.matches("error[E0301]").count(), 1_000);
}
