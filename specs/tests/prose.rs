//! Documentation chunks become Markdown without losing or adding a word. The installed Erlang
//! provides the expected words.
#![allow(clippy::disallowed_methods)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use otp_specs::ast::{DocText, DocumentedKind};
use otp_specs::parse_chunk;

/// Prints every text of a chunk on one line: module, kind, name, arity, and the text without its
/// elements.
const SCRIPT: &str = r#"
Text = fun Text(B) when is_binary(B) -> B;
           Text({Tag, _, C}) when Tag =:= p; Tag =:= li; Tag =:= pre; Tag =:= br; Tag =:= dt; Tag =:= dd;
                                  Tag =:= h1; Tag =:= h2; Tag =:= h3; Tag =:= h4 ->
               [" ", Text(C), " "];
           Text({'div', A, C}) -> [" ", string:uppercase(proplists:get_value(class, A, "")), " ", Text(C)];
           Text({_, _, C}) -> Text(C);
           Text([H | T]) when is_integer(H) -> [H | T];
           Text(L) when is_list(L) -> lists:map(Text, L) end,
lists:foreach(fun(File) ->
    {ok, Bin} = file:read_file(File),
    {docs_v1, _, _, <<"application/erlang+html">>, _, _, Docs} = binary_to_term(Bin),
    [begin
         Line = unicode:characters_to_binary(Text(Doc)),
         Flat = binary:replace(Line, [<<"\n">>, <<"\r">>], <<" ">>, [global]),
         io:put_chars([File, $\t, atom_to_binary(K), $\t, atom_to_binary(N), $\t, integer_to_binary(A), $\t, Flat, $\n])
     end || {{K, N, A}, _, _, #{<<"en">> := Doc}, _} <- Docs, K =:= function orelse K =:= type orelse K =:= callback]
end, string:lexemes(os:getenv("FILES"), " ")), halt().
"#;

/// The letters and digits of a text, without the characters between them.
fn letters(text: &str) -> String {
    text.chars()
        .filter(|letter| letter.is_alphanumeric())
        .collect()
}

#[test]
fn no_word_of_a_chunk_is_lost() {
    let mut entries = 0;
    for application in ["kernel", "stdlib", "ssl"] {
        let folder = support::application(application).join("doc/chunks");
        let files = support::files_below(&folder, "chunk");
        let names: Vec<String> = files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        let output = Command::new("erl")
            .args([
                "-noinput",
                "-kernel",
                "standard_io_encoding",
                "latin1",
                "-eval",
            ])
            .arg(format!("io:setopts([{{encoding, unicode}}]), {SCRIPT}"))
            .env("FILES", names.join(" "))
            .output()
            .expect("erl starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut written: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for (file, name) in files.iter().zip(&names) {
            let parsed = parse_chunk(name, &fs::read(file).expect("a chunk"));
            for entry in &parsed.module.documented {
                let kind = match entry.kind {
                    DocumentedKind::Function => "function",
                    DocumentedKind::Type => "type",
                    DocumentedKind::Callback => "callback",
                };
                if let DocText::Text(text) = &entry.doc.text {
                    let key = format!("{kind}\t{}\t{}", entry.name, entry.arity);
                    written
                        .entry((name.clone(), key))
                        .or_default()
                        .push(letters(text));
                }
            }
        }
        for line in text.lines() {
            let fields: Vec<&str> = line.splitn(5, '\t').collect();
            let [file, kind, name, arity, text] = fields.as_slice() else {
                panic!("{line}");
            };
            let key = (file.to_string(), format!("{kind}\t{name}\t{arity}"));
            // A chunk may have several texts of one function.
            let found = written.get(&key).cloned().unwrap_or_default();
            assert!(found.contains(&letters(text)), "{key:?}\n{text}\n{found:?}");
            entries += 1;
        }
    }
    assert!(entries > 1_000, "{entries}");
}
