//! Clauses that borrow from the terms of their call.

use std::collections::BTreeMap;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Binary;
use otp_bridge::{atom, testing};

/// The values that it has received.
#[derive(Debug, Default)]
struct Store {
    values: BTreeMap<String, Vec<u8>>,
    said: Vec<String>,
}

/// `#{key := binary(), tags := [binary()], value := binary(), note => binary(), size := integer()}`
#[derive(Debug, Clone, PartialEq, Term)]
#[reply(usize)]
struct Put<'a> {
    key: &'a str,
    value: &'a [u8],
    tags: Vec<&'a str>,
    #[term(optional)]
    note: Option<&'a [u8]>,
    size: u64,
}

/// `{get, Key} | {copy, Row}`
#[derive(Debug, Term)]
#[reply(Option<Binary>)]
enum Ask<'a> {
    Get(&'a str),
    Copy(Row<'a>, Option<Row<'a>>),
}

/// `{From, To}`
#[derive(Debug, Term)]
#[term(tuple)]
struct Row<'a> {
    from: &'a str,
    to: &'a str,
}

#[gen_server]
impl GenServer for Store {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Store::default())
    }

    fn handle_call(&mut self, Put { key, value, .. }: Put<'_>) -> HandleCall<usize> {
        if value.is_empty() {
            return reply(0);
        }
        self.values.insert(key.to_owned(), value.to_vec());
        reply(self.values.len())
    }

    fn handle_call(&mut self, ask: &Ask<'_>, cx: &Cx<'_>) -> HandleCall<Option<Binary>> {
        cx.send(&cx.pid(), atom!("asked"));
        let found = match ask {
            Ask::Get(key) => self.values.get(*key).cloned(),
            Ask::Copy(Row { from, to }, also) => {
                let value = self.values.get(*from).cloned();
                for to in also.iter().map(|row| row.to).chain([*to]) {
                    self.values
                        .insert(to.to_owned(), value.clone().unwrap_or_default());
                }
                value
            }
        };
        reply(found.map(Binary::from))
    }

    fn handle_cast(&mut self, text: &str) -> HandleCast {
        self.said.push(text.to_owned());
        noreply()
    }

    fn handle_cast(&mut self, bytes: &[u8]) -> HandleCast {
        self.said.push(format!("{bytes:?}"));
        noreply()
    }

    fn handle_info(&mut self, _: Term) -> HandleInfo {
        noreply()
    }
}

fn put(key: &'static str, value: &'static [u8]) -> Put<'static> {
    Put {
        key,
        value,
        tags: vec!["a", "b"],
        note: None,
        size: 7,
    }
}

#[test]
fn clauses_borrow_what_they_take() -> Result<()> {
    let mut server = testing::Server::<Store>::start(())?;
    assert_eq!(server.call(put("one", b"1"))?, 1);
    assert_eq!(server.call(put("none", b""))?, 0);
    let row = |from, to| Row { from, to };
    let copied = server.call(Ask::Copy(row("one", "two"), Some(row("", "three"))))?;
    assert_eq!(copied, Some(Binary::from("1")));
    assert_eq!(server.call(Ask::Get("three"))?, Some(Binary::from("1")));
    assert_eq!(server.call(Ask::Get("four"))?, None);
    server.cast("text");
    server.cast(&[255][..]);
    assert_eq!(server.state().said, ["text", "[255]"]);
    Ok(())
}

#[test]
fn a_type_that_borrows_is_written_as_it_is_read() {
    let mut value = put("one", b"\x01\xff");
    value.note = Some(b"n");
    assert_eq!(
        Term::of(&value).to_string(),
        r#"#{key => <<"one">>,note => <<"n">>,size => 7,tags => [<<"a">>,<<"b">>],value => <<1,255>>}"#
    );
    assert_eq!(
        <Put<'_> as otp_bridge::term::ErlangType>::erlang_type(),
        "#{key := binary(), value := binary(), tags := [binary()], note => binary(), size := non_neg_integer()}"
    );
}
