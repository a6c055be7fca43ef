//! `derive(Env)`: values, missing keys and mistakes.

use otp_bridge::term::ErlangType;
use otp_bridge::{Atom, Env, Term, atom};

/// The environment of an application.
#[derive(Debug, PartialEq, Env)]
#[env(application = "shop")]
struct Settings {
    port: u16,
    #[env(default = "localhost")]
    host: String,
    limit: Option<u32>,
    #[env(key = "type", default = vec![1])]
    kinds: Vec<u8>,
    #[env(default)]
    store: Store,
}

#[derive(Debug, PartialEq, Env)]
#[env(nested)]
struct Store {
    #[env(default = 100)]
    size: u64,
}

fn read(pairs: &[(Atom, Term)]) -> Result<Settings, String> {
    let map: otp_bridge::term::Map<Atom, Term> = pairs.iter().cloned().collect();
    Term::of(&map)
        .decode::<Settings>()
        .map_err(|error| error.to_string())
}

#[test]
fn what_is_missing_has_its_default() {
    let settings = Settings {
        port: 80,
        host: "localhost".to_owned(),
        limit: None,
        kinds: vec![1],
        store: Store { size: 100 },
    };
    assert_eq!(read(&[(atom!("port"), Term::of(&80))]), Ok(settings));
    assert_eq!(Store::default(), Store { size: 100 });
    assert_eq!(Settings::APPLICATION, "shop");
}

#[test]
fn what_is_there_is_read() {
    let size: otp_bridge::term::Map<Atom, u8> = [(atom!("size"), 3)].into_iter().collect();
    let given = [
        (atom!("port"), Term::of(&80)),
        (atom!("limit"), Term::of(&7)),
        (atom!("type"), Term::of(&vec![2_u8])),
        (atom!("store"), Term::of(&size)),
        (atom!("other"), Term::of(&1)),
    ];
    let settings = read(&given).expect("settings");
    assert_eq!((settings.limit, settings.kinds), (Some(7), vec![2]));
    assert_eq!(settings.store, Store { size: 3 });
}

#[test]
fn a_mistake_names_its_key() {
    assert_eq!(
        read(&[]),
        Err("port: expected 0..65535, got no such key".to_owned())
    );
    let port = (atom!("port"), Term::of(&80));
    let size: otp_bridge::term::Map<Atom, i8> = [(atom!("size"), -3)].into_iter().collect();
    for (wrong, message) in [
        (
            (atom!("port"), Term::of(&"http")),
            "port: expected 0..65535, got <<\"http\">>",
        ),
        (
            (atom!("store"), Term::of(&size)),
            "store.size: expected non_neg_integer(), got -3",
        ),
        (
            (atom!("store"), Term::of(&1)),
            "store: expected #{size => non_neg_integer()}, got 1",
        ),
    ] {
        let read = read(&[port.clone(), wrong]);
        assert_eq!(read, Err(message.to_owned()));
    }
}

#[test]
fn its_type_says_which_keys_may_be_missing() {
    assert_eq!(
        Settings::erlang_type(),
        "#{port := 0..65535, host => binary(), limit => undefined | 0..4294967295, \
         type => [0..255], store => #{size => non_neg_integer()}}"
    );
}
